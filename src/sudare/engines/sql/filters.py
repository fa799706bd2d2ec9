"""Filters on cleaned values, with SQL's three-valued logic.

Claim    the SQL is true exactly where the predicate holds of the cleaned value. A cleaned number
         is index·step, so comparing it with a literal q is comparing the integer index with the
         floor or ceiling of q / step: exact, whatever the size of q.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
import operator
from collections.abc import Callable
from fractions import Fraction

from sqlglot import exp

from sudare.engines.sql import category, clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell, Layout
from sudare.facts.errors import InvalidPlan
from sudare.facts.grid import Grid
from sudare.facts.query import (
    All,
    Any_,
    Comparison,
    Literal_,
    Membership,
    Missing,
    Not,
    Operator,
    Predicate,
)
from sudare.facts.schema import EPOCH, NUMERIC

_ON_LABELS: dict[Operator, Callable[[str, str], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def filtered(predicate: Predicate, layout: Layout) -> Sql:
    """A predicate as a tree over the raw columns of `layout`."""
    match predicate:
        case Not(part):
            return exp.not_(filtered(part, layout), copy=False)
        case All(parts):
            return exp.and_(exp.true(), *(filtered(part, layout) for part in parts), copy=False)
        case Any_(parts):
            return exp.or_(exp.false(), *(filtered(part, layout) for part in parts), copy=False)
        case Missing(column):
            return _missing(layout[column])
        case Membership(column, values):
            return _member(layout[column], values)
        case Comparison(column, sign, value):
            return _compared(layout[column], sign, value)


def _missing(cell: Cell) -> Sql:
    if cell.column.type in NUMERIC:
        return clean.missing(cell, cell.raw)
    _need_category(cell)
    return sql.is_null(_labelled(cell, set()))


def _member(cell: Cell, values: tuple[Literal_, ...]) -> Sql:
    if cell.column.type not in NUMERIC:
        _need_category(cell)
        return _labelled(cell, {str(value) for value in values})
    grid = cell.column.grid(cell.name)
    places = {_place(cell, grid, value) for value in values}
    return _at(cell, grid, sorted(int(place) for place in places if place.denominator == 1))


def _compared(cell: Cell, sign: Operator, value: Literal_) -> Sql:
    if cell.column.type not in NUMERIC:
        _need_category(cell)
        labels = (*cell.column.values, *((cell.column.other,) if cell.column.other else ()))
        holds = _ON_LABELS[sign]
        return _labelled(cell, {label for label in labels if holds(label, str(value))})
    grid = cell.column.grid(cell.name)
    place = _place(cell, grid, value)
    if sign in ("=", "!="):
        equal = _at(cell, grid, [int(place)] if place.denominator == 1 else [])
        return equal if sign == "=" else exp.not_(equal, copy=False)
    # index < p is index <= ceil(p) − 1, and index > p is not (index <= floor(p)).
    last = math.floor(place) if sign in ("<=", ">") else math.ceil(place) - 1
    bound = sql.integer(min(max(last, grid.low - 1), grid.high))
    below = sql.at_most(clean.index(cell, cell.raw), bound)
    return below if sign in ("<", "<=") else exp.not_(below, copy=False)


def _labelled(cell: Cell, chosen: set[str]) -> Sql:
    """Whether the cleaned label is one of `chosen`; NULL where it is missing."""
    if cell.physical.kind != "index":
        return category.shows(cell, cell.raw, chosen)
    other = () if cell.column.other is None else (cell.column.other,)
    places = [n for n, label in enumerate((*cell.column.values, *other)) if label in chosen]
    # Places side by side are one range; long lists would each become a join in DuckDB.
    ranges = [
        [place for _, place in run]
        for _, run in itertools.groupby(enumerate(places), lambda pair: pair[1] - pair[0])
    ] or [[-1]]
    tests = [sql.between(cell.raw, sql.integer(r[0]), sql.integer(r[-1])) for r in ranges]
    return exp.or_(*tests, copy=False)


def _at(cell: Cell, grid: Grid, places: list[int]) -> Sql:
    """Whether the index is one of `places`; if none can be, still NULL for a missing value."""
    inside = [place for place in places if grid.low <= place <= grid.high] or [grid.low - 1]
    return sql.one_of(clean.index(cell, cell.raw), [sql.integer(place) for place in inside])


def _place(cell: Cell, grid: Grid, value: Literal_) -> Fraction:
    """A literal in grid steps."""
    if isinstance(value, str):
        if cell.column.type != "date":
            raise InvalidPlan(
                f"Column '{cell.name}' is compared with text.", "Compare it with a number."
            )
        return Fraction((dt.date.fromisoformat(value) - EPOCH).days)
    return Fraction(value) / Fraction(grid.step)


def _need_category(cell: Cell) -> None:
    if cell.column.type != "category":
        raise InvalidPlan(
            f"Column '{cell.name}' is {cell.column.type}; it has no declared values to filter by.",
            "Filter on a column with declared bounds or values.",
        )
