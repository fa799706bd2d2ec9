"""The part of a page that tells what was randomised, and how."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.release import Release
from sudare.report.both import Both, each
from sudare.report.numbers import format_share
from sudare.report.randomized_texts import asked, shuffle_lines, why


@dataclass(frozen=True)
class ReportedItem:
    """One row of the table of items."""

    name: str
    kind: str
    mechanism: str
    epsilon: str


@dataclass(frozen=True)
class Reported:
    """Sentences and the table."""

    lines: list[Both]
    rows: list[ReportedItem]


def reported(release: Release) -> Reported | None:
    """What the rows of a randomised release report; None for other releases."""
    if release.randomized is None:
        return None
    told = release.randomized | release.randomized["facts"]
    found = [each(lambda language: asked(told, language)), each(lambda lang: why(told, lang))]
    both_shuffled = zip(shuffle_lines(told, "en"), shuffle_lines(told, "ja"), strict=True)
    rows = [
        ReportedItem(
            item["name"],
            item["kind"],
            item["mechanism"],
            format_share(float(Fraction(item["epsilon"]))),
        )
        for item in told["items"]
    ]
    return Reported(found + [Both(*pair) for pair in both_shuffled], rows)
