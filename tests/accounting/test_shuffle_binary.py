"""One bit a person: exact, for all values of the others."""

from __future__ import annotations

import math

import pytest

from accounting.shuffle_oracle import binary_delta, response, true_delta
from sudare.accounting.shuffle import binary


@pytest.mark.parametrize(("n", "shown"), [(10**4, 0.134), (10**5, 0.0396), (10**6, 0.0119)])
def test_published_values(n: int, shown: float) -> None:
    found = binary.epsilon_of(2.0, n, 1e-10)
    assert found == pytest.approx(shown, rel=5e-3)
    assert n < 10**6 or found <= 0.0120


@pytest.mark.parametrize("n", [1, 2, 3, 8, 25, 60])
@pytest.mark.parametrize("epsilon0", [0.05, 1.0, 4.0])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.95])
def test_it_is_the_curve_itself(n: int, epsilon0: float, share: float) -> None:
    true = binary_delta(epsilon0, n, share * epsilon0)
    found = binary.delta_of(epsilon0, n, share * epsilon0)
    assert found >= true * (1 - 1e-12)
    assert found <= true * (1 + 1e-8) + 1e-200


@pytest.mark.parametrize("n", [2, 4, 7])
def test_the_curve_agrees_with_going_through_all_outcomes(n: int) -> None:
    for share in (0.2, 0.8):
        slowly = true_delta(response(1.5, 2), n, share * 1.5)
        assert binary_delta(1.5, n, share * 1.5) == pytest.approx(slowly, rel=1e-10)


@pytest.mark.parametrize("n", [10, 40])
def test_a_bound_five_percent_too_small_is_caught(n: int) -> None:
    found = binary.epsilon_of(1.0, n, 1e-4)
    assert binary_delta(1.0, n, found) <= 1e-4
    assert binary_delta(1.0, n, 0.95 * found) > 1e-4


def test_cells_cost_little_and_never_too_little() -> None:
    """3,000 people are 512 cells; the exact curve of the two ends lies just below."""
    found = binary.epsilon_of(2.0, 3000, 1e-10)
    true = binary_ends(2.0, 3000, found)
    assert true <= 1e-10
    assert binary_ends(2.0, 3000, 0.99 * found) > 1e-10


def binary_ends(epsilon0: float, n: int, epsilon: float) -> float:
    """The δ where all others have the same value."""
    from scipy.stats import binom

    p, grown = 1 / (1 + math.exp(-epsilon0)), math.exp(epsilon)
    worst = 0.0
    for chance in (p, 1 - p):
        law = binom.pmf(range(-1, n + 1), n - 1, chance)
        one, other = p * law[:-1] + (1 - p) * law[1:], (1 - p) * law[:-1] + p * law[1:]
        for first, second in ((one, other), (other, one)):
            worst = max(
                worst, sum(max(0.0, a - grown * b) for a, b in zip(first, second, strict=True))
            )
    return worst
