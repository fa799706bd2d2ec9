"""Discrete Gaussian numbers: scripted, against the law, and against OpenDP."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import opendp.prelude as dp
import pytest
from scipy import stats

from sudare.randomness import gaussian as module
from sudare.randomness.choice import flip_powers
from sudare.randomness.gaussian import discrete_gaussian
from sudare.randomness.laplace import discrete_laplace
from support.bits import CountedBits, ScriptedBits
from support.goodness import fits, same_law
from support.laws import gaussian_law


def test_proposals_are_accepted_by_their_exponents() -> None:
    """With sigma = 5/2: propose at scale 5/2, keep y with chance e^(-(2|y| - 5)^2 / 50)."""
    sigma, size = Fraction(5, 2), module.BLOCK
    bits = CountedBits("replay")
    proposals = discrete_laplace(bits, sigma, size)
    kept = proposals[flip_powers(bits, Fraction(1, 50), (2 * abs(proposals) - 5) ** 2)]
    drawn = discrete_gaussian(CountedBits("replay"), sigma, len(kept))
    assert drawn.tolist() == kept.tolist()


@pytest.mark.parametrize("sigma", ["0.4", "1", "5/3", "12.5"])
def test_the_law(sigma: str) -> None:
    """False-alarm rate 1e-6; sigmas 5 % to either side must be rejected."""
    sample = discrete_gaussian(CountedBits(f"gaussian {sigma}"), Fraction(sigma), 200_000)
    exact = float(Fraction(sigma))
    assert fits(sample, gaussian_law(exact))
    for twin in (0.95, 1.05):
        assert not fits(sample, gaussian_law(exact * twin))


@pytest.mark.integration
@pytest.mark.parametrize("sigma", [0.8, 4.0])
def test_opendp_draws_from_the_same_law(sigma: float) -> None:
    """OpenDP's own entropy: false-alarm rate 1e-6. Its 5 % wrong twin must be told apart."""
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="i64")
    size = 100_000
    ours = discrete_gaussian(CountedBits(f"opendp {sigma}"), Fraction(str(sigma)), size)
    theirs = np.array(dp.m.make_gaussian(*space, scale=sigma)([0] * size))
    assert same_law(ours, theirs)
    wrong = Fraction(str(sigma)) * Fraction(95, 100)
    assert not same_law(discrete_gaussian(CountedBits("twin"), wrong, size), theirs)


@pytest.mark.parametrize("sigma", [Fraction(10**6), Fraction(2**40), Fraction(2**101, 2)])
def test_huge_sigmas(sigma: Fraction) -> None:
    """Y / sigma is normal and the low digits are fair (false alarm 1e-6 each)."""
    sample = discrete_gaussian(CountedBits(f"huge {sigma}"), sigma, 20_000)
    assert fits(sample % 16, dict.fromkeys(range(16), 1 / 16))
    scaled = np.array([float(Fraction(int(y)) / sigma) for y in sample])
    edges = stats.norm.ppf(np.arange(1, 20) / 20)
    law = dict.fromkeys(range(20), 1 / 20)
    assert fits(np.searchsorted(edges, scaled), law)
    assert not fits(np.searchsorted(edges, scaled * 1.05), law)


@pytest.mark.parametrize("sigma", [Fraction(1, 1000), Fraction(3, 2**80), Fraction(1, 10**30)])
def test_tiny_sigmas_add_nothing(sigma: Fraction) -> None:
    assert not discrete_gaussian(CountedBits("tiny"), sigma, 2000).any()


def test_exponents_beyond_int64_follow_the_same_law() -> None:
    """A sigma of 1 + 2^-40 needs Python integers to decide (false-alarm rate 1e-6)."""
    sigma = Fraction(2**40 + 1, 2**40)
    sample = discrete_gaussian(CountedBits("wide"), sigma, 20_000)
    assert fits(sample, gaussian_law(1.0))
    assert not fits(sample, gaussian_law(1.05))


def test_a_round_costs_the_same_whatever_it_accepts() -> None:
    taken = set()
    for label in range(100):
        bits = CountedBits(f"round {label}")
        module._round(bits, Fraction(3), 10)
        taken.add(bits.taken)
    assert len(taken) == 1


def test_nothing_and_nonsense() -> None:
    assert discrete_gaussian(ScriptedBits(b""), Fraction(1), 0).tolist() == []
    with pytest.raises(ValueError, match="positive"):
        discrete_gaussian(ScriptedBits(b""), Fraction(-1), 1)
