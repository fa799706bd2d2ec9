"""Doubles, dates and instants as text, in DuckDB's words: the choice of a unit's rows is made from
texts, and under one run key every engine chooses the same.

Claim    a double has the shortest digits that read back as it, without an exponent from 1e-4 to
         1e16; instants are in UTC, with no more digits of a second than needed.
Needs    Java's formats cut the digits of Double.toString, which read back as the double; before
         Java 19 there may be more of them than needed, so shorter texts are tried first.
"""

from __future__ import annotations

import datetime as dt
import math

from sqlglot import exp

from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql

# Between these, DuckDB and Java write a double without an exponent, and the same if both do.
_DUCK_PLAIN, _JAVA_PLAIN = (1e-4, 1e16), (1e-3, 1e7)
# Below this all whole numbers are doubles, and none has a shorter text.
_ALL_WHOLE = 2.0**53
_MOST_DIGITS = 17
_EPOCH = dt.datetime(1970, 1, 1)
_SECOND = dt.timedelta(seconds=1)
_LONGEST = 2**63 - 1


def call(name: str, *values: Sql) -> Sql:
    return exp.Anonymous(this=name, expressions=list(values))


def of_double(value: Sql) -> Sql:
    """A double that is not zero: 100.0, 1e+16, inf, nan."""
    size = exp.Abs(this=value.copy())
    whole = sql.cast(sql.cast(value.copy(), "BIGINT"), "TEXT")
    is_whole = exp.and_(
        sql.less(size, sql.real(_ALL_WHOLE)), sql.equal(call("RINT", value.copy()), value)
    )
    return sql.when(
        (call("ISNAN", value.copy()), sql.text("nan")),
        (sql.equal(value, sql.real(math.inf)), sql.text("inf")),
        (sql.equal(value, sql.real(-math.inf)), sql.text("-inf")),
        (is_whole, call("CONCAT", whole, sql.text(".0"))),
        (_from_to(*_JAVA_PLAIN, size), sql.cast(value.copy(), "TEXT")),
        (_from_to(*_DUCK_PLAIN, size), _plain(_shortest(value))),
        otherwise=_shortest(value),
    )


def _from_to(low: float, high: float, size: Sql) -> Sql:
    return exp.and_(sql.at_most(sql.real(low), size), sql.less(size, sql.real(high)))


def _shortest(value: Sql) -> Sql:
    """The first of the texts with 1, 2, ... 17 digits that reads back: 1e-07, 2.5e+16."""
    pattern = call("CONCAT", sql.text("%."), exp.column("d"), sql.text("e"))
    written = _lambda("d", call("FORMAT_STRING", pattern, value.copy()))
    digits = call("SEQUENCE", sql.integer(0), sql.integer(_MOST_DIGITS - 1))
    reads_back = _lambda("t", sql.equal(sql.try_cast(exp.column("t"), "DOUBLE"), value))
    found = call("FILTER", call("TRANSFORM", digits, written), reads_back)
    return call("GET", found, sql.integer(0))


def _lambda(name: str, body: Sql) -> Sql:
    return exp.Lambda(this=body, expressions=[exp.to_identifier(name)])


def _plain(text: Sql) -> Sql:
    """2.5e+08 as 250000000.0; no more zeros behind the point than one."""
    shown = sql.cast(sql.try_cast(text, "DECIMAL(38, 21)"), "TEXT")
    return call("REGEXP_REPLACE", shown, sql.text(r"(\.[0-9]+?)0*\z"), sql.text("$1"))


def _without_last(sign: str, text: Sql) -> Sql:
    return exp.Trim(this=text, expression=sql.text(sign), position="TRAILING")


def of_date(value: Sql) -> Sql:
    """A date; years before 1 count back from 1 BC."""
    year, month, day = (call(name, value.copy()) for name in ("YEAR", "MONTH", "DAY"))
    before = exp.Sub(this=sql.integer(1), expression=year.copy())
    far = call("FORMAT_STRING", sql.text("%d-%02d-%02d"), year.copy(), month.copy(), day.copy())
    return sql.when(
        (sql.between(year, sql.integer(1), sql.integer(9999)), sql.cast(value.copy(), "TEXT")),
        (sql.less(sql.integer(9999), year), far),
        (
            sql.less(year, sql.integer(1)),
            call("FORMAT_STRING", sql.text("%04d-%02d-%02d (BC)"), before, month, day),
        ),
    )


def of_instant(value: Sql, zoned: bool) -> Sql:
    """A timestamp of Spark's own, inside the calendar of dates; others are missing."""
    year = call("YEAR", value.copy())
    shown = call("CONCAT", sql.cast(value.copy(), "TEXT"), _zone(zoned))
    return sql.when((sql.between(year, sql.integer(1), sql.integer(9999)), shown))


def of_ticks(value: Sql, unit: int, zoned: bool) -> Sql:
    """As `of_instant`, of a number of ticks since 1970, `unit` of them a second."""
    seconds = call("TIMESTAMP_SECONDS", floor_divided(value, unit))
    ticks = call("PMOD", value.copy(), sql.integer(unit))
    digits = call("FORMAT_STRING", sql.text(f".%0{len(str(unit)) - 1}d"), ticks)
    fraction = _without_last(".", _without_last("0", digits))
    shown = call("CONCAT", sql.cast(seconds, "TEXT"), fraction, _zone(zoned))
    first = (dt.datetime.min - _EPOCH) // _SECOND * unit
    last = ((dt.datetime.max - _EPOCH) // _SECOND + 1) * unit - 1
    if first < -_LONGEST and last > _LONGEST:
        # Nanoseconds in 64 bits do not reach the ends of the calendar.
        return sql.when((sql.is_present(value), shown))
    return sql.when((sql.between(value, sql.integer(first), sql.integer(last)), shown))


def floor_divided(value: Sql, divisor: int) -> Sql:
    """The quotient rounded down; DIV rounds towards zero."""
    quotient = exp.IntDiv(this=value.copy(), expression=sql.integer(divisor))
    rest = exp.Mod(this=value.copy(), expression=sql.integer(divisor))
    down = sql.when((sql.less(rest, sql.integer(0)), sql.integer(1)), otherwise=sql.integer(0))
    return exp.paren(exp.Sub(this=exp.paren(quotient), expression=down), copy=False)


def _zone(zoned: bool) -> Sql:
    return sql.text("+00" if zoned else "")
