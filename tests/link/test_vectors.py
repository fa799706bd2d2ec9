"""Rows as small integers, between bounds that the schema fixes."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.facts.randomized import LabelDomain, NumberDomain
from sudare.link.vectors import MOST_STEPS, Number, Vector


def number(low: int, high: int) -> Number:
    return Number("x", NumberDomain("integer", low, high, 1.0, False))


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-5, 3), (10, 110), (2**61, 2**61 + 4)])
def test_narrow_columns_lose_nothing(low: int, high: int) -> None:
    found = number(low, high)
    indices = np.arange(low, high + 1)
    assert found.reach == high - low
    assert found.coded(indices).tolist() == [2 * i - low - high for i in range(low, high + 1)]


@pytest.mark.parametrize(("low", "high"), [(0, 20_000_000), (-(2**62), 2**62), (0, 2**15 + 1)])
def test_wide_columns_are_rounded_and_stay_within_reach(low: int, high: int) -> None:
    found = number(low, high)
    assert found.reach <= MOST_STEPS
    indices = np.linspace(low, high, 101).astype(np.int64)
    indices[[0, -1]] = low, high
    coded = found.coded(indices)
    assert coded[0] == -found.reach
    assert coded[-1] == found.reach
    exact = (2 * (indices.astype(object) - low) - (high - low)) / (high - low)
    assert np.abs(coded / found.reach - exact.astype(float)).max() <= 2 / MOST_STEPS


def test_a_row_has_its_numbers_first_and_one_hot_labels() -> None:
    domains = (
        ("sex", LabelDomain(("F", "M", None))),
        ("age", NumberDomain("integer", 0, 10, 1.0, False)),
    )
    vector = Vector("A", domains)
    columns = {
        "age": (np.array([0, 10, 3]), np.array([False, False, True])),
        "sex": (np.array([1, 0, 0]), np.array([False, True, False])),
    }
    assert vector.width == 4
    assert vector.coded(columns, 3).tolist() == [[-10, 0, 1, 0], [10, 0, 0, 1], [0, 1, 0, 0]]
