"""sudare check sets: how exposed people are in purchase and browsing histories."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sudare.cli import options
from sudare.cli.options import EngineName, Language
from sudare.cli.suppressing import Baskets, Categories, Encoding, Form, Item, SensitiveFile, User


def sets(
    data: Baskets,
    sensitive: SensitiveFile = None,
    rho: Annotated[
        str, typer.Option("--rho", help="The confidence above which an attacker succeeds.")
    ] = "0.5",
    max_knowledge: Annotated[
        int | None,
        typer.Option("--max-knowledge", help="How many items an attacker knows at most; 3."),
    ] = None,
    released: Annotated[
        Path | None,
        typer.Option("--released", help="Verify this release of the data instead."),
    ] = None,
    base_rate: Annotated[
        bool, typer.Option("--base-rate", help="--released: also those who know nothing.")
    ] = False,
    categories: Categories = None,
    form: Form = "auto",
    user: User = "user",
    item: Item = "item",
    encoding: Encoding = None,
    engine: options.Engine = EngineName.auto,
    master: options.Master = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a page, name.html.")
    ] = None,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Say which share of attackers succeeds, through which rules and items, and who is most
    exposed, by the record's number. Stewards only. With --released: verify a release.

    Example: sudare check sets baskets.dat --sensitive sensitive.csv --rho 0.5
    """
    from sudare.cli.bars import bar
    from sudare.cli.output import print_json, say
    from sudare.facts.baskets import read_rho
    from sudare.facts.engine import EngineChoice
    from sudare.publish.check_sets import check_released, check_sets
    from sudare.publish.sets_input import SetsInput
    from sudare.report.sets_check import lines, page
    from sudare.report.sets_verdict import released_lines

    choice = EngineChoice(engine.value, master)
    given = SetsInput(data, sensitive, categories, form, user, item, encoding, choice)
    if released is not None:
        verdict = check_released(given, released, read_rho(rho), max_knowledge, base_rate=base_rate)
        if json:
            return print_json(verdict)
        print("\n".join(released_lines(verdict, lang.code)))
        return None
    known = 3 if max_knowledge is None else max_knowledge
    with bar("looking", shown=not json, total=1.0) as move:
        found = check_sets(
            given,
            read_rho(rho),
            known,
            watch=lambda step, share: move(description=step, completed=share),
        )
    if json:
        print_json(found)
    else:
        print("\n".join(lines(found, lang.code)))
    if output is not None:
        output.write_text(page(found, lang.code), encoding="utf-8")
        say(f"Wrote {output}.")
    return None
