"""sudare aggregate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudare.cli import console, options
from sudare.cli.ahead import say_cap_ahead, say_outlook
from sudare.cli.bars import bar
from sudare.cli.options import EngineName, Language
from sudare.cli.streams import check_shown

if TYPE_CHECKING:
    from sudare.cli.options import Code
    from sudare.facts.block_plan import BlockPlan
    from sudare.publish.aggregate import PricedBlocks, Progress
    from sudare.publish.outlook import Outlook

_STEPS = {
    "structure": "Checking the function and the file",
    "reserve": "Reserving the budget",
    "aggregate": "Dealing rows into blocks",
    "blocks": "Running the function on blocks",
    "protect": "Adding noise",
    "commit": "Recording the release",
}


_TRUSTED = (
    "The kernel did not grant every wall around the blocks (see the certificate): what the program"
    " did is as private as the program is honest."
)
_LISTED = (
    "While a command runs, the machine's list of processes shows every account there its names and"
    " arguments."
)


class MethodName(StrEnum):
    auto = "auto"
    median = "median"
    smooth = "smooth"
    winsorized = "winsorized"


def aggregate(
    data: options.Data,
    command: Annotated[
        str,
        typer.Option(
            "--command",
            help="Run on every block: it reads CSV on stdin and writes a number, or JSON by "
            "output, on stdout.",
        ),
    ],
    columns: Annotated[str, typer.Option("--columns", help="Columns it gets: age,income.")],
    output: Annotated[
        list[str],
        typer.Option("--output", help='What it answers: "mean_income=0..20000000:1000".'),
    ],
    epsilon: options.Epsilon = None,
    schema: options.SchemaFile = None,
    delta: options.Delta = "0",
    blocks: Annotated[int, typer.Option("--blocks", help="How many disjoint random blocks.")] = 64,
    seconds: Annotated[
        str, typer.Option("--seconds", help="The tick: what a block gets, and takes.")
    ] = "1",
    memory: Annotated[int, typer.Option("--memory", help="MiB for each process.")] = 512,
    default: Annotated[
        list[str] | None,
        typer.Option("--default", help="What a failed block counts as; by default the middle."),
    ] = None,
    method: Annotated[
        MethodName, typer.Option("--method", help="How the blocks' answers become one number.")
    ] = MethodName.auto,
    ledger: options.LedgerFile = None,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    analyst: options.Analyst = None,
    key: options.Key = None,
    trust_program: Annotated[
        bool,
        typer.Option(
            "--trust-program",
            help="Where the kernel grants too few walls: I know what the program does.",
        ),
    ] = False,
    dry_run: options.DryRun = False,
    to: Annotated[
        Path | None,
        typer.Option("-o", "--to", help="Write results, certificate and report: name.json."),
    ] = None,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Run any program on disjoint random blocks, in separate processes, and publish one private
    number for each of its outputs (sample and aggregate).

    A block's process sees copies of the files that the command names and of the programs that these
    name, and nothing else. Blocks run one after the other.

    Example: sudare aggregate people.csv --epsilon 1 --columns income --output
    "mean_income=0..20000000:1000" --command "python mean.py" -o out.json
    """
    from sudare.cli import output as out
    from sudare.cli.release_files import begin, planned, write_release
    from sudare.facts.engine import EngineChoice
    from sudare.facts.errors import UsageError
    from sudare.publish.aggregate import of_command
    from sudare.publish.files import ledger_path, load_schema, schema_path

    if epsilon is None:
        raise UsageError("The aggregate has no ε.", "Add --epsilon 1.")
    schema_file = schema if schema is not None else schema_path(data)
    found, program = load_schema(schema_file), of_command(command)
    names = tuple(part.strip() for part in columns.split(",") if part.strip())
    plan = _plan(
        names, output, default or [], epsilon, delta, program.digest, blocks, seconds, memory,
        method,
    )  # fmt: skip
    place = ledger if ledger is not None else ledger_path(schema_file)
    if dry_run:
        from sudare.publish.aggregate import price_blocks
        from sudare.publish.outlook import outlook

        priced, plan_hash = price_blocks(found, plan), plan.digest(found.digest())
        ahead = outlook(
            data, found, priced.cost, plan_hash, "aggregate", ledger=place, analyst=analyst, key=key
        )
        told = _priced_json(priced, ahead)
        return out.print_json(told) if json else _print_priced(priced, ahead, lang.code)
    from sudare.publish.aggregate import aggregate as publish_aggregate
    from sudare.publish.outputs import Input, OutputSet, inputs_of
    from sudare.publish.recording import is_repeated

    check_shown(to)
    program_files = [Input("the command's program", each) for each in program.files]
    with OutputSet(
        planned("answers", to),
        (*inputs_of(data, schema_file, place), *program_files),
        force=force,
        is_again=lambda: is_repeated(place, found, key, analyst),
    ) as files:
        begin(files, lang.code)
        say_cap_ahead(found, place, lang.code)
        with _progress(not json) as progress:
            release = publish_aggregate(
                data,
                found,
                plan,
                program,
                ledger=place,
                analyst=analyst,
                key=key,
                engine=EngineChoice(engine.value, master),
                progress=progress,
                trust_program=trust_program,
            )
        out.show_release(release, json, lang.code)
        walls = str(release.provenance["sandbox"])
        if "trusted program" in walls:
            console.say(_TRUSTED)
        elif "names" not in walls:
            console.say(_LISTED)
        write_release(release, files, lang.code, place)
    return None


def _plan(
    columns: tuple[str, ...],
    outputs: list[str],
    defaults: list[str],
    epsilon: str,
    delta: str,
    program: str,
    blocks: int,
    seconds: str,
    memory: int,
    method: MethodName,
) -> BlockPlan:
    from dataclasses import replace

    from sudare.facts.block_plan import BlockPlan, read_defaults, read_number, read_output
    from sudare.facts.plan import read_delta, read_epsilon

    declared = tuple(read_output(text) for text in outputs)
    known = read_defaults(tuple(defaults), tuple(each.name for each in declared))
    return BlockPlan(
        columns=columns,
        outputs=tuple(replace(each, default=known.get(each.name)) for each in declared),
        epsilon=read_epsilon(epsilon),
        program=program,
        delta=read_delta(delta),
        blocks=blocks,
        seconds=read_number(seconds, "--seconds"),
        memory=memory,
        method=method.value,
    )


def _priced_json(priced: PricedBlocks, ahead: Outlook) -> dict[str, Any]:
    """What a run would cost and how wrong it would be; nothing was run."""
    plan = priced.plan
    outputs = [
        {"output": output.name, "method": way.name, "value": None, "error95": error}
        for output, way, error in zip(plan.outputs, priced.ways, priced.forecasts(), strict=True)
    ]
    return {
        "answers": outputs,
        "blocks": plan.blocks,
        "seconds": float(plan.seconds),
        "cost": {"epsilon": priced.cost.epsilon, "delta": priced.cost.delta},
        "spent": {"epsilon": 0.0, "delta": 0.0},
        "release": None,
        **ahead.to_dict(),
    }


def _print_priced(priced: PricedBlocks, ahead: Outlook, language: Code) -> None:
    from sudare.report.numbers import format_error

    told = _priced_json(priced, ahead)
    table = []
    for row in told["answers"]:
        error = format_error(row["error95"], row["error95"])
        table.append([row["output"], f"{row['method']} over {told['blocks']} blocks", f"±{error}"])
    console.table(table, has_head=False)
    console.say(f"Would spend ε={priced.cost.epsilon:.6g}; nothing was spent, nothing was run.")
    console.say(
        "Errors (95 %) are forecast as if the blocks answered evenly over an eighth of the range."
    )
    say_outlook(ahead, language)


@contextmanager
def _progress(shown: bool) -> Iterator[Progress]:
    """Blocks and steps, not rows: a rate would tell of the data."""
    with bar("Starting", shown, len(_STEPS)) as update:

        def step(name: str, share: float) -> None:
            update(description=_STEPS[name], completed=list(_STEPS).index(name) + share)

        yield step
