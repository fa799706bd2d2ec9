"""Rows settled once: numbers as indices, every other column in a storage that can be written as
text, the unit beside them. Settled rows are what the choice of rows is made from, so they look the
same in every engine."""

from __future__ import annotations

from sqlglot import exp

from sudare.engines.sql import bounding, category, clean
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.physical import INDEX, Cell, Layout, Physical
from sudare.facts.schema import NUMERIC


def needs_parsing(cell: Cell) -> bool:
    """Whether reading the column is so slow that it is better done once a row."""
    return cell.physical.kind == "text" and cell.column.type in NUMERIC


def settled_rows(layout: Layout, table: str, unit: str | None) -> exp.Select:
    """The rows of `table`, cleaned; with a unit its name beside them, and rows without one left
    out."""
    shown = [sql.named(_settled(cell), cell.alias) for cell in layout.values()]
    query = sql.select(*shown).from_(exp.to_table(table), copy=False)
    if unit is not None:
        name = sql.named(bounding.unit_name(layout[unit]), bounding.UNIT)
        query.select(name, copy=False)
        query.where(bounding.has_unit(layout[unit]), copy=False)
    return query


def settled_layout(layout: Layout) -> Layout:
    """The same columns as they lie in `settled_rows`."""
    return {name: _as_settled(cell) for name, cell in layout.items()}


def _settled(cell: Cell) -> sql.Sql:
    if cell.column.type in NUMERIC:
        return clean.index(cell, cell.raw)
    # The choice of rows writes every column as text, which not every instant allows.
    return category.as_text(cell, cell.raw) if cell.physical.kind == "timestamp" else cell.raw


def _as_settled(cell: Cell) -> Cell:
    if cell.column.type in NUMERIC:
        return Cell(cell.name, cell.column, INDEX, cell.alias)
    if cell.physical.kind == "timestamp":
        return Cell(cell.name, cell.column, Physical("text"), cell.alias)
    return cell
