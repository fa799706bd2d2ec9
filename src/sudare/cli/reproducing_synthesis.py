"""sudare reproduce synthesis-paper: tables 3 to 5 of paper 002, beside the default."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sudare.cli import console, options
from sudare.cli.bars import bar
from sudare.cli.options import Language


def synthesis_paper(
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            help="The folder of adult.csv.gz and census-income.csv.gz; by default $SUDARE_DATA.",
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The page with the tables and plots.")
    ] = Path("synthesis-paper.html"),
    rows: Annotated[
        int, typer.Option("--rows", help="How many synthetic rows every method draws.")
    ] = 300_000,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Tables 3 to 5 of the synthesis paper on Adult and Census-Income: its methods A, B and P to
    the letter, beside the default, and what does and does not reproduce. Public data only; nothing
    is charged.

    Example: sudare reproduce synthesis-paper --data folder -o synthesis-paper.html
    """
    from sudare.cli import output as out
    from sudare.publish.outputs import OutputSet, inputs_of
    from sudare.publish.reproduce_synthesis import reproduce_synthesis
    from sudare.report.synthesis_paper import lines, page

    with OutputSet((output,), inputs_of(data), force=force) as files:
        with bar("Methods", not json) as update:
            found = reproduce_synthesis(
                data, rows=rows, progress=lambda done, of: update(completed=done, total=of)
            )
        files.write(output, page(found, lang.code))
        files.finish()
    if json:
        out.print_json(found.to_dict() | {"files": [str(output)]})
    else:
        console.show("\n".join(lines(found, lang.code)))
    console.say(f"Wrote {output}.")
