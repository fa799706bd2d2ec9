"""How Spark reads a column: the type it is given there, from Arrow's, Parquet's or Spark's own.

Instants of Arrow and Parquet are read as whole numbers, because Spark multiplies milliseconds and
ends the query where that overflows, and does not know nanoseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql.types import DataType

_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_FROM_ARROW = {
    pa.null(): "void",
    pa.bool_(): "boolean",
    pa.int8(): "tinyint",
    pa.int16(): "smallint",
    pa.int32(): "int",
    pa.int64(): "bigint",
    # Spark has no unsigned numbers, and reads these in the next longer type.
    pa.uint8(): "smallint",
    pa.uint16(): "int",
    pa.uint32(): "bigint",
    pa.uint64(): "decimal(20,0)",
    pa.float32(): "float",
    pa.float64(): "double",
    pa.string(): "string",
    pa.large_string(): "string",
    pa.string_view(): "string",
    pa.date32(): "date",
}


@dataclass(frozen=True)
class Storage:
    """Spark's name of a type; of instants read as whole numbers, how many `ticks` a second has,
    and whether they are in UTC."""

    name: str
    ticks: int = 0
    zoned: bool = False

    @property
    def digits(self) -> int:
        """How long a decimal may be; 0 for everything else."""
        return int(self.name[8:].split(",")[0]) if self.name.startswith("decimal(") else 0

    @property
    def may_break(self) -> bool:
        """Whether Spark refuses a stored value that is longer than its type; shorter decimals it
        takes as they are."""
        return self.digits > 18


def from_arrow(kind: pa.DataType) -> Storage | None:
    """The storage of an Arrow or Parquet column; None where Spark reads none of its values."""
    if pa.types.is_dictionary(kind):
        return from_arrow(kind.value_type)
    if pa.types.is_timestamp(kind):
        return Storage("bigint", _UNITS[kind.unit], kind.tz is not None)
    if pa.types.is_decimal(kind):
        digits, scale = kind.precision, kind.scale
        return Storage(f"decimal({digits},{scale})") if digits <= 38 and scale >= 0 else None
    name = _FROM_ARROW.get(kind)
    return None if name is None else Storage(name)


def from_spark(kind: DataType) -> Storage | None:
    """The storage of a DataFrame's column; shown.py knows which names it can show."""
    from pyspark.sql.types import CharType, TimestampType, VarcharType

    if isinstance(kind, (CharType, VarcharType)):
        return Storage("string")
    return Storage(kind.simpleString(), zoned=isinstance(kind, TimestampType))
