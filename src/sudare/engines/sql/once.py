"""The columns of a long filter, cleaned once a row instead of once a comparison.

Claim    a filter is true of the prepared columns exactly where it is true of the stored ones:
         numbers become their indices, a category the place of its label among the labels that
         its storage can show, in their order, `other` after the last; NULL is missing.
Needs    the prepared rows are materialized, so that the cleaning is not put back into each of the
         comparisons: cleaned in place, the time grows with their number times that of the labels
         (benchmarks/inner.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from sudare.engines.sql import category, clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import INDEX, Cell, Layout
from sudare.facts.query import All, Any_, Not, Predicate, predicate_columns
from sudare.facts.schema import NUMERIC

ONCE = "once"
# Filters up to this long are cleaned in place, so that nothing is written down for them. The
# number is a choice of memory over time, not a measured crossing.
_FEW = 8


def is_long(predicate: Predicate) -> bool:
    """Whether a filter has so many comparisons that its columns are better cleaned before."""
    return _comparisons(predicate) > _FEW


def prepared(
    predicate: Predicate,
    layout: Layout,
    table: str,
    kept: Iterable[Cell],
    codes: category.CodeTable,
) -> tuple[exp.Select, Layout]:
    """The rows with the columns of the filter cleaned beside those of `kept`, and their layout."""
    aliases = dict.fromkeys(cell.alias for cell in kept)
    query = sql.select(*(sql.column(alias, table) for alias in aliases))
    query = query.from_(exp.to_table(table), copy=False)
    found: Layout = {}
    for number, name in enumerate(sorted(predicate_columns(predicate))):
        cell, alias = layout[name], f"f{number}"
        raw = sql.column(cell.alias, table)
        if cell.column.type in NUMERIC:
            value = clean.index(cell, raw)
        else:
            cell = _shown_alone(cell)
            query, value = _place(query, cell, raw, codes(cell, cell.column.values, alias), alias)
        query = query.select(sql.named(value, alias), copy=False)
        found[name] = Cell(name, cell.column, INDEX, alias)
    return query, found


def _comparisons(predicate: Predicate) -> int:
    match predicate:
        case Not(part):
            return _comparisons(part)
        case All(parts) | Any_(parts):
            return sum(map(_comparisons, parts))
        case _:
            return 1


def _shown_alone(cell: Cell) -> Cell:
    """The category with the labels that can occur, in ascending order, so that "<" is a range."""
    labels = tuple(sorted(category.shown_labels(cell)))
    column = cell.column.model_copy(update={"values": labels})
    return Cell(cell.name, column, cell.physical, cell.alias)


def _place(
    query: exp.Select, cell: Cell, raw: Sql, table: Sql | None, alias: str
) -> tuple[exp.Select, Sql]:
    code: Sql = sql.null("BIGINT")
    if table is not None:
        query = category.joined(query, cell, raw, table, alias)
        code = sql.column("code", alias)
    if cell.column.other is None:
        return query, code
    return query, sql.coalesce(code, sql.integer(len(cell.column.values)))
