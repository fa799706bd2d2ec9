"""Columns of users or items as codes and names.

A name is text without the blanks around it (blank, tab, line end, the no-break and the full-width
blank), and nothing else is changed: capitals count, and so does Unicode's normal form. Numbers,
dates and the like are named as every engine writes them; whole numbers that pandas holds as
floating, because a value is missing among them, are named as whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from sqlglot import exp

from sudare.engines.border import gave_up, guarded
from sudare.engines.connection import ROWS, attach, connect
from sudare.engines.duck_types import physical_of
from sudare.engines.inputs.frame_input import open_frame
from sudare.engines.sql import category
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.physical import Cell
from sudare.facts.errors import InvalidFile
from sudare.facts.schema import Column

_EXACT = 2.0**53


@dataclass(frozen=True, eq=False, repr=False)
class Named:
    """A code for every row, -1 where it names nothing, and the names by code. Codes run in the
    order of first occurrence."""

    codes: NDArray[np.int32]
    names: tuple[str, ...]


def named(column: pa.ChunkedArray) -> Named:
    """The codes and names of a column of any plain type."""
    values = _whole(column)
    # Whole numbers are encoded as such: there are fewer different ones to write than rows.
    if not is_text(values.type) and not pa.types.is_integer(values.type):
        values = _written(values)
    if is_text(values.type):
        values = values.cast(pa.large_string())
    encoded = values.combine_chunks().dictionary_encode()
    texts = encoded.dictionary.cast(pa.large_string())
    return coded(pa.DictionaryArray.from_arrays(encoded.indices, texts))


def coded(encoded: pa.DictionaryArray) -> Named:
    """The same for text that is encoded already. Texts that have one name become one."""
    trimmed = pc.utf8_trim(encoded.dictionary, sql.BLANKS)
    filled = pc.if_else(pc.equal(trimmed, ""), None, trimmed)
    again = filled.dictionary_encode()
    new = np.append(_filled(again.indices), np.int32(-1))
    return Named(new[_filled(encoded.indices)], tuple(again.dictionary.to_pylist()))


def _filled(indices: pa.Array) -> NDArray[np.int32]:
    return np.asarray(indices.fill_null(-1), np.int32)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column holds text, dictionaries of it included."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in tests)


def _written(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Values of another type as DuckDB names them, in their order."""
    source = open_frame(pa.table({"value": column}))
    with connect() as connection:
        attached = attach(connection, source, [0])
        physical = physical_of(attached.types[0])
        if physical is None:
            raise InvalidFile(
                "Users or items are stored in a type that names nothing.",
                "Store them as text or whole numbers.",
            )
        cell = Cell("value", Column(type="key"), physical, "c0")
        value = sql.null("TEXT") if physical.kind == "null" else category.as_name(cell, cell.raw)
        query = sql.select(value).from_(exp.to_table(ROWS), copy=False).sql("duckdb")
        found = guarded(lambda: connection.sql(query).to_arrow_table(), gave_up())
    return found.column(0)


def _whole(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Floating numbers as whole ones, if all of them are."""
    if not pa.types.is_floating(column.type) or column.null_count == len(column):
        return column
    numbers = column.cast(pa.float64())
    exact = pc.and_(pc.equal(pc.floor(numbers), numbers), pc.less(pc.abs(numbers), _EXACT))
    return numbers.cast(pa.int64()) if pc.all(exact).as_py() else column
