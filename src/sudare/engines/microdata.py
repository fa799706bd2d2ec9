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
from sudare.engines.open import open_source
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidFile
from sudare.facts.microdata import LabelColumn, MicroColumn, Microdata, NumberColumn
from sudare.facts.schema import NUMERIC, Schema


def columns_in(data: object, schema: Schema, choice: EngineChoice = AUTO) -> tuple[str, ...]:
    """The names of a file's columns; a table elsewhere is taken to have all that are declared."""
    if engine_of(data, choice) != "duckdb" or hasattr(data, "__arrow_c_stream__"):
        return tuple(schema.columns)
    return tuple(find_input(data, schema.table.encoding, schema.table.delimiter).names)


def read_microdata(
    data: object, names: Sequence[str], schema: Schema, choice: EngineChoice = AUTO
) -> Microdata:
    """The named columns of every row: numbers with bounds, booleans, and labels."""
    unit = {"unit": "row", "max_rows_per_unit": None}
    columns = {
        # A draft is good enough for its steward's own eyes.
        name: schema.columns[name].model_copy(update={"confirmed": True})
        for name in names
    }
    table = schema.table.model_copy(update=unit)
    every_row = schema.model_copy(update={"table": table, "columns": columns, "levels": {}})
    parts: list[list[NDArray[np.int64]]] = [[] for _ in names]
    # All rows are kept, so the key that would choose among them has no part in the result.
    with open_source(data, every_row, names, choice) as source:
        for batch in source.batches(list(names), bytes(32)):
            for place, array in enumerate(batch.columns):
                parts[place].append(indices_of(array))
    if not any(len(part) for part in parts[0]):
        raise InvalidFile("The data has no rows.", "Check that this is the right file.")
    return Microdata(
        tuple(
            _column(every_row, name, np.concatenate(found))
            for name, found in zip(names, parts, strict=True)
        )
    )


_MISSING = np.iinfo(np.int64).min


def indices_of(array: pa.Array) -> NDArray[np.int64]:
    """Grid indices or codes; what is missing has the least of all integers."""
    codes = array.indices if pa.types.is_dictionary(array.type) else array
    return np.asarray(codes.cast(pa.int64()).fill_null(_MISSING).to_numpy(zero_copy_only=False))


def _column(schema: Schema, name: str, indices: NDArray[np.int64]) -> MicroColumn:
    column, missing = schema.columns[name], indices == _MISSING
    if column.type in NUMERIC:
        values = indices * float(column.grid(name).step)
        values[missing] = np.nan
        return NumberColumn(name, values, column.type)  # type: ignore[arg-type]
    codes = np.where(missing, -1, indices).astype(np.int32)
    return LabelColumn(name, codes, schema.domain(name))
