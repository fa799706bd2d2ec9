"""Groups over a declared domain: what rows are grouped by, and the code of each group.

Rows are grouped by a key as cheap as possible (the stored value itself where it takes few values),
and only the few grouped keys are turned into codes. A NULL code is a missing axis value: such rows
belong to no group.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from sudare.engines.sql import clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.category import CodeTable
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell
from sudare.facts.aggregate import Axis, CutsAxis, UniformAxis, ValuesAxis
from sudare.facts.errors import InvalidPlan
from sudare.facts.grid import Grid

# Up to this many steps between the bounds, grouping by the stored value and binning the groups
# beats binning every row.
_FEW_VALUES = 4096
_GROUPABLE = frozenset({"null", "boolean", "integer", "date", "index"})


@dataclass(frozen=True)
class AxisSql:
    """`value` is computed a row, `key` (from the column `value`) is grouped by, `code` (from the
    column `key`) is computed a group; `table` is joined to the groups."""

    cell: Cell
    value: Sql
    key: Sql
    code: Sql
    table: Sql | None
    table_alias: str


def axis_sql(axis: Axis, cell: Cell, number: int, codes: CodeTable) -> AxisSql:
    """An axis whose columns are called v, k and d with its number."""
    value, key, alias = sql.column(f"v{number}"), sql.column(f"k{number}"), f"d{number}"
    if isinstance(axis, ValuesAxis):
        table = codes(_category(cell), axis.values, alias)
        code = sql.column("code", alias) if table else sql.null("BIGINT")
        if axis.has_other:
            code = sql.coalesce(code, sql.integer(len(axis.values)))
        return AxisSql(cell, cell.raw, value, code, table, alias)
    grid = cell.column.grid(cell.name)
    if cell.physical.kind not in _GROUPABLE or grid.span > _FEW_VALUES:
        index = clean.index(cell, cell.raw)
        return AxisSql(cell, index, _code(axis, value, grid), key, None, alias)
    if isinstance(axis, CutsAxis):
        # The search names its index once a cut, so the index is made before, a row.
        return AxisSql(
            cell, clean.index(cell, cell.raw), value, _code(axis, key, grid), None, alias
        )
    code = _code(axis, clean.index(cell, key), grid)
    return AxisSql(cell, cell.raw, value, code, None, alias)


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
