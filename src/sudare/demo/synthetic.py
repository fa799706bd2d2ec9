"""The synthetic town: rows made from exact statistics and from private ones, each beside the real.

The comparison reads the real rows, so its pages are for the steward; nobody in the town exists.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from sudare.demo.files import whole, write_text
from sudare.demo.part import Found, Place
from sudare.facts.compared import Compared
from sudare.facts.schema import Schema
from sudare.facts.statistics import Statistics
from sudare.publish.bearable import exact
from sudare.publish.certifying import certify
from sudare.publish.compare import compare
from sudare.publish.private_statistics import PrivatePlan, private_statistics, statistics_of
from sudare.publish.synthesize import Wish, make
from sudare.report.both import Both
from sudare.report.compared_page import compared_page
from sudare.report.index_page import Card, Link
from sudare.report.synthesized import render
from sudare.report.texts import Language
from sudare.report.words import padded

# Enough to compare; what is compared grows with them.
ROWS = 5_000
EPSILON = Fraction(1)
KEY = "demo synthetic town"
PAGES = (
    Both("Exact statistics: compared with the town", "正確な統計から：実際の町との比較"),
    Both("Private statistics: compared with the town", "ε の統計から：実際の町との比較"),
    Both("Exact statistics: report", "正確な統計から：報告書"),
    Both("Private statistics: report", "ε の統計から：報告書"),
)
_WORDS = {
    "en": {
        "measure": "synthetic town",
        "exact": "from exact statistics",
        "private": f"with ε = {EPSILON}",
        "guarantee": "formal guarantee",
        "none": "none",
        "single": "rows to change, one column at a time",
        "pairs": "rows to change, two columns at a time",
        "mean": "largest error of a mean, in σ",
    },
    "ja": {
        "measure": "合成された町",
        "exact": "正確な統計から",
        "private": f"ε = {EPSILON} で",
        "guarantee": "形式的な保証",
        "none": "なし",
        "single": "一列ずつ見て変えるべき行",
        "pairs": "二列ずつ見て変えるべき行",
        "mean": "平均の最大誤差（σ 単位）",
    },
}


def write_synthetic_town(
    folder: Path, data: Path, schema: Schema, ledger: Path, language: Language
) -> dict[str, Compared]:
    """Rows, certificates, reports and comparisons; what both comparisons found. The same ledger
    gives the same private statistics again, unpaid."""
    release = private_statistics(data, schema, PrivatePlan(EPSILON), ledger=ledger, key=KEY)
    return {
        "exact": _written(
            folder / "exact.csv", exact(data, schema).statistics, data, schema, None, language
        ),
        "private": _written(
            folder / "private.csv", statistics_of(release), data, schema, ledger, language
        ),
    }


def synthesis(place: Place) -> Found:
    """As many synthetic rows as one likes, from statistics alone."""
    folder = place.folder / "synthetic"
    found = write_synthetic_town(folder, place.data, place.schema(), place.ledger, place.language)
    shares = {name: f"{each.measures.crosses.two_way_tv:.1%}" for name, each in found.items()}
    pages = [folder / f"{name}.{page}.html" for page in ("compared", "report") for name in found]
    endings = ("csv", "certificate.json")
    card = Card(
        "synthesis",
        Both(f"A synthetic town of {ROWS:,} people", f"{ROWS:,} 人の合成の町"),
        Both("synthesize, then compare with the real rows", "合成して、実際の行と比較"),
        Both(f"{shares['private']} of the rows differ", f"{shares['private']} の行が相違"),
        Both(
            "So many rows would have to change, two columns at a time, for the synthetic town to "
            f"agree with the real one; {shares['exact']} if the statistics are exact, without "
            "any formal guarantee.",
            "二列ずつ見て、実際の町と一致させるために変えるべき行の割合です。正確な統計から作ると "
            f"{shares['exact']} ですが、形式的な保証はありません。",
        ),
        "epsilon",
        Both(
            f"ε = {EPSILON} for the private statistics; none for the exact ones",
            f"統計に ε = {EPSILON}（正確な統計から作ったものには保証なし）",
        ),
        tuple(Link(place.link(path), label) for path, label in zip(pages, PAGES, strict=True)),
        tuple(place.link(folder / f"{name}.{ending}") for name in found for ending in endings),
    )
    return Found((*_lines(found, place.language), *(f"→ {path}" for path in pages)), (card,))


def _written(
    path: Path,
    statistics: Statistics,
    data: Path,
    schema: Schema,
    ledger: Path | None,
    language: Language,
) -> Compared:
    """The rows with what belongs to them; what the comparison found."""
    with whole(path) as place:
        made = make(statistics, Wish(ROWS)).write(place)
    found = compare(data, path, schema)
    report = path.with_suffix(".report.html")
    write_text(report, render(made.facts, language))
    stated = path.with_suffix(".certificate.json")
    certify(made.facts.statement(), stated, (path, report), ledger)
    write_text(path.with_suffix(".compared.html"), compared_page(found, language))
    return found


def _lines(found: dict[str, Compared], language: Language) -> list[str]:
    words = _WORDS[language]
    rows = [
        [words["measure"], *(words[name] for name in found)],
        [words["guarantee"], words["none"], f"ε = {EPSILON}"],
        [words["single"], *(f"{each.measures.crosses.one_way_tv:.1%}" for each in found.values())],
        [words["pairs"], *(f"{each.measures.crosses.two_way_tv:.1%}" for each in found.values())],
        [
            words["mean"],
            *(f"{each.measures.moments.max_mean_scaled:.2g}" for each in found.values()),
        ],
    ]
    return padded(rows)
