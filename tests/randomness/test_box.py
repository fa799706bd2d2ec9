"""Whole vectors whose chance falls with their largest entry."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from sudare.randomness.box import discrete_box
from support.bits import CountedBits
from support.goodness import fits


def law(scale: float, cells: int, most: int) -> dict[int, float]:
    """Vectors as numbers in base 2·most + 1; the normalizing sum runs over all of them."""
    shells = [(2 * t + 1) ** cells - (2 * t - 1) ** cells if t else 1 for t in range(4000)]
    whole = math.fsum(n * math.exp(-t / scale) for t, n in enumerate(shells))
    points = itertools.product(range(-most, most + 1), repeat=cells)
    return {coded(z, most): math.exp(-max(map(abs, z)) / scale) / whole for z in points}


def coded(z: tuple[int, ...], most: int) -> int:
    found = 0
    for entry in z:
        found = found * (2 * most + 1) + entry + most
    return found


def numbers(drawn: np.ndarray, most: int) -> np.ndarray:
    """Vectors beyond `most` are one number."""
    inside = np.abs(drawn).max(axis=1) <= most
    places = (2 * most + 1) ** np.arange(drawn.shape[1])[::-1]
    return np.where(inside, (drawn + most) @ places, -1)


@pytest.mark.parametrize(("cells", "scale"), [(1, "1"), (2, "4"), (2, "17/3")])
def test_the_law_point_by_point(cells: int, scale: str) -> None:
    """False-alarm rate 1e-6; twins whose scale is 5 % off are rejected."""
    drawn = discrete_box(CountedBits(f"box {cells} {scale}"), Fraction(scale), cells, 400_000)
    most, wide = 6, float(Fraction(scale))
    assert fits(numbers(drawn, most), law(wide, cells, most))
    for twin in (0.95, 1.05):
        assert not fits(numbers(drawn, most), law(wide * twin, cells, most))


def largest_law(scale: float, cells: int) -> dict[int, float]:
    shells = [(2 * t + 1) ** cells - (2 * t - 1) ** cells if t else 1 for t in range(3000)]
    weights = [n * math.exp(-t / scale) for t, n in enumerate(shells)]
    whole = math.fsum(weights)
    return {t: weight / whole for t, weight in enumerate(weights)}


def test_the_largest_entry_of_many_cells() -> None:
    """Few small cubes are kept here, which a sampler that keeps all of them would not know."""
    drawn = discrete_box(CountedBits("many"), Fraction(25), 5, 300_000)
    largest = np.abs(drawn).max(axis=1)
    assert fits(largest, largest_law(25.0, 5))
    assert not fits(largest, largest_law(25.0 * 0.95, 5))
    # Without the coins the cube's half width would be a sum of geometric numbers.
    assert not fits(largest, largest_law(25.0, 6))


def test_long_numbers_follow_the_same_law() -> None:
    """Scales beyond int64: entries in units of the scale have the mean square (m+1)(m+2)/3."""
    scale, cells = Fraction(10**40), 3
    drawn = discrete_box(CountedBits("long"), scale, cells, 4000)
    assert drawn.dtype == object
    shares = (drawn / int(scale)).astype(float)
    wanted = (cells + 1) * (cells + 2) / 3
    # The mean of 12,000 squares; 5 deviations, each about 2.5 of a mean of 6.7 in one entry.
    assert np.mean(shares**2) == pytest.approx(wanted, rel=0.12)
    assert len({int(entry) % 7 for entry in drawn[:, 0]}) == 7


def test_small_scales_are_refused() -> None:
    with pytest.raises(ValueError, match="at least their square"):
        discrete_box(CountedBits("small"), Fraction(15), 4, 1)
