"""The steward's own jobs on raw files: draft a schema, validate a file against one.

Neither is a release: what they show goes to whoever already holds the file, so nothing is
charged. They still show no value, only names, types, row numbers and counts.
"""

from __future__ import annotations

from pathlib import Path

from sudare.engines.draft import Decided, draft_schema
from sudare.engines.findings import ValidationReport
from sudare.engines.validation import validate as check_file
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.schema import Schema
from sudare.publish.files import ledger_path, schema_path
from sudare.publish.outputs import OutputSet, inputs_of


def draft(
    data: str | Path,
    output: str | Path | None = None,
    *,
    force: bool = False,
    engine: EngineChoice = AUTO,
    unit: str | None = None,
    max_rows: int | None = None,
    budget: float | None = None,
) -> Path:
    """Write a drafted schema beside the data; a schema that is there is kept. What the steward has
    decided of unit and budget is confirmed by that."""
    decided = Decided(unit, max_rows, budget)
    target = Path(output) if output is not None else schema_path(data)
    with OutputSet((target,), inputs_of(data, None, ledger_path(target)), force=force) as files:
        files.write(target, draft_schema(data, engine, decided))
        files.finish()
    return target


def validate(
    data: object, schema: Schema, limit: int = 20, engine: EngineChoice = AUTO
) -> ValidationReport:
    """Everything in the file that the schema does not allow, by row and column."""
    return check_file(data, schema, limit, engine)
