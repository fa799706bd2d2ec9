"""Rulers mark round numbers, hold every value between their ends, and no two texts touch."""

from __future__ import annotations

import datetime as dt
import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.report.letters import width_of
from sudare.report.rulers import Dates, Fitted, Numbers, Powers, Ruler, extent
from sudare.report.ticks import Tick, brief, plain, short

LENGTH = 380.0


def texts(found: Fitted) -> list[str]:
    return [tick.text for tick in found.ticks if tick.text]


def day(text: str) -> float:
    return dt.date.fromisoformat(text).toordinal()


def assert_room(found: Fitted, length: float = LENGTH) -> None:
    shown = sorted((tick for tick in found.ticks if tick.text), key=lambda tick: tick.value)
    for one, two in pairwise(shown):
        apart = length * (found.share(two.value) - found.share(one.value))
        assert apart > (width_of(one.text) + width_of(two.text)) / 2


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 2_940, ["0", "500", "1,000", "1,500", "2,000", "2,500", "3,000"]),
        (0, 1, ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (-3, 7, ["−4", "−2", "0", "2", "4", "6", "8"]),
        (0, 0.004, ["0", "0.001", "0.002", "0.003", "0.004"]),
        (0, 100, ["0", "20", "40", "60", "80", "100"]),
    ],
)
def test_round_numbers(low: float, high: float, expected: list[str]) -> None:
    assert texts(Numbers(low, high).fitted(LENGTH)) == expected


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(NUMBERS, max_size=5), st.floats(40, 400), st.booleans())
def test_any_numbers_have_a_ruler(values: list[float], length: float, is_exact: bool) -> None:
    low, high = extent(values)
    found = Numbers(low, high, is_exact=is_exact).fitted(length)
    assert found.low < found.high
    assert all(0 <= found.share(value) <= 1 for value in values)
    assert len(found.ticks) <= 12
    assert_room(found, length)


@pytest.mark.parametrize("value", [0.0, 5.0, -5.0, 1e-300, 1e300, 123456789.0])
def test_one_value_lies_in_the_middle(value: float) -> None:
    found = Numbers(value, value, is_exact=True).fitted(LENGTH)
    assert found.share(value) == pytest.approx(0.5)
    assert found.ticks


def test_nothing_to_show_has_a_ruler_too() -> None:
    assert extent([]) == (0.0, 1.0)
    assert extent([math.nan, math.inf]) == (0.0, 1.0)
    assert extent([math.nan, 3.0, -math.inf, 2.0]) == (2.0, 3.0)


def test_what_lies_beyond_stands_at_an_end() -> None:
    found = Numbers(0, 10).fitted(LENGTH)
    assert (found.share(-5), found.share(1e308), found.share(math.inf)) == (0, 1, 1)
    assert math.isnan(found.share(math.nan))


def test_pad_leaves_room_at_both_ends() -> None:
    found = Numbers(10, 20, pad=12, is_exact=True).fitted(LENGTH)
    assert found.share(10) * LENGTH == pytest.approx(12)
    assert found.share(20) * LENGTH == pytest.approx(LENGTH - 12)


@given(st.floats(1e-12, 1e12), st.floats(1, 1e15), st.floats(100, 400))
def test_powers_have_room(low: float, times: float, length: float) -> None:
    found = Powers(low, low * times).fitted(length)
    assert found.share(low) >= 0
    assert found.low <= low * (1 + 1e-9) < low * times * (1 + 2e-9) <= found.high * (1 + 1e-8)
    assert texts(found)
    assert_room(found, length)


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 100), (-5, -1), (7, 7)])
def test_a_logarithm_without_a_length_or_with_zero(low: float, high: float) -> None:
    found = Powers(low, high).fitted(LENGTH)
    assert 0 < found.low < found.high
    assert found.share(0) == 0


def test_given_marks_are_the_only_ones() -> None:
    marks = (Tick(0.5, "0"), Tick(1, "1"), Tick(10, "10"))
    found = Powers(0.5, 30, is_exact=True, marks=marks).fitted(LENGTH)
    assert found.ticks == marks
    assert found.share(0.5) == 0
    assert found.share(30) == 1


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        ("1900-01-01", "2024-12-31", "1950-01-01"),
        ("2023-01-01", "2023-12-31", "2023-07-01"),
        ("2024-02-26", "2024-03-03", "2024-02-26"),
    ],
)
def test_dates_are_marked_at_first_days(low: str, high: str, expected: str) -> None:
    found = Dates(day(low), day(high)).fitted(LENGTH)
    assert expected in texts(found)
    assert_room(found)


def test_years_alone_where_asked_for() -> None:
    found = Dates(day("1950-03-01"), day("2010-06-01"), is_year=True).fitted(LENGTH)
    assert "1960" in texts(found)
    within = Dates(day("2010-03-01"), day("2010-06-01"), is_year=True).fitted(LENGTH)
    assert "2010-04-01" in texts(within)


@pytest.mark.parametrize("ends", [("0001-01-01", "9999-12-31"), ("9999-12-31", "9999-12-31")])
def test_the_ends_of_the_calendar(ends: tuple[str, str]) -> None:
    found = Dates(day(ends[0]), day(ends[1]), pad=12).fitted(LENGTH)
    assert 0 <= found.share(day(ends[0])) <= found.share(day(ends[1])) <= 1
    assert_room(found)


@pytest.mark.parametrize("ruler", [Numbers(0, 1e6), Powers(1, 1e6), Dates(700_000, 740_000)])
def test_standing_rulers_count_heights(ruler: Ruler) -> None:
    """Texts one above the other need no more than their height."""
    assert len(texts(ruler.fitted(200, is_across=False))) >= len(texts(ruler.fitted(60)))


def test_ways_to_write_numbers() -> None:
    assert [plain(value, 0.5) for value in (0, -0.5, 1234.5)] == ["0", "−0.5", "1,234.5"]
    assert plain(-1e-20, 1.0) == "0"
    assert [brief(value, value) for value in (0.001, 20, 1e-7, -2.5e8)] == [
        "0.001", "20", "1e−7", "−2.5e8",
    ]  # fmt: skip
    assert [short(value, 5e5) for value in (0, 5e5, 1.5e6, -2e9)] == ["0", "500k", "1.5M", "−2G"]
