"""True, estimated and trivial values of a made town, side by side."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sudare.facts.estimated import Figure
from sudare.report.numbers import format_number
from sudare.report.texts import Language
from sudare.report.words import padded

_HEADERS = {
    "en": ("statistic", "true", "estimated", "95 % interval", "trivial guess", ""),
    "ja": ("統計量", "真の値", "推定値", "95 % 区間", "当て推量", ""),
}
_DROWNED = {"en": "not distinguishable", "ja": "区別できません"}


@dataclass(frozen=True)
class Compared:
    """One statistic of the town."""

    name: str
    true: float
    figure: Figure


def side_by_side(compared: Sequence[Compared], path: Path, language: Language) -> list[str]:
    """The lines of the table; the file at `path` has it too."""
    rows = [_HEADERS[language], *(_row(each, language) for each in compared)]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)
    return padded(rows)


def _row(each: Compared, language: Language) -> tuple[str, ...]:
    figure = each.figure
    if not isinstance(figure.value, float) or figure.standard_error is None:
        return (each.name, f"{each.true:.4g}", "–", "–", "–", _DROWNED[language])
    error = 1.96 * figure.standard_error
    guess = figure.trivial
    return (
        each.name,
        format_number(each.true, error),
        format_number(figure.value, error),
        _interval(figure, error),
        format_number(guess, error) if isinstance(guess, (int, float)) else "–",
        "" if figure.distinguishable else _DROWNED[language],
    )


def _interval(figure: Figure, error: float) -> str:
    return " – ".join(format_number(end, error) for end in figure.interval95 or ())
