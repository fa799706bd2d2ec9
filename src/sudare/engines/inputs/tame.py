"""Arrow columns in storage that no value can break: checked, and converted where DuckDB would fail.

Claim    after `tamed`, no reading of sudare fails on a value. Text that is not UTF-8 is missing;
         dictionary indices and decimals fit their types, or the table is refused here, before
         anything is charged. Seconds and milliseconds, which DuckDB multiplies and may overflow,
         become microseconds; an instant farther than 9,500 years from 1970 stops there, beyond
         every date that a schema can declare.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from sudare.engines.border import damaged, guarded
from sudare.engines.inputs.texts import text_of

_MICROSECONDS = {"s": 10**6, "ms": 10**3}
_FAR = 3 * 10**17
_DAY = 86_400_000
_LAST_DAY = 2**31 - 2


def tamed(table: pa.Table) -> pa.Table:
    """The table with every column checked and in storage that DuckDB reads without error."""
    for place, field in enumerate(table.schema):
        column = _column(table.column(place))
        table = table.set_column(place, pa.field(field.name, column.type), column)
    return table


def _column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    column = _readable(_unwrapped(column))
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


def _readable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column without the texts that are not UTF-8, in storage that holds missing ones."""
    kind = column.type
    is_coded = pa.types.is_dictionary(kind) and _is_text(kind.value_type)
    if not (is_coded or _is_text(kind)) or _is_valid(column):
        return column
    return guarded(lambda: pa.chunked_array([_texts(chunk) for chunk in column.chunks]), damaged())


def _is_valid(column: pa.ChunkedArray) -> bool:
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _texts(chunk: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(chunk.type):
        texts = _texts(chunk.dictionary)
        # A code that leads nowhere is no text that could be missing.
        return pa.DictionaryArray.from_arrays(chunk.indices, texts, safe=True).cast(texts.type)
    if pa.types.is_string_view(chunk.type):
        views = pa.Array.from_buffers(
            pa.binary_view(), len(chunk), chunk.buffers(), chunk.null_count, chunk.offset
        )
        stored = views.cast(pa.large_binary())
    else:
        large = pa.types.is_large_string(chunk.type)
        stored = pa.Array.from_buffers(
            pa.large_binary() if large else pa.binary(),
            len(chunk),
            chunk.buffers(),
            chunk.null_count,
            chunk.offset,
        )
    stored.validate(full=True)
    return text_of(pa.chunked_array([stored]), nul=True)[0].cast(pa.large_string()).chunk(0)


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
