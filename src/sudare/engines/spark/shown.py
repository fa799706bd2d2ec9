"""A column as the primitives see it: in a type that no value can break, texts in DuckDB's words.

Claim    no expression here or in sql/ over what is shown fails on a value. Dates are whole days
         within 32 bits. Numbers that are no doubles of 64 bits stay away from the functions that
         end a query where their result does not fit.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from sqlglot import exp

from sudare.engines.spark import texts
from sudare.engines.spark.storage import Storage
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Physical
from sudare.facts.schema import NUMERIC, ColumnType

_DECIMAL = re.compile(r"decimal\(([0-9]+),([0-9]+)\)")
_BITS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
_SIMPLE = {
    "void": Physical("null"),
    "boolean": Physical("boolean"),
    "float": Physical("float"),
    "double": Physical("float"),
    "string": Physical("text"),
    "date": Physical("date"),
}
_TEXT = Physical("text")
_DAY_SECONDS = 86_400
_LAST_DAY = 2**31 - 1
# Longer than any whole number that a column can declare (2^62), and shorter than 64 bits.
_FAR = 2.0**62 + 2.0**61
# Decimals up to this long are not checked against their type when Spark reads them.
_UNCHECKED_DIGITS = 18
_SHORT_TEXT = 64
_LONG_WHOLE = rf"^[{sql.BLANKS}]*[+-]?[0-9]+(?:\.0*)?[{sql.BLANKS}]*$"
_SIGN_AND_DIGITS = rf"^[{sql.BLANKS}]*([+-]?)0*([0-9]*)"


@dataclass(frozen=True)
class Shown:
    """What stands for a column in the view `rows`, and how it is stored there."""

    value: Sql
    physical: Physical


def shown(storage: Storage, declared: ColumnType, raw: Sql) -> Shown | None:
    """The column under its declared type; None for times, bytes, lists and the like."""
    if storage.ticks or storage.name in ("timestamp", "timestamp_ntz"):
        return _instant(storage, declared, raw)
    if storage.name.startswith("string collate "):
        # In a column with a collation of its own A may equal a; labels are compared by bytes.
        raw = exp.Collate(this=raw.copy(), expression=exp.var("UTF8_BINARY"))
        return shown(Storage("string"), declared, raw)
    physical = _physical(storage.name)
    if physical is None:
        return None
    # A number of four bytes is the double it is.
    raw = sql.cast(raw.copy(), "DOUBLE") if storage.name == "float" else raw
    value = _tame(physical, declared, raw)
    if declared in ("key", "text") and physical.kind not in ("text", "null"):
        return Shown(_written(physical, value), _TEXT)
    return Shown(value, physical)


def unit_shown(storage: Storage, raw: Sql) -> Shown | None:
    """What tells the rows of one unit: its stored value, which is compared faster than its text.
    Bounds do not apply, text is without blanks around it, and NaN and "" name nobody."""
    found = shown(storage, "category", raw)
    if found is None or found.physical.kind not in ("text", "float"):
        return found
    if found.physical.kind == "float":
        is_number = exp.Not(this=texts.call("ISNAN", found.value.copy()))
        return Shown(sql.when((is_number, found.value)), found.physical)
    name = sql.stripped(_readable(found.value))
    return Shown(exp.Nullif(this=name, expression=sql.text("")), found.physical)


def _physical(name: str) -> Physical | None:
    if name in _BITS:
        most = 2 ** (_BITS[name] - 1)
        return Physical("integer", -most, most - 1)
    decimal = _DECIMAL.fullmatch(name)
    if decimal:
        return Physical("decimal", digits=int(decimal[1]), scale=int(decimal[2]))
    return _SIMPLE.get(name)


def _instant(storage: Storage, declared: ColumnType, raw: Sql) -> Shown:
    if declared in NUMERIC:
        # Only dates can be read off an instant; layout.py refuses the others by this storage.
        day = _day(raw, storage.ticks) if storage.ticks else sql.cast(raw.copy(), "DATE")
        return Shown(day, Physical("date") if declared == "date" else Physical("timestamp"))
    if storage.ticks:
        return Shown(texts.of_ticks(raw, storage.ticks, storage.zoned), _TEXT)
    return Shown(texts.of_instant(raw, storage.zoned), _TEXT)


def _day(raw: Sql, ticks: int) -> Sql:
    days = texts.floor_divided(raw, ticks * _DAY_SECONDS)
    inside = sql.between(days, sql.integer(-_LAST_DAY), sql.integer(_LAST_DAY))
    before = sql.less(days, sql.integer(0))
    near = sql.when(
        (inside, days.copy()),
        (before, sql.integer(-_LAST_DAY)),
        (sql.is_present(days), sql.integer(_LAST_DAY)),
    )
    return texts.call("DATE_FROM_UNIX_DATE", sql.cast(near, "INT"))


def _tame(physical: Physical, declared: ColumnType, raw: Sql) -> Sql:
    match physical.kind:
        case "null":
            return sql.null("BIGINT")
        case "decimal" if physical.digits <= _UNCHECKED_DIGITS:
            return _within(physical, raw)
        case "float" if declared == "integer":
            return _near(raw)
        case "text" if declared == "integer":
            return _short(raw)
        case "text" if declared in ("key", "text"):
            return _readable(raw)
        case _:
            return raw.copy()


def _readable(raw: Sql) -> Sql:
    """Text whose bytes are no text is missing; read somehow, two such names could become one."""
    return texts.call("TRY_VALIDATE_UTF8", raw.copy())


def _within(physical: Physical, raw: Sql) -> Sql:
    """A damaged file may hold decimals longer than their type, which arithmetic does not take."""
    nines = "9" * (physical.digits - physical.scale) + "." + "9" * physical.scale
    low, high = (
        sql.decimal(sign + nines.rstrip("."), physical.digits, physical.scale) for sign in ("-", "")
    )
    return sql.when((sql.between(raw, low, high), raw.copy()))


def _near(raw: Sql) -> Sql:
    """A double within 64 bits, for the floor that tells whole numbers; NaN stays what it is."""
    low, high = sql.real(-_FAR), sql.real(_FAR)
    return sql.when(
        (sql.between(raw, low, high), raw.copy()),
        (sql.less(raw, low), low.copy()),
        (sql.at_most(raw, sql.real(math.inf)), high.copy()),
    )


def _short(raw: Sql) -> Sql:
    """Whole numbers of thousands of digits, cut: parsing takes a time that grows with the square,
    and beyond 38 digits they are beyond the bounds anyway."""
    sign, digits = (
        texts.call("REGEXP_EXTRACT", raw.copy(), sql.text(_SIGN_AND_DIGITS), sql.integer(group))
        for group in (1, 2)
    )
    first = texts.call("SUBSTRING", digits, sql.integer(1), sql.integer(_SHORT_TEXT - 2))
    length = texts.call("OCTET_LENGTH", raw.copy())
    return sql.when(
        (sql.at_most(length, sql.integer(_SHORT_TEXT)), raw.copy()),
        (sql.matches(raw, _LONG_WHOLE), texts.call("CONCAT", sign, sql.text("0"), first)),
    )


def _written(physical: Physical, value: Sql) -> Sql:
    if physical.kind == "float":
        zero = sql.equal(value, sql.integer(0))
        return sql.when((zero, sql.text("0.0")), otherwise=texts.of_double(value))
    return texts.of_date(value) if physical.kind == "date" else sql.cast(value, "TEXT")
