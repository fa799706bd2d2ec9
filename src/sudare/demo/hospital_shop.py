"""A hospital and a shop join what they know of the same people, and an institute gets the joined
reports alone: true, estimated and trivial values side by side.

The true values are known because nobody in the town exists.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sudare.demo.linked import is_held, run, write_consortium
from sudare.demo.part import Found, Place
from sudare.demo.side_by_side import Beside, Compared, side_by_side
from sudare.demo.town import people
from sudare.facts.estimated import Estimated, Wanted
from sudare.publish.estimate import estimate_file
from sudare.report.both import Both
from sudare.report.index_page import Card, Link
from sudare.report.texts import Language

HOLDINGS = {"hospital": ("age", "hours"), "shop": ("income", "household")}
EPSILON = "8"
HEADLINE = "correlation(hours, income)"
# So many that the correlation between hours and income shows through the noise.
SIZE = 6000
_NUMBERS = tuple(column for columns in HOLDINGS.values() for column in columns)


def write_hospital_and_shop(folder: Path, language: Language) -> Beside:
    """Join, estimate and compare. A session runs once: the same folder gives the same reports
    again, unpaid."""
    joined = folder / "joined.parquet"
    if not joined.exists():
        if not (folder / "link.toml").exists():
            # Cut off before there was a plan, a folder holds keys that nobody has used.
            shutil.rmtree(folder, ignore_errors=True)
            write_consortium(folder, HOLDINGS, SIZE, EPSILON, "commutative")
        run(folder, tuple(HOLDINGS), language=language)
    found = estimate_file(joined, Wanted())
    return side_by_side(list(_compared(found)), folder / "compared.csv", language)


def link(place: Place) -> Found:
    """Two organisations and a collector, as processes that speak TLS over loopback."""
    folder = place.folder / "hospital-and-shop"
    found = write_hospital_and_shop(folder, place.language)
    page = folder / "joined.report.html"
    names = ("compared.csv", "joined.parquet", "joined.certificate.json", "link.toml")
    card = Card(
        "link",
        Both("A hospital and a shop join their data", "病院と店のデータ連結"),
        Both(
            "link serve (hospital: age, hours; shop: income, household), link collect (institute)",
            "link serve（病院：age、hours／店：income、household）、link collect（研究所）",
        ),
        found.headline(HEADLINE),
        Both(
            f"The {HEADLINE}, which neither could have computed alone. Neither learns whom the "
            "other knows, and the institute gets the joined reports alone.",
            f"{HEADLINE}：どちらか一方だけでは計算できない統計です。互いに相手が誰を知っているかは"
            "分からず、研究所には連結された報告だけが届きます。",
        ),
        "epsilon",
        Both(f"local ε = {EPSILON} for a joined row", f"連結 1 行につき局所 ε = {EPSILON}"),
        (Link(place.link(page), Both("Report of the join", "連結の報告書")),),
        tuple(place.link(folder / name) for name in names),
    )
    lead = Both(
        f"ε = {EPSILON} for a joined row. Neither learns whom the other knows; an institute gets "
        "the joined reports alone:",
        f"連結 1 行の ε = {EPSILON}。互いに相手が誰を知っているかは分からず、研究所には連結された"
        "報告だけが届きます：",
    )[place.language]
    return Found((lead, *found.lines, f"→ {page}"), (card,))


def _compared(found: Estimated) -> Iterator[Compared]:
    """Means, and the correlations that neither organisation could have computed."""
    values = _joined_people()
    for mean in found.means:
        yield Compared(f"mean({mean.column})", float(values[mean.column].mean()), mean.mean)
    if found.correlation is not None:
        names = found.correlation.columns
        for one in HOLDINGS["hospital"]:
            for other in HOLDINGS["shop"]:
                figure = found.correlation.entries[names.index(one)][names.index(other)]
                truth = float(np.corrcoef(values[one], values[other])[0, 1])
                yield Compared(f"correlation({one}, {other})", truth, figure)


def _joined_people() -> dict[str, np.ndarray]:
    """The values of those whom both know."""
    town = people()
    known = [
        person
        for person in range(SIZE)
        if all(is_held(place, person) for place in range(len(HOLDINGS)))
    ]
    return {name: np.array([float(town[name][each]) for each in known]) for name in _NUMBERS}
