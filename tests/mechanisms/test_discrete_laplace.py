"""The discrete Laplace mechanism."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from sudare.facts.errors import InvalidPlan
from sudare.facts.events import LaplaceEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.randomness.laplace import discrete_laplace
from support.bits import CountedBits, ScriptedBits
from support.goodness import fits
from support.laws import laplace_law

ADD_REMOVE = Relation.ADD_REMOVE


def test_epsilon_sets_the_scale_exactly() -> None:
    mechanism = DiscreteLaplace.for_epsilon(ADD_REMOVE, 7, Fraction(3, 10), 4)
    assert mechanism.scale == Fraction(70, 3)
    assert mechanism.event() == LaplaceEvent(ADD_REMOVE, 7, Fraction(70, 3), 4)
    assert mechanism.event().epsilon == Fraction(3, 10)


def test_noise_is_added_cell_by_cell() -> None:
    mechanism = DiscreteLaplace(ADD_REMOVE, 1, Fraction(5), 3)
    noise = discrete_laplace(CountedBits("cells"), Fraction(5), 3).tolist()
    values = [10, -3, 2**90]
    noisy = mechanism.apply(values, CountedBits("cells"))
    assert noisy == [v + z for v, z in zip(values, noise, strict=True)]
    short = np.array([10, -3, 2**40])
    assert mechanism.apply_array(short, CountedBits("cells")).tolist() == [
        v + z for v, z in zip(short.tolist(), noise, strict=True)
    ]


def test_the_law_of_the_answers() -> None:
    """False-alarm rate 1e-6; a mechanism whose scale is 5 % off must be rejected."""
    size = 300_000
    mechanism = DiscreteLaplace.for_epsilon(ADD_REMOVE, 2, Fraction(1, 2), size)
    noisy = mechanism.apply_array(np.full(size, 1000), CountedBits("law"))
    assert fits(noisy - 1000, laplace_law(4.0))
    for twin in (3.8, 4.2):
        assert not fits(noisy - 1000, laplace_law(twin))


@pytest.mark.parametrize("scale", ["0.2", "1", "3.7", "25"])
def test_the_variance_is_that_of_the_law(scale: str) -> None:
    law = laplace_law(float(scale))
    wanted = math.fsum(z * z * p for z, p in law.items())
    mechanism = DiscreteLaplace(ADD_REMOVE, 1, Fraction(scale), 1)
    assert mechanism.variance == pytest.approx(wanted, rel=1e-9)


def test_the_variance_of_extreme_scales() -> None:
    assert DiscreteLaplace(ADD_REMOVE, 1, Fraction(1, 1000), 1).variance == 0.0
    huge = DiscreteLaplace(ADD_REMOVE, 1, Fraction(2**100), 1)
    assert huge.variance == pytest.approx(2.0 * 2.0**200)


@pytest.mark.parametrize(
    ("sensitivity", "epsilon", "cells"), [(0, 1, 1), (-1, 1, 1), (1, 0, 1), (1, -1, 1), (1, 1, 0)]
)
def test_parameters_must_be_positive(sensitivity: int, epsilon: int, cells: int) -> None:
    with pytest.raises(InvalidPlan, match="must be positive"):
        DiscreteLaplace.for_epsilon(ADD_REMOVE, sensitivity, Fraction(epsilon), cells)


def test_only_the_cells_that_were_charged() -> None:
    mechanism = DiscreteLaplace(ADD_REMOVE, 1, Fraction(1), 2)
    with pytest.raises(InvalidPlan, match="2 cells and got 3"):
        mechanism.apply([1, 2, 3], ScriptedBits(b""))
    with pytest.raises(InvalidPlan, match="2 cells and got 1"):
        mechanism.apply_array(np.array([1]), ScriptedBits(b""))
