"""The table as the primitives see it: columns c0, c1, … of the view `rows`, in tame types."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sudare.engines.postgres.types import Shown
from sudare.engines.sql import nodes as sql

ROWS = "rows"


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
    return _fenced(sql.select(*parsed).from_(_fenced(query).subquery("b"), copy=False))


def _fenced(query: exp.Select) -> exp.Select:
    """OFFSET 0 keeps PostgreSQL from putting an expression in the place of every use of it."""
    return query.offset(0, copy=False)
