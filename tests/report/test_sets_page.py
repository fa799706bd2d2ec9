"""The owner's page about released baskets: its figures, its warning, and no markup of the data."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from report import test_browser as browser
from report.sets_facts import EVIL, generalized, km, rho, sampled
from sudare.report.sets_charts import ranks, scatter
from sudare.report.sets_page import page

RESULTS = (rho(), sampled(), km(), generalized())


def shown(result: dict[str, Any], name: str = "en") -> str:
    """The texts of one language, one after the other."""
    made = page(result, name)  # type: ignore[arg-type]
    other = "ja" if name == "en" else "en"
    body = made[made.index("<header>") : made.index("<script>")]
    body = re.sub(r"<svg.*?</svg>", "", body, flags=re.S)
    body = re.sub(rf'<span class="{other}".*?</span>', "", body, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))


@pytest.mark.parametrize("result", RESULTS, ids=lambda each: each["method"] + each["model"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_page_is_alone_escapes_and_warns(result: dict[str, Any], language: Any) -> None:
    loaded = result | {"sensitive": {"person": ["CANARY"]}}
    made = page(loaded, language)
    assert EVIL not in made
    assert "CANARY" not in made
    assert "default-src 'none'" in html.unescape(made)
    assert not re.search(r"""(src|href)=["'](?!data:|#)""", made)
    assert f'<html lang="{language}"' in made
    assert "not for publication" in made
    assert "公開不可" in made


def test_figures_of_suppression() -> None:
    text = shown(rho())
    assert "88 % of all occurrences are kept" in text
    assert "14,321 of 59,602 records lost something" in text
    assert "49 % the highest confidence left, of ρ = 1/2 allowed" in text
    assert "util1 12 %: the share" in text
    assert "util2 0.0123 nats" in text
    assert "util_mining 0.441" in text
    assert "lost 29" in text
    assert "only after: not in the original 27" in text
    assert "56 of 497 items occur no more" in text
    assert "1 2,345 67 2+ 12,345 3,210" in text
    assert "4,242 occurrences turned out to be unnecessary" in text
    assert f"{EVIL} 4,321 1,000 77 %" in text
    assert "ab" * 32 in text
    assert "0.10, 1.25, 0.50" in text
    assert "true minimum" not in text


def test_figures_in_japanese() -> None:
    text = shown(rho(), "ja")
    assert "88 % 延べ個数のうち残った割合" in text
    assert "失われた 29" in text
    assert "約束しないこと" in text


def test_the_audit_of_a_sampled_promise() -> None:
    text = shown(sampled())
    assert "1 20,000 3 0.11 % 2 20,000 40 0.46 %" in text
    assert "0.46 % of attackers succeed at most, of ε = 0.05 allowed" in text
    assert "but for a chance of one in a million" in text


def test_pages_of_km() -> None:
    text = shown(km())
    assert "6 records hold the rarest known set; 5 are demanded" in text
    assert "calls sensitive" not in text
    assert "items known" not in text
    coarse = shown(generalized())
    assert f"drinks {EVIL} 12" in coarse
    assert "NCP 25 %" in coarse
    assert "util1" not in coarse
    assert "counts as gone here" in coarse


def test_empty_data_has_a_page() -> None:
    nothing: dict[str, list[int]] = {"before": [], "after": []}
    none = {"records": 1, "items": 0, "occurrences": 0, "released": 0, "changed": 0, "emptied": 0}
    text = shown(rho(**none, frequencies=nothing, most_suppressed=[], steps=[]))
    assert "– of all occurrences are kept" in text
    assert "How often items occur" not in text


def test_pictures_stay_small_and_hold_every_case() -> None:
    many = [max(1, 900_000 // rank) for rank in range(1, 60_001)]
    drawn = scatter(many, [count // 2 for count in many])
    assert len(drawn) < 200_000
    assert len(ranks(many, many)) < 60_000
    assert "<svg" in scatter([1], [0])
    assert "<svg" in ranks([1], [0])
    # An item that is gone stands at a tick of its own.
    assert re.search(r"<text[^>]*>0</text>", scatter([5, 4], [5, 0]))


@pytest.mark.integration
@pytest.mark.skipif(browser.CHROMIUM is None, reason="chromium is not installed")
def test_the_page_in_a_browser(tmp_path: Any) -> None:
    made = page(rho(), "ja")
    seen = browser.look(tmp_path, made)
    assert 'data-ready="yes"' in seen.dom
    assert seen.console == []
    assert seen.requests == []
    browser.test_no_sideways_scrolling(tmp_path, made, 360)
