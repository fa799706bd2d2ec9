"""At most so many rows a unit, chosen at random by a keyed hash.

Claim    every unit keeps min(limit, its number of rows) rows, and which ones it keeps depends on
         its own rows and the run key alone: not on other units, not on the order of the file.
         Under a fresh secret key every choice of that many rows is equally likely, as far as
         SHA-256 of key and content cannot be told from random numbers.
Symbols  u -> the unit, twin -> the number of a row among equal rows of its unit.
Needs    rows with a missing unit are gone already; the key is secret and used for one run.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sudare.engines.sql import category, clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell

UNIT = "u"


def unit_name(cell: Cell) -> Sql:
    """The unit as text; NULL where it is missing. Bounds do not apply: a unit is not a number."""
    name = category.as_name(cell, cell.raw)
    if cell.physical.kind == "float":
        name = sql.when((clean.is_number(cell.raw), name))
    return exp.Nullif(this=name, expression=sql.text(""))


def has_unit(cell: Cell) -> Sql:
    """Whether the unit is there; a whole number needs not be written as text to know it."""
    return sql.is_present(cell.raw if cell.physical.kind == "integer" else unit_name(cell))


def repeated(unit: Sql, table: str) -> exp.Select:
    """How many units have more than one row, and the most rows of one."""
    units = sql.select(sql.named(unit, UNIT)).from_(exp.to_table(table), copy=False)
    counted = (
        sql.select(sql.named(sql.count(), "n"))
        .from_(units.subquery("s"), copy=False)
        .where(sql.is_present(sql.column(UNIT)), copy=False)
        .group_by(sql.column(UNIT), copy=False)
    )
    found = sql.select(sql.count(), exp.Max(this=sql.column("n")))
    found = found.from_(counted.subquery("c"), copy=False)
    return found.where(sql.less(sql.integer(1), sql.column("n")), copy=False)


def heavy_units(table: str, limit: int) -> exp.Select:
    """The units with more rows than the limit; only their rows need a choice."""
    query = sql.select(sql.column(UNIT)).from_(exp.to_table(table), copy=False)
    over = exp.GT(this=sql.count(), expression=sql.integer(limit))
    return query.group_by(sql.column(UNIT), copy=False).having(over, copy=False)


def kept_rows(table: str, heavy: str, cells: Sequence[Cell], limit: int, key: Sql) -> exp.Expr:
    """All rows of the other units, and `limit` rows of each heavy one. `key` is the run key in
    hexadecimal: a text, or a parameter where statements are logged."""
    light = exp.Not(this=_is_heavy(heavy))
    untouched = (
        sql.select(*_columns(cells)).from_(exp.to_table(table), copy=False).where(light, copy=False)
    )
    return exp.union(untouched, _chosen(table, heavy, cells, limit, key), distinct=False)


def _chosen(table: str, heavy: str, cells: Sequence[Cell], limit: int, key: Sql) -> exp.Select:
    unit = [sql.column(UNIT), *_columns(cells)]
    twin = sql.named(sql.row_number([part.copy() for part in unit]), "twin")
    numbered = (
        sql.select(*unit, twin)
        .from_(exp.to_table(table), copy=False)
        .where(_is_heavy(heavy), copy=False)
        .subquery("n", copy=False)
    )
    order = exp.SHA2(this=with_twin(content(cells, key)), length=sql.integer(256))
    place = sql.named(sql.row_number([sql.column(UNIT)], order), "place")
    ranked = (
        sql.select(*_columns(cells), place).from_(numbered, copy=False).subquery("p", copy=False)
    )
    within = sql.at_most(sql.column("place"), sql.integer(limit))
    return sql.select(*_columns(cells)).from_(ranked, copy=False).where(within, copy=False)


def content(cells: Sequence[Cell], key: Sql) -> Sql:
    """Key, unit and columns as one text from which each can be read back, so that with the twin
    behind it no two different rows of a run are hashed alike. Every engine writes this text."""
    found = key.copy()
    for shown in (sql.column(UNIT), *(category.as_text(cell, cell.raw) for cell in cells)):
        found = exp.DPipe(this=found, expression=_part(shown))
    return found


def with_twin(found: Sql) -> Sql:
    """The content of a row with its number among equal rows."""
    return exp.DPipe(this=found, expression=_part(sql.cast(sql.column("twin"), "TEXT")))


def _part(shown: Sql) -> Sql:
    """ ",length:text", or ",-" for NULL."""
    length = sql.cast(exp.Length(this=shown.copy()), "TEXT")
    whole: Sql = exp.DPipe(this=sql.text(","), expression=length)
    whole = exp.DPipe(this=whole, expression=sql.text(":"))
    whole = exp.DPipe(this=whole, expression=shown)
    return sql.coalesce(whole, sql.text(",-"))


def _is_heavy(heavy: str) -> Sql:
    units = sql.select(sql.column(UNIT)).from_(exp.to_table(heavy), copy=False)
    return exp.In(this=sql.column(UNIT), query=exp.Subquery(this=units))


def _columns(cells: Sequence[Cell]) -> list[Sql]:
    return [cell.raw for cell in cells]
