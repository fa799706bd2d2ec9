"""sudare check sets: how exposed people are in purchase and browsing histories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudare.cli import console, options
from sudare.cli.options import EngineName, Language
from sudare.cli.suppressing import (
    Baskets,
    Categories,
    Delta,
    Encoding,
    Eps,
    Form,
    HierarchyFile,
    Item,
    K,
    ModelName,
    ModelOption,
    SensitiveFile,
    User,
)

if TYPE_CHECKING:
    from sudare.cli.options import Code
    from sudare.publish.sets_input import SetsInput

# Without --released, attackers with up to so many known items are looked at.
_KNOWN = 3
_PLAIN = (ModelName.rho, None, None, None, None)


def sets(
    data: Baskets,
    sensitive: SensitiveFile = None,
    rho: Annotated[
        str | None,
        typer.Option("--rho", help="The confidence above which an attacker succeeds; 0.5."),
    ] = None,
    max_knowledge: Annotated[
        int | None,
        typer.Option(
            "--max-knowledge",
            help="How many items an attacker knows at most; 3, with --released any number.",
        ),
    ] = None,
    released: Annotated[
        Path | None,
        typer.Option("--released", help="Verify this release of the data instead."),
    ] = None,
    released_form: Annotated[
        str | None,
        typer.Option("--released-format", help="--released: its form, if suppress did not write."),
    ] = None,
    base_rate: Annotated[
        bool, typer.Option("--base-rate", help="--released: also those who know nothing.")
    ] = False,
    model: ModelOption = ModelName.rho,
    eps: Eps = None,
    delta: Delta = None,
    k: K = None,
    hierarchy: HierarchyFile = None,
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
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Say which share of attackers succeeds, through which rules and items, and who is most
    exposed, by the record's number. Stewards only. With --released: verify a release, of the
    model rho unless another is named.

    Example: sudare check sets baskets.dat --sensitive sensitive.csv --rho 0.5
    """
    from sudare.cli.output import print_json
    from sudare.facts.baskets import read_rho
    from sudare.facts.engine import EngineChoice
    from sudare.facts.errors import UsageError
    from sudare.facts.sets_plan import SetsPlan
    from sudare.publish.check_released import check_released
    from sudare.publish.sets_input import SetsInput
    from sudare.report.sets_promise import released_lines

    choice = EngineChoice(engine.value, master)
    given = SetsInput(data, sensitive, categories, form, user, item, encoding, choice)
    if released is None:
        if base_rate or released_form or (model, eps, delta, k, hierarchy) != _PLAIN:
            raise UsageError(
                "Models, --base-rate and --released-format are for the check of a release.",
                "Name the release with --released, or leave them out.",
            )
        return _expose(given, rho or "0.5", max_knowledge, output, force, json, lang.code)
    if output is not None:
        raise UsageError("The verdict on a release has no page.", "Leave out --output.")
    confidence = "0.5" if rho is None and model is not ModelName.km else rho
    plan = SetsPlan(
        model=model.value,
        rho=None if confidence is None else read_rho(confidence),
        max_knowledge=max_knowledge,
        eps=eps,
        delta=delta,
        k=k,
        method="suppression" if hierarchy is None else "generalization",
        base_rate=base_rate,
    )
    verdict = check_released(
        given, released, plan, hierarchy=hierarchy, form=released_form or "auto"
    )
    if json:
        return print_json(verdict)
    console.show("\n".join(released_lines(verdict, lang.code)))
    return None


def _expose(
    given: SetsInput,
    rho: str,
    max_knowledge: int | None,
    output: Path | None,
    force: bool,
    as_json: bool,
    language: Code,
) -> None:
    """How exposed people are before a release."""
    from sudare.cli.bars import bar, watcher
    from sudare.cli.output import print_json
    from sudare.cli.release_files import write_page
    from sudare.facts.baskets import read_rho
    from sudare.publish.check_sets import check_sets
    from sudare.publish.outputs import OutputSet
    from sudare.publish.sets_question import inputs_of_sets
    from sudare.report.sets_check import lines, page

    names = () if output is None else (output,)
    with OutputSet(names, inputs_of_sets(given), force=force) as files:
        with bar("looking", shown=not as_json, total=1.0) as move:
            found = check_sets(
                given,
                read_rho(rho),
                _KNOWN if max_knowledge is None else max_knowledge,
                watch=watcher(move, language),
            )
        if as_json:
            print_json(found)
        else:
            console.show("\n".join(lines(found, language)))
        write_page(files, lambda: page(found, language))
