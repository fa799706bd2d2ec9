"""sudare demo: the guided tour on a made town."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from sudare.cli import options
from sudare.cli.options import Language

if TYPE_CHECKING:
    from sudare.cli.options import Code
    from sudare.demo.tour import Tour
    from sudare.facts.release import Release

# One screen of a plain terminal.
COLUMNS, LINES = 80, 24


class PartName(StrEnum):
    ask = "ask"
    tables = "tables"
    local = "local"
    synthesis = "synthesis"
    link = "link"
    sets = "sets"
    exam = "exam"


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.")] = Path(
        "sudare-demo"
    ),
    only: Annotated[
        list[PartName] | None,
        typer.Option("--only", help="Run this part alone; may be given more than once."),
    ] = None,
    browse: Annotated[
        bool, typer.Option("--open", help="Open the page that links all others in a browser.")
    ] = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Make a town of 20,000 people and ask it: pages, tables and certificates in one folder.

    Example: sudare demo --only ask --only tables --lang ja
    """
    from sudare.cli.output import print_json, release_json
    from sudare.demo.part import Place
    from sudare.demo.tour import tour

    planned = tour(Place(output, lang.code), [part.value for part in only or ()])
    planned.begin()
    for number in range(len(planned.steps)):
        release = _taken(planned, number, sys.stderr if json else sys.stdout)
        if json and release is not None:
            print_json(release_json(release, lang.code))
    planned.remember(())
    if json:
        names = [card.name for card in planned.cards()]
        print_json({"index": str(planned.index), "cards": names})
    else:
        _say_end(planned, lang.code)
    if browse:
        import webbrowser

        webbrowser.open(planned.index.resolve().as_uri())


def _taken(planned: Tour, number: int, to: TextIO) -> Release | None:
    """One step: a bar while it runs on a terminal; then its line with the time, and its lines."""
    from sudare.cli.bars import bar

    step, language = planned.steps[number], planned.place.language
    heading = _HEADING[language].format(
        number=number + 1, steps=len(planned.steps), title=step.title[language]
    )
    watched = sys.stderr.isatty()
    if not watched:
        # A log shows what is under way; the time follows on the same line.
        print(heading, end="", file=to, flush=True)
    started = perf_counter()
    with bar(heading, watched, len(planned.steps)) as update:
        update(completed=number)
        found = planned.take(step)
    passed = f" … {perf_counter() - started:.1f} s"
    print(heading + passed if watched else passed, file=to)
    if to is sys.stdout:
        for line in _screen(found.lines, language):
            print(line)
    return found.release


def _screen(lines: tuple[str, ...], language: Code) -> list[str]:
    """The lines, wrapped, as many as fit on a screen below their heading."""
    shown = [part for line in lines for part in _wrapped(line)]
    if len(shown) < LINES:
        return shown
    # The last line names the page, which has everything.
    return [*shown[: LINES - 3], f"  {_MORE[language]}", shown[-1]]


def _wrapped(line: str) -> list[str]:
    """At most so many columns; the name of a file stays whole."""
    from sudare.report.columns import wrapped

    return [f"  {line}"] if line.startswith("→") else wrapped(f"  {line}", COLUMNS, "    ")


def _say_end(planned: Tour, language: Code) -> None:
    """Where everything is, and what to do next."""
    from sudare.demo.tour import NEXT

    print()
    print(_END[language].format(page=planned.index))
    for text, command in NEXT:
        print(f"  {text[language]}: {command}")


_HEADING = {
    "en": "step {number} of {steps}: {title}",
    "ja": "手順 {number}／{steps}：{title}",
}
_MORE = {"en": "… more on the page:", "ja": "… 続きはページにあります："}
_END = {
    "en": "All results on one page: {page}",
    "ja": "すべての結果を一枚にまとめたページ：{page}",
}
