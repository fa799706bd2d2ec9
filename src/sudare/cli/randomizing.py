"""sudare randomize."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudare.cli import options
from sudare.cli.ahead import say_cap_ahead
from sudare.cli.bars import bar
from sudare.cli.options import EngineName, Language

if TYPE_CHECKING:
    from sudare.publish.randomize import Progress


class BudgetName(Enum):
    auto = "auto"
    split = "split"
    sample = "sample"
    statistic = "statistic"


def randomize(
    data: options.Data,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The Parquet file of reports to write.")
    ],
    epsilon: Annotated[
        str | None,
        typer.Option("--epsilon", "-e", help="The local ε of one person's whole report."),
    ] = None,
    mechanism: Annotated[
        list[str] | None,
        typer.Option(
            "--mechanism",
            help="auto, or a mechanism for all columns that it fits, or column=mechanism: "
            "two-point, piecewise, hybrid, laplace, square-wave; grr, oue, olh, one-hot, pram:0.8.",
        ),
    ] = None,
    columns: Annotated[
        str | None, typer.Option("--columns", help="Columns to randomise; all that can be.")
    ] = None,
    statistics: Annotated[
        str | None,
        typer.Option(
            "--statistics",
            help="What the reports are for: mean, variance, covariance, correlation, histogram, "
            "table, distribution, pca, regression, logistic, svm; or synthesis, alone: tables of "
            "all pairs.",
        ),
    ] = None,
    budget: Annotated[
        BudgetName,
        typer.Option(
            "--budget",
            help="split ε over all columns, sample: report some of them, statistic: report one "
            "statistic at full ε.",
        ),
    ] = BudgetName.auto,
    report: Annotated[
        int | None, typer.Option("--report", help="How many items a person reports (sample).")
    ] = None,
    bins: Annotated[int, typer.Option("--bins", help="Bins of a distribution.")] = 32,
    shuffle: Annotated[
        bool, typer.Option("--shuffle", help="Write the rows in a secure random order.")
    ] = False,
    delta: Annotated[
        str,
        typer.Option(
            "--delta", help="With --shuffle: pay the amplified (ε*, δ) instead of the local ε."
        ),
    ] = "0",
    paper: Annotated[
        bool,
        typer.Option("--paper", help="As the paper does: two-point, one-hot, ε split over all."),
    ] = False,
    schema: options.SchemaFile = None,
    ledger: options.LedgerFile = None,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    analyst: options.Analyst = None,
    key: options.Key = None,
    dry_run: options.DryRun = False,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Randomise every person's row before it leaves: numbers and categories together, with what
    an analyst needs to compute unbiased estimates from the reports alone.

    Example: sudare randomize people.parquet --epsilon 4 --shuffle -o randomized.parquet
    """
    from sudare.cli import output as out
    from sudare.cli import randomized_output as shown
    from sudare.cli.checking_records import names_of
    from sudare.facts.engine import EngineChoice
    from sudare.facts.errors import UsageError
    from sudare.facts.local_plan import LocalPlan, read_statistics, read_wishes
    from sudare.facts.plan import read_delta, read_epsilon
    from sudare.publish.files import ledger_path, load_schema, schema_path

    if epsilon is None:
        raise UsageError("The reports have no ε.", "Add --epsilon 4.")
    schema_file = schema if schema is not None else schema_path(data)
    found = load_schema(schema_file)
    plan = LocalPlan(
        epsilon=read_epsilon(epsilon),
        columns=tuple(names_of(columns or "")),
        wishes=read_wishes(mechanism or ()),
        statistics=read_statistics(statistics or ""),
        budget=budget.value,
        report=report,
        bins=bins,
        shuffle=shuffle,
        delta=read_delta(delta),
        paper=paper,
    )
    place = ledger if ledger is not None else ledger_path(schema_file)
    from sudare.publish.randomize import price_local
    from sudare.publish.randomize import randomize as publish_randomize

    if dry_run:
        from sudare.publish.outlook import outlook

        priced, plan_hash = price_local(found, plan), plan.digest(found.digest())
        ahead = outlook(
            data, found, priced.cost, plan_hash, "randomize", ledger=place, analyst=analyst, key=key
        )
        told = shown.priced_json(priced, ahead)
        return out.print_json(told) if json else shown.print_priced(told, ahead, lang.code)
    from sudare.publish.outputs import Input

    say_cap_ahead(found, place, lang.code)
    written: list[Path] = []
    with _progress(not json) as progress:
        release = publish_randomize(
            data,
            found,
            plan,
            output,
            ledger=place,
            analyst=analyst,
            key=key,
            engine=EngineChoice(engine.value, master),
            progress=progress,
            inputs=(Input("the schema", schema_file),),
            force=force,
            beside=shown.beside_of(output, written, lang.code),
        )
    shown.show(release, written, json, lang.code)
    return None


@contextmanager
def _progress(shown: bool) -> Iterator[Progress]:
    """Rows, whose number is public under replace-one."""
    with bar("Randomising", shown) as update:

        def step(done: int, rows: int | None) -> None:
            update(
                description=f"Randomising, {done:,} rows",
                completed=done,
                total=None if rows is None else max(rows, done),
            )

        yield step
