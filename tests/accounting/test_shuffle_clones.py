"""The clones against their definition, summed in another way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from sudare.accounting.shuffle import blanket, clones


def by_definition(epsilon0: float, n: int, epsilon: float) -> float:
    """Σ over C of the hockey stick of (A + Δ, C − A + 1 − Δ) against the swapped one."""
    p, grown = 1 / (1 + math.exp(-epsilon0)), math.exp(epsilon)
    total = 0.0
    for copies in range(n):
        heads = np.concatenate([binom.pmf(np.arange(copies + 1), copies, 0.5), [0.0]])
        shifted = np.concatenate([[0.0], heads[:-1]])
        one, other = p * shifted + (1 - p) * heads, (1 - p) * shifted + p * heads
        weight = binom.pmf(copies, n - 1, math.exp(-epsilon0))
        total += weight * float(np.maximum(one - grown * other, 0.0).sum())
    return total


@pytest.mark.parametrize(("n", "shown"), [(10**4, 0.232), (10**5, 0.0702), (10**6, 0.0213)])
def test_published_values(n: int, shown: float) -> None:
    found = clones.epsilon_of(2.0, n, 1e-10)
    assert found == pytest.approx(shown, rel=3e-3)
    assert n < 10**6 or found <= 0.0214


@pytest.mark.parametrize("n", [2, 5, 30, 200])
@pytest.mark.parametrize("epsilon0", [0.1, 1.0, 3.0])
def test_above_the_definition_and_near_it(n: int, epsilon0: float) -> None:
    law = clones.clones(epsilon0)
    for share in (0.05, 0.3, 0.7):
        true = by_definition(epsilon0, n, share * epsilon0)
        found = blanket.delta_of(law, n, share * epsilon0)
        assert found >= true * (1 - 1e-12)
        assert found <= true * 1.03 + 1e-300


def test_a_bound_five_percent_too_small_is_caught() -> None:
    for n in (50, 200):
        found = clones.epsilon_of(1.0, n, 1e-6)
        assert by_definition(1.0, n, found) <= 1e-6
        assert by_definition(1.0, n, 0.95 * found) > 1e-6
