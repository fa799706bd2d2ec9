"""sudare reproduce sets-paper: figures 3 to 7 of paper 004, beside the default."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudare.cli import console, options
from sudare.cli.bars import bar, watcher
from sudare.cli.options import Language

if TYPE_CHECKING:
    pass


class Modes(StrEnum):
    paper = "paper"
    default = "default"
    both = "both"


def sets_paper(
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            help="The folder of bms-webview-1.dat.gz and bms-webview-2.dat.gz; by default "
            "$SUDARE_DATA, else the made town is used.",
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder for the page and the CSV files.")
    ] = Path("sets-paper"),
    figures: Annotated[
        str, typer.Option("--figures", help="Which of figures 3 to 7, such as 3,4 or 5-7.")
    ] = "3-7",
    repeats: Annotated[
        int, typer.Option("--repeats", help="How often every experiment is repeated.")
    ] = 10,
    mode: Annotated[
        Modes, typer.Option("--mode", help="The paper's algorithms, the default, or both.")
    ] = Modes.both,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Figures 3 to 7 of the paper on set-valued data: its algorithms to the letter beside the
    default, a page that says what reproduces and what differs and why, and every number as CSV.
    Public data only.

    Example: sudare reproduce sets-paper --data folder -o sets-paper
    """
    from sudare.cli import output as out
    from sudare.facts.sets_paper import MODES, read_figures
    from sudare.publish.outputs import Input, OutputSet
    from sudare.publish.reproduce_sets import find_bms, reproduce_sets
    from sudare.report.sets_paper import csv_name, lines, page, to_csv

    numbers = read_figures(figures)
    modes = tuple(each for each in MODES if mode.value in (each, "both"))
    found = find_bms(data)
    named = (output / "report.html", *(output / csv_name(number) for number in numbers))
    inputs = [Input("the data", each) for each in (found or {}).values()]
    with (
        OutputSet(named, inputs, force=force) as outputs,
        _town() if found is None else _as_they_are(found) as files,
        bar("Releases", not json) as update,
    ):
        made = reproduce_sets(
            files,
            figures=numbers,
            modes=modes,
            repeats=repeats,
            progress=lambda done, of: update(completed=done, total=of),
            watch=watcher(update, lang.code),
        )
        outputs.write(named[0], page(made, lang.code))
        for figure in made.figures:
            outputs.write(output / csv_name(figure.number), to_csv(figure))
        written = outputs.finish()
    if json:
        out.print_json(made.to_dict() | {"files": [str(path) for path in written]})
    else:
        console.show("\n".join(lines(made, lang.code)))
    console.say(f"Wrote {written[0]} and {len(written) - 1} CSV files.")


@contextmanager
def _as_they_are(files: dict[str, Path]) -> Iterator[dict[str, Path]]:
    yield files


@contextmanager
def _town() -> Iterator[dict[str, Path]]:
    """The baskets of the made town, for as long as they are read."""
    from sudare.demo.baskets import baskets_csv
    from sudare.report.sets_paper import TOWN

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "baskets.csv"
        path.write_text(baskets_csv("en"), encoding="utf-8")
        yield {TOWN: path}
