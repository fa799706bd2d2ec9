"""Discrete Laplace numbers: scripted, against the law, and against OpenDP."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import opendp.prelude as dp
import pytest

from sudare.randomness.geometric import geometric
from sudare.randomness.laplace import BLOCK, discrete_laplace
from support.bits import CountedBits, ScriptedBits, words
from support.goodness import fits, same_law
from support.laws import laplace_law

YES, NO = 0, 2**32 - 1


def test_noise_is_the_difference_of_two_geometric_numbers() -> None:
    # Two numbers at scale 1: first the digits of weight 1, then those of weight 2, and so on.
    script = words(YES, NO, NO, YES, YES, NO, *[NO] * 8)
    bits = ScriptedBits(words(YES, NO, NO, YES, *[NO] * 10))
    assert discrete_laplace(bits, Fraction(1), 1).tolist() == [1 - 2]
    assert discrete_laplace(ScriptedBits(script), Fraction(1), 1).tolist() == [5 - 2]
    assert bits.left == 0


def test_the_halves_of_one_draw_are_subtracted() -> None:
    drawn = geometric(CountedBits("halves"), Fraction(1, 10), 2000)
    noise = discrete_laplace(CountedBits("halves"), Fraction(10), 1000)
    assert noise.tolist() == (drawn[:1000] - drawn[1000:]).tolist()


def test_blocks_join_without_a_seam() -> None:
    sample = discrete_laplace(CountedBits("blocks"), Fraction(3), 2 * BLOCK + 5)
    whole = CountedBits("blocks")
    parts = [discrete_laplace(whole, Fraction(3), size) for size in (BLOCK, BLOCK, 5)]
    assert sample.tolist() == np.concatenate(parts).tolist()


@pytest.mark.parametrize("scale", ["0.3", "1", "7.5", "40"])
def test_the_law(scale: str) -> None:
    """False-alarm rate 1e-6; scales 5 % to either side must be rejected."""
    sample = discrete_laplace(CountedBits(f"laplace {scale}"), Fraction(scale), 400_000)
    assert fits(sample, laplace_law(float(scale)))
    for twin in (0.95, 1.05):
        assert not fits(sample, laplace_law(float(scale) * twin))


def test_the_low_bits() -> None:
    """Z modulo 8 at scale 2 (false-alarm rate 1e-6), where the law is far from uniform."""
    law = dict.fromkeys(range(8), 0.0)
    for value, weight in laplace_law(2.0).items():
        law[value % 8] += weight
    sample = discrete_laplace(CountedBits("low bits"), Fraction(2), 400_000)
    assert fits(sample % 8, law)
    assert not fits(sample % 8, dict.fromkeys(range(8), 1 / 8))


@pytest.mark.integration
@pytest.mark.parametrize("scale", [0.7, 5.0])
def test_opendp_draws_from_the_same_law(scale: float) -> None:
    """OpenDP's own entropy: false-alarm rate 1e-6. Its 5 % wrong twin must be told apart."""
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    size = 200_000
    ours = discrete_laplace(CountedBits(f"opendp {scale}"), Fraction(str(scale)), size)
    theirs = np.array(dp.m.make_laplace(*space, scale=scale)([0] * size))
    assert same_law(ours, theirs)
    wrong = Fraction(str(scale)) * Fraction(95, 100)
    assert not same_law(discrete_laplace(CountedBits("twin"), wrong, size), theirs)


def test_tiny_scales() -> None:
    """At scale 1/10 one draw in 11,000 is not zero; at 1/1000 none is (false alarm 1e-6)."""
    sample = discrete_laplace(CountedBits("tiny"), Fraction(1, 10), 2_000_000)
    assert fits(sample, laplace_law(0.1))
    assert not fits(sample, laplace_law(0.105))
    assert not discrete_laplace(CountedBits("tinier"), Fraction(1, 1000), 100_000).any()


@pytest.mark.parametrize(("power", "kind"), [(50, np.int64), (60, np.object_), (100, np.object_)])
def test_huge_scales(power: int, kind: type) -> None:
    """|Z| / scale is exponential, signs and low digits are fair (false alarm 1e-6 each)."""
    sample = discrete_laplace(CountedBits(f"huge {power}"), Fraction(2**power), 50_000)
    assert sample.dtype == kind
    assert fits(sample % 16, dict.fromkeys(range(16), 1 / 16))
    assert fits(sample > 0, {0: 1 / 2, 1: 1 / 2})
    fifths = np.array([abs(int(z)) * 5 // 2**power for z in sample])
    law = {k: math.exp(-k / 5) * -math.expm1(-1 / 5) for k in range(200)}
    assert fits(fifths, law)
    assert not fits(np.array([abs(int(z)) * 21 // (4 * 2**power) for z in sample]), law)


def test_a_scale_must_be_positive() -> None:
    with pytest.raises(ValueError, match="positive"):
        discrete_laplace(ScriptedBits(b""), Fraction(0), 1)
