"""Short names for the sqlglot nodes that the primitives are made of.

A node has one parent, so an expression that is used twice is copied: tests copy what they are
given, the rest takes it over.
"""

from __future__ import annotations

import datetime as dt

from sqlglot import exp

Sql = exp.Expr
# What may stand around a value without belonging to it: blanks, tabs, line ends, the no-break
# space and the full-width space of Japanese text.
BLANKS = " \t\r\n\u00a0\u3000"
_BLANK_AT_AN_END = f"^[{BLANKS}]|[{BLANKS}]$"


def column(name: str, table: str | None = None) -> exp.Column:
    return exp.column(name, table=table)


def integer(value: int) -> Sql:
    return exp.Literal.number(value)


def real(value: float) -> Sql:
    """A double, written with every digit; decimal literals would have another type."""
    return cast(text(repr(value)), "DOUBLE")


def text(value: str) -> Sql:
    return exp.Literal.string(value)


def date(value: dt.date) -> Sql:
    return cast(text(value.isoformat()), "DATE")


def moment(value: dt.datetime) -> Sql:
    return cast(text(value.isoformat(" ")), "TIMESTAMP")


def decimal(value: str, digits: int, scale: int) -> Sql:
    return cast(text(value), f"DECIMAL({digits}, {scale})")


def null(kind: str) -> Sql:
    return cast(exp.null(), kind)


def cast(value: Sql, kind: str) -> Sql:
    return exp.Cast(this=value, to=exp.DataType.build(kind))


def try_cast(value: Sql, kind: str) -> Sql:
    return exp.TryCast(this=value, to=exp.DataType.build(kind))


def written(value: Sql, kind: str) -> Sql:
    """A value of type `kind` as text, marked as such: engines write doubles and dates differently,
    and the text has to be DuckDB's."""
    return cast(marked(value, kind), "TEXT")


def rounded(value: Sql) -> Sql:
    """A double as the nearest whole number, from a middle the even one. It is marked as a double,
    because casts do so in DuckDB and PostgreSQL, but not everywhere."""
    return try_cast(marked(value, "DOUBLE"), "BIGINT")


def marked(value: Sql, kind: str) -> Sql:
    """The value with its type beside it, for dialects that have to know."""
    found = value.copy()
    found.type = exp.DataType.build(kind)
    return found


def when(*branches: tuple[Sql, Sql], otherwise: Sql | None = None) -> Sql:
    """CASE WHEN ... THEN ... END; without `otherwise` the rest is NULL."""
    ifs = [exp.If(this=test, true=value) for test, value in branches]
    return exp.Case(ifs=ifs, default=otherwise)


def is_null(value: Sql) -> Sql:
    return exp.Is(this=value.copy(), expression=exp.null())


def is_present(value: Sql) -> Sql:
    return exp.Not(this=is_null(value))


def between(value: Sql, low: Sql, high: Sql) -> Sql:
    return exp.Between(this=value.copy(), low=low.copy(), high=high.copy())


def less(left: Sql, right: Sql) -> Sql:
    return exp.LT(this=left.copy(), expression=right.copy())


def at_most(left: Sql, right: Sql) -> Sql:
    return exp.LTE(this=left.copy(), expression=right.copy())


def equal(left: Sql, right: Sql) -> Sql:
    return exp.EQ(this=left.copy(), expression=right.copy())


def one_of(value: Sql, choices: list[Sql]) -> Sql:
    return exp.In(this=value.copy(), expressions=[choice.copy() for choice in choices])


def floor(value: Sql) -> Sql:
    return exp.Floor(this=value.copy())


def times(first: Sql, *more: Sql) -> Sql:
    for factor in more:
        first = exp.Mul(this=first, expression=factor)
    return first


def matches(value: Sql, pattern: str) -> Sql:
    """Whether a regular expression finds something; anchors are the caller's."""
    return exp.RegexpLike(this=value.copy(), expression=text(pattern))


def trimmed(value: Sql) -> Sql:
    return exp.Trim(this=value.copy(), expression=text(BLANKS))


def stripped(value: Sql) -> Sql:
    """The text without blanks at its ends. Trimming is slow and seldom needed, so it is asked for
    only where a blank stands at an end."""
    return when((matches(value, _BLANK_AT_AN_END), trimmed(value)), otherwise=value.copy())


def coalesce(first: Sql, *others: Sql) -> Sql:
    return exp.Coalesce(this=first, expressions=list(others))


def count() -> Sql:
    return exp.Count(this=exp.Star())


def total(value: Sql) -> Sql:
    return exp.Sum(this=value)


def named(value: Sql, name: str) -> Sql:
    return exp.alias_(value, name, copy=False)


def select(*columns: Sql) -> exp.Select:
    return exp.Select(expressions=list(columns))


def row_number(partition: list[Sql], order: Sql | None = None) -> Sql:
    ordered = exp.Order(expressions=[exp.Ordered(this=order)]) if order is not None else None
    return exp.Window(this=exp.RowNumber(), partition_by=partition, order=ordered)
