"""Numbers carry the digits that their error justifies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.report.numbers import (
    format_bound,
    format_error,
    format_number,
    format_percent,
    format_share,
)


@pytest.mark.parametrize(
    ("value", "error", "shown", "spread"),
    [
        (19873.128, 669.0, "19,870", "670"),
        (19873, 669.0, "19,870", "670"),
        (412, 6.0, "412", "6"),
        (412, 0.4, "412", "1"),
        (43.21456, 0.4987, "43.21", "0.50"),
        (-3.14159, 0.02, "-3.142", "0.020"),
        (78_123_456_789, 231_456_789.0, "78,120,000,000", "240,000,000"),
        (-0.3, 66.0, "0", "66"),
        (0.001234, 0.5, "0.00", "0.50"),
        (1e-9, 1e-15, "0.000000001000", "0.000000000001"),
        (2**70, 1.0, "1,180,591,620,717,411,303,424", "1"),
        (20000, 0.0, "20,000", "0"),
        (0.1, 0.0, "0.1", "0"),
        (1234567.25, 0.0, "1,234,567.25", "0"),
        ("1981-04-05", 11.3, "1981-04-05", "12 days"),
        ("1981-04-05", 0.4, "1981-04-05", "1 day"),
    ],
)
def test_digits(value: float | int | str, error: float, shown: str, spread: str) -> None:
    assert format_number(value, error) == shown
    assert format_error(value, error) == spread


def test_days_in_japanese() -> None:
    assert format_error("1981-04-05", 1200.0, "ja") == "1,200 日"


@given(st.floats(-1e12, 1e12), st.floats(1e-6, 1e9))
def test_rounding_is_small_against_the_error(value: float, error: float) -> None:
    shown = float(format_number(value, error).replace(",", ""))
    # Half a unit of the error's second digit is at most a twentieth of it.
    assert abs(shown - value) <= error / 20 * (1 + 1e-6) + 1e-9


@given(st.floats(1e-6, 1e12))
def test_an_error_is_never_understated(error: float) -> None:
    shown = float(format_error(0.0, error).replace(",", ""))
    assert error * (1 - 1e-12) <= shown <= error * 1.1 * (1 + 1e-9)


def test_bounds_shares_and_percents() -> None:
    assert format_bound("10000000") == "10,000,000"
    assert format_bound("0.5") == "0.5"
    assert format_bound("-5") == "-5"
    assert format_bound("1900-01-01") == "1900-01-01"
    assert format_share(1.0) == "1"
    assert format_share(1e-9) == "1e-9"
    assert format_percent(0.4621) == "46 %"
    assert format_percent(0.0249979) == "2.5 %"
    assert format_percent(0.9933) == "99.33 %"
    assert format_percent(1.0) == "100 %"
    assert format_percent(0.0) == "0 %"
