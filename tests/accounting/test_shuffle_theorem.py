"""Theorem 3 of paper 000: its figures, its condition, its δ₀."""

from __future__ import annotations

import math

import pytest

from accounting.shuffle_oracle import binary_delta
from sudare.accounting.shuffle import theorem


@pytest.mark.parametrize(("n", "shown"), [(10**4, 0.600), (10**5, 0.230), (10**6, 0.0787)])
def test_figures_at_2(n: int, shown: float) -> None:
    found = theorem.epsilon_of(n, 2.0, 1e-10)
    assert found == pytest.approx(shown, abs=6e-4 if shown > 0.1 else 6e-5)


def test_inverted_at_a_million() -> None:
    """The paper prints 2.4, 3.7, 5.7 and 7.6, read off its figure 3."""
    found = [theorem.largest_epsilon0(10**6, each, 1e-10) for each in (0.1, 0.2, 0.5, 1.0)]
    assert found == pytest.approx([2.34, 3.56, 5.60, 7.53], abs=6e-3)
    assert theorem.largest_epsilon0(10, 0.1, 1e-10) is None


def test_there_and_back() -> None:
    for wanted in (0.01, 0.1, 0.9):
        epsilon0 = theorem.largest_epsilon0(10**6, wanted, 1e-10)
        assert epsilon0 is not None
        assert theorem.epsilon_of(10**6, epsilon0, 1e-10) == pytest.approx(wanted, rel=1e-9)


def test_refused_outside_its_condition() -> None:
    assert theorem.epsilon_of(1000, 4.0, 1e-10) is None
    assert theorem.epsilon_of(1000, 1.0, 0.0) is None
    limit = theorem.limit(10**5, 1e-8)
    assert theorem.epsilon_of(10**5, limit * 0.999, 1e-8) is not None
    assert theorem.epsilon_of(10**5, limit * 1.001, 1e-8) is None


def test_outside_its_condition_it_is_false() -> None:
    """n = 1000, ε₀ = 4: the formula would say 2.33, but one bit a person needs more: all others
    have the same value and say so, and the δ of 1e-10 is exceeded."""
    e = math.exp(4.0)
    formula = math.log1p(
        (e - 1) / (e + 1) * (8 * math.sqrt(e * math.log(4e10) / 1000) + 8 * e / 1000)
    )
    assert formula == pytest.approx(2.33, abs=0.01)
    assert binary_delta(4.0, 120, formula) > 1e-10


def test_delta0_is_charged() -> None:
    n, epsilon0, delta = 10**6, 2.0, 1e-8
    plain = theorem.epsilon_of(n, epsilon0, delta)
    found = theorem.epsilon_of(n, epsilon0, delta, 1e-15)
    assert plain is not None
    assert found is not None
    assert found > plain
    # The d that it used, from the formula, and δ₀'s part make up δ.
    e = math.exp(epsilon0)
    root = ((math.expm1(found) * (e + 1) / (e - 1)) - 8 * e / n) / 8
    part = 4 * math.exp(-(root**2) * n / e)
    extra = (math.exp(found) + 1) * (1 + math.exp(-epsilon0) / 2) * n * 1e-15
    assert part + extra == pytest.approx(delta, rel=1e-3)
    assert part + extra <= delta * (1 + 1e-6)
    # δ₀·n above δ leaves nothing.
    assert theorem.epsilon_of(n, epsilon0, delta, 1e-14) is None
