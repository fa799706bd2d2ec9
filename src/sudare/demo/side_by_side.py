"""True, estimated and trivial values of a made town, side by side."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sudare.demo.files import whole
from sudare.facts.estimated import Figure
from sudare.report.both import Both
from sudare.report.numbers import format_number
from sudare.report.texts import Language
from sudare.report.words import padded

_HEADERS = {
    "en": ("statistic", "true", "estimated", "95 % interval", "trivial guess", ""),
    "ja": ("統計量", "真の値", "推定値", "95 % 区間", "当て推量", ""),
}
_LOST = Both("not distinguishable", "区別できません")
# The columns that fit a terminal of 80 places; the file has all of them.
_SHOWN = 4
FOOTNOTE = Both(
    "* cannot be distinguished from a guess without data",
    "* データなしの当て推量と区別できません",
)


@dataclass(frozen=True)
class Compared:
    """One statistic of the town."""

    name: str
    true: float
    figure: Figure


@dataclass(frozen=True)
class Beside:
    """What was compared, the file that has it, and its lines for a terminal."""

    compared: tuple[Compared, ...]
    path: Path
    lines: tuple[str, ...]

    def headline(self, name: str) -> Both:
        """One statistic: what the reports say, and the truth."""
        each = next(each for each in self.compared if each.name == name)
        row = _row(each, "en")
        if row[2] == "–":
            return Both(f"{name}: {_LOST.en}", f"{name}：{_LOST.ja}")
        _, true, estimated, interval, *_ = row
        return Both(
            f"{estimated} (95 %: {interval}), truth {true}",
            f"{estimated}（95 %：{interval}）、真の値 {true}",
        )


def side_by_side(compared: Sequence[Compared], path: Path, language: Language) -> Beside:
    """The table as a file at `path`, and as lines."""
    rows = [_HEADERS[language], *(_row(each, language) for each in compared)]
    with whole(path) as place, place.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)
    shown = [(*row[:_SHOWN], "*" if row[-1] else "") for row in rows]
    notes = [FOOTNOTE[language]] if any(row[-1] for row in rows) else []
    return Beside(tuple(compared), path, (*padded(shown), *notes))


def _row(each: Compared, language: Language) -> tuple[str, ...]:
    figure = each.figure
    if not isinstance(figure.value, float) or figure.standard_error is None:
        return (each.name, f"{each.true:.4g}", "–", "–", "–", _LOST[language])
    error = 1.96 * figure.standard_error
    guess = figure.trivial
    return (
        each.name,
        format_number(each.true, error),
        format_number(figure.value, error),
        _interval(figure, error),
        format_number(guess, error) if isinstance(guess, (int, float)) else "–",
        "" if figure.distinguishable else _LOST[language],
    )


def _interval(figure: Figure, error: float) -> str:
    return " – ".join(format_number(end, error) for end in figure.interval95 or ())
