"""sudare synthesize."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudare.cli import console, options
from sudare.cli.ahead import say_cap_ahead
from sudare.cli.bars import bar
from sudare.cli.options import EngineName, Language

if TYPE_CHECKING:
    from sudare.publish.statistics import Progress


class PreserveName(StrEnum):
    tables = "tables"
    moments = "moments"


class ModeName(StrEnum):
    default = "default"
    paper = "paper"


class MethodName(StrEnum):
    a = "a"
    b = "b"


_STEPS = {
    "reports": "Reading the reports",
    "persons": "Gathering persons",
    "histograms": "Counting histograms",
    "tables": "Counting two-way tables",
    "nearness": "Testing nearness to people",
    "noise": "Adding noise",
    "fit": "Fitting the mixture",
    "draw": "Drawing rows",
    "match": "Matching the moments",
    "describe": "Checking the rows",
}


def synthesize(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The .csv or .parquet file of rows to write.")
    ],
    data: Annotated[
        str | None,
        typer.Argument(
            help="The real rows, as for `sudare ask`; none with --from-statistics or "
            "--from-randomized."
        ),
    ] = None,
    rows: Annotated[
        int | None, typer.Option("--rows", help="How many rows; by default as many as the data.")
    ] = None,
    schema: options.SchemaFile = None,
    columns: Annotated[
        str | None, typer.Option("--columns", help="Columns to synthesise; all that can be.")
    ] = None,
    preserve: Annotated[
        PreserveName,
        typer.Option(
            "--preserve",
            help="tables: all two-way tables close; moments: mean, covariance, histograms only. "
            "Moments are exact in both.",
        ),
    ] = PreserveName.tables,
    mode: Annotated[
        ModeName,
        typer.Option("--mode", help="paper: Algorithms 1 to 5 of the paper, to the letter."),
    ] = ModeName.default,
    method: Annotated[
        MethodName | None,
        typer.Option("--method", help="The paper's comparison methods: a or b."),
    ] = None,
    lags: Annotated[
        int | None,
        typer.Option("--lags", help="Of a panel: keep autocovariances up to this lag."),
    ] = None,
    minimum: Annotated[
        int,
        typer.Option("--minimum", min=1, help="Exact statistics: fewest people in a bin."),
    ] = 10,
    epsilon: options.Epsilon = None,
    delta: options.Delta = "0",
    from_statistics: Annotated[
        Path | None,
        typer.Option("--from-statistics", help="Make rows of a statistics file alone."),
    ] = None,
    from_randomized: Annotated[
        Path | None,
        typer.Option("--from-randomized", help="Make rows of locally randomised reports."),
    ] = None,
    statistics: Annotated[
        Path | None,
        typer.Option("--statistics", help="Also write the statistics that were used, as JSON."),
    ] = None,
    statistics_only: Annotated[
        bool,
        typer.Option("--statistics-only", help="Write the statistics to --output, and no rows."),
    ] = False,
    accept_disclosure: Annotated[
        bool,
        typer.Option(
            "--accept-disclosure",
            help="Exact statistics whole and untested; the certificate says so.",
        ),
    ] = False,
    ledger: options.LedgerFile = None,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    analyst: options.Analyst = None,
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            help="Idempotency key: the same key returns the same statistics, unpaid; rows are "
            "drawn anew.",
        ),
    ] = None,
    dry_run: options.DryRun = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Make synthetic microdata from statistics: exact ones (no formal guarantee), private ones
    (--epsilon), those of a file, or estimates from randomised reports.

    Example: sudare synthesize people.csv --rows 300000 -o synthetic.parquet

    Example: sudare synthesize people.csv --epsilon 1 --delta 1e-9 -o synthetic.csv
    """
    from sudare.cli import output as out
    from sudare.cli.synthesized_output import print_price, show, show_statistics
    from sudare.cli.synthesizing_checks import (
        check_accepting,
        check_measuring,
        check_places,
        check_targets,
    )
    from sudare.facts.engine import EngineChoice
    from sudare.facts.errors import UsageError
    from sudare.publish.files import load_schema, schema_path
    from sudare.publish.given_statistics import write_statistics
    from sudare.publish.synthesize import Wish, check_output, check_ready, check_wish, make

    check_places(data, from_statistics, from_randomized)
    check_measuring(data, epsilon, delta, dry_run, columns is not None or lags is not None)
    check_accepting(data, epsilon, accept_disclosure)
    schema_file = schema if data is None or schema is not None else schema_path(data)
    check_targets(
        [data, from_statistics, from_randomized, schema_file, ledger], [output, statistics]
    )
    if method is not None and mode is ModeName.paper:
        raise UsageError(
            "--method a or b is compared with the paper's own method; --mode paper is that.",
            "Give one of the two.",
        )
    named = tuple(part.strip() for part in columns.split(",") if part.strip()) if columns else None
    chosen = EngineChoice(engine.value, master)
    wish = Wish(rows, preserve.value, method.value if method is not None else mode.value)
    if not statistics_only:
        check_output(output)
        check_ready(wish.mode)
    encoding = beside = None
    with _progress(not json) as progress:
        if from_statistics is not None:
            from sudare.publish.given_statistics import read_statistics

            found = read_statistics(from_statistics)
        elif from_randomized is not None:
            from sudare.publish.randomized_statistics import randomized_statistics

            found = randomized_statistics(from_randomized, progress)
        else:
            assert data is not None
            assert schema_file is not None
            loaded = load_schema(schema_file)
            encoding = loaded.table.encoding
            check_wish(loaded, wish, lags)
            if epsilon is not None:
                from fractions import Fraction

                from sudare.facts.plan import read_delta, read_epsilon
                from sudare.publish.files import ledger_path
                from sudare.publish.private_statistics import (
                    PrivatePlan,
                    private_statistics,
                    statistics_of,
                )

                plan = PrivatePlan(read_epsilon(epsilon), Fraction(read_delta(delta)), named, lags)
                place = ledger if ledger is not None else ledger_path(schema_file)
                if dry_run:
                    return print_price(data, loaded, plan, place, analyst, key, json, lang.code)
                say_cap_ahead(loaded, place, lang.code)
                release = private_statistics(
                    data,
                    loaded,
                    plan,
                    ledger=place,
                    analyst=analyst,
                    key=key,
                    engine=chosen,
                    progress=progress,
                )
                found = statistics_of(release)
                out.say_spent(release, lang.code)
                out.say_notes(release, lang.code)
            else:
                from sudare.publish.bearable import exact

                tested = exact(
                    data,
                    loaded,
                    preserve.value,
                    mode=wish.mode,
                    columns=named,
                    lags=lags,
                    minimum=minimum,
                    accept_disclosure=accept_disclosure,
                    engine=chosen,
                    progress=progress,
                )
                found, beside = tested.statistics, tested.beside
        if data is None and schema is not None:
            from sudare.publish.given_statistics import ruled_by_schema

            found = ruled_by_schema(found, load_schema(schema))
        if statistics_only or statistics is not None:
            target = output if statistics_only else statistics
            assert target is not None
            write_statistics(target, found)
            console.say(f"Wrote {target}.")
        if statistics_only:
            return show_statistics(found, json, lang.code)
        made = make(found, wish, progress=progress, beside=beside).write(output, encoding)
    show(made, output, json, lang.code)
    return None


@contextmanager
def _progress(shown: bool) -> Iterator[Progress]:
    with bar("Starting", shown, len(_STEPS)) as update:

        def step(name: str, share: float) -> None:
            update(description=_STEPS[name], completed=list(_STEPS).index(name) + share)

        yield step
