"""sudare tabulate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudare.cli import console, options
from sudare.cli.ahead import say_cap_ahead
from sudare.cli.bars import bar
from sudare.cli.options import EngineName, Language, MechanismName
from sudare.cli.streams import check_shown

if TYPE_CHECKING:
    from sudare.publish.tabulate import Progress

_STEPS = {
    "structure": "Checking the file's structure",
    "reserve": "Reserving the budget",
    "aggregate": "Counting",
    "protect": "Adding noise",
    "fit": "Making all margins agree",
    "commit": "Recording the release",
}


def tabulate(
    data: options.Data,
    by: Annotated[
        str, typer.Option("--by", help="Columns or levels, one a dimension: sex,region,age_band.")
    ],
    epsilon: options.Epsilon = None,
    margins: Annotated[
        str,
        typer.Option(
            "--margins", help='Sums to publish: all, none, 1, 2, or "sex,region; age_band".'
        ),
    ] = "all",
    weight: Annotated[
        list[str] | None,
        typer.Option("--weight", help='A margin that matters more: "sex,region=4".'),
    ] = None,
    schema: options.SchemaFile = None,
    delta: options.Delta = "0",
    mechanism: options.Mechanism = MechanismName.laplace,
    ledger: options.LedgerFile = None,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    analyst: options.Analyst = None,
    key: options.Key = None,
    dry_run: options.DryRun = False,
    compare: Annotated[
        bool,
        typer.Option("--compare", help="Steward only: also write true against released counts."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A folder for CSV, XLSX, certificate and report."),
    ] = None,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Publish a cross table: non-negative integers whose margins all agree, with noise chosen
    for the margins that were asked for.

    Example: sudare tabulate people.csv --by sex,region,age_band --epsilon 1 --margins all -o out
    """
    from sudare.cli import output as out
    from sudare.cli.release_files import begin, planned, write_release
    from sudare.cli.table_output import planned_comparison, write_comparison
    from sudare.facts.engine import EngineChoice
    from sudare.facts.errors import UsageError
    from sudare.facts.plan import read_delta, read_epsilon
    from sudare.facts.table_plan import TablePlan, read_weights
    from sudare.publish.files import ledger_path, load_schema, schema_path

    if epsilon is None:
        raise UsageError("The table has no ε.", "Add --epsilon 1.")
    if compare and output is None:
        raise UsageError("--compare has no folder to write to.", "Add --output folder.")
    schema_file = schema if schema is not None else schema_path(data)
    found = load_schema(schema_file)
    names = tuple(part.strip() for part in by.split(",") if part.strip())
    plan = TablePlan(
        names,
        read_epsilon(epsilon),
        margins,
        read_weights(weight or ()),
        read_delta(delta),
        mechanism.value,
    )
    place = ledger if ledger is not None else ledger_path(schema_file)
    chosen = EngineChoice(engine.value, master)
    if dry_run:
        from sudare.cli.table_output import forecast_json, print_forecast
        from sudare.publish.outlook import outlook
        from sudare.publish.tabulate import price_table

        priced, plan_hash = price_table(found, plan), plan.digest(found.digest())
        ahead = outlook(
            data, found, priced.cost, plan_hash, "tabulate", ledger=place, analyst=analyst, key=key
        )
        if json:
            return out.print_json(forecast_json(priced, ahead))
        return print_forecast(priced, ahead, lang.code)
    from sudare.publish.outputs import OutputSet, inputs_of
    from sudare.publish.recording import is_repeated
    from sudare.publish.tabulate import tabulate as publish_tabulate
    from sudare.publish.tabulate import true_table

    check_shown(output)
    inputs = inputs_of(data, schema_file, place)
    compared = planned_comparison(output) if compare and output is not None else ()

    def is_again() -> bool:
        return is_repeated(place, found, key, analyst)

    with (
        OutputSet(planned("table", output), inputs, force=force, is_again=is_again) as files,
        OutputSet(compared, inputs, force=force, is_again=is_again) as beside,
    ):
        begin(files, lang.code)
        say_cap_ahead(found, place, lang.code)
        with _progress(not json) as progress:
            release = publish_tabulate(
                data,
                found,
                plan,
                ledger=place,
                analyst=analyst,
                key=key,
                engine=chosen,
                progress=progress,
            )
        out.show_release(release, json, lang.code)
        write_release(release, files, lang.code, place)
        if compared:
            truth = true_table(data, found, plan, chosen)
            for path in write_comparison(release, truth, beside, lang.code):
                console.say(
                    f"Wrote {path}: exact counts, for the steward alone. Do not publish it."
                )
    return None


@contextmanager
def _progress(shown: bool) -> Iterator[Progress]:
    with bar("Starting", shown, len(_STEPS)) as update:

        def step(name: str, share: float) -> None:
            update(description=_STEPS[name], completed=list(_STEPS).index(name) + share)

        yield step
