"""sudare suppress: release purchase and browsing histories without what people call sensitive."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudare.cli import console, options
from sudare.cli.options import Language

if TYPE_CHECKING:
    from sudare.cli.options import Code
    from sudare.publish.outputs import Beside, OutputSet


class ModelName(StrEnum):
    rho = "rho"
    sampled = "sampled"
    km = "km"


class ModeName(StrEnum):
    default = "default"
    paper = "paper"


Baskets = Annotated[
    str,
    typer.Argument(
        help="Records: one a line (.dat, .txt, .spmf), or columns user,item (.csv, .parquet, "
        ".arrow, postgresql://user@host/database#table)."
    ),
]
SensitiveFile = Annotated[
    Path | None,
    typer.Option(
        "--sensitive",
        help="Columns user,item: what each calls sensitive. * stands for everyone; where the data "
        "name no users, the user is the line's number.",
    ),
]
Rho = Annotated[
    str | None,
    typer.Option("--rho", help="The most confidence an attacker may have: 0.5, 1/3 or 30%."),
]
MaxKnowledge = Annotated[
    int | None,
    typer.Option("--max-knowledge", help="How many items an attacker knows at most; else any."),
]
Categories = Annotated[
    Path | None,
    typer.Option("--categories", help="Columns item,category: --sensitive may name categories."),
]
Form = Annotated[
    str,
    typer.Option(
        "--format", help="blank, comma, spmf, long or lists; by default as the ending says."
    ),
]
ModelOption = Annotated[
    ModelName,
    typer.Option("--model", help="rho: no inference; sampled: few; km: nobody alone."),
]
Eps = Annotated[float | None, typer.Option("--eps", help="sampled: successful attackers, at most.")]
Delta = Annotated[float | None, typer.Option("--delta", help="sampled: the chance that it fails.")]
K = Annotated[int | None, typer.Option("--k", help="km: records that share what is known.")]
HierarchyFile = Annotated[
    Path | None,
    typer.Option("--hierarchy", help="km: columns item,parent; generalize, not suppress."),
]
User = Annotated[str, typer.Option("--user", help="The column that names the person.")]
Item = Annotated[str, typer.Option("--item", help="The column that names the item.")]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", help="How text is coded; default: mark, header, UTF-8."),
]


def suppress(
    data: Baskets,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to release; .dat, .csv, .parquet, …")
    ],
    sensitive: SensitiveFile = None,
    rho: Rho = None,
    model: ModelOption = ModelName.rho,
    max_knowledge: MaxKnowledge = None,
    eps: Eps = None,
    delta: Delta = None,
    k: K = None,
    hierarchy: HierarchyFile = None,
    mode: Annotated[
        ModeName, typer.Option("--mode", help="paper follows the paper's algorithm to the letter.")
    ] = ModeName.default,
    base_rate: Annotated[
        bool, typer.Option("--base-rate", help="Also stop those who know nothing about a person.")
    ] = False,
    at_random: Annotated[
        bool,
        typer.Option(
            "--random",
            help="Order and records by lot, against minimality attacks; without it ties alone are.",
        ),
    ] = False,
    optimum: Annotated[
        float | None,
        typer.Option("--optimum", help="Small data: seconds to look for the fewest suppressions."),
    ] = None,
    categories: Categories = None,
    form: Form = "auto",
    user: User = "user",
    item: Item = "item",
    encoding: Encoding = None,
    force: options.Force = False,
    json: options.Json = False,
    lang: options.Lang = Language.en,
) -> None:
    """Suppress items until nobody who knows some of a person's items can infer, with confidence
    above ρ, one that this person calls sensitive. A verifier of its own checks the file.

    Example: sudare suppress baskets.dat --sensitive sensitive.csv --rho 0.5 -o released.dat
    """
    from sudare.cli.bars import bar, watcher
    from sudare.facts.baskets import read_rho
    from sudare.facts.sets_plan import SetsPlan
    from sudare.publish.sets_input import SetsInput
    from sudare.publish.suppress_sets import suppress_sets

    plan = SetsPlan(
        model=model.value,
        rho=None if rho is None else read_rho(rho),
        max_knowledge=max_knowledge,
        eps=eps,
        delta=delta,
        k=k,
        mode=mode.value,
        method="suppression" if hierarchy is None else "generalization",
        base_rate=base_rate,
        at_random=at_random,
    )
    given = SetsInput(data, sensitive, categories, form, user, item, encoding)
    written: list[Path] = []
    with bar("reading", shown=not json, total=1.0) as move:
        result = suppress_sets(
            given,
            plan,
            output,
            hierarchy=hierarchy,
            optimum_seconds=optimum,
            watch=watcher(move, lang.code),
            force=force,
            beside=_beside(output, written, lang.code),
        )
    _show(result, written, json, lang.code)


def _beside(output: Path, written: list[Path], language: Code) -> Beside[dict[str, Any]]:
    """Certificate and report beside the file; `written` is told what was written."""
    from sudare.cli.release_files import begin
    from sudare.facts.sets_plan import beside
    from sudare.publish.certifying import created_now, stage_certificate
    from sudare.publish.outputs import Beside
    from sudare.report.sets import statement
    from sudare.report.sets_page import page

    names = beside(output)

    def stage(result: dict[str, Any], files: OutputSet) -> None:
        stated, report = names
        files.write(report, page(result, language))
        told = statement(result, created_now())
        stage_certificate(files, stated, told, private=(report,))

    return Beside(names, stage, lambda files: begin(files, language), written.extend)


def _show(result: dict[str, Any], written: list[Path], as_json: bool, language: Code) -> None:
    """Print what was done, and what was written."""
    from sudare.cli.output import print_json
    from sudare.cli.release_files import say_written
    from sudare.report.sets import lines

    if as_json:
        print_json(result)
    else:
        console.show("\n".join(lines(result, language)))
    say_written(written)
