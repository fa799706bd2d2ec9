"""The steward's own jobs on what Spark reads: its types for a draft, and its validation.

Validation counts what leaves the schema, by column. Rows that are spread over workers have no
numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from sqlglot import exp

from sudare.engines.choose import is_spark_frame
from sudare.engines.findings import Finding, Kind, ValidationReport, finding, is_counted, repeats
from sudare.engines.guessing import BY_STORAGE
from sudare.engines.spark.border import gave_up, guarded
from sudare.engines.spark.frames import names_of, rows_of
from sudare.engines.spark.open import open_spark
from sudare.engines.spark.session import lease
from sudare.engines.spark.shown import shown
from sudare.engines.spark.tables import ROWS, Tables
from sudare.engines.sql import bounding
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.bounding import UNIT
from sudare.engines.sql.verdicts import FINE, verdict
from sudare.engines.validation import name_findings, row_findings
from sudare.facts.engine import EngineChoice
from sudare.facts.errors import InvalidFile
from sudare.facts.schema import ColumnType, Schema, Table


def stored_types(data: object, choice: EngineChoice) -> dict[str, ColumnType | None]:
    """A type for every column, from its storage alone; None for storage that no type can read."""
    table = Table(name="?")
    names = _names(data, table, choice)
    session = getattr(data, "sparkSession", None) if is_spark_frame(data) else choice.session
    leased = lease(session, choice.master)
    try:
        storages = rows_of(data, table, names, leased).storages
    finally:
        leased.close()
    # An instant is read as its date; of every other storage the wish for one changes nothing.
    found = [None if each is None else shown(each, "date", sql.column("r0")) for each in storages]
    guesses = [None if each is None else BY_STORAGE[each.physical.kind] for each in found]
    return dict(zip(names, guesses, strict=True))


def validate_spark(data: object, schema: Schema, choice: EngineChoice) -> ValidationReport:
    """Compare what Spark reads with its schema."""
    names = _names(data, schema.table, choice)
    findings = list(name_findings(schema, names))
    rows: int | None = None
    for name in (name for name in schema.columns if name in names):
        is_unit = name == schema.table.unit
        facts = schema if is_unit else _each_row(schema)
        try:
            with open_spark(data, facts, [name], choice.master, choice.session) as source:
                tables = source.tables
                if rows is None:
                    ((rows,),) = tables.run(sql.select(sql.count()).from_(exp.to_table(ROWS)))
                findings += _judged(tables, name, is_unit, schema)
        except InvalidFile as error:
            findings.append(finding("structure", name, message=str(error)))
    return ValidationReport(rows or 0, (*findings, *row_findings(schema, rows or 0)))


def _each_row(schema: Schema) -> Schema:
    table = schema.table.model_copy(update={"unit": "row", "max_rows_per_unit": None})
    return schema.model_copy(update={"table": table})


def _names(data: object, table: Table, choice: EngineChoice) -> list[str]:
    if is_spark_frame(data):
        return list(guarded(lambda: data.columns, gave_up()))  # type: ignore[attr-defined]
    leased = lease(choice.session, choice.master)
    try:
        return names_of(data, table, leased)
    finally:
        leased.close()


def _judged(tables: Tables, name: str, is_unit: bool, schema: Schema) -> Iterator[Finding]:
    cell = tables.layout[name]
    kinds = sql.select(sql.named(verdict(cell), "kind"), sql.count()).from_(exp.to_table(ROWS))
    for kind, count in sorted(tables.run(kinds.group_by(sql.integer(1), copy=False))):
        if kind != FINE:
            shown = "unit-missing" if is_unit and kind == "missing" else kind
            yield finding(cast(Kind, shown), name, count)
    surplus = _surplus(tables, schema.table.rows_per_unit) if is_unit else 0
    if surplus:
        yield finding("unit-over-limit", name, surplus)
    if is_counted(schema.table, name, cell.column.type):
        unit = sql.column(UNIT) if is_unit else bounding.unit_name(cell)
        ((count, most),) = tables.run(bounding.repeated(unit, ROWS))
        yield from repeats(schema.table, name, cell.column.type, int(count), int(most or 0))


def _surplus(tables: Tables, limit: int) -> int:
    """How many rows the units have beyond their limit."""
    units = sql.select(sql.named(sql.count(), "n")).from_(exp.to_table(ROWS), copy=False)
    units = units.where(sql.is_present(sql.column(UNIT)), copy=False)
    counted = units.group_by(sql.column(UNIT), copy=False).subquery("s")
    over = exp.Sub(this=sql.column("n"), expression=sql.integer(limit))
    total = sql.select(exp.Sum(this=over)).from_(counted, copy=False)
    ((found,),) = tables.run(total.where(sql.less(sql.integer(limit), sql.column("n")), copy=False))
    return int(found or 0)
