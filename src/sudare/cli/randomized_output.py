"""What `sudare randomize` prints and writes beside its file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudare.cli import console
from sudare.cli.ahead import say_outlook
from sudare.cli.output import print_json, say_notes, say_spent, with_cap

if TYPE_CHECKING:
    from sudare.cli.options import Code
    from sudare.facts.release import Release
    from sudare.publish.outlook import Outlook
    from sudare.publish.outputs import Beside
    from sudare.publish.randomize import Priced


def priced_json(priced: Priced, ahead: Outlook) -> dict[str, Any]:
    """A dry run: what would be reported, why, and at what cost."""
    job = priced.job
    return {
        "items": _items(job.facts.to_dict()),
        "asked": job.facts.asked,
        "epsilon": job.facts.epsilon,
        "statistics": list(job.statistics),
        "considered": job.reasons(),
        "shuffle": priced.amplified,
        "cost": {"epsilon": priced.cost.epsilon, "delta": priced.cost.delta},
        "spent": {"epsilon": 0.0, "delta": 0.0},
        **ahead.to_dict(),
    }


def _items(facts: dict[str, Any]) -> list[dict[str, Any]]:
    kept = ("name", "kind", "columns", "mechanism", "epsilon", "parameters")
    return [{name: item[name] for name in kept} for item in facts["items"]]


def print_priced(told: dict[str, Any], ahead: Outlook, language: Code) -> None:
    from sudare.report.estimates_texts import said
    from sudare.report.randomized_texts import lines

    for line in lines(told, language):
        console.show(line)
    console.say(said("would_spend", epsilon=f"{told['cost']['epsilon']:.6g}")[language])
    say_outlook(ahead, language)


def release_json(release: Release) -> dict[str, Any]:
    told = release.randomized or {}
    found = {
        "items": _items(told["facts"]),
        "asked": told["facts"]["asked"],
        "epsilon": told["facts"]["epsilon"],
        "rows": told["rows"],
        "sha256": told["sha256"],
        "statistics": told["statistics"],
        "considered": told["considered"],
        "shuffle": told["shuffle"],
        "spent": release.spent,
        "left": release.left,
        "release": release.id,
        "table": release.table,
    }
    return with_cap(found, release)


def beside_of(output: Path, written: list[Path], language: Code) -> Beside[Release]:
    """Certificate and report beside the reports; `written` is told what was written."""
    from sudare.cli.release_files import beside, say_replaced, stage_beside
    from sudare.publish.outputs import Beside

    return Beside(
        beside(output),
        lambda release, files: stage_beside(release, files, language),
        say_replaced,
        written.extend,
    )


def show(release: Release, written: list[Path], as_json: bool, language: Code) -> None:
    """Print what was done, and what was written."""
    from sudare.report.estimates_texts import said

    _print(release, as_json, language)
    # The reports of a key are written once.
    for path in written:
        console.say(said("wrote", path=path)[language])
    say_spent(release, language)
    say_notes(release, language)


def show_again(
    release: Release,
    ledger: str | Path,
    output: Path | None,
    force: bool,
    as_json: bool,
    language: Code,
) -> None:
    """A release of the ledger once more; with a name, its reports too, where they are held."""
    from sudare.report.estimates_texts import said

    _print(release, as_json, language)
    told = release.randomized or {}
    if output is None:
        name = "reports_elsewhere" if "file" in told else "reports_nowhere"
        words = {"file": told.get("file", ""), "digest": told["sha256"]}
        return console.say(said(name, **words)[language])
    from sudare.publish.randomize import fetch

    written: list[Path] = []
    beside = beside_of(output, written, language)
    fetch(release, output, ledger=ledger, force=force, beside=beside)
    for path in written:
        console.say(said("wrote", path=path)[language])
    return None


def _print(release: Release, as_json: bool, language: Code) -> None:
    from sudare.report.randomized_texts import lines

    told = release_json(release)
    if as_json:
        return print_json(told)
    for line in lines(told, language):
        console.show(line)
    return None
