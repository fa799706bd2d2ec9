"""The steward's own jobs on a table in PostgreSQL: its types for a draft, and its validation.

A table has no order, so the report counts the values that leave the schema, by column, and numbers
no rows. The counting is done in the server.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, cast

from sqlglot import exp

from sudare.engines.findings import Finding, Kind, ValidationReport, finding, is_counted, repeats
from sudare.engines.guessing import BY_STORAGE
from sudare.engines.layout import layout_of
from sudare.engines.postgres.dialect import render
from sudare.engines.postgres.link import Link
from sudare.engines.postgres.structure import Relation, find, stored_types, table_address
from sudare.engines.postgres.types import Shown, physical_of, shown
from sudare.engines.postgres.view import ROWS, rows_of
from sudare.engines.sql import bounding
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.nodes import Sql
from sudare.engines.sql.physical import Cell, Layout, Physical
from sudare.engines.sql.verdicts import FINE, is_blank, verdict
from sudare.engines.validation import name_findings, row_findings
from sudare.facts.errors import InvalidFile
from sudare.facts.schema import ColumnType, Schema

_TEXT = Physical("text")


def table_types(address: str) -> tuple[str, dict[str, ColumnType | None]]:
    """The table's name, and a type for every column; None for storage that no type can read."""
    place = table_address(address)
    with closing(Link(place)) as link:
        relation = find(link, place)
        types = stored_types(link, relation, relation.columns)
    found = [physical_of(stored) for stored in types]
    guesses = [None if physical is None else BY_STORAGE[physical.kind] for physical in found]
    return relation.table.name, dict(zip(relation.columns, guesses, strict=True))


def validate_table(address: str, schema: Schema) -> ValidationReport:
    """Compare a table with its schema."""
    place = table_address(address)
    with closing(Link(place)) as link:
        inspection = _Inspection(link, find(link, place), schema)
        return ValidationReport(inspection.rows, tuple(inspection.findings()))


class _Inspection:
    """A table against the columns of one schema."""

    def __init__(self, link: Link, relation: Relation, schema: Schema) -> None:
        self._link = link
        self._schema = schema
        self._names = relation.columns
        self._layout: Layout = {}
        # The text of a number, where it is stored as text, beside the number itself.
        self._texts: dict[str, Cell] = {}
        self._refused: list[Finding] = []
        self._view = rows_of(relation.table, self._columns(relation))
        self.rows: int = self._fetch(sql.select(sql.count()))[0][0]

    def findings(self) -> Iterator[Finding]:
        """Column by column, in the order of the schema."""
        yield from name_findings(self._schema, self._names)
        yield from self._refused
        for name, cell in self._layout.items():
            is_unit = name == self._schema.table.unit
            for kind, count in self._judged(cell):
                shown = "unit-missing" if is_unit and kind == "missing" else kind
                yield finding(cast(Kind, shown), name, count)
            surplus = self._surplus(cell) if is_unit else 0
            if surplus:
                yield finding("unit-over-limit", name, surplus)
            if is_counted(self._schema.table, name, cell.column.type):
                counted = self._run(bounding.repeated(bounding.unit_name(cell), ROWS))
                count, most = counted[0]
                yield from repeats(
                    self._schema.table, name, cell.column.type, int(count), int(most or 0)
                )
        yield from row_findings(self._schema, self.rows)

    def _columns(self, relation: Relation) -> Sequence[Shown]:
        names = [name for name in self._schema.columns if name in relation.columns]
        columns: list[Shown] = []
        for name, stored in zip(names, stored_types(self._link, relation, names), strict=True):
            alias, raw = f"c{len(columns)}", exp.column(name, quoted=True)
            column = shown(stored, self._schema.columns[name].type, raw, alias)
            try:
                cell = layout_of(self._schema, [name], [column.physical if column else None])[name]
            except InvalidFile as error:
                self._refused.append(finding("structure", name, message=str(error)))
                continue
            assert column is not None
            self._layout[name] = Cell(name, cell.column, cell.physical, alias)
            columns.append(column)
            if column.parsed is not None:
                self._texts[name] = Cell(name, cell.column, _TEXT, f"c{len(columns)}")
                columns.append(Shown(_TEXT, column.bare.copy()))
        return columns

    def _judged(self, cell: Cell) -> list[tuple[str, int]]:
        """Every kind of finding that occurs in a column, with how many rows it has."""
        query = sql.select(sql.named(self._verdict(cell), "kind"), sql.count())
        found = self._fetch(query.group_by(sql.integer(1), copy=False))
        return sorted((kind, count) for kind, count in found if kind != FINE)

    def _verdict(self, cell: Cell) -> Sql:
        text = self._texts.get(cell.name)
        if text is None:
            return verdict(cell)
        unreadable = (sql.is_null(cell.raw), sql.text("unreadable"))
        return sql.when((is_blank(text), sql.text("missing")), unreadable, otherwise=verdict(cell))

    def _surplus(self, cell: Cell) -> int:
        """How many rows the units have beyond their limit."""
        limit = self._schema.table.rows_per_unit
        units = sql.select(sql.named(bounding.unit_name(cell), bounding.UNIT))
        counted = (
            sql.select(sql.named(sql.count(), "n"))
            .from_(units.from_(exp.to_table(ROWS)).subquery("s"))
            .where(sql.is_present(sql.column(bounding.UNIT)))
            .group_by(sql.column(bounding.UNIT))
        )
        over = exp.Sub(this=sql.column("n"), expression=sql.integer(limit))
        query = sql.select(sql.total(over)).from_(counted.subquery("c"))
        query = query.where(sql.less(sql.integer(limit), sql.column("n")))
        return int(self._run(query)[0][0] or 0)

    def _fetch(self, query: exp.Select) -> list[tuple[Any, ...]]:
        return self._run(query.from_(exp.to_table(ROWS)))

    def _run(self, query: exp.Select) -> list[tuple[Any, ...]]:
        whole = query.with_(ROWS, as_=self._view, materialized=False)
        return self._link.run(render(whole))
