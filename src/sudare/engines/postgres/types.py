"""PostgreSQL's types: how each is stored, and how the view `rows` shows it to the primitives.

Every expression here holds for every value of its type: NUMERIC may be NaN, infinite or longer
than a double, CHAR(n) is padded with blanks, and a collation may take different texts for equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sqlglot import exp

from sudare.engines.postgres import parsing
from sudare.engines.postgres.parsing import call
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Physical
from sudare.facts.schema import ColumnType

# The numbers of built-in types (pg_type.dat); they never change.
BOOL, INT8, INT2, INT4, TEXT = 16, 20, 21, 23, 25
FLOAT4, FLOAT8, BPCHAR, VARCHAR = 700, 701, 1042, 1043
DATE, TIMESTAMP, TIMESTAMPTZ, NUMERIC, UUID = 1082, 1114, 1184, 1700, 2950
_INTEGERS = {INT2: 16, INT4: 32, INT8: 64}
_TEXTS = frozenset({TEXT, VARCHAR, BPCHAR})
_SIMPLE = {
    BOOL: Physical("boolean"),
    FLOAT4: Physical("float"),
    FLOAT8: Physical("float"),
    DATE: Physical("date"),
    TIMESTAMP: Physical("timestamp", digits=6),
    TIMESTAMPTZ: Physical("timestamp", digits=6),
    UUID: Physical("other"),
    **dict.fromkeys(_TEXTS, Physical("text")),
}
_BIT = Physical("integer", 0, 1)
# What a NUMERIC without declared digits can hold (PostgreSQL's documentation, "Numeric Types").
_MOST_SCALE = 16_383
_UNBOUNDED = Physical("decimal", digits=131_072 + _MOST_SCALE, scale=_MOST_SCALE)
# Decimals with no more digits than this, before and behind the point, are doubles.
_DOUBLE_DIGITS = 300
_FARTHEST, _NEAREST = "1e300", "1e-300"


@dataclass(frozen=True)
class Stored:
    """A column's type as the server describes a result: the base type of a domain, and its
    modifier (the digits of a NUMERIC), −1 if it has none."""

    oid: int
    modifier: int = -1
    is_enum: bool = False


@dataclass(frozen=True)
class Shown:
    """What a column is in the view. `bare` is taken from the table; `parsed`, if there is one,
    from the bare column, by expressions too long to be written twice."""

    physical: Physical
    bare: Sql
    parsed: Sql | None = None


def physical_of(stored: Stored) -> Physical | None:
    """How a type is stored; None for times, bytes, arrays, JSON and the like."""
    if stored.oid in _INTEGERS:
        half = 2 ** (_INTEGERS[stored.oid] - 1)
        return Physical("integer", -half, half - 1)
    if stored.oid == NUMERIC:
        return _numeric(stored.modifier)
    return Physical("other") if stored.is_enum else _SIMPLE.get(stored.oid)


def _numeric(modifier: int) -> Physical:
    if modifier < 0:
        return _UNBOUNDED
    # Digits and scale are packed as in numeric.c; since version 15 the scale may be negative.
    digits, scale = (modifier - 4) >> 16, ((modifier - 4 & 0x7FF) ^ 1024) - 1024
    digits = max(digits - min(scale, 0), scale)
    # 38 digits mean to the primitives that there is no room for a 39th.
    return Physical("decimal", digits=digits if digits != 38 else 39, scale=max(scale, 0))


def shown(stored: Stored, declared: ColumnType, column: Sql, alias: str) -> Shown | None:
    """A column of a declared type in the view, under `alias`."""
    physical = physical_of(stored)
    if physical is None:
        return None
    match physical.kind:
        case "integer":
            return Shown(physical, column)
        case "boolean" if declared in ("integer", "real"):
            return Shown(_BIT, sql.cast(column, "INT"))
        case "decimal":
            return _decimal(physical, declared, column)
        case "text":
            return _text(declared, column, alias)
        case "other":
            return Shown(physical, _plain_text(column))
    return Shown(physical, column)


def _decimal(physical: Physical, declared: ColumnType, column: Sql) -> Shown:
    if declared == "real":
        return Shown(Physical("float"), _as_double(physical, column))
    number = exp.Nullif(this=column, expression=sql.cast(sql.text("NaN"), "DECIMAL"))
    # 1.5 and 1.50 are one number, and shall be one text.
    return Shown(physical, call("TRIM_SCALE", number) if physical == _UNBOUNDED else number)


def _as_double(physical: Physical, column: Sql) -> Sql:
    """A NUMERIC as a double; NaN stays NaN. Too far from 0 it is infinite, too near it is 0."""
    double = sql.cast(column.copy(), "DOUBLE")
    if physical.digits <= _DOUBLE_DIGITS:
        return double
    nan, zero = sql.cast(sql.text("NaN"), "DECIMAL"), sql.integer(0)
    farthest, nearest = (sql.cast(sql.text(end), "DECIMAL") for end in (_FARTHEST, _NEAREST))
    size = exp.Abs(this=column.copy())
    return sql.when(
        (sql.between(size, nearest, farthest), double),
        (sql.less(size, nearest), sql.real(0.0)),
        (sql.equal(column, nan), sql.real(math.nan)),
        (sql.less(column, zero), sql.real(-math.inf)),
        (sql.less(zero, column), sql.real(math.inf)),
    )


def _text(declared: ColumnType, column: Sql, alias: str) -> Shown:
    bare, name = _plain_text(column), sql.column(alias)
    match declared:
        case "integer":
            return Shown(_UNBOUNDED, sql.trimmed(bare), parsing.whole_number(name))
        case "real":
            return Shown(Physical("float"), sql.trimmed(bare), parsing.double(name))
        case "date":
            return Shown(Physical("date"), sql.trimmed(bare), parsing.date(name))
    return Shown(Physical("text"), bare)


def _plain_text(column: Sql) -> Sql:
    """CHAR(n) loses its padding; the dialect frees every such text from its collation."""
    return sql.cast(column, "TEXT")
