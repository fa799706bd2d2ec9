"""What is said of a join: in a terminal, on the page, of identities and of logs."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

from report import test_browser as browser
from report.link_facts import certificate
from report.sets_facts import EVIL
from sudare.report.link import lines, part_lines
from sudare.report.link_charts import KINDS, class_bars
from sudare.report.link_hosts import log_lines, made_lines
from sudare.report.link_page import page
from sudare.report.link_words import TEXTS
from sudare.report.texts import LANGUAGES, Language

MADE = ("authority", "identity", "certificate", "adopted", "request")
LOG = {
    "log": "log.jsonl",
    "owner": "shop",
    "plan_sha256": "1f" * 32,
    "entries": 10,
    "head": "4b" * 32,
    "countersigned": [
        {"by": "institute", "head": "6d" * 32, "entry": 6},
        {"by": "institute", "head": "8f" * 32, "entry": 8},
    ],
    "signed_entries": 8,
    "deleted": {"entry": 8, "head": "8f" * 32, "what": ["exponent", "rows"]},
}


def shown(told: dict[str, Any], language: Language) -> str:
    """The texts of one language, one after the other."""
    made = page(told, language)
    other = "ja" if language == "en" else "en"
    body = made[made.index("<header>") : made.index("<script>")]
    body = re.sub(r"<svg.*?</svg>", "", body, flags=re.S)
    body = re.sub(rf'<span class="{other}".*?</span>', "", body, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))


def test_every_text_is_there_twice_with_the_same_values() -> None:
    for key, text in TEXTS.items():
        names = [set(re.findall(r"{(\w+)", text[language])) for language in LANGUAGES]
        assert names[0] == names[1], key
        assert text.en != text.ja, key


def test_lines_name_three_adversaries_and_what_is_not_protected() -> None:
    found = lines(certificate(), "en")
    assert found[0] == "300 joined rows of 病院, shop; ε = 8 for a whole row, whoever looks."
    assert "outsider, about all columns: ε = 2.5, δ = 1e-09" in found[1]
    assert "that kept its rows, about the columns of the others: ε = 4, δ = 0." in found[3]
    assert "is not protected" in found[4]
    assert found[-1].startswith("All organisations have signed")
    assert "保護されません" in "".join(lines(certificate(), "ja"))


def test_lines_that_depend_on_the_session() -> None:
    party = {"name": "shop", "is_party": True}
    assert any("nothing is amplified" in each for each in lines(certificate(collector=party), "en"))
    dummies = {
        "sizes": {"epsilon": 0.5, "delta": 1e-9},
        "membership": {"epsilon": 0.998, "delta": 2.9e-9},
        "expected_each_class": 78,
    }
    text = "\n".join(lines(certificate(dummies=dummies), "en"))
    assert "hold a person, values included: ε = 0.998, δ = 2.9e-09" in text
    assert "Made-up rows are among them." in text
    assert "people and made-up rows" in shown(certificate(dummies=dummies), "en")
    whole = {"joined": 8.0, "central": 2.0, "total": 10.0}
    costs = {"parties": {"病院": whole, "shop": whole}, "whole": whole}
    hybrid = "\n".join(lines(certificate(costs=costs), "en"))
    assert "of the joined rows alone" in hybrid
    assert "ε = 2 for a person whom all hold" in hybrid
    assert "10 ε for a person whom all hold, own releases included" in shown(
        certificate(costs=costs), "en"
    )
    assert "about 78 in every class" in text
    assert "not protected" not in text
    k = [{"members": ["shop"], "k": 4.26, "kept": False}]
    assert any("k = 4.3, BELOW" in each for each in lines(certificate(k=k), "en"))
    told = certificate()
    told["parties"][0]["deleted"] = None
    assert not any("have signed" in each for each in lines(told, "en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_alone_and_escapes(language: Language) -> None:
    made = page(certificate(session=EVIL), language)
    assert EVIL not in made
    assert "default-src 'none'" in html.unescape(made)
    assert not re.search(r"""(src|href)=["'](?!data:|#)""", made)
    assert f'<html lang="{language}"' in made
    assert made.count("<svg") == len(KINDS)


def test_figures_of_the_page() -> None:
    text = shown(certificate(), "en")
    assert "病院 + shop 300 8 2.5 2.5 4 – ✗ (its condition fails)" in text
    assert "shop 100 4 1.5 1.5 1.5 0.75 ✗ (fewer people)" in text
    assert "shop (spent) 400 4" in text
    assert "4a" * 32 in text
    assert text.count("is not protected") == 1
    japanese = shown(certificate(), "ja")
    assert "外部の者" in japanese
    assert "参加組織" in japanese


def test_bars_are_as_long_as_the_numbers() -> None:
    """All three pictures share a ruler, so lengths can be compared between them."""
    classes = certificate()["account"]["classes"]
    lengths = {}
    for kind in ("outsider", "kept"):
        bars = re.findall(r'<rect [^>]*width="([\d.]+)"', class_bars(classes, kind))
        lengths[kind] = [float(width) for width in bars[-2:]]
    assert lengths["outsider"][0] / lengths["kept"][0] == pytest.approx(2.5 / 4, abs=0.01)
    assert lengths["kept"][1] / lengths["kept"][0] == pytest.approx(1.5 / 4, abs=0.01)


@pytest.mark.skipif(browser.CHROMIUM is None, reason="chromium is not installed")
def test_the_page_in_a_browser(tmp_path: Path) -> None:
    made = page(certificate(), "en")
    seen = browser.look(tmp_path, made)
    assert not seen.console
    assert not seen.requests
    browser.test_no_sideways_scrolling(tmp_path, made, 360)


def test_what_an_organisation_did() -> None:
    told = {"party": "shop", "rows": 1234, "session": "s", "spent": {"epsilon": 4.0}, "log": "l"}
    told["again"] = False
    sent, ended = part_lines(told | {"confirmed": True}, "en")
    assert sent == "shop: sent 1,234 rows to the session s; ε = 4 was spent."
    assert "has countersigned" in ended
    assert "could not countersign" in part_lines(told | {"confirmed": False}, "en")[1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("made", MADE)
def test_identities_say_what_to_do_next(made: str, language: Language) -> None:
    told = {"made": made, "name": "shop", "path": "ids/shop", "ca_sha256": "9c" * 32}
    text = "\n".join(made_lines(told, language))
    assert "shop" in text
    assert ("9c" * 32 in text) == (made in ("authority", "identity", "adopted"))
    if made == "request":
        assert "sudare link init shop -o ids --certificate certificate.pem --ca ca.pem" in text


def test_a_log_says_how_far_it_is_signed() -> None:
    text = log_lines(LOG, "en")
    assert text[0] == f"The log of shop holds: 10 entries, head {'4b' * 32}."
    assert text[1] == "institute has signed entries 1 to 8."
    assert "exponent, rows are deleted: a statement, not a proof" in text[2]
    bare = log_lines({**LOG, "countersigned": [], "deleted": None}, "ja")
    assert "署名もありません" in bare[1]
    assert "削除の記載はありません" in bare[2]
