"""sudare reproduce: a paper's figures, as printed and as they should be."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudare.cli import console, options
from sudare.cli.bars import bar
from sudare.cli.options import Language

if TYPE_CHECKING:
    from sudare.facts.reproduced import Reproduced
    from sudare.publish.reproduce import Progress


def shuffle_paper(
    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            help="UCI Adult with a header; by default $SUDARE_ADULT, else ../shared/data, "
            "else the made town is used.",
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder for the page and the CSV files.")
    ] = Path("shuffle-paper"),
    trials: Annotated[
        int, typer.Option("--trials", help="How often every experiment is repeated.")
    ] = 10,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Figures 1 to 7 of the shuffle paper: paper mode beside corrected mode, a page that says what
    differs and why, and every number as CSV. Public data only; nothing is charged.

    Example: sudare reproduce shuffle-paper --data adult.csv.gz -o figures
    """
    from sudare.cli import output as out
    from sudare.publish.outputs import OutputSet, inputs_of
    from sudare.publish.reproduce import find_adult
    from sudare.report.reproduced import FIGURES, csv_name, lines, page, to_csv

    place = find_adult(data)
    names = (output / "report.html", *(output / csv_name(number) for number in FIGURES))
    with OutputSet(names, inputs_of(place), force=force) as files:
        with _progress(not json) as progress:
            found = (
                _on_town(trials, progress) if place is None else _on_adult(place, trials, progress)
            )
        files.write(names[0], page(found, lang.code))
        for figure in found.figures:
            files.write(output / csv_name(figure.number), to_csv(figure))
        written = files.finish()
    if json:
        out.print_json(found.to_dict() | {"files": [str(path) for path in written]})
    else:
        console.show("\n".join(lines(found, lang.code)))
    console.say(f"Wrote {written[0]} and {len(written) - 1} CSV files.")


def _on_adult(place: str, trials: int, progress: Progress) -> Reproduced:
    from sudare.publish.reproduce import reproduce as run

    return run(place, trials=trials, progress=progress)


def _on_town(trials: int, progress: Progress) -> Reproduced:
    from sudare.demo.town import people_csv, schema_text
    from sudare.facts.schema import parse_schema
    from sudare.publish.reproduce import reproduce as run

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "town.csv"
        path.write_text(people_csv(), encoding="utf-8")
        schema = parse_schema(schema_text("en"), "the town's schema")
        return run(path, schema, name="town", trials=trials, progress=progress)


@contextmanager
def _progress(shown: bool) -> Iterator[Progress]:
    with bar("Experiments", shown) as update:
        yield lambda done, of: update(completed=done, total=of)
