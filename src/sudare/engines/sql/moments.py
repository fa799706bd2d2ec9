"""Counts and sums of monomials by group, exact.

Claim    the rows that count are those whose filter is true and whose `columns` are all present;
         sums run over integer indices in 64 or 128 bits, chosen so that no product and no sum of
         the declared bounds can overflow.
Needs    a plan whose sums stay below 2^127 (room `queries` refuses the others).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from sudare.engines.sql import category, clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.axes import AxisSql, axes_sql
from sudare.engines.sql.filters import filtered
from sudare.engines.sql.lines import Layer, Placed, with_codes
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.once import ONCE, is_long, prepared
from sudare.engines.sql.physical import Cell, Layout
from sudare.facts.aggregate import Axis, MomentsRequest, NearestAxis, ScoreAxis
from sudare.facts.query import Predicate


@dataclass(frozen=True)
class Shape:
    """What requests must have in common to be answered by one pass over the rows."""

    where: Predicate | None
    axes: tuple[Axis, ...]
    columns: tuple[str, ...]


EVERYTHING = Shape(None, (), ())
# The monomial of the empty product, whose sum is the number of rows; where it is asked for, it
# comes first.
COUNT: tuple[int, ...] = ()


def shape_of(request: MomentsRequest) -> Shape:
    return Shape(request.where, request.axes, request.columns)


def is_plain_sum(shape: Shape, monomials: tuple[tuple[int, ...], ...]) -> bool:
    """Whether nothing is asked but the sum of one column over all rows, and perhaps its count."""
    is_scalar = shape.where is None and not shape.axes and len(shape.columns) == 1
    return is_scalar and sums_of(monomials) == ((0,),)


def sums_of(monomials: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The monomials that are sums of columns, without the count."""
    return tuple(monomial for monomial in monomials if monomial != COUNT)


def moments_query(
    shape: Shape,
    monomials: tuple[tuple[int, ...], ...],
    layout: Layout,
    table: str,
    codes: category.CodeTable = category.code_table,
    marked: bool = False,
    summands: list[Sql] | None = None,
    merged: bool = True,
    total: Callable[[Sql], Sql] = sql.total,
    index: Callable[[Cell, Sql], Sql] = clean.index,
    once: Layer | None = None,
    layered: Layer = lambda query: query,
    grouped: bool = True,
) -> exp.Select:
    """SELECT code of every axis, sum of every monomial. `marked` is for engines that would clean a
    value once for its count and once more for its sum; `summands` for those that sum a monomial in
    parts or in another type; unless `merged`, a code may come more than once; `total` and `index`
    are for those that have a quicker sum, or a type that is summed more quickly, where it fits;
    `once` for those that would clean a value for every use of its index, `layered` for those that
    would compute a sum of several columns for every use of it. Unless `grouped` every row comes
    with its codes alone, for those that count them more quickly themselves."""
    axes = axes_sql(shape.axes, layout, codes)
    cells = [layout[name] for name in shape.columns]
    used = sorted({position for monomial in monomials for position in monomial})
    placed, own = _placed(shape, layout, used)
    is_counted = COUNT in monomials
    # Of a single column the present values are counted as they are summed; that is cheaper than
    # testing every row for presence and then cleaning it.
    alone = len(cells) == 1 and used == [0]
    # What an axis of several columns lacks leaves it without a code, and needs no other test.
    coded = {name for _, axis, _ in placed for name in axis.columns}
    needed = [] if alone else [cell for cell in cells if cell.name not in coded]
    tests = [clean.present(cell, cell.raw) for cell in needed]
    marked = marked and alone and is_counted
    marks = [clean.mark(cell, cell.raw) for cell in cells] if marked else []
    indices = [sql.named(index(cells[place], cells[place].raw), f"x{place}") for place in used]
    indices += [sql.named(mark, f"p{place}") for place, mark in enumerate(marks)]
    rows = _rows(shape, axes, cells, indices + own, tests, layout, table, codes)
    if placed and isinstance(rows, exp.Subquery):
        rows = with_codes(rows, placed, layered)
    elif once is not None:
        once(rows.this)
    if not grouped:
        keys = [sql.named(axis.key, f"k{number}") for number, axis in enumerate(axes)]
        keyed = sql.select(*keys).from_(rows, copy=False).subquery("g", copy=False)
        return _coded(keyed, axes, 0, merged=False)
    counted = exp.Count(this=sql.column("p0" if marks else "x0")) if alone else sql.count()
    parts = summands or [product(monomial, cells) for monomial in sums_of(monomials)]
    measures = [*([counted] if is_counted else []), *map(total, parts)]
    if not axes:
        return sql.select(*measures).from_(rows, copy=False)
    return _coded(_grouped(rows, axes, measures), axes, len(measures), merged)


def _placed(shape: Shape, layout: Layout, used: list[int]) -> tuple[list[Placed], list[Sql]]:
    """The axes of several columns, and the indices that they need beside those that are summed."""
    summed = {shape.columns[place]: f"x{place}" for place in used}
    placed: list[Placed] = []
    own: dict[str, Sql] = {}
    for number, axis in enumerate(shape.axes):
        if isinstance(axis, NearestAxis | ScoreAxis):
            for name in axis.columns:
                if name not in summed:
                    summed[name] = f"y{len(own)}"
                    own[name] = clean.index(layout[name], layout[name].raw)
            placed.append((number, axis, [summed[name] for name in axis.columns]))
    return placed, [sql.named(value, summed[name]) for name, value in own.items()]


def _rows(
    shape: Shape,
    axes: list[AxisSql],
    cells: list[Cell],
    indices: list[Sql],
    tests: list[Sql],
    layout: Layout,
    table: str,
    codes: category.CodeTable,
) -> Sql:
    """The rows that count, with their axis values v0, v1, ... beside indices x0, x1, ..., p0."""
    values = [
        sql.named(axis.value, f"v{number}")
        for number, axis in enumerate(axes)
        if axis.value is not None
    ]
    if not values and not indices and not tests and shape.where is None:
        return exp.to_table(table)
    query = sql.select(*(values + indices or [sql.integer(1)]))
    if shape.where is not None and is_long(shape.where):
        kept = [*(cell for axis in axes for cell in axis.cells), *cells]
        rows, layout = prepared(shape.where, layout, table, kept, codes)
        query = query.with_(ONCE, as_=rows, materialized=True, copy=False)
        table = ONCE
    query = query.from_(exp.to_table(table), copy=False)
    if shape.where is not None:
        tests.append(filtered(shape.where, layout))
    if tests:
        query = query.where(*tests, copy=False)
    return query.subquery("r", copy=False)


def _grouped(rows: Sql, axes: list[AxisSql], measures: list[Sql]) -> Sql:
    keys = [sql.named(axis.key, f"k{number}") for number, axis in enumerate(axes)]
    sums = [sql.named(measure, f"m{number}") for number, measure in enumerate(measures)]
    places = [sql.integer(number + 1) for number in range(len(axes))]
    query = sql.select(*keys, *sums).from_(rows, copy=False).group_by(*places, copy=False)
    return query.subquery("g", copy=False)


def _coded(groups: Sql, axes: list[AxisSql], measures: int, merged: bool) -> exp.Select:
    """Groups of keys brought together into groups of codes."""
    found = [sql.column(f"m{number}") for number in range(measures)]
    sums = [sql.total(column) for column in found] if merged else found
    places = [sql.integer(number + 1) for number in range(len(axes))]
    query = sql.select(*(axis.code for axis in axes), *sums).from_(groups, copy=False)
    for number, axis in enumerate(axes):
        if axis.table is not None:
            key = sql.column(f"k{number}")
            query = category.joined(query, axis.cells[0], key, axis.table, axis.table_alias)
    return query.group_by(*places, copy=False) if merged else query


def product(monomial: tuple[int, ...], cells: Sequence[Cell]) -> Sql:
    """x0·x1·... in the narrowest integers that hold it."""
    if len(monomial) == 1:
        return sql.column(f"x{monomial[0]}")
    kind = "BIGINT" if greatest(monomial, cells) < 2**63 else "INT128"
    return sql.times(*(sql.cast(sql.column(f"x{place}"), kind) for place in monomial))


def greatest(monomial: tuple[int, ...], cells: Sequence[Cell]) -> int:
    """No product of these columns' indices is larger in size."""
    grids = [cells[place].column.grid(cells[place].name) for place in monomial]
    return math.prod(max(abs(grid.low), abs(grid.high)) for grid in grids)
