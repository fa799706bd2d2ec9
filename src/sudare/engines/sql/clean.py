"""Numbers, dates and booleans become grid indices: clip, round to the grid, NULL where missing.

Claim    for every stored value the index lies in [grid.low, grid.high] or is NULL, and it equals
         facts.grid.grid_index of the clamped value.
Symbols  a `Reading` says what a value below, inside and above its bounds becomes; cleaning asks
         for indices, validation for the side on which a value fell.
Needs    NaN sorts above every number, as in DuckDB, PostgreSQL and Spark, so that "<= infinity"
         tells a number from NaN. LEAST and GREATEST are avoided, because they turn NULL into a
         bound; the form of CASE is the measured one of docs/decisions/0005-engines.md. No reading
         fails on a value, since a failed query would tell that the value is there: what could be
         too large is cast with TRY_CAST, and operands of one type are compared.
Gaps     the running time depends on the data: a value out of bounds takes another branch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from sqlglot import exp

from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell, Physical
from sudare.facts.grid import Grid, exact_inverse
from sudare.facts.schema import EPOCH

WHOLE_FORM = r"^[+-]?[0-9]+(?:\.0*)?$"
NUMBER_FORM = (
    r"^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
    r"|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?)$"
)
DATE_FORM = r"^[0-9]{4}(?:-[0-9]{1,2}-[0-9]{1,2}|/[0-9]{1,2}/[0-9]{1,2})$"
TRUE_WORDS = ("true", "t", "yes", "1")
FALSE_WORDS = ("false", "f", "no", "0")
# Types of storage whose values can only be missing by being NULL, by declared type.
_NULL_ONLY: dict[str, frozenset[str]] = {
    "integer": frozenset({"index", "integer", "boolean"}),
    "real": frozenset({"index", "integer", "boolean", "decimal"}),
    "date": frozenset({"index", "date"}),
    "boolean": frozenset({"index", "boolean"}),
}


@dataclass(frozen=True)
class Reading:
    """What a readable value becomes below, inside and above its bounds."""

    below: Sql
    inside: Callable[[Sql], Sql]
    above: Sql


def index(cell: Cell, raw: Sql) -> Sql:
    """The grid index of a stored value; NULL where the value is missing or unreadable."""
    if cell.physical.kind == "index":
        return raw.copy()
    grid = cell.column.grid(cell.name)
    if cell.column.type == "integer" and _cannot_leave(cell.physical, grid):
        return raw.copy()
    reading = Reading(sql.integer(grid.low), _inside(cell, grid), sql.integer(grid.high))
    return read(cell, raw, reading)


def present(cell: Cell, raw: Sql) -> Sql:
    """Whether a value has an index, in the cheapest words that say it."""
    if cell.physical.kind in _NULL_ONLY[cell.column.type]:
        return sql.is_present(raw)
    if cell.column.type == "real" and cell.physical.kind == "float":
        return is_number(raw)
    return sql.is_present(index(cell, raw))


def missing(cell: Cell, raw: Sql) -> Sql:
    """Whether a value has no index; never NULL itself."""
    if cell.physical.kind in _NULL_ONLY[cell.column.type]:
        return sql.is_null(raw)
    return sql.is_null(index(cell, raw))


def mark(cell: Cell, raw: Sql) -> Sql:
    """Something that is NULL exactly where the index is, and as cheap as possible."""
    if cell.physical.kind in _NULL_ONLY[cell.column.type]:
        return raw.copy()
    if cell.column.type == "real" and cell.physical.kind == "float":
        return exp.Nullif(this=raw.copy(), expression=sql.real(math.nan))
    return index(cell, raw)


def is_number(value: Sql) -> Sql:
    """Whether a double is there and is not NaN; NULL where it is not there."""
    return sql.at_most(value, sql.real(math.inf))


def read(cell: Cell, raw: Sql, reading: Reading) -> Sql:
    """A stored value under a reading, by declared type."""
    if cell.physical.kind == "null":
        return sql.null("BIGINT")
    if cell.column.type == "boolean":
        return _boolean(cell.physical, raw, reading)
    if cell.column.type == "date":
        return _date(cell, raw, reading)
    if cell.column.type == "real":
        return _real(cell, raw, reading)
    return _integer(cell, raw, reading)


def _cannot_leave(physical: Physical, grid: Grid) -> bool:
    """Whether the storage type alone keeps every value inside the bounds."""
    return physical.kind == "integer" and grid.low <= physical.low and physical.high <= grid.high


def _inside(cell: Cell, grid: Grid) -> Callable[[Sql], Sql]:
    if cell.column.type == "real":
        return lambda value: sql.rounded(scaled(value, grid.step))
    if cell.column.type == "date":
        return _days
    for kind, most in (("INT", 2**31), ("BIGINT", 2**63)):
        if _holds(most, cell.physical, grid):
            return partial(sql.marked, kind=kind)
    return lambda value: sql.try_cast(value.copy(), "BIGINT")


def _holds(most: int, physical: Physical, grid: Grid) -> bool:
    """Whether integers below `most` hold what is stored as well as the bounds."""
    low, high = min(physical.low, grid.low), max(physical.high, grid.high)
    return physical.kind == "integer" and -most <= low and high < most


def scaled(value: Sql, step: float) -> Sql:
    """value / step; multiplying is faster than dividing."""
    inverse = exact_inverse(step)
    if inverse is not None:
        return exp.Mul(this=value.copy(), expression=sql.real(inverse))
    return exp.Div(this=value.copy(), expression=sql.real(step))


def _days(value: Sql) -> Sql:
    return exp.DateDiff(this=value.copy(), expression=sql.date(EPOCH), unit=exp.var("DAY"))


def _clip(value: Sql, low: Sql, high: Sql, reading: Reading) -> Sql:
    """The branch for values inside comes first: a block of rows that all take it is not copied."""
    return sql.when(
        (sql.between(value, low, high), reading.inside(value)),
        (sql.less(value, low), reading.below.copy()),
        (sql.less(high, value), reading.above.copy()),
    )


def _clip_double(value: Sql, low: float, high: float, reading: Reading) -> Sql:
    """As `_clip`, but NaN, which sorts above infinity, is missing."""
    return sql.when(
        (sql.between(value, sql.real(low), sql.real(high)), reading.inside(value)),
        (sql.less(value, sql.real(low)), reading.below.copy()),
        (is_number(value), reading.above.copy()),
    )


def _integer(cell: Cell, raw: Sql, reading: Reading) -> Sql:
    grid = cell.column.grid(cell.name)
    low, high = sql.integer(grid.low), sql.integer(grid.high)
    match cell.physical.kind:
        case "float":
            whole = sql.equal(raw, sql.floor(raw))
            bottom, top = _double_at_least(grid.low), -_double_at_least(-grid.high)
            return sql.when((whole, _clip_double(raw, bottom, top, reading)))
        case "decimal":
            is_whole, value = _whole_decimal(cell.physical, raw)
            return sql.when((is_whole, _clip(value, low, high, reading)))
        case "boolean":
            return _clip(sql.cast(raw.copy(), "INT"), low, high, reading)
        case "text":
            return _matched(raw, WHOLE_FORM, lambda value: _digits(value, low, high, reading))
        case _:
            return _clip(raw, low, high, reading)


def _whole_decimal(physical: Physical, raw: Sql) -> tuple[Sql, Sql]:
    """Whether a decimal is whole, and the whole number. Of 38 digits with some behind the point
    the floor may need a 39th, which not every engine has, so these are read from their text."""
    if physical.digits != 38 or physical.scale == 0:
        return sql.equal(raw, sql.floor(raw)), sql.try_cast(raw.copy(), "INT128")
    shown = sql.cast(raw.copy(), "TEXT")
    return sql.matches(shown, r"\.0*$"), sql.try_cast(shown, "INT128")


def _double_at_least(value: int) -> float:
    """The least double that is not below an integer."""
    near = float(value)
    return near if near >= value else math.nextafter(near, math.inf)


def _digits(value: Sql, low: Sql, high: Sql, reading: Reading) -> Sql:
    """Whole numbers in text; one too long for 128 bits lies beyond the bound of its sign."""
    beyond = sql.when(
        (exp.StartsWith(this=value.copy(), expression=sql.text("-")), reading.below.copy()),
        otherwise=reading.above.copy(),
    )
    return sql.coalesce(_clip(sql.try_cast(value, "INT128"), low, high, reading), beyond)


def _matched(raw: Sql, pattern: str, parse: Callable[[Sql], Sql]) -> Sql:
    """Parse text of a form; blanks around it are taken off only where the form is not found."""
    bare = sql.trimmed(raw)
    return sql.when(
        (sql.matches(raw, pattern), parse(raw.copy())),
        (sql.matches(bare, pattern), parse(bare)),
    )


def _real(cell: Cell, raw: Sql, reading: Reading) -> Sql:
    cell.column.grid(cell.name)
    low, high = float(cell.column.min), float(cell.column.max)  # type: ignore[arg-type]
    if cell.physical.kind != "text":
        return _clip_double(sql.cast(raw.copy(), "DOUBLE"), low, high, reading)
    return _matched(
        raw,
        NUMBER_FORM,
        lambda value: _clip_double(sql.try_cast(value, "DOUBLE"), low, high, reading),
    )


def _date(cell: Cell, raw: Sql, reading: Reading) -> Sql:
    cell.column.grid(cell.name)
    low, high = sql.date(cell.column.min), sql.date(cell.column.max)  # type: ignore[arg-type]
    if cell.physical.kind != "text":
        return _clip(sql.try_cast(raw.copy(), "DATE"), low, high, reading)
    return _matched(raw, DATE_FORM, lambda value: _clip(_parsed_date(value), low, high, reading))


def _parsed_date(value: Sql) -> Sql:
    dashed = exp.Replace(this=value, expression=sql.text("/"), replacement=sql.text("-"))
    return sql.try_cast(dashed, "DATE")


def _boolean(physical: Physical, raw: Sql, reading: Reading) -> Sql:
    one, zero = reading.inside(sql.integer(1)), reading.inside(sql.integer(0))
    if physical.kind == "boolean":
        return sql.when((raw.copy(), one), (exp.Not(this=raw.copy()), zero))
    if physical.kind == "decimal":
        is_whole, value = _whole_decimal(physical, raw)
        return sql.when((is_whole, _zero_or_one(value, zero, one)))
    if physical.kind != "text":
        return _zero_or_one(raw, zero, one)
    word = exp.Lower(this=sql.stripped(raw))
    return sql.when(
        (sql.one_of(word, [sql.text(w) for w in TRUE_WORDS]), one),
        (sql.one_of(word, [sql.text(w) for w in FALSE_WORDS]), zero),
    )


def _zero_or_one(value: Sql, zero: Sql, one: Sql) -> Sql:
    return sql.when(
        (sql.equal(value, sql.integer(1)), one), (sql.equal(value, sql.integer(0)), zero)
    )
