"""The tables that a statement defines before it asks: the view, and the rows that units keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sudare.engines.postgres.view import ROWS
from sudare.engines.sql import bounding
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.physical import Layout
from sudare.engines.sql.settle import settled_layout, settled_rows
from sudare.facts.schema import Table

_SETTLED, _HEAVY, _KEPT = "settled", "heavy", "kept"


@dataclass(frozen=True)
class Tables:
    """`rows` is the view over the table, whose columns lie as `stored` says; `small` if it cannot
    have 2^41 rows. `counted` is the table itself where its rows can be counted without fail."""

    facts: Table
    stored: Layout
    rows: exp.Select
    small: bool
    counted: exp.Table | None

    @property
    def bounded(self) -> bool:
        return self.facts.unit != "row"

    @property
    def name(self) -> str:
        """What to ask of."""
        return _KEPT if self.bounded else ROWS

    @property
    def layout(self) -> Layout:
        return settled_layout(self.stored) if self.bounded else self.stored

    def given(self, run_key: bytes) -> list[str]:
        """The parameters of a statement."""
        return [run_key.hex()] if self.bounded else []

    def before(self, query: exp.Query, shared: bool = False) -> exp.Query:
        """WITH the tables; `shared` if the query asks the last of them more than once."""
        # Not written down, a table is computed where it is used, with what is used of it alone
        # and by several workers.
        query = query.with_(ROWS, as_=self.rows, materialized=False)
        if not self.bounded:
            return query
        limit, cells = self.facts.rows_per_unit, list(self.layout.values())
        key = sql.cast(exp.Parameter(this=sql.integer(1)), "TEXT")
        settled = settled_rows(self.stored, ROWS, self.facts.unit)
        query = query.with_(_SETTLED, as_=settled, materialized=False)
        query = query.with_(_HEAVY, as_=bounding.heavy_units(_SETTLED, limit), materialized=True)
        kept = bounding.kept_rows(_SETTLED, _HEAVY, cells, limit, key)
        return query.with_(_KEPT, as_=kept, materialized=True if shared else None)


def gathered(queries: Sequence[exp.Select]) -> exp.Query:
    """One query for several: the number of each, and its row as an array of numbers."""
    parts = [_numbered(number, query) for number, query in enumerate(queries)]
    whole: exp.Query = parts[0]
    for part in parts[1:]:
        whole = exp.union(whole, part, distinct=False)
    return whole


def _numbered(number: int, query: exp.Select) -> exp.Select:
    names = [f"n{place}" for place in range(len(query.expressions))]
    alias = exp.TableAlias(
        this=exp.to_identifier("a"), columns=[exp.to_identifier(name) for name in names]
    )
    numbers = exp.Array(expressions=[sql.cast(sql.column(name), "DECIMAL") for name in names])
    whole = exp.Subquery(this=query, alias=alias)
    return sql.select(sql.integer(number), numbers).from_(whole, copy=False)
