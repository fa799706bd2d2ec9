"""Cleaned rows of a table as arrays in memory, for the steward's jobs that look at rows.

Every row is read, whatever the unit: what comes of it is for the steward's own eyes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.engines.choose import engine_of
from sudare.engines.inputs.find import find_input
from sudare.engines.mapped import MISSING, indices_of
from sudare.engines.open import open_source
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidFile
from sudare.facts.microdata import LabelColumn, MicroColumn, Microdata, NumberColumn
from sudare.facts.schema import NUMERIC, Column, Schema


def columns_in(data: object, schema: Schema, choice: EngineChoice = AUTO) -> tuple[str, ...]:
    """The names of a file's columns; a table elsewhere is taken to have all that are declared."""
    if engine_of(data, choice) != "duckdb" or hasattr(data, "__arrow_c_stream__"):
        return tuple(schema.columns)
    return tuple(find_input(data, schema.table.encoding, schema.table.delimiter).names)


def read_microdata(
    data: object,
    names: Sequence[str],
    schema: Schema,
    choice: EngineChoice = AUTO,
    people: str | None = None,
) -> Microdata:
    """The named columns of every row: numbers with bounds, booleans, and labels; and, of the column
    `people`, whose row each is. Rows without a value there count as one person's."""
    unit = {"unit": "row", "max_rows_per_unit": None}
    columns = {
        # A draft is good enough for its steward's own eyes.
        name: schema.columns[name].model_copy(update={"confirmed": True})
        for name in names
    }
    own = () if people is None else (people,)
    columns |= dict.fromkeys(own, Column(type="key"))
    table = schema.table.model_copy(update=unit)
    every_row = schema.model_copy(update={"table": table, "columns": columns, "levels": {}})
    parts: list[list[NDArray[np.int64]]] = [[] for _ in names]
    whose: list[pa.Array] = []
    # All rows are kept, so the key that would choose among them has no part in the result.
    with open_source(data, every_row, [*names, *own], choice) as source:
        for batch in source.batches([*names, *own], bytes(32)):
            for part, array in zip(parts, batch.columns, strict=False):
                part.append(indices_of(array))
            whose += batch.columns[len(names) :]
    if not any(len(part) for part in parts[0]):
        raise InvalidFile("The data has no rows.", "Check that this is the right file.")
    return Microdata(
        tuple(
            value_column(every_row, name, np.concatenate(found))
            for name, found in zip(names, parts, strict=True)
        ),
        _numbered(whose) if own else None,
    )


def _numbered(names: Sequence[pa.Array]) -> NDArray[np.int64]:
    encoded = pa.chunked_array(names).dictionary_encode("encode").combine_chunks()
    return np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)


def value_column(schema: Schema, name: str, indices: NDArray[np.int64]) -> MicroColumn:
    """Grid indices or codes as values or labels."""
    column, missing = schema.columns[name], indices == MISSING
    if column.type in NUMERIC:
        values = indices * float(column.grid(name).step)
        values[missing] = np.nan
        return NumberColumn(name, values, column.type)  # type: ignore[arg-type]
    codes = np.where(missing, -1, indices).astype(np.int32)
    return LabelColumn(name, codes, schema.domain(name))
