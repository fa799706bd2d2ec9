"""sudare synthesize."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudare.cli import options
from sudare.cli.ahead import say_cap_ahead
from sudare.cli.bars import bar
from sudare.cli.options import EngineName, Language

if TYPE_CHECKING:
    from sudare.publish.outputs import OutputSet
    from sudare.publish.private_statistics import PrivatePlan
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
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Make synthetic microdata from statistics: exact ones (no formal guarantee), private ones
    (--epsilon), those of a file, or estimates from randomised reports.

    Example: sudare synthesize people.csv --rows 300000 -o synthetic.parquet

    Example: sudare synthesize people.csv --epsilon 1 --delta 1e-9 -o synthetic.csv
    """
    from sudare.cli import output as out
    from sudare.cli.release_files import begin, beside, say_written
    from sudare.cli.synthesized_output import (
        print_price,
        show,
        show_statistics,
        stage_and_finish,
    )
    from sudare.cli.synthesizing_checks import (
        check_accepting,
        check_folders,
        check_measuring,
        check_places,
    )
    from sudare.facts.engine import EngineChoice
    from sudare.facts.errors import UsageError
    from sudare.publish.certifying import created_now, stage_certificate
    from sudare.publish.files import ledger_path, load_schema, schema_path
    from sudare.publish.given_statistics import statement_of
    from sudare.publish.outputs import Input, OutputSet, inputs_of
    from sudare.publish.recording import is_repeated
    from sudare.publish.synthesize import Wish, check_output, check_ready, check_wish, make

    check_places(data, from_statistics, from_randomized)
    check_measuring(data, epsilon, delta, dry_run, columns is not None or lags is not None)
    check_accepting(data, epsilon, accept_disclosure)
    schema_file = schema if data is None or schema is not None else schema_path(data)
    check_folders([output, statistics])
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
    loaded, private, real = None, None, None
    place = ledger if ledger is not None or schema_file is None else ledger_path(schema_file)
    if data is not None:
        assert schema_file is not None
        loaded = load_schema(schema_file)
        check_wish(loaded, wish, lags)
        private = _private(epsilon, delta, named, lags)
        if dry_run and private is not None:
            assert place is not None
            return print_price(data, loaded, private, place, analyst, key, json, lang.code)
    target = output if statistics_only else statistics
    rows_files = () if statistics_only else (output, *beside(output))
    stated_files: tuple[Path, ...] = () if target is None else (target, beside(target)[0])
    if set(stated_files[1:]) & set(rows_files):
        # Statistics and rows of one name have one certificate.
        stated_files = stated_files[:1]
    inputs = (
        *inputs_of(data, schema_file, place),
        Input("the statistics that rows are made of", from_statistics),
        Input("the reports", from_randomized),
    )
    others = tuple(Input("another result", each) for each in rows_files)
    with (
        OutputSet(
            stated_files,
            (*inputs, *others),
            force=force,
            is_again=lambda: (
                loaded is not None
                and place is not None
                and is_repeated(place, loaded, key, analyst)
            ),
        ) as stated,
        # Rows are drawn anew, also under a key that was used before.
        OutputSet(rows_files, inputs, force=force) as files,
        _progress(not json) as progress,
    ):
        begin(stated, lang.code)
        begin(files, lang.code)
        charged: str | Path | None = None
        created = created_now()
        if from_statistics is not None:
            from sudare.publish.given_statistics import read_statistics

            found = read_statistics(from_statistics)
        elif from_randomized is not None:
            from sudare.publish.randomized_statistics import randomized_statistics

            found = randomized_statistics(from_randomized, progress)
        else:
            assert data is not None
            assert loaded is not None
            if private is not None:
                from sudare.publish.private_statistics import private_statistics, statistics_of

                assert place is not None
                say_cap_ahead(loaded, place, lang.code)
                release = private_statistics(
                    data,
                    loaded,
                    private,
                    ledger=place,
                    analyst=analyst,
                    key=key,
                    engine=chosen,
                    progress=progress,
                )
                found, created = statistics_of(release), release.created
                charged = place
                _say_charged(release.id, place, output, stated, files)
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
                found, real = tested.statistics, tested.beside
        if data is None and schema is not None:
            from sudare.publish.given_statistics import ruled_by_schema

            found = ruled_by_schema(found, load_schema(schema))
        if target is not None:
            stated.write(target, f"{found.to_json()}\n")
            if len(stated_files) > 1:
                told = statement_of(found, created)
                stage_certificate(stated, stated_files[1], told, charged)
            say_written(stated.finish())
        if statistics_only:
            return show_statistics(found, json, lang.code)
        encoding = None if loaded is None else loaded.table.encoding
        made = make(found, wish, progress=progress, beside=real)
        made = made.write(files.place(output), encoding)
        shared = stated_files if len(stated_files) == 1 else ()
        written = stage_and_finish(made, files, charged, shared, lang.code)
    show(made, written, json, lang.code)
    return None


def _private(
    epsilon: str | None, delta: str, columns: tuple[str, ...] | None, lags: int | None
) -> PrivatePlan | None:
    """What is measured under ε, if anything is."""
    from fractions import Fraction

    from sudare.facts.plan import read_delta, read_epsilon
    from sudare.publish.private_statistics import PrivatePlan

    if epsilon is None:
        return None
    return PrivatePlan(read_epsilon(epsilon), Fraction(read_delta(delta)), columns, lags)


def _say_charged(
    release: str, ledger: str | Path, output: Path, stated: OutputSet, files: OutputSet
) -> None:
    """Of rows the ledger has the statistics; other rows are made of them, unpaid."""
    sources = stated.names or (output.with_suffix(".statistics.json"),)
    stated.charged(release, ledger, sources[0])
    then = ["sudare", "synthesize", "--from-statistics", str(sources[0]), "-o", str(output)]
    files.charged(release, ledger, sources[0], then=shlex.join(then))


@contextmanager
def _progress(shown: bool) -> Iterator[Progress]:
    with bar("Starting", shown, len(_STEPS)) as update:

        def step(name: str, share: float) -> None:
            update(description=_STEPS[name], completed=list(_STEPS).index(name) + share)

        yield step
