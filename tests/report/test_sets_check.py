"""What is said of baskets before a release: shares, rules, people by number, items by name."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from report import test_browser as browser
from report.sets_facts import EVIL, checked
from sudare.report.sets_charts import shares
from sudare.report.sets_check import MOST_LINES, lines, page

SAFE = checked(exposed_records=0, rules=[], people=[], causes=[], looked_at_all_up_to=3)


def test_lines() -> None:
    told = lines(checked(), "en")
    text = "\n".join(told)
    assert "12,345 of 59,602 records (21 %) have at least one attacker" in text
    assert "with at most 2 items known" in text
    assert re.search(r"^  1 +149,639 +1\.2 % +exact$", text, re.M)
    assert re.search(r"^  3 +20,000 +42 % +41 % – 44 %$", text, re.M)
    # Long names take several lines, beside which the numbers stand once.
    assert re.search(r"^  milk, +75 % +30 +40 +17$", text, re.M)
    assert re.search(r"→\n  薬 A$", text, re.M)
    assert re.search(r"^  10421 +9,876$", text, re.M)
    assert re.search(r"^  薬 A +4,567 +12$", text, re.M)
    assert "not for publication" in text
    assert "names 3 items that no record holds" in text


def test_lines_in_japanese() -> None:
    text = "\n".join(lines(checked(), "ja"))
    assert "59,602 件中 12,345 件（21 %）" in text
    assert "公開不可" in text
    assert re.search(r"^  3 +20,000 +42 % +41 % – 44 %$", text, re.M)


def test_a_terminal_obeys_no_name() -> None:
    long = {"known": ["x" * 500], "inferred": "y", "together": 1, "alone": 1, "exposed": 1}
    many = [long] * (MOST_LINES + 5)
    assert "\x1b" not in "\n".join(lines(checked(), "en"))
    found = [line for line in lines(checked(rules=many), "en") if "xxx" in line]
    assert len(found) == MOST_LINES
    assert all(len(line) < 150 for line in found)


def test_nobody_is_told_together_with_an_item() -> None:
    for line in lines(checked(), "en"):
        if re.match(r"  (10421|3)  ", line) and "%" not in line:
            assert re.fullmatch(r"  \d+ +[\d,]+", line)
    loaded = checked(sensitive={"10421": ["CANARY"]})
    loaded["people"] = [each | {"items": ["CANARY"]} for each in loaded["people"]]
    assert "CANARY" not in page(loaded, "en") + "\n".join(lines(loaded, "en"))


def test_where_nobody_is_exposed() -> None:
    text = "\n".join(lines(SAFE, "en"))
    assert "No attacker succeeds with at most 3 items known." in text
    assert "worst rules" not in text
    assert "sudare suppress" not in text
    assert "worst rules" not in page(SAFE, "en")
    assert "Attackers who succeed" in page(checked(shares=[]), "en")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_page_is_alone_and_escapes(language: Any) -> None:
    made = page(checked(), language)
    assert EVIL not in made
    assert html.escape(EVIL) in made
    assert "default-src 'none'" in html.unescape(made)
    assert not re.search(r"""(src|href)=["'](?!data:|#)""", made)
    assert f'<html lang="{language}"' in made
    assert "not for publication" in made
    assert "公開不可" in made
    assert ">42 %</p>" in made
    assert ">75 %</p>" in made


def test_the_bars() -> None:
    found = checked()["shares"]
    exact = [each | {"is_exact": True} for each in found]
    # One more line, the interval, where attackers were drawn.
    assert shares(found).count("<line") == shares(exact).count("<line") + 1
    zero = [each | {"share": 0.0, "low": 0.0, "high": 0.0} for each in exact]
    assert "<svg" in shares(zero)


@pytest.mark.integration
@pytest.mark.skipif(browser.CHROMIUM is None, reason="chromium is not installed")
def test_the_page_in_a_browser(tmp_path: Any) -> None:
    made = page(checked(), "en")
    seen = browser.look(tmp_path, made)
    assert 'data-ready="yes"' in seen.dom
    assert seen.console == []
    assert seen.requests == []
    browser.test_no_sideways_scrolling(tmp_path, made, 360)
