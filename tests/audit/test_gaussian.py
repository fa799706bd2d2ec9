"""Audits of the discrete Gaussian against its exact (ε, δ) curve.

The claim at ε is δ(ε) = sum over z of max(P(z - 1) - e^ε P(z), 0), the least δ that is true for a
shift by 1, summed here to float precision. The bound is at confidence 1 - 1e-6. For each ε that
sigma is taken at which an audit of this size sees most: there δ(ε) lies between 0.09 and 0.2.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from sudare.facts.relation import Relation
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from support.audit import Draw, audit, in_parts, lower_bound, size_for
from support.bits import CountedBits
from support.laws import gaussian_law
from support.tiers import now_only

SIGMAS = {0.1: "2", 0.5: "1", 1.0: "0.7", 2.0: "0.5", 4.0: "0.35"}


def hockey_stick(sigma: Fraction, epsilon: float) -> float:
    """The exact δ(ε) of a shift by one."""
    law = gaussian_law(float(sigma))
    return math.fsum(max(law.get(z - 1, 0.0) - math.exp(epsilon) * p, 0.0) for z, p in law.items())


def draws(sigma: Fraction, label: str) -> tuple[Draw, Draw]:
    def make(value: int) -> Draw:
        bits = CountedBits(f"{label} {sigma} {value}")

        def draw(count: int) -> np.ndarray:
            mechanism = DiscreteGaussian(Relation.ADD_REMOVE, 1, sigma, count)
            return mechanism.apply_array(np.full(count, value), bits)

        return in_parts(draw)

    return make(0), make(1)


@pytest.mark.parametrize("epsilon", now_only(SIGMAS, 1.0))
def test_the_bound_is_tight_and_never_above_the_claim(epsilon: float) -> None:
    sigma = Fraction(SIGMAS[epsilon])
    delta = hockey_stick(sigma, epsilon)
    result = audit(*draws(sigma, "gaussian"), size_for(epsilon), delta)
    assert 0.95 * epsilon <= result.epsilon <= epsilon


@pytest.mark.parametrize("epsilon", now_only(SIGMAS, 1.0))
def test_a_sigma_five_percent_too_low_is_caught(epsilon: float) -> None:
    sigma = Fraction(SIGMAS[epsilon])
    delta = hockey_stick(sigma, epsilon)
    result = audit(*draws(sigma * Fraction(95, 100), "twin"), size_for(epsilon), delta)
    assert result.epsilon > epsilon


def test_small_deltas_hold_too() -> None:
    """Along the curve of sigma = 2, down to a δ below 1e-3, the bound stays below the claim."""
    draw_a, draw_b = draws(Fraction(2), "small delta")
    samples = [draw(size) for size in (250_000, 2_000_000) for draw in (draw_a, draw_b)]
    for epsilon in (0.3, 0.6, 1.0, 1.4):
        delta = hockey_stick(Fraction(2), epsilon)
        assert 0.6 * epsilon < lower_bound(*samples, delta=delta).epsilon <= epsilon
    assert delta < 1e-3
