"""sudare ask, plan, run."""

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
    from fractions import Fraction

    from sudare.facts.engine import EngineChoice
    from sudare.facts.plan import Plan
    from sudare.publish.ask import Progress

_STEPS = {
    "structure": "Checking the file's structure",
    "reserve": "Reserving the budget",
    "aggregate": "Computing exact aggregates",
    "protect": "Adding noise",
    "commit": "Recording the release",
}


def ask(
    data: options.Data,
    questions: Annotated[list[str], typer.Argument(help="Questions, each in quotes.")],
    epsilon: options.Epsilon = None,
    schema: options.SchemaFile = None,
    delta: options.Delta = "0",
    mechanism: options.Mechanism = MechanismName.laplace,
    ledger: options.LedgerFile = None,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    analyst: options.Analyst = None,
    key: options.Key = None,
    dry_run: options.DryRun = False,
    output: options.Output = None,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Ask a table; the answers are perturbed and the cost is recorded.

    Functions: count, sum, mean, variance, covariance, histogram, quantile, median, iqr,
    trimmed_mean, mst, kmeans, pca, linear, ridge, logistic, sq. See docs/queries.md.

    Example: sudare ask people.csv --epsilon 1 "count()" "mean(age) @ 0.2" "sum(income) by (sex)"

    Example: sudare ask people.csv --epsilon 1 --delta 1e-9 "median(income)"
    "kmeans(age, income; k=5)" "pca(age, income, hours; components=2)" "linear(income ~ age, hours)"
    """
    from sudare.facts.engine import EngineChoice
    from sudare.publish.files import ledger_path, schema_path

    schema_file = schema if schema is not None else schema_path(data)
    _ask(
        data,
        schema_file,
        _plan(questions, epsilon, delta, mechanism),
        ledger if ledger is not None else ledger_path(schema_file),
        EngineChoice(engine.value, master),
        analyst,
        key,
        dry_run,
        output,
        force,
        (),
        json,
        lang,
    )


def run(
    plan: Annotated[Path, typer.Argument(help="A TOML plan.")],
    dry_run: options.DryRun = False,
    key: options.Key = None,
    output: options.Output = None,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Run a declarative plan: data, schema, ε, questions and outputs in one TOML file.

    Example: sudare run plan.toml --dry-run
    """
    from sudare.publish.files import ledger_path, load_plan

    read = load_plan(plan)
    _ask(
        read.data,
        read.schema,
        read.plan,
        read.ledger if read.ledger is not None else ledger_path(read.schema),
        read.engine,
        read.analyst,
        key if key is not None else read.key,
        dry_run,
        output if output is not None else read.output,
        force,
        (plan,),
        json,
        lang,
    )


def plan(
    questions: Annotated[
        list[str], typer.Argument(help='Questions, each in quotes, e.g. "mean(age) ± 0.5".')
    ],
    schema: options.SchemaFile = None,
    error: Annotated[
        str | None, typer.Option("--error", help="Wanted 95 % error of every question.")
    ] = None,
    relative: Annotated[
        str | None, typer.Option("--relative", help="The same as a share: 5% or 0.05.")
    ] = None,
    delta: options.Delta = "0",
    mechanism: options.Mechanism = MechanismName.laplace,
    json: options.Json = False,
) -> None:
    """Find the ε for a wanted error, from the schema alone: no data is read.

    Of clusters, components and coefficients the wanted error is that of the largest one.

    Example: sudare plan --schema people.schema.toml "mean(age) ± 0.5" "count() ± 1%"

    Example: sudare plan --schema people.schema.toml "median(age) ± 2" "kmeans(age, hours; k=3) ± 2"
    """
    from sudare.cli.output import priced_json, print_json, print_priced
    from sudare.facts.errors import UsageError
    from sudare.publish.files import load_schema, schema_path
    from sudare.publish.pricing import find_epsilon

    asked = list(questions)
    if schema is None:
        if not _is_data(asked[0]):
            raise UsageError("No schema is named.", "Add --schema people.schema.toml.")
        schema = schema_path(asked[0])
    if len(asked) > 1 and _is_data(asked[0]):
        # A data file may be named as in `ask`; it only tells where the schema is.
        asked = asked[1:]
    priced = find_epsilon(
        load_schema(schema),
        _plan(asked, None, delta, mechanism),
        _number(error, "--error"),
        _number(relative, "--relative"),
    )
    if json:
        print_json(priced_json(priced, None))
    else:
        print_priced(priced, None)


def _plan(questions: list[str], epsilon: str | None, delta: str, mechanism: MechanismName) -> Plan:
    from sudare.facts.plan import Plan, read_delta, read_epsilon

    total = read_epsilon(epsilon) if epsilon is not None else None
    return Plan(tuple(questions), total, read_delta(delta), mechanism.value)


def _is_data(text: str) -> bool:
    from sudare.facts.address import is_address

    return is_address(text) or Path(text).exists() or text.endswith(".parquet")


def _number(text: str | None, option: str) -> Fraction | None:
    from sudare.facts.errors import UsageError
    from sudare.facts.numbers import exact_share

    if text is None:
        return None
    value = exact_share(text)
    if value is None or value <= 0:
        raise UsageError(f"{option} must be a number above 0.", "Example: --error 0.5.")
    return value


def _ask(
    data: str | Path,
    schema_file: Path,
    plan: Plan,
    ledger: str | Path,
    engine: EngineChoice,
    analyst: str | None,
    key: str | None,
    dry_run: bool,
    output: Path | None,
    force: bool,
    plan_files: tuple[Path, ...],
    json: bool,
    lang: Language,
) -> None:
    from sudare.cli import output as out
    from sudare.cli.release_files import begin, planned, write_release
    from sudare.publish.files import load_schema

    schema = load_schema(schema_file)
    if dry_run:
        from sudare.publish.outlook import outlook
        from sudare.publish.pricing import price

        priced, plan_hash = price(schema, plan), plan.digest(schema.digest())
        ahead = outlook(
            data, schema, priced.cost, plan_hash, "ask", ledger=ledger, analyst=analyst, key=key
        )
        return (
            out.print_json(out.priced_json(priced, ahead))
            if json
            else out.print_priced(priced, ahead, lang.code)
        )
    from sudare.publish.ask import ask as publish_ask
    from sudare.publish.books import other_datasets
    from sudare.publish.outputs import OutputSet, inputs_of
    from sudare.publish.recording import is_repeated

    check_shown(output)
    with OutputSet(
        planned("answers", output),
        inputs_of(data, schema_file, ledger, *plan_files),
        force=force,
        is_again=lambda: is_repeated(ledger, schema, key, analyst),
    ) as files:
        begin(files, lang.code)
        say_cap_ahead(schema, ledger, lang.code)
        with _progress(not json) as progress:
            release = publish_ask(
                data,
                schema,
                plan,
                ledger=ledger,
                analyst=analyst,
                key=key,
                engine=engine,
                progress=progress,
            )
        out.show_release(release, json, lang.code)
        write_release(release, files, lang.code, ledger)
    others = other_datasets(ledger, schema.table.dataset)
    if others:
        console.say(f"Note: this ledger also counts {others}; budgets of one people do not add up.")
    return None


@contextmanager
def _progress(shown: bool) -> Iterator[Progress]:
    """Steps, not rows: a rate would tell of the data."""
    with bar("Starting", shown, len(_STEPS)) as update:
        yield lambda name: update(description=_STEPS[name], advance=1)
