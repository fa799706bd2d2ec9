"""`validate`, for the steward alone: everything in a file that its schema does not allow.

The report is exact, so it is not a release: it never leaves the steward's desk. It names rows and
columns and never a value, because reports end up in mails and tickets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, cast

from sqlglot import exp

from sudare.engines.border import gave_up, guarded
from sudare.engines.choose import engine_of
from sudare.engines.connection import ROWS, attach, connect
from sudare.engines.duck_types import physical_of
from sudare.engines.findings import Finding, Kind, ValidationReport, finding, is_counted, repeats
from sudare.engines.flaws import cell_findings, misshapen, whole
from sudare.engines.inputs.csv_input import CsvInput, MisshapenRows
from sudare.engines.inputs.find import Input, find_input, is_text_file
from sudare.engines.inputs.frame_input import open_frame
from sudare.engines.layout import layout_of
from sudare.engines.sql import bounding
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.physical import Cell, Layout
from sudare.engines.sql.verdicts import FINE, surplus, verdict
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidFile
from sudare.facts.schema import Schema

if TYPE_CHECKING:
    import duckdb

_NUMBERED = "numbered"


def validate(
    data: object, schema: Schema, limit: int = 20, choice: EngineChoice = AUTO
) -> ValidationReport:
    """Compare a file or a table with its schema; at most `limit` row numbers are listed a finding,
    and none of a table in a database or in Spark."""
    engine = engine_of(data, choice)
    try:
        if engine == "postgresql":
            from sudare.engines.postgres.steward import validate_table

            return validate_table(str(data), schema)
        # What a text file holds does not depend on who reads it.
        if engine == "spark" and not is_text_file(data):
            from sudare.engines.spark.steward import validate_spark

            return validate_spark(data, schema, choice)
        source = find_input(data, schema.table.encoding, schema.table.delimiter)
        source, flaws = _looked_through(source, schema, limit)
        present = [name for name in schema.columns if name in source.names]
        with connect() as connection:
            places = [source.names.index(name) for name in present] or [0]
            attached = attach(connection, source, places)
            layout, refused = _readable(schema, present, attached.types)
            findings = [
                *name_findings(schema, source.names),
                *refused,
                *flaws,
                *_Inspection(connection, schema, layout, limit).findings(),
                *row_findings(schema, attached.rows),
            ]
            return ValidationReport(attached.rows, tuple(findings))
    except MisshapenRows as error:
        return ValidationReport(None, tuple(misshapen(error, limit)))
    except InvalidFile as error:
        found = finding("structure", message=str(error))
    return ValidationReport(None, (found,))


def _looked_through(source: Input, schema: Schema, limit: int) -> tuple[Input, list[Finding]]:
    """The columns of a text file, read once, and what is found wrong with its cells."""
    if not isinstance(source, CsvInput):
        return source, []
    reading = whole(source)
    return open_frame(reading.table), list(cell_findings(source, reading, schema, limit))


def name_findings(schema: Schema, names: Collection[str]) -> Iterator[Finding]:
    """Columns that are declared or stored, but not both."""
    for name in schema.columns:
        if name not in names:
            yield finding("absent", name)
    for name in names:
        if name not in schema.columns:
            yield finding("undeclared", name)


def _readable(
    schema: Schema, names: list[str], types: tuple[str, ...]
) -> tuple[Layout, list[Finding]]:
    """The columns whose storage fits their type, and a finding for each of the others."""
    layout: Layout = {}
    refused = []
    for number, name in enumerate(names):
        try:
            cell = layout_of(schema, [name], [physical_of(types[number])])[name]
            layout[name] = Cell(name, cell.column, cell.physical, f"c{number}")
        except InvalidFile as error:
            refused.append(finding("structure", name, message=str(error)))
    return layout, refused


def row_findings(schema: Schema, rows: int) -> Iterator[Finding]:
    """A declared number of rows that is not that of the data."""
    if schema.table.public_rows not in (None, rows):
        yield finding("rows-differ")


class _Inspection:
    """The rows of one file against the columns of one schema."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        schema: Schema,
        layout: Layout,
        limit: int,
    ) -> None:
        self._connection = connection
        self._table = schema.table
        self._layout = layout
        self._limit = limit
        numbered = sql.select(exp.Star(), sql.named(sql.row_number([]), "line"))
        view = exp.Create(
            kind="VIEW",
            this=exp.to_table(_NUMBERED),
            expression=numbered.from_(exp.to_table(ROWS), copy=False),
        )
        self._fetch(view)

    def findings(self) -> Iterator[Finding]:
        """Column by column, in the order of the schema."""
        for name, cell in self._layout.items():
            is_unit = name == self._table.unit
            for kind in self._kinds(cell):
                rows = self._judged_rows(cell, kind)
                shown = cast(Kind, "unit-missing" if is_unit and kind == "missing" else kind)
                yield self._listed(shown, name, rows)
            if is_unit:
                over = surplus(cell, _NUMBERED, self._table.rows_per_unit)
                listed = self._listed("unit-over-limit", name, over)
                if listed.count:
                    yield listed
            if is_counted(self._table, name, cell.column.type):
                count, most = self._fetch(bounding.repeated(bounding.unit_name(cell), ROWS))[0]
                yield from repeats(self._table, name, cell.column.type, count, most or 0)

    def _kinds(self, cell: Cell) -> list[str]:
        """The kinds of finding that occur in a column."""
        query = sql.select(sql.named(verdict(cell), "kind")).from_(exp.to_table(ROWS), copy=False)
        kinds = self._fetch(query.distinct(copy=False))
        return sorted(kind for (kind,) in kinds if kind != FINE)

    def _judged_rows(self, cell: Cell, kind: str) -> exp.Select:
        query = sql.select(sql.column("line")).from_(exp.to_table(_NUMBERED), copy=False)
        return query.where(sql.equal(verdict(cell), sql.text(kind)), copy=False)

    def _listed(self, kind: Kind, column: str, rows: exp.Select) -> Finding:
        counted = sql.select(sql.count()).from_(rows.subquery("f"), copy=False)
        count = self._fetch(counted)[0][0]
        first = rows.order_by(sql.column("line")).limit(self._limit)
        return finding(kind, column, count, tuple(row for (row,) in self._fetch(first)))

    def _fetch(self, query: exp.Expr) -> list[tuple[Any, ...]]:
        text = query.sql("duckdb")
        return guarded(lambda: self._connection.execute(text).fetchall(), gave_up())
