"""Squares of noisy numbers: intervals hold the truth however small it is."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.local.estimates.figures import figure
from sudare.local.estimates.jackknife import GROUPS, debiased, spread
from sudare.local.estimates.squares import square_error

TIMES = 400


def held(truth: float, directions: int, *, whole: bool) -> float:
    """How often the interval holds truth², where each place has noise of deviation 1."""
    made = np.random.default_rng([int(truth * 10), directions])
    found = []
    for _ in range(TIMES):
        groups = made.normal(0, np.sqrt(GROUPS), (GROUPS, directions))
        groups[:, 0] += truth
        means = np.vstack([groups.mean(axis=0), (groups.sum(axis=0) - groups) / (GROUPS - 1)])
        squares = (means**2).sum(axis=1)
        values = squares - squares[0] + debiased(squares)
        first = float(spread(values))
        error = square_error(values, first, directions) if whole else first
        low, high = figure(values, low=0, error=error).interval95 or (1, 0)
        found.append(float(low) <= truth**2 <= float(high))
    return float(np.mean(found))


@pytest.mark.parametrize("directions", [1, 2, 5])
@pytest.mark.parametrize("truth", [0.0, 1.0, 1.7, 2.5, 4.0, 10.0])
def test_intervals_of_squares_hold(truth: float, directions: int) -> None:
    assert held(truth, directions, whole=True) > 0.92


def test_the_first_order_error_alone_does_not_hold() -> None:
    assert min(held(truth, 1, whole=False) for truth in (1.0, 1.7, 2.5)) < 0.88


def test_a_square_of_zero_without_noise_has_no_error() -> None:
    assert square_error(np.zeros(GROUPS + 1), 0.0, 3) == 0
