"""The synthetic town: rows made from exact statistics and from private ones, each beside the real.

The comparison reads the real rows, so its pages are for the steward; nobody in the town exists.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

from sudare.facts.compared import Compared
from sudare.facts.schema import Schema
from sudare.facts.statistics import Statistics
from sudare.publish.compare import compare
from sudare.publish.given_statistics import exact
from sudare.publish.private_statistics import PrivatePlan, private_statistics, statistics_of
from sudare.publish.synthesize import Wish, make
from sudare.report.compared_page import compared_page
from sudare.report.synthesized import render
from sudare.report.texts import Language
from sudare.report.words import padded

ROWS = 20_000
EPSILON = Fraction(1)
KEY = "demo synthetic town"
_WORDS = {
    "en": {
        "measure": "synthetic town",
        "exact": "from exact statistics",
        "private": f"from statistics with ε = {EPSILON}",
        "guarantee": "formal guarantee",
        "none": "none",
        "single": "rows to change, one column at a time",
        "pairs": "rows to change, two columns at a time",
        "mean": "largest error of a mean, in σ",
    },
    "ja": {
        "measure": "合成された町",
        "exact": "正確な統計から",
        "private": f"ε = {EPSILON} の統計から",
        "guarantee": "形式的な保証",
        "none": "なし",
        "single": "一列ずつ見て変えるべき行",
        "pairs": "二列ずつ見て変えるべき行",
        "mean": "平均の最大誤差（σ 単位）",
    },
}


def write_synthetic_town(
    folder: Path, data: Path, schema: Schema, ledger: Path, language: Language
) -> list[str]:
    """Rows, certificates, reports and comparisons; the lines of a table of both. The same ledger
    gives the same private statistics again, unpaid."""
    folder.mkdir(parents=True, exist_ok=True)
    release = private_statistics(data, schema, PrivatePlan(EPSILON), ledger=ledger, key=KEY)
    found = {
        "exact": _written(folder / "exact.csv", exact(data, schema), data, schema, language),
        "private": _written(folder / "private.csv", statistics_of(release), data, schema, language),
    }
    return _lines(found, language)


def _written(
    path: Path, statistics: Statistics, data: Path, schema: Schema, language: Language
) -> Compared:
    """The rows with what belongs to them; what the comparison found."""
    made = make(statistics, Wish(ROWS)).write(path)
    certificate = json.dumps(made.facts.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)
    found = compare(data, path, schema)
    pages = {
        ".certificate.json": certificate + "\n",
        ".report.html": render(made.facts, language),
        ".compared.html": compared_page(found, language),
    }
    for ending, text in pages.items():
        path.with_suffix(ending).write_text(text, encoding="utf-8")
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
