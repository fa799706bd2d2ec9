"""Charts show every cell, grey what is noise, and escape what labels say."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from report.releases import AGES, BIRTHS, HOSTILE, MANY, MEANS, NASTY, SUM
from sudare.report.cells import Cell, cells
from sudare.report.charts import axis_unit, grouped, is_wide, strip


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("text")]


def test_bars_keep_order_labels_and_grey() -> None:
    svg = grouped(cells(AGES), from_zero=True)
    labels = [text for text in texts(svg) if text.startswith("[")]
    assert labels == list(AGES.value)  # type: ignore[arg-type]
    bars = re.findall(r'<rect [^>]*fill="var\(--(\w+)', svg)
    assert bars == ["bar"] * 9 + ["muted"] * 3
    whiskers = re.findall(r'<line [^>]*stroke="var\(--(\w+)[^>]*stroke-width="1.5"', svg)
    assert whiskers == ["ink"] * 9 + ["muted"] * 3


def test_hostile_labels_stay_text() -> None:
    svg = grouped(cells(NASTY), from_zero=True)
    assert "<script" not in svg
    assert "<img" not in svg
    assert HOSTILE[0] in texts(svg)


def test_dates_are_dots_on_a_calendar() -> None:
    svg = grouped(cells(BIRTHS), from_zero=False)
    assert any(re.fullmatch(r"\d{4}-\d\d-01", text) for text in texts(svg))
    assert len(re.findall(r"<circle ", svg)) == 2


def test_dots_need_not_start_at_zero() -> None:
    assert "0" not in texts(grouped(cells(MEANS), from_zero=False))


def test_many_cells_stand_upright() -> None:
    svg = grouped(cells(MANY), from_zero=True)
    assert len(re.findall(r'fill="var\(--bar', svg)) == 242
    assert float(re.findall(r'height="(\d+)"', svg)[0]) < 400


@pytest.mark.parametrize(("value", "unit"), [(9e6, 1.0), (2e7, 1e6), (7e10, 1e9)])
def test_axis_unit(value: float, unit: float) -> None:
    assert axis_unit([Cell("", value, 1.0, False)]) == unit


def test_a_strip_is_drawn_where_the_noise_can_be_seen() -> None:
    wide, narrow = Cell("", 42.0, 9.0, False), Cell("", 42.0, 0.5, False)
    assert is_wide(wide, "0", "120")
    assert not is_wide(narrow, "0", "120")
    assert texts(strip(wide, "0", "120"))[-1] == "120"
    date = Cell("", "1981-04-05", 3000.0, False)
    assert "1900-01-01" in texts(strip(date, "1900-01-01", "2024-12-31"))


def test_a_sum_is_one_number() -> None:
    assert axis_unit(cells(SUM)) == 1e9
