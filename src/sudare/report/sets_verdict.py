"""What the independent verifier found about a released file of sets, in both languages."""

from __future__ import annotations

from typing import Any

from sudare.report import sets_promise
from sudare.report.texts import Language
from sudare.report.words import singular

_WORDS = {
    "en": (
        "No attacker who knows {known} of a person's original items infers one that this person "
        "calls sensitive with confidence above {rho}.",
        "any number",
        "at most {m}",
        "Looked at {tested:,} rules, up to {deepest} known items; the surest: {both} of {alone}.",
    ),
    "ja": (
        "ある人の元のアイテムを{known}知る攻撃者が、本人が機微とするアイテムを確信度{rho}を超えて"
        "推定することはできません。",
        "いくつでも",
        "{m}個まで",
        "{tested:,}個の規則を、既知アイテム{deepest}個まで調べました。最も確かな推定は{alone}件中"
        "{both}件です。",
    ),
}


def released_lines(verdict: dict[str, Any], language: Language) -> list[str]:
    """The verdict for the terminal; a failed one has raised before."""
    if verdict["model"] != "rho":
        told = [sets_promise.promise(verdict), sets_promise.verdict(verdict)]
        return [each[language] for each in (*told, *sets_promise.figures(verdict))]
    promise, any_number, at_most, looked = _WORDS[language]
    most = verdict["max_knowledge"]
    known = any_number if most is None else at_most.format(m=most)
    found = verdict["verified"]
    both, alone = found["confidence"]
    counts = looked.format(tested=found["tested"], deepest=found["deepest"], both=both, alone=alone)
    return [promise.format(known=known, rho=verdict["rho"]), singular(counts)]
