"""The town's shop baskets: who is exposed in them, and a release in which nobody is.

Everyone names what they would keep to themselves; the pages are for the steward, and nobody in the
town exists.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from sudare.demo.baskets import baskets_csv, sensitive_csv
from sudare.demo.files import write_json, write_text
from sudare.demo.part import Found, Place
from sudare.facts.sets_plan import SetsPlan
from sudare.publish.check_sets import check_sets
from sudare.publish.sets_input import SetsInput
from sudare.publish.suppress_sets import suppress_sets
from sudare.report import sets, sets_check, sets_page
from sudare.report.both import Both
from sudare.report.index_page import Card, Link
from sudare.report.numbers import format_percent
from sudare.report.texts import Language
from sudare.report.words import padded

RHO = Fraction(1, 2)
KNOWN = 3
# A few streets at the harbour: so few baskets need no compiled search.
REGION = "harbor"
STREETS = 8_000
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


def write_shop(folder: Path, language: Language) -> tuple[dict[str, Any], dict[str, Any]]:
    """Baskets, what is sensitive, what that exposes, and the release with all that belongs to it;
    the risk before, and the facts of the release."""
    data, sensitive = folder / "baskets.csv", folder / "sensitive.csv"
    write_text(data, baskets_csv(language, REGION, STREETS))
    write_text(sensitive, sensitive_csv(language, REGION, STREETS))
    given = SetsInput(data, sensitive)
    risk = check_sets(given, RHO, KNOWN)
    released = suppress_sets(given, SetsPlan(rho=RHO), folder / "released.csv", force=True)
    write_text(folder / "exposed.html", sets_check.page(risk, language))
    write_json(folder / "released.certificate.json", sets.certificate(released))
    write_text(folder / "released.report.html", sets_page.page(released, language))
    return risk, released


def shop(place: Place) -> Found:
    """What people bought, released without what each of them would keep to themselves."""
    folder = place.folder / "baskets" / place.language
    risk, released = write_shop(folder, place.language)
    pages = (folder / "exposed.html", folder / "released.report.html")
    names = ("released.csv", "released.certificate.json", "baskets.csv", "sensitive.csv")
    kept = released["released"] / released["occurrences"]
    card = Card(
        "sets",
        Both("A shop's baskets", "店の買い物かご"),
        Both(
            f"check sets, suppress with ρ = {float(RHO):g}",
            f"check sets、ρ = {float(RHO):g} で suppress",
        ),
        Both(
            f"{risk['exposed_records']:,} people exposed before, 0 after",
            f"推定されうる人：{risk['exposed_records']:,} 人から 0 人へ",
        ),
        Both(
            "In the release nobody who knows some of a person's items infers one that this person "
            f"calls sensitive with confidence above {float(RHO):g}; {format_percent(kept)} of all "
            "items are still there.",
            "公開版では、ある人のアイテムをいくつ知っていても、その人の知られたくないアイテムを"
            f"確信度 {float(RHO):g} を超えて推定できません。アイテムの {format_percent(kept)} が"
            "残りました。",
        ),
        "syntactic",
        Both(
            f"ρ = {float(RHO):g}, checked in the released file; no ε is claimed",
            f"ρ = {float(RHO):g}（公開ファイルで検証済み、ε は主張しません）",
        ),
        (
            Link(
                place.link(pages[0]), Both("Who was exposed, and to what", "誰が何を推定されうるか")
            ),
            Link(place.link(pages[1]), Both("Report of the release", "公開版の報告書")),
        ),
        tuple(place.link(folder / name) for name in names),
    )
    lines = _lines(risk, released, place.language)
    return Found((*lines, *(f"→ {path}" for path in pages)), (card,))


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
