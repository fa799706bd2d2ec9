"""Each person of the town randomises: true, estimated and trivial values side by side.

The true values are known because nobody in the town exists; with real people they would not be.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sudare.demo.files import write_text
from sudare.demo.part import Found, Place
from sudare.demo.side_by_side import Beside, Compared, side_by_side
from sudare.demo.town import PEOPLE, people, schema_text
from sudare.facts.estimated import Estimated, Wanted
from sudare.facts.local_plan import LocalPlan
from sudare.facts.plan import read_epsilon
from sudare.facts.schema import parse_schema
from sudare.publish.estimate import estimate_file
from sudare.publish.randomize import randomize
from sudare.report.both import Both
from sudare.report.estimates_page import estimates_page
from sudare.report.index_page import Card, Link
from sudare.report.texts import Language

COLUMNS = ("age", "hours", "income", "sex", "region")
NUMBERS = ("age", "hours", "income")
EPSILON = "4"
HEADLINE = "correlation(hours, income)"


def write_each_person(folder: Path, language: Language) -> Beside:
    """Randomise, estimate and compare. The same folder gives the same reports again, unpaid."""
    folder.mkdir(parents=True, exist_ok=True)
    text = schema_text(language).replace('neighbours = "add-remove"', 'neighbours = "replace-one"')
    text = text.replace("expected_rows = 20000", f"public_rows = {PEOPLE}")
    text = text.replace("epsilon = 3.0", "epsilon = 5.0")
    write_text(folder / "people.schema.toml", text)
    plan = LocalPlan(read_epsilon(EPSILON), columns=COLUMNS, shuffle=True)
    reports = folder / "randomized.parquet"
    # The other steps ask the town as a trusted collector would, with a budget and under a relation
    # of their own; here everybody has one for themselves, so the rows lie here once more.
    rows = folder / "people.csv"
    write_text(rows, (folder.parent / "people.csv").read_text(encoding="utf-8"))
    randomize(
        rows,
        parse_schema(text, "people.schema.toml"),
        plan,
        reports,
        ledger=folder / "people.ledger",
        key="demo each person",
    )
    found = estimate_file(reports, Wanted())
    write_text(folder / "estimates.html", estimates_page(found, language))
    return side_by_side(list(_compared(found)), folder / "compared.csv", language)


def local(place: Place) -> Found:
    """The same town without a trusted collector: every row is randomised by itself."""
    folder = place.folder / "each-person"
    found = write_each_person(folder, place.language)
    page = folder / "estimates.html"
    names = ("compared.csv", "randomized.parquet", "people.schema.toml", "people.ledger")
    card = Card(
        "local",
        Both("Each person randomises", "一人ひとりがランダム化"),
        Both(
            f"randomize, shuffle, estimate: {', '.join(COLUMNS)}",
            f"ランダム化、シャッフル、推定：{'、'.join(COLUMNS)}",
        ),
        found.headline(HEADLINE),
        Both(
            f"The {HEADLINE} as an analyst gets it from the randomised reports alone, beside the "
            "truth, which is known because nobody in the town exists.",
            f"{HEADLINE}：分析者がランダム化された報告だけから得る推定値と、真の値（架空の町なので"
            "分かっています）です。",
        ),
        "epsilon",
        Both(
            f"local ε = {EPSILON} for each person, before anything leaves them",
            f"一人ひとりに局所 ε = {EPSILON}（本人の手元を離れる前）",
        ),
        (Link(place.link(page), Both("Estimates with their errors", "推定値と誤差")),),
        tuple(place.link(folder / name) for name in names),
    )
    lead = Both(
        f"Local ε = {EPSILON}, shuffled. What an analyst gets from the reports, and the truth:",
        f"局所 ε = {EPSILON}、シャッフルあり。報告だけから得る推定値と真の値：",
    )[place.language]
    return Found((lead, *found.lines, f"→ {page}"), (card,))


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
