"""Rounded Laplace: the right law, a twin that is caught, and the coin at zero."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from sudare.randomness.rounded_laplace import rounded_laplace
from support.bits import CountedBits
from support.goodness import fits

SCALES = [Fraction(1, 3), Fraction(7, 2), Fraction(40)]


def law(scale: float, reach: int) -> dict[int, float]:
    """P[Z = z] of the nearest whole number of a real Laplace number."""

    def beyond(k: int) -> float:
        return 1.0 if k == 0 else math.exp(-(k - 0.5) / scale)

    chances = {0: 1 - beyond(1)}
    for k in range(1, reach):
        chances[k] = chances[-k] = (beyond(k) - beyond(k + 1)) / 2
    return chances


@pytest.mark.parametrize("scale", SCALES, ids=str)
def test_the_law_is_right_and_five_percent_less_is_noticed(scale: Fraction) -> None:
    sample = rounded_laplace(CountedBits(f"rounded {scale}"), scale, 200_000)
    assert fits(sample, law(float(scale), 400))
    narrow = rounded_laplace(CountedBits(f"narrow {scale}"), scale * Fraction(95, 100), 200_000)
    assert not fits(narrow, law(float(scale), 400))


def test_a_tiny_scale_moves_nothing() -> None:
    assert not rounded_laplace(CountedBits("tiny"), Fraction(1, 2**80), 1000).any()
    with pytest.raises(ValueError, match="positive"):
        rounded_laplace(CountedBits("none"), Fraction(0), 1)
