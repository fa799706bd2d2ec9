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


def show(release: Release, output: Path, as_json: bool, language: Code, ledger: str | Path) -> None:
    """Print what was done; write certificate and report beside the file."""
    from sudare.publish.certifying import certify
    from sudare.report.certificate import statement
    from sudare.report.estimates_texts import said
    from sudare.report.html import render
    from sudare.report.randomized_texts import lines

    told = release_json(release)
    if as_json:
        print_json(told)
    else:
        for line in lines(told, language):
            console.show(line)
    stem = output.with_suffix("")
    names = (
        stem.with_name(stem.name + ".certificate.json"),
        stem.with_name(stem.name + ".report.html"),
    )
    names[1].write_text(render(release, language), encoding="utf-8")
    certify(statement(release), names[0], (output, names[1]), ledger)
    # The reports of a key are written once.
    for path in names if release.again else (output, *names):
        console.say(said("wrote", path=path)[language])
    say_spent(release, language)
    say_notes(release, language)
