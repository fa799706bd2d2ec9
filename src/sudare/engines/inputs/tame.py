"""Arrow columns in storage that no value can break: checked, and converted where DuckDB would fail.

Claim    after `tamed`, no reading of sudare fails on a value. Text is valid UTF-8, dictionary
         indices and decimals fit their types, or the table is refused here, before anything is
         charged. Seconds and milliseconds, which DuckDB multiplies and may overflow, become
         microseconds; an instant farther than 9,500 years from 1970 stops there, beyond every
         date that a schema can declare.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from sudare.engines.border import guarded
from sudare.facts.errors import InvalidFile

_MICROSECONDS = {"s": 10**6, "ms": 10**3}
_FAR = 3 * 10**17
_DAY = 86_400_000
_LAST_DAY = 2**31 - 2


def damaged() -> InvalidFile:
    """The refusal of storage that breaks the rules of its own type; it names no value."""
    return InvalidFile(
        "The data has a column that is damaged: text that is not UTF-8, or decimals or codes"
        " outside their type.",
        "Write the data anew; text has to be UTF-8.",
    )


def tamed(table: pa.Table) -> pa.Table:
    """The table with every column checked and in storage that DuckDB reads without error."""
    for place, field in enumerate(table.schema):
        column = _column(table.column(place))
        table = table.set_column(place, pa.field(field.name, column.type), column)
    return table


def _column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    column = _unwrapped(column)
    kind = column.type
    if _has_rules(kind):
        guarded(lambda: column.validate(full=True), damaged())
    if pa.types.is_dictionary(kind) and not _is_text(kind.value_type):
        return _column(column.cast(kind.value_type))
    if pa.types.is_run_end_encoded(kind):
        return _column(pa.chunked_array(map(pc.run_end_decode, column.chunks), kind.value_type))
    if pa.types.is_timestamp(kind) and kind.unit in _MICROSECONDS:
        return _microseconds(column)
    if pa.types.is_date64(kind):
        days = pc.divide(column.cast(pa.int64()), _DAY)
        return _clipped(days, _LAST_DAY).cast(pa.int32()).cast(pa.date32())
    nearest = _nearest(kind)
    return column if nearest is None else column.cast(nearest)


def _unwrapped(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """An extension type as what it is stored in; of these DuckDB knows UUIDs, and all are valid."""
    kind = column.type
    if not isinstance(kind, pa.BaseExtensionType) or isinstance(kind, pa.UuidType):
        return column
    return pa.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type)


def _is_text(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _has_rules(kind: pa.DataType) -> bool:
    """Whether there are bytes that no value of the type has."""
    checked = (pa.types.is_decimal, pa.types.is_dictionary, pa.types.is_run_end_encoded)
    return _is_text(kind) or any(test(kind) for test in checked)


def _nearest(kind: pa.DataType) -> pa.DataType | None:
    """The nearest type that DuckDB knows, for those that it does not know."""
    if pa.types.is_float16(kind):
        return pa.float32()
    if pa.types.is_decimal256(kind):
        # As doubles two long keys could become one, and one person's rows change another's.
        return pa.string()
    if pa.types.is_decimal32(kind) or pa.types.is_decimal64(kind):
        return pa.decimal128(kind.precision, kind.scale)
    return None


def _microseconds(column: pa.ChunkedArray) -> pa.ChunkedArray:
    factor = _MICROSECONDS[column.type.unit]
    near = _clipped(column.cast(pa.int64()), _FAR // factor)
    zone = None if column.type.tz is None else "UTC"
    return pc.multiply(near, factor).cast(pa.timestamp("us", zone))


def _clipped(column: pa.ChunkedArray, limit: int) -> pa.ChunkedArray:
    below = pc.min_element_wise(column, pa.scalar(limit, pa.int64()), skip_nulls=False)
    return pc.max_element_wise(below, pa.scalar(-limit, pa.int64()), skip_nulls=False)
