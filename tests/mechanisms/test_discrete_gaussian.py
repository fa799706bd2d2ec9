"""The discrete Gaussian mechanism."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.facts.errors import InvalidPlan
from sudare.facts.events import GaussianEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.randomness.gaussian import discrete_gaussian
from support.bits import CountedBits, ScriptedBits
from support.goodness import fits
from support.laws import gaussian_law

REPLACE_ONE = Relation.REPLACE_ONE


@given(st.integers(1, 2**80), st.fractions(Fraction(1, 10**9), 10**4))
def test_rho_is_never_exceeded_and_hardly_missed(squared: int, rho: Fraction) -> None:
    if rho <= 0:
        return
    mechanism = DiscreteGaussian.for_rho(REPLACE_ONE, squared, rho, 1)
    assert rho * (1 - Fraction(3, 10**6)) < mechanism.event().rho <= rho
    assert mechanism.sigma.denominator & (mechanism.sigma.denominator - 1) == 0


def test_a_perfect_root_is_kept() -> None:
    mechanism = DiscreteGaussian.for_rho(REPLACE_ONE, 2, Fraction(1, 25), 6)
    assert mechanism.sigma == 5
    assert mechanism.event() == GaussianEvent(REPLACE_ONE, 2, Fraction(5), 6)


def test_ordinary_sigmas_stay_in_int64() -> None:
    """The numerator stays so small that the sampler's exponents fit, and the fast path is taken."""
    for power in range(-20, 41):
        mechanism = DiscreteGaussian.for_rho(REPLACE_ONE, 1, Fraction(3) * Fraction(2) ** power, 1)
        assert 46 * mechanism.sigma.numerator < 2**31


def test_noise_is_added_cell_by_cell() -> None:
    mechanism = DiscreteGaussian(REPLACE_ONE, 1, Fraction(5, 2), 3)
    noise = discrete_gaussian(CountedBits("cells"), Fraction(5, 2), 3).tolist()
    values = [10, -3, 2**90]
    assert mechanism.apply(values, CountedBits("cells")) == [
        v + z for v, z in zip(values, noise, strict=True)
    ]
    assert (
        mechanism.apply_array(np.zeros(3, dtype=np.int64), CountedBits("cells")).tolist() == noise
    )


def test_the_law_of_the_answers() -> None:
    """False-alarm rate 1e-6; sigmas 5 % to either side must be rejected."""
    size = 200_000
    mechanism = DiscreteGaussian.for_rho(REPLACE_ONE, 2, Fraction(1, 9), size)
    answers = mechanism.apply_array(np.full(size, -50), CountedBits("law"))
    assert fits(answers + 50, gaussian_law(3.0))
    for twin in (2.85, 3.15):
        assert not fits(answers + 50, gaussian_law(twin))


@pytest.mark.parametrize("sigma", ["0.05", "0.3", "1", "1.99", "2", "30"])
def test_the_variance_is_that_of_the_law(sigma: str) -> None:
    law = gaussian_law(float(sigma))
    wanted = math.fsum(z * z * p for z, p in law.items())
    mechanism = DiscreteGaussian(REPLACE_ONE, 1, Fraction(sigma), 1)
    assert mechanism.variance == pytest.approx(wanted, rel=1e-9)
    assert mechanism.variance <= float(mechanism.sigma) ** 2 * (1 + 1e-12)


def test_the_variance_of_a_tiny_sigma_is_nothing() -> None:
    assert DiscreteGaussian(REPLACE_ONE, 1, Fraction(1, 10**200), 1).variance == 0.0


@pytest.mark.parametrize(("squared", "rho", "cells"), [(0, 1, 1), (1, 0, 1), (1, -1, 1), (1, 1, 0)])
def test_parameters_must_be_positive(squared: int, rho: int, cells: int) -> None:
    with pytest.raises(InvalidPlan, match="must be positive"):
        DiscreteGaussian.for_rho(REPLACE_ONE, squared, Fraction(rho), cells)


def test_only_the_cells_that_were_charged() -> None:
    with pytest.raises(InvalidPlan, match="1 cells and got 2"):
        DiscreteGaussian(REPLACE_ONE, 1, Fraction(1), 1).apply([1, 2], ScriptedBits(b""))
