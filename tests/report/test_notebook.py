"""Fragments for notebooks: small, escaped, without script."""

from __future__ import annotations

from report.releases import AGES, COUNT, HOSTILE, LOST, NASTY, release
from sudare.report.notebook import forecast_html, release_html


def test_release_fragment() -> None:
    text = release_html(release(COUNT, LOST, AGES))
    assert "The number of rows is about 19,870, ± 670 with 95 % probability." in text
    assert "Spent ε = 1 on “people”; ε = 2 left." in text
    assert "[0, 10): 1,510 ± 45" in text
    assert "and 4 more" in text
    assert "12,345" not in text
    assert len(text) < 4000


def test_japanese_fragment() -> None:
    text = release_html(release(COUNT), "ja")
    assert "行数は約 19,870 です" in text
    assert '<div lang="ja">' in text


def test_fragments_are_escaped_and_run_nothing() -> None:
    text = release_html(release(NASTY))
    assert "<script" not in text
    assert "<img" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    rows = [{"query": HOSTILE[0], "epsilon": 1.0, "error95": 2.0, "relative": 0.1}]
    assert "<script" not in forecast_html(rows)


def test_forecast_fragment() -> None:
    rows = [
        {"query": "count()", "epsilon": 0.25, "error95": 12.0, "relative": 0.0006},
        {"query": "mean(age)", "epsilon": 0.5, "error95": 0.1234, "relative": 0.002},
    ]
    text = forecast_html(rows)
    assert ">0.75<" in text
    assert ">12<" in text
    assert ">0.13<" in text
    assert ">0.06 %<" in text
    assert "合計" in forecast_html(rows, "ja")
