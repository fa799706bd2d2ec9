"""A randomised file in plain words: what each person reports, why so, and what it costs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sudare.report.numbers import format_share
from sudare.report.texts import Language, text


def lines(told: dict[str, Any], language: Language) -> list[str]:
    """The sentences that the command prints; `told` is its JSON."""
    found = [asked(told, language), *_items(told, language), why(told, language)]
    return [*found, *shuffle_lines(told, language)]


def asked(told: dict[str, Any], language: Language) -> str:
    epsilon, count = format_share(told["epsilon"]), len(told["items"])
    if count == 1:
        return text("local_one", language, epsilon=epsilon)
    if told["asked"] == count:
        return text("local_all", language, epsilon=epsilon, count=count)
    return text("local_some", language, epsilon=epsilon, count=count, asked=told["asked"])


def _items(told: dict[str, Any], language: Language) -> list[str]:
    most = 12
    found = [
        text(
            "local_item",
            language,
            name=item["name"],
            mechanism=item["mechanism"],
            epsilon=format_share(float(Fraction(item["epsilon"]))),
        )
        for item in told["items"][:most]
    ]
    rest = len(told["items"]) - most
    return found if rest <= 0 else [*found, text("local_more", language, count=rest)]


def why(told: dict[str, Any], language: Language) -> str:
    """What was chosen, against the best of each other way."""
    chosen, *others = told["considered"]
    if chosen["score"] is None:
        return text("local_only", language)
    # Of a table without numbers ways may differ in what they would do with numbers alone.
    others = [each for each in others if _way(each) != _way(chosen)]
    if not others:
        return text("local_alone", language, chosen=_way(chosen), errors=_errors(chosen))
    other = next((each for each in others if each["budget"] != chosen["budget"]), others[0])
    return text(
        "local_why",
        language,
        chosen=_way(chosen),
        errors=_errors(chosen),
        other=_way(other),
        other_errors=_errors(other),
    )


def _way(way: dict[str, Any]) -> str:
    return f"{way['budget']} ({way['report']}/{way['of']}, {way['mechanism']})"


def _errors(way: dict[str, Any]) -> str:
    return ", ".join(f"{name} {error:.3g}" for name, error in way["errors"].items()) or "–"


def shuffle_lines(told: dict[str, Any], language: Language) -> list[str]:
    """What shuffling makes of it, where that was accounted for."""
    shuffle = told.get("shuffle")
    if shuffle is None:
        return []
    return [
        text(
            "local_shuffled",
            language,
            n=f"{shuffle['n']:,}",
            epsilon=format_share(shuffle["epsilon"]),
            delta=format_share(shuffle["delta"]),
        )
    ]
