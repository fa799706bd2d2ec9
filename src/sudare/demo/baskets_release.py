"""The town's shop baskets: who is exposed in them, and a release in which nobody is.

Everyone names what they would keep to themselves; the pages are for the steward, and nobody in the
town exists.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from sudare.demo.baskets import baskets_csv, sensitive_csv
from sudare.facts.sets_plan import SetsPlan
from sudare.publish.check_sets import check_sets
from sudare.publish.sets_input import SetsInput
from sudare.publish.suppress_sets import suppress_sets
from sudare.report import sets, sets_check, sets_page
from sudare.report.numbers import format_percent
from sudare.report.texts import Language
from sudare.report.words import padded

RHO = Fraction(1, 2)
KNOWN = 3
# The shop of one part of the town, so that the tour goes on after some seconds.
REGION = "north"
_WORDS = {
    "en": {
        "shop": "shop baskets",
        "before": "as they are",
        "after": "released",
        "succeed": "attackers with {known} known items who succeed",
        "succeed_one": "attackers with 1 known item who succeed",
        "exposed": "people exposed to one",
        "items": "items in all baskets",
        "rules": "of the best 100 rules still there",
    },
    "ja": {
        "shop": "買い物かご",
        "before": "元のまま",
        "after": "公開版",
        "succeed": "アイテムを {known} 個知る攻撃者の成功率",
        "succeed_one": "アイテムを 1 個知る攻撃者の成功率",
        "exposed": "推定されうる人数",
        "items": "アイテムの総数",
        "rules": "上位 100 ルールのうち残ったもの",
    },
}


def write_shop(folder: Path, language: Language) -> list[str]:
    """Baskets, what is sensitive, what that exposes, and the release with all that belongs to it;
    the lines of a table of before and after."""
    folder.mkdir(parents=True, exist_ok=True)
    data, sensitive = folder / "baskets.csv", folder / "sensitive.csv"
    data.write_text(baskets_csv(language, REGION), encoding="utf-8")
    sensitive.write_text(sensitive_csv(language, REGION), encoding="utf-8")
    given = SetsInput(data, sensitive)
    risk = check_sets(given, RHO, KNOWN)
    released = suppress_sets(given, SetsPlan(rho=RHO), folder / "released.csv")
    stated = json.dumps(sets.certificate(released), ensure_ascii=False, indent=2, allow_nan=False)
    pages = {
        "exposed.html": sets_check.page(risk, language),
        "released.certificate.json": stated + "\n",
        "released.report.html": sets_page.page(released, language),
    }
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    return _lines(risk, released, language)


def _lines(risk: dict[str, Any], released: dict[str, Any], language: Language) -> list[str]:
    words, mining = _WORDS[language], released["mining"]
    rows = [[words["shop"], words["before"], words["after"]]]
    for share in risk["shares"]:
        told = words["succeed_one" if share["known"] == 1 else "succeed"]
        # That nobody succeeds is what the verifier found in the released file.
        rows.append([told.format(known=share["known"]), format_percent(share["share"]), "0 %"])
    rows += [
        [words["exposed"], f"{risk['exposed_records']:,}", "0"],
        [words["items"], f"{released['occurrences']:,}", f"{released['released']:,}"],
        [words["rules"], str(mining["before"]), str(mining["common"])],
    ]
    return padded(rows)
