"""Each person of the town randomises: true, estimated and trivial values side by side.

The true values are known because nobody in the town exists; with real people they would not be.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sudare.demo.town import PEOPLE, people, schema_text
from sudare.facts.estimated import Estimated, Figure, Wanted
from sudare.facts.local_plan import LocalPlan
from sudare.facts.plan import read_epsilon
from sudare.facts.schema import parse_schema
from sudare.publish.estimate import estimate_file
from sudare.publish.randomize import randomize
from sudare.report.estimates_page import estimates_page
from sudare.report.numbers import format_number
from sudare.report.texts import Language
from sudare.report.words import padded

COLUMNS = ("age", "hours", "income", "sex", "region")
NUMBERS = ("age", "hours", "income")
EPSILON = "4"
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


def write_each_person(folder: Path, language: Language) -> tuple[list[str], Path]:
    """Randomise, estimate and compare; the lines of the table, and the file that has it too. The
    same folder gives the same reports again, unpaid."""
    folder.mkdir(parents=True, exist_ok=True)
    text = schema_text(language).replace('neighbours = "add-remove"', 'neighbours = "replace-one"')
    text = text.replace("expected_rows = 20000", f"public_rows = {PEOPLE}")
    text = text.replace("epsilon = 3.0", "epsilon = 5.0")
    (folder / "people.schema.toml").write_text(text, encoding="utf-8")
    plan = LocalPlan(read_epsilon(EPSILON), columns=COLUMNS, shuffle=True)
    reports = folder / "randomized.parquet"
    randomize(
        folder.parent / "people.csv",
        parse_schema(text, "people.schema.toml"),
        plan,
        reports,
        ledger=folder / "people.ledger",
        key="demo each person",
    )
    found = estimate_file(reports, Wanted())
    (folder / "estimates.html").write_text(estimates_page(found, language), encoding="utf-8")
    compared = list(_compared(found))
    path = folder / "compared.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_HEADERS[language])
        writer.writerows(_row(each, language) for each in compared)
    return _lines(compared, language), path


def _compared(found: Estimated) -> Iterator[Compared]:
    town = people()
    values = {name: np.array(town[name], dtype=float) for name in NUMBERS}
    for mean in found.means:
        yield Compared(f"mean({mean.column})", float(values[mean.column].mean()), mean.mean)
    if found.correlation is not None:
        truth = np.corrcoef([values[name] for name in found.correlation.columns])
        for row, one in enumerate(found.correlation.columns):
            for place, other in enumerate(found.correlation.columns[:row]):
                figure = found.correlation.entries[row][place]
                yield Compared(f"correlation({other}, {one})", float(truth[row, place]), figure)
    for histogram in found.histograms:
        for label, figure in zip(histogram.labels, histogram.shares, strict=True):
            if label is not None:
                share = town[histogram.column].count(label) / PEOPLE
                yield Compared(f"share({histogram.column} = {label})", share, figure)


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


def _lines(compared: list[Compared], language: Language) -> list[str]:
    rows = [_HEADERS[language], *(_row(each, language) for each in compared)]
    return padded(rows)
