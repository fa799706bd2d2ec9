"""The expectation of a positive part, against all ways to draw, and against its own margins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting.shuffle_oracle import mean_excess
from sudare.accounting.shuffle.excess import excess
from support.tiers import examples

CASES = [
    ([2.0, -3.0], [0.2, 0.2]),
    ([0.01, -0.011], [0.45, 0.45]),
    ([5.0, 0.5, -1.0], [0.01, 0.3, 0.5]),
    ([1.0, -1.0, -0.3, 0.7], [0.1, 0.2, 0.3, 0.05]),
    ([100.0, -1.0], [1e-3, 0.9]),
]


@pytest.mark.parametrize(("values", "masses"), CASES)
@pytest.mark.parametrize("n", [1, 2, 3, 7, 20])
def test_it_lies_above_the_true_mean_and_near_it(
    values: list[float], masses: list[float], n: int
) -> None:
    true = mean_excess(n, values, masses)
    found = excess(n, np.array(values), np.array(masses))
    assert found >= true
    # Tight enough that a bound that is 5 % too small would be caught here.
    assert found <= true * 1.05
    assert 0.95 * found < true


@examples(60)
@given(
    st.lists(st.floats(-2, 2).filter(lambda x: abs(x) > 1e-3), min_size=2, max_size=3),
    st.integers(2, 12),
    st.floats(0.05, 0.95),
)
def test_never_below_for_any_short_list(values: list[float], n: int, mass: float) -> None:
    masses = [mass / len(values)] * len(values)
    true = mean_excess(n, values, masses)
    assert excess(n, np.array(values), np.array(masses)) >= true * (1 - 1e-12)


def test_nothing_positive_is_nothing() -> None:
    assert excess(10**6, np.array([-1.0, -2.0]), np.array([0.3, 0.3])) == 0.0


@pytest.mark.parametrize("n", [10**4, 10**6, 10**9])
def test_many_people_approach_the_normal_law(n: int) -> None:
    """E[(S)₊] = σ(φ(z) − zΦ(−z)) in the limit; the relative error falls like 1/√n."""
    values, masses = np.array([1.0, -1.0]), np.array([0.25, 0.25])
    shift = 3 * math.sqrt(0.5 / n)
    found = excess(n, values - shift * 2, masses)
    mean, spread = -shift * 2 * 0.5 * n, math.sqrt(n * (0.5 * (1 + 4 * shift**2) - shift**2))
    z = -mean / spread
    tail = 0.5 * math.erfc(z / math.sqrt(2))
    normal = spread * (math.exp(-z * z / 2) / math.sqrt(2 * math.pi) - z * tail)
    assert found == pytest.approx(normal, rel=20 / math.sqrt(n) + 2e-3)
