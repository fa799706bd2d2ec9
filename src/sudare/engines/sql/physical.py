"""How a column is stored, as far as reading it needs to know; the same words for every engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sudare.engines.sql.nodes import Sql, column
from sudare.facts.schema import Column, ColumnType

# `index` is a column that is already clean: grid indices, NULL where the value is missing.
# `other` can be read as text alone (UUIDs, enumerations).
Kind = Literal[
    "null", "boolean", "integer", "float", "decimal", "date", "timestamp", "text", "other", "index"
]


@dataclass(frozen=True)
class Physical:
    """The storage of a column; `low` and `high` are the least and greatest of an integer type,
    `digits` and `scale` the length of a decimal and how much of it stands behind the point;
    `digits` of a timestamp are those of its fraction of a second."""

    kind: Kind
    low: int = 0
    high: int = 0
    digits: int = 0
    scale: int = 0


INDEX = Physical("index")
_NUMBERS: frozenset[Kind] = frozenset({"null", "boolean", "integer", "float", "decimal", "text"})
_DATES: frozenset[Kind] = frozenset({"null", "date", "timestamp", "text"})
_LABELS: frozenset[Kind] = _NUMBERS | _DATES | {"other"}
READABLE: dict[ColumnType, frozenset[Kind]] = {
    "integer": _NUMBERS,
    "real": _NUMBERS,
    "boolean": _NUMBERS,
    "date": _DATES,
    "category": _LABELS,
    "text": _LABELS,
    "key": _LABELS,
}


@dataclass(frozen=True)
class Cell:
    """A declared column where it lies in a table: under `alias`, stored as `physical`."""

    name: str
    column: Column
    physical: Physical
    alias: str

    @property
    def raw(self) -> Sql:
        return column(self.alias)


Layout = dict[str, Cell]
