"""Groups by weighted sums of several columns: the nearest center, the bin of a score.

Claim    the code of a row is that of facts/aggregate.py, bit for bit: every product and sum is an
         operation of its own on doubles, in the order of `Line.at`. No value of a line is NaN or
         infinite, and no product becomes too small for a double, because indices are whole and
         slopes are bounded; so no row can make a query fail.
         A row that lacks a column has NULL lines and a NULL code.
Needs    an index of at most 2^62 is rounded to a double as IEEE 754 says.
Why      the sums are made in layers of queries, so that what is used several times (an index as
         a double, a line that is compared with the least one) is computed once a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sqlglot import exp

from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.facts.aggregate import Line, LineAxis, NearestAxis, ScoreAxis

# An axis by its number, and the names under which the rows have the indices of its columns.
Placed = tuple[int, LineAxis, Sequence[str]]
# Up to this many lines, each is compared with all that follow; beyond, all are compared with the
# least of all, which takes longer for few.
_FEW = 12
Layer = Callable[[exp.Select], exp.Select]


def with_codes(rows: exp.Subquery, placed: Sequence[Placed], layered: Layer) -> exp.Subquery:
    """The rows with a code v0, v1, ... beside them for every axis; `layered` makes a query one
    whose expressions are computed once."""
    doubles: list[Sql] = []
    lines: list[Sql] = []
    least: list[Sql] = []
    codes: list[Sql] = []
    for number, axis, names in placed:
        wide = [f"z{number}_{place}" for place in range(len(names))]
        for name, double in zip(names, wide, strict=True):
            doubles.append(sql.named(sql.cast(sql.column(name), "DOUBLE"), double))
        for place, line in enumerate(_lines(axis)):
            lines.append(sql.named(_at(line, wide), f"l{number}_{place}"))
        if isinstance(axis, NearestAxis) and len(axis.lines) > _FEW:
            least.append(sql.named(_least(axis, number), f"n{number}"))
        codes.append(sql.named(_code(axis, number, wide), f"v{number}"))
    for wider in (doubles, lines, least, codes):
        if wider:
            layered(rows.this)
            rows = _beside(rows, wider)
    return rows


def _beside(rows: exp.Subquery, columns: list[Sql]) -> exp.Subquery:
    return sql.select(exp.Star(), *columns).from_(rows, copy=False).subquery("r", copy=False)


def _lines(axis: LineAxis) -> tuple[Line, ...]:
    return axis.lines if isinstance(axis, NearestAxis) else (axis.line,)


def _at(line: Line, doubles: Sequence[str]) -> Sql:
    found = sql.real(line.constant)
    for slope, double in zip(line.slopes, doubles, strict=True):
        # The constant stands first, because PostgreSQL's dialect guards the other form against
        # products that are too small.
        part = exp.Mul(this=sql.real(slope), expression=sql.column(double))
        found = exp.paren(exp.Add(this=found, expression=part), copy=False)
    return found


def _least(axis: NearestAxis, number: int) -> Sql:
    others = [sql.column(f"l{number}_{place}") for place in range(axis.size - 1)]
    return exp.Least(this=sql.real(0.0), expressions=others, ignore_nulls=True)


def _code(axis: LineAxis, number: int, doubles: Sequence[str]) -> Sql:
    if isinstance(axis, ScoreAxis):
        return _bin(sql.column(f"l{number}_0"), axis.size)
    lines: list[Sql] = [sql.column(f"l{number}_{place}") for place in range(axis.size - 1)]
    if not lines:
        there = exp.and_(*(sql.is_present(sql.column(double)) for double in doubles), copy=False)
        return sql.when((there, sql.integer(0)))
    few = len(lines) <= _FEW
    code = _first(lines) if few else _equal(lines, sql.column(f"n{number}"))
    return sql.when((sql.is_present(lines[0]), code))


def _first(lines: list[Sql]) -> Sql:
    """The first that is the least of all, zero standing before them. One that is negative and not
    above any later one is the least, if none before it was so: each of those is above a later one
    or not negative, and the least of the later ones is this."""
    zero = sql.real(0.0)
    branches = [(_all(sql.at_most(zero, line) for line in lines), sql.integer(0))]
    for place, line in enumerate(lines[:-1]):
        later = (sql.at_most(line, other) for other in lines[place + 1 :])
        branches.append((_all([sql.less(line, zero), *later]), sql.integer(place + 1)))
    return sql.when(*branches, otherwise=sql.integer(len(lines)))


def _all(tests: Iterable[Sql]) -> Sql:
    return exp.and_(*tests, copy=False)


def _equal(lines: list[Sql], least: Sql) -> Sql:
    """The first that is the least of all, zero standing before them."""
    tests = [sql.equal(value, least) for value in (sql.real(0.0), *lines[:-1])]
    branches = [(test, sql.integer(code)) for code, test in enumerate(tests)]
    return sql.when(*branches, otherwise=sql.integer(len(lines)))


def _bin(value: Sql, size: int) -> Sql:
    last = sql.real(float(size - 1))
    return sql.when(
        (sql.less(value, sql.real(1.0)), sql.integer(0)),
        (sql.at_most(last, value), sql.integer(size - 1)),
        otherwise=sql.rounded(sql.floor(value)),
    )
