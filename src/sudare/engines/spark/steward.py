"""Validation of a table that Spark reads: counts of what leaves the schema, by column. Rows that
are spread over workers have no numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from sqlglot import exp

from sudare.engines.choose import is_spark_frame
from sudare.engines.findings import Finding, Kind, ValidationReport, finding
from sudare.engines.spark.border import gave_up, guarded
from sudare.engines.spark.frames import names_of
from sudare.engines.spark.open import open_spark
from sudare.engines.spark.session import lease
from sudare.engines.spark.tables import ROWS, Tables
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.bounding import UNIT
from sudare.engines.sql.verdicts import FINE, verdict
from sudare.engines.validation import name_findings, row_findings
from sudare.facts.engine import EngineChoice
from sudare.facts.errors import InvalidFile
from sudare.facts.schema import Schema


def validate_spark(data: object, schema: Schema, choice: EngineChoice) -> ValidationReport:
    """Compare what Spark reads with its schema."""
    names = _names(data, schema, choice)
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


def _names(data: object, schema: Schema, choice: EngineChoice) -> list[str]:
    if is_spark_frame(data):
        return list(guarded(lambda: data.columns, gave_up()))  # type: ignore[attr-defined]
    leased = lease(choice.session, choice.master)
    try:
        return names_of(data, schema.table, leased)
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


def _surplus(tables: Tables, limit: int) -> int:
    """How many rows the units have beyond their limit."""
    units = sql.select(sql.named(sql.count(), "n")).from_(exp.to_table(ROWS), copy=False)
    units = units.where(sql.is_present(sql.column(UNIT)), copy=False)
    counted = units.group_by(sql.column(UNIT), copy=False).subquery("s")
    over = exp.Sub(this=sql.column("n"), expression=sql.integer(limit))
    total = sql.select(exp.Sum(this=over)).from_(counted, copy=False)
    ((found,),) = tables.run(total.where(sql.less(sql.integer(limit), sql.column("n")), copy=False))
    return int(found or 0)
