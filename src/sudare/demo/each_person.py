"""Each person of the town randomises: true, estimated and trivial values side by side.

The true values are known because nobody in the town exists; with real people they would not be.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sudare.demo.side_by_side import Compared, side_by_side
from sudare.demo.town import PEOPLE, people, schema_text
from sudare.facts.estimated import Estimated, Wanted
from sudare.facts.local_plan import LocalPlan
from sudare.facts.plan import read_epsilon
from sudare.facts.schema import parse_schema
from sudare.publish.estimate import estimate_file
from sudare.publish.randomize import randomize
from sudare.report.estimates_page import estimates_page
from sudare.report.texts import Language

COLUMNS = ("age", "hours", "income", "sex", "region")
NUMBERS = ("age", "hours", "income")
EPSILON = "4"


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
    path = folder / "compared.csv"
    return side_by_side(list(_compared(found)), path, language), path


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
