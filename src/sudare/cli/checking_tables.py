"""sudare check tables: what exact published tables make certain about people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudare.cli import console, options
from sudare.cli.options import Language

if TYPE_CHECKING:
    from sudare.facts.disclosure import TableCheck


def tables(
    files: Annotated[
        list[Path], typer.Argument(help="The tables: CSV files with attributes and a count.")
    ],
    population: Annotated[
        str | None, typer.Option("--population", help="How many people there are: 20, or 18-22.")
    ] = None,
    facts: Annotated[
        Path | None, typer.Option("--facts", help="What everybody knows beside them, in TOML.")
    ] = None,
    sensitive: Annotated[
        str, typer.Option("--sensitive", help="What an attacker wants: result,disease.")
    ] = "",
    count: Annotated[
        str | None, typer.Option("--count", help="The column of counts; by default count or 人数.")
    ] = None,
    noisy: Annotated[
        bool, typer.Option("--noisy", help="Noise was added to all of these tables.")
    ] = False,
    narrow: Annotated[
        int, typer.Option("--narrow", min=0, help="Report counts known up to so many people.")
    ] = 1,
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=0.1, help="Stop searching after so many seconds.")
    ] = 60.0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a report: a name.html.")
    ] = None,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Find what holds for a person in every data set that fits these exact tables.

    Ends with 4 where something is certain, or a withheld count can be worked out.

    Example: sudare check tables exam/*.csv --population 20 --facts facts.toml
    """
    from sudare.cli.output import print_json
    from sudare.cli.release_files import write_page
    from sudare.publish.checking_tables import TableOptions, check_tables
    from sudare.publish.outputs import Input, OutputSet
    from sudare.report.disclosure import parts
    from sudare.report.disclosure_texts import said
    from sudare.report.records_page import page
    from sudare.report.records_risk import lines

    wanted = tuple(name.strip() for name in sensitive.split(",") if name.strip())
    chosen = TableOptions(population, count, noisy, wanted, narrow, time_limit)
    inputs = [Input("a table", each) for each in files] + [Input("the facts", facts)]
    with OutputSet(() if output is None else (output,), inputs, force=force) as outputs:
        with _progress() as progress:
            found = check_tables(files, facts, chosen, progress)
        shown = parts(found)
        if json:
            print_json(_json(found, lang.code))
        else:
            console.show("\n".join(lines(shown, lang.code)))
        write_page(outputs, lambda: page(said("title"), shown, lang.code))
    raise typer.Exit(0 if found.ok else 4)


def _json(found: TableCheck, language: options.Code) -> dict[str, Any]:
    """The findings with what is certain, and how an attacker gets there, in words."""
    from sudare.report.disclosure import sentences

    plain = found.to_dict()
    for kind, claims in (("certain", found.certain), ("excluded", found.excluded)):
        for each, claim in zip(plain[kind], claims, strict=True):
            what, how = sentences(claim)
            each.update(sentence=what[language], how=how[language])
    return plain


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on standard error while the solver works; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        stages = {}

        def told(stage: str, done: int, of: int) -> None:
            if stage not in stages:
                stages[stage] = bar.add_task(stage, total=of)
            bar.update(stages[stage], completed=done, total=of)

        yield told
