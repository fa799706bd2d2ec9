"""Groups over a declared domain: what rows are grouped by, and the code of each group.

Rows are grouped by a key as cheap as possible (the stored value itself where it takes few values),
and only the few grouped keys are turned into codes. A NULL code is a missing axis value: such rows
belong to no group.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sudare.engines.sql import clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.category import CodeTable
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell, Layout
from sudare.facts.aggregate import Axis, CutsAxis, NearestAxis, ScoreAxis, UniformAxis, ValuesAxis
from sudare.facts.errors import InvalidPlan
from sudare.facts.grid import Grid

# Up to this many steps between the bounds, grouping by the stored value and binning the groups
# beats binning every row; of several columns together, as long as their values make no more
# combinations than that other number, or there would be about as many groups as rows.
_FEW_VALUES = 4096
_FEW_COMBINATIONS = 2**16
_GROUPABLE = frozenset({"null", "boolean", "integer", "date", "index"})


@dataclass(frozen=True)
class AxisSql:
    """`value` is computed a row from `cells`, `key` (from the column `value`) is grouped by, `code`
    (from the column `key`) is computed a group; `table` is joined to the groups. Without a `value`
    the axis has one of several columns, which lines.py makes."""

    cells: tuple[Cell, ...]
    value: Sql | None
    key: Sql
    code: Sql
    table: Sql | None
    table_alias: str


def axes_sql(axes: Sequence[Axis], layout: Layout, codes: CodeTable) -> list[AxisSql]:
    """The axes of one query, each with its number."""
    few = _few_values(axes, layout)
    return [_axis(axis, layout, number, codes, few) for number, axis in enumerate(axes)]


def _few_values(axes: Sequence[Axis], layout: Layout) -> int:
    """How many steps a column may have that is grouped by its stored value."""
    cells = [layout[axis.column] for axis in axes if isinstance(axis, UniformAxis | CutsAxis)]
    steps = [cell.column.grid(cell.name).span + 1 for cell in cells]
    many = len(steps) > 1 and math.prod(steps) > _FEW_COMBINATIONS
    return 1 if many else _FEW_VALUES


def _axis(axis: Axis, layout: Layout, number: int, codes: CodeTable, few: int) -> AxisSql:
    """An axis whose columns are called v, k and d with its number."""
    value, key, alias = sql.column(f"v{number}"), sql.column(f"k{number}"), f"d{number}"
    cells = tuple(layout[name] for name in axis.columns)
    if isinstance(axis, NearestAxis | ScoreAxis):
        return AxisSql(cells, None, value, key, None, alias)
    cell = cells[0]
    if isinstance(axis, ValuesAxis):
        table = codes(_category(cell), axis.values, alias)
        code = sql.column("code", alias) if table else sql.null("BIGINT")
        if axis.has_other:
            code = sql.coalesce(code, sql.integer(len(axis.values)))
        return AxisSql(cells, cell.raw, value, code, table, alias)
    grid = cell.column.grid(cell.name)
    if cell.physical.kind not in _GROUPABLE or grid.span > few:
        index = clean.index(cell, cell.raw)
        return AxisSql(cells, index, _code(axis, value, grid), key, None, alias)
    if isinstance(axis, CutsAxis):
        # The search names its index once a cut, so the index is made before, a row.
        return AxisSql(
            cells, clean.index(cell, cell.raw), value, _code(axis, key, grid), None, alias
        )
    code = _code(axis, clean.index(cell, key), grid)
    return AxisSql(cells, cell.raw, value, code, None, alias)


def _category(cell: Cell) -> Cell:
    if cell.column.type != "category":
        raise InvalidPlan(
            f"Column '{cell.name}' is {cell.column.type}; it has no declared values to group by.",
            "Group by a category, or cut the column into bins.",
        )
    return cell


def _code(axis: UniformAxis | CutsAxis, index: Sql, grid: Grid) -> Sql:
    if isinstance(axis, CutsAxis):
        return sql.when((sql.is_present(index), _search(index, axis.cuts, 0, len(axis.cuts))))
    return _uniform(axis, index, grid)


def _uniform(axis: UniformAxis, index: Sql, grid: Grid) -> Sql:
    """min((index − low)·size // span, size − 1), and 0 below low."""
    widest = max(abs(grid.low - axis.low), abs(grid.high - axis.low)) * axis.size
    kind = "BIGINT" if widest < 2**62 else "INT128"
    offset = exp.paren(
        exp.Sub(this=sql.cast(index.copy(), kind), expression=sql.integer(axis.low)), copy=False
    )
    code = (
        offset
        if axis.size == axis.span
        else exp.IntDiv(
            this=exp.paren(exp.Mul(this=offset, expression=sql.integer(axis.size)), copy=False),
            expression=sql.integer(axis.span),
        )
    )
    branches = []
    if grid.high >= axis.low + axis.span:
        last = sql.at_most(sql.integer(axis.low + axis.span), index)
        branches.append((last, sql.integer(axis.size - 1)))
    if grid.low < axis.low:
        branches.append((sql.less(index, sql.integer(axis.low)), sql.integer(0)))
    return sql.when(*branches, otherwise=code) if branches else code


def _search(index: Sql, cuts: tuple[int, ...], low: int, high: int) -> Sql:
    """#{cuts <= index} by halving: a row meets log2 of the cuts, not all of them."""
    if low == high:
        return sql.integer(low)
    middle = (low + high) // 2
    return sql.when(
        (sql.less(index, sql.integer(cuts[middle])), _search(index, cuts, low, middle)),
        otherwise=_search(index, cuts, middle + 1, high),
    )
