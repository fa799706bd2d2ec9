"""What the certificate of a release states, in keys that do not change with the questions."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from sudare.facts.certificate import Statement
from sudare.facts.release import Answer, Release
from sudare.facts.tabulated import ReleasedMargin
from sudare.report.guarantee import not_covered, promise
from sudare.report.tabulation import question
from sudare.report.texts import LANGUAGES

GUARANTEE_KEYS = (
    "epsilon",
    "delta",
    "rho",
    "neighbours",
    "unit",
    "max_rows_per_unit",
    "mechanism",
)
PROVENANCE_KEYS = (
    "source",
    "engine",
    # What the kernel granted to keep blocks apart; sample and aggregate alone.
    "sandbox",
    "schema_sha256",
    "plan_sha256",
    "ledger_entry",
    "software",
)


def statement(release: Release) -> Statement:
    """Everything a reader needs to judge the release; it holds no released value.

    `sha256` is that of `release.to_bytes()`, so the certificate pins the values all the same. All
    of it follows from those bytes, so whoever has the ledger can compare the whole.
    """
    stated = {key: release.guarantee.get(key) for key in GUARANTEE_KEYS}
    return Statement(
        job_of(release),
        release.created,
        stated
        | {"meaning": {language: " ".join(promise(release, language)) for language in LANGUAGES}},
        {key: release.provenance.get(key) for key in PROVENANCE_KEYS},
        {
            "id": release.id,
            "table": release.table,
            "asked": asked(release),
            "spent": dict(release.spent),
            "left": dict(release.left),
            "not_covered": {language: not_covered(release, language) for language in LANGUAGES},
            "sha256": hashlib.sha256(release.to_bytes()).hexdigest(),
            **_file(release),
        },
    )


def job_of(release: Release) -> str:
    """Which job made a release, as its own parts say."""
    if release.tabulation is not None:
        return "tabulate"
    if release.randomized is not None:
        return "randomize"
    return "aggregate" if "sandbox" in release.provenance else "ask"


def _file(release: Release) -> dict[str, Any]:
    """The file of a randomised release, by its digest, and what shuffling makes of it."""
    told = release.randomized
    if told is None:
        return {}
    return {"file": {key: told[key] for key in ("rows", "sha256", "statistics", "shuffle")}}


def asked(release: Release) -> list[dict[str, Any]]:
    """What was asked: questions, or the margins of a table. The table's noise serves all of its
    margins, so it is stated once, with the whole ε, at the finest one."""
    if release.randomized is not None:
        return [_reported(item) for item in release.randomized["facts"]["items"]]
    if release.tabulation is None:
        return [_asked(answer) for answer in release.answers]
    margins = [ReleasedMargin(**margin) for margin in release.tabulation["margins"]]
    finest = max(margins, key=lambda margin: sum(margin.levels))
    return [
        {
            "query": question(margin),
            "function": "count",
            "epsilon": release.guarantee["epsilon"] if margin == finest else 0.0,
            "error95": margin.error95,
            "public": margin.error95 == 0,
            "clips": [],
            "mechanisms": release.tabulation["noise"] if margin == finest else [],
        }
        for margin in margins
    ]


def _reported(item: dict[str, Any]) -> dict[str, Any]:
    """An item of a randomised file, in the certificate's own keys."""
    mechanism = {"mechanism": item["mechanism"], "parameters": item["parameters"]}
    return {
        "query": item["name"],
        "function": item["kind"],
        "epsilon": float(Fraction(item["epsilon"])),
        "error95": None,
        "public": False,
        "clips": [],
        "mechanisms": [mechanism],
    }


def _asked(answer: Answer) -> dict[str, Any]:
    return {
        "query": answer.query,
        "function": answer.function,
        "epsilon": answer.epsilon,
        "error95": answer.error95,
        "public": answer.public,
        "clips": [asdict(clip) for clip in answer.clips],
        "mechanisms": [asdict(fact) for fact in answer.noise],
    }
