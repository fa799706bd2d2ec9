"""sudare init and validate: for whoever holds the file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.cli import console, options
from sudare.cli.options import EngineName


def init(
    data: options.Data,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="By default people.schema.toml.")
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option("--unit", help="Whom the budget protects: row, or the column of people."),
    ] = None,
    max_rows: Annotated[
        int | None, typer.Option("--max-rows", help="Rows that each unit may count with.")
    ] = None,
    budget: Annotated[
        float | None, typer.Option("--budget", help="The ε that may be spent in all, ever.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a schema.")] = False,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    json: options.Json = False,
) -> None:
    """Draft a schema from names and types; unit, budget, bounds and values wait for your
    confirmation. What is said with --unit and --budget is confirmed.

    Example: sudare init people.csv --unit row --budget 3
    """
    from sudare.cli.output import print_json
    from sudare.facts.engine import EngineChoice
    from sudare.publish.files import load_schema
    from sudare.publish.steward import draft

    choice = EngineChoice(engine.value, master)
    written = draft(
        data,
        output,
        force=force,
        engine=choice,
        unit=unit,
        max_rows=max_rows,
        budget=budget,
    )
    schema = load_schema(written)
    columns = schema.columns
    waiting = [name for name, column in columns.items() if not column.confirmed]
    is_open = {
        "unit": not schema.table.confirmed,
        "budget": schema.budget is not None and not schema.budget.confirmed,
    }
    if json:
        found = {"schema": str(written), "columns": len(columns), "unconfirmed": waiting}
        print_json(
            {**found, "unit": schema.table.unit, "undecided": [*filter(is_open.get, is_open)]}
        )
        return
    also = "".join(f", the {each}" for each, still in is_open.items() if still)
    console.say(
        f"Wrote {written}: {len(columns)} columns; to confirm: {len(waiting)} columns{also}."
    )
    if is_open["unit"]:
        console.say(f'The budget protects unit = "{schema.table.unit}" if you confirm it.')
    console.say("Next: open it, decide from public knowledge alone, and set confirmed = true.")


def validate(
    data: options.Data,
    schema: options.SchemaFile = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Row numbers shown for each finding.")
    ] = 20,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    json: options.Json = False,
) -> None:
    """List what the schema does not allow, by row and column, never by value. Stewards only.

    Example: sudare validate people.csv --schema people.schema.toml
    """
    from sudare.cli.output import print_json
    from sudare.facts.engine import EngineChoice
    from sudare.publish.files import load_schema, schema_path
    from sudare.publish.steward import validate as publish_validate

    choice = EngineChoice(engine.value, master)
    found = publish_validate(data, load_schema(schema or schema_path(data)), limit, choice)
    if json:
        print_json(found.to_dict())
    else:
        _print_findings(found.to_dict())
    raise typer.Exit(0 if found.ok else 4)


# What is found of a column or a table as a whole. A table in a database numbers no rows, but the
# values that leave the schema are counted there too.
_UNCOUNTED = frozenset({"structure", "absent", "undeclared", "rows-differ"})


def _print_findings(found: dict[str, Any]) -> None:
    for finding in found["findings"]:
        mark = "problem" if finding["problem"] else "note   "
        where = f"column '{finding['column']}': " if finding["column"] is not None else ""
        is_counted = finding["rows"] or finding["kind"] not in _UNCOUNTED
        count = f"{finding['count']:,} × " if is_counted else ""
        more = ", …" if finding["count"] > len(finding["rows"]) else ""
        rows = f" (rows {', '.join(map(str, finding['rows']))}{more})" if finding["rows"] else ""
        console.show(f"{mark}  {where}{count}{finding['message']}{rows}")
    rows_read = (
        "The file could not be read." if found["rows"] is None else f"{found['rows']:,} rows."
    )
    verdict = "Fits the schema." if found["ok"] else "Does not fit the schema."
    if found["ok"] and found["rows"] == 0:
        verdict = "There is nothing to check: the file has no rows."
    console.show(f"{rows_read} {verdict}")
