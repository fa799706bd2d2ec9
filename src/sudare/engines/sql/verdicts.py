"""What validation asks of each value: on which side of the schema it falls."""

from __future__ import annotations

import datetime as dt

from sqlglot import exp

from sudare.engines.sql import bounding, category, clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell
from sudare.facts.schema import NUMERIC

FINE = "fine"
# A column whose bounds are not declared yet is checked for readability alone: these are wide.
_WIDE = {
    "integer": (-(2**62), 2**62),
    "real": (-1e300, 1e300),
    "date": (dt.date.min, dt.date.max),
}


def verdict(cell: Cell) -> Sql:
    """The kind of finding of a value, or "fine"."""
    if cell.physical.kind == "null":
        return sql.text("missing")
    return sql.when((is_blank(cell), sql.text("missing")), otherwise=_judged(cell))


def surplus(cell: Cell, table: str, limit: int) -> exp.Select:
    """The rows of each unit beyond the first `limit`, in the order of the file."""
    unit = sql.named(bounding.unit_name(cell), bounding.UNIT)
    units = sql.select(unit, sql.column("line")).from_(exp.to_table(table), copy=False)
    place = sql.row_number([sql.column(bounding.UNIT)], sql.column("line"))
    ranked = (
        sql.select(sql.column("line"), sql.named(place, "place"))
        .from_(units.subquery("s", copy=False), copy=False)
        .where(sql.is_present(sql.column(bounding.UNIT)), copy=False)
        .subquery("p", copy=False)
    )
    beyond = sql.less(sql.integer(limit), sql.column("place"))
    return sql.select(sql.column("line")).from_(ranked, copy=False).where(beyond, copy=False)


def is_blank(cell: Cell) -> Sql:
    """Whether there is no value; never NULL itself."""
    raw = cell.raw
    if cell.physical.kind == "float":
        return exp.Not(this=exp.paren(sql.coalesce(clean.is_number(raw), exp.false())))
    if cell.physical.kind != "text":
        return sql.is_null(raw)
    bare = sql.coalesce(exp.Lower(this=sql.stripped(raw)), sql.text(""))
    nothing = ["", "nan"] if cell.column.type in ("integer", "real") else [""]
    return sql.one_of(bare, [sql.text(word) for word in nothing])


def _judged(cell: Cell) -> Sql:
    column = cell.column
    if column.type in NUMERIC:
        reading = clean.Reading(
            sql.text("below-min"), lambda _: sql.text(FINE), sql.text("above-max")
        )
        return sql.coalesce(clean.read(_bounded(cell), cell.raw, reading), sql.text("unreadable"))
    if column.type != "category" or not column.values:
        return sql.text(FINE)
    kind = "outside-values" if column.other is None else "other"
    declared = category.shows(cell, cell.raw, column.values)
    return sql.when((declared, sql.text(FINE)), otherwise=sql.text(kind))


def _bounded(cell: Cell) -> Cell:
    if cell.column.min is not None or cell.column.type == "boolean":
        return cell
    low, high = _WIDE[cell.column.type]
    wide = cell.column.model_copy(update={"min": low, "max": high})
    return Cell(cell.name, wide, cell.physical, cell.alias)
