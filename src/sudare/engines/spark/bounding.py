"""The choice of a unit's rows on Spark: the same rows as in DuckDB, spread over all workers.

Claim    what is chosen follows from the unit's own rows and the run key alone (sql/bounding.py),
         so a task that is tried again, or run twice at once, chooses the same. Nothing depends on
         the order of rows: equal rows are counted, and the count gives them the numbers 1, 2, ...
         which DuckDB gives them too; which of two equal rows has which number makes no difference,
         because they are equal. No random number, no number of a partition is asked for.
Skew     a unit with very many rows is nobody's single task. Its rows are counted and put together
         where they lie, are then spread by their content, ranked where they are, and of each part
         `limit` travel on to be ranked together (Spark's WindowGroupLimit). Equal rows in millions
         are numbered in blocks, which are spread again.
Symbols  u -> the unit, twin -> the number of a row among equal rows of its unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from sudare.engines.spark.texts import call
from sudare.engines.sql import bounding, category
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell, Physical

# Up to so many equal rows are numbered at one place.
BLOCK = 2**20
_UNIT, _COUNT, _CONTENT = bounding.UNIT, "n", "content"


def heavy_units(table: str, limit: int) -> exp.Select:
    """The units over the limit, and how many rows each has."""
    return bounding.heavy_units(table, limit).select(sql.named(sql.count(), _COUNT), copy=False)


def heaviest(heavy: str) -> exp.Select:
    """How many units are over the limit, and the rows of the heaviest."""
    most = exp.Max(this=sql.column(_COUNT))
    return sql.select(sql.count(), most).from_(exp.to_table(heavy), copy=False)


def light_rows(table: str, heavy: str, cells: Sequence[Cell]) -> exp.Select:
    """The rows of all other units. By a join: NOT IN would send every heavy unit everywhere."""
    query = sql.select(*(sql.column(cell.alias, table) for cell in cells))
    return _joined(query.from_(exp.to_table(table), copy=False), table, heavy, "ANTI")


def chosen_rows(
    table: str, heavy: str, unit: Cell, cells: Sequence[Cell], limit: int, key: Sql, blocks: bool
) -> exp.Select:
    """`limit` rows of each heavy unit; `blocks` if one may have more than BLOCK equal rows."""
    columns = [cell.raw for cell in cells]
    keys = [sql.column(_UNIT), *columns, sql.column(_CONTENT)]
    numbered = (_in_blocks if blocks else _numbered)(_written(table, heavy, unit, cells, key), keys)
    digits = exp.SHA2(this=bounding.with_twin(sql.column(_CONTENT)), length=sql.integer(256))
    # Bytes sort as their digits do, and half as many of them are sorted and travel.
    hashed = _over(numbered, sql.column(_UNIT), *columns, sql.named(call("UNHEX", digits), "h"))
    place = sql.named(sql.row_number([sql.column(_UNIT)], sql.column("h")), "place")
    ranked = _over(hashed, *columns, place)
    within = sql.at_most(sql.column("place"), sql.integer(limit))
    return _over(ranked, *columns).where(within, copy=False)


def kept_rows(light: exp.Select, chosen: str, cells: Sequence[Cell]) -> exp.Query:
    rest = sql.select(*(cell.raw for cell in cells)).from_(exp.to_table(chosen), copy=False)
    return exp.union(light, rest, distinct=False)


def _counted(table: str, heavy: str, cells: Sequence[Cell]) -> exp.Select:
    """The rows of heavy units, equal ones once, with how many there are."""
    keys = [sql.column(name, table) for name in (_UNIT, *(cell.alias for cell in cells))]
    query = sql.select(*keys, sql.named(sql.count(), _COUNT)).from_(exp.to_table(table), copy=False)
    query = _joined(query, table, heavy, "SEMI")
    return query.group_by(*(key.copy() for key in keys), copy=False)


def _written(table: str, heavy: str, unit: Cell, cells: Sequence[Cell], key: Sql) -> exp.Select:
    """The same with unit and content as text; every column is written once."""
    known = [*(cell.raw for cell in cells), sql.column(_COUNT)]
    texts = [replace(c, physical=Physical("text"), alias=f"t{n}") for n, c in enumerate(cells)]
    shown = [
        sql.named(category.as_text(cell, cell.raw), text.alias)
        for cell, text in zip(cells, texts, strict=True)
    ]
    name = sql.named(category.as_text(unit, unit.raw), _UNIT)
    written = _over(_counted(table, heavy, cells), name, *known, *shown)
    content = sql.named(bounding.content(texts, key), _CONTENT)
    return _over(written, sql.column(_UNIT), *known, content)


def _numbered(written: exp.Select, columns: Sequence[Sql]) -> exp.Select:
    """Every row as often as it occurs, with its number."""
    return _exploded(written, columns, sql.integer(1), sql.column(_COUNT), "twin")


def _in_blocks(written: exp.Select, columns: Sequence[Sql]) -> exp.Select:
    """As `_numbered`, by way of blocks that are spread over the workers."""
    size = sql.integer(BLOCK)
    last = exp.IntDiv(
        this=exp.paren(exp.Sub(this=sql.column(_COUNT), expression=sql.integer(1))),
        expression=size.copy(),
    )
    blocks = _exploded(written, [*columns, sql.column(_COUNT)], sql.integer(0), last, "block")
    blocks.set(
        "distribute",
        exp.Distribute(expressions=[*(c.copy() for c in columns), sql.column("block")]),
    )
    start = exp.Mul(this=sql.column("block"), expression=size.copy())
    first = exp.Add(this=start.copy(), expression=sql.integer(1))
    end = exp.Least(
        this=sql.column(_COUNT), expressions=[exp.Add(this=start, expression=size.copy())]
    )
    return _exploded(blocks, columns, first, end, "twin")


def _exploded(
    query: exp.Select, columns: Sequence[Sql], first: Sql, last: Sql, name: str
) -> exp.Select:
    view = exp.Lateral(
        this=call("EXPLODE", call("SEQUENCE", sql.cast(first, "BIGINT"), sql.cast(last, "BIGINT"))),
        view=True,
        alias=exp.TableAlias(this=exp.to_identifier("e"), columns=[exp.to_identifier(name)]),
    )
    found = _over(query, *columns, sql.column(name))
    found.set("laterals", [view])
    return found


def _over(query: exp.Select, *columns: Sql) -> exp.Select:
    shown = sql.select(*(column.copy() for column in columns))
    return shown.from_(query.subquery("q", copy=False), copy=False)


def _joined(query: exp.Select, table: str, heavy: str, kind: str) -> exp.Select:
    same = sql.equal(sql.column(_UNIT, table), sql.column(_UNIT, heavy))
    query.append("joins", exp.Join(this=exp.to_table(heavy), side="LEFT", kind=kind, on=same))
    return query
