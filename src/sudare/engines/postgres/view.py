"""The table as the primitives see it: columns c0, c1, … of the view `rows`, in tame types."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sudare.engines.postgres.types import Shown
from sudare.engines.sql import nodes as sql

ROWS = "rows"
_UNUSED = "unused"


def rows_of(table: exp.Table, shown: Sequence[Shown]) -> exp.Select:
    """SELECT … AS c0, … FROM the table. A count reads no column, but every view has one."""
    aliases = [f"c{number}" for number in range(len(shown))]
    bare = [sql.named(each.bare, alias) for each, alias in zip(shown, aliases, strict=True)]
    query = sql.select(*(bare or [sql.named(sql.integer(1), "c0")])).from_(table)
    if all(each.parsed is None for each in shown):
        return query
    parsed = [
        sql.named(each.parsed.copy(), alias) if each.parsed is not None else sql.column(alias)
        for each, alias in zip(shown, aliases, strict=True)
    ]
    return fenced(sql.select(*parsed).from_(fenced(query).subquery("b"), copy=False))


def fenced(query: exp.Select) -> exp.Select:
    """A query whose expressions PostgreSQL does not put in the place of every use of them. It
    leaves a query with a WITH as it is, though nothing uses that. OFFSET 0 is the better known
    fence, but keeps the query from being shared out among workers."""
    return query.with_(_UNUSED, as_=sql.select(sql.integer(1)), copy=False)
