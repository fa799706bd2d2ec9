"""The truncated geometric mechanism."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from sudare.facts.errors import InvalidPlan
from sudare.facts.relation import Relation
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.mechanisms.geometric import TruncatedGeometric
from support.bits import CountedBits, ScriptedBits
from support.goodness import fits
from support.laws import laplace_law

ADD_REMOVE = Relation.ADD_REMOVE


def clamped_law(value: int, scale: float, low: int, high: int) -> dict[int, float]:
    law = dict.fromkeys(range(low, high + 1), 0.0)
    for noise, weight in laplace_law(scale).items():
        law[min(max(value + noise, low), high)] += weight
    return law


def test_the_cost_is_that_of_the_noise_before_clamping() -> None:
    mechanism = TruncatedGeometric.for_epsilon(ADD_REMOVE, 3, Fraction(1, 2), 5, 0, 100)
    assert mechanism.event() == DiscreteLaplace(ADD_REMOVE, 3, Fraction(6), 5).event()
    assert mechanism.event().epsilon == Fraction(1, 2)


@pytest.mark.parametrize(("low", "high"), [(0, None), (0, 6), (2, 5)])
def test_answers_are_the_clamped_noisy_counts(low: int, high: int | None) -> None:
    values, size = [0, 3, 6] * 50, 150
    noisy = DiscreteLaplace(ADD_REMOVE, 1, Fraction(4), size).apply(values, CountedBits("clamp"))
    top = 10**9 if high is None else high
    wanted = [min(max(each, low), top) for each in noisy]
    mechanism = TruncatedGeometric(ADD_REMOVE, 1, Fraction(4), size, low, high)
    assert mechanism.apply(values, CountedBits("clamp")) == wanted
    assert mechanism.apply_array(np.array(values), CountedBits("clamp")).tolist() == wanted


def test_the_law_of_the_answers() -> None:
    """False-alarm rate 1e-6; scales 5 % to either side must be rejected."""
    size = 300_000
    mechanism = TruncatedGeometric(ADD_REMOVE, 1, Fraction(2), size, 0, 8)
    answers = mechanism.apply_array(np.full(size, 3), CountedBits("law"))
    assert fits(answers, clamped_law(3, 2.0, 0, 8))
    for twin in (1.9, 2.1):
        assert not fits(answers, clamped_law(3, twin, 0, 8))


def test_long_counts_stay_exact() -> None:
    mechanism = TruncatedGeometric(ADD_REMOVE, 1, Fraction(1), 1, 0, 2**80)
    assert mechanism.apply([2**90], CountedBits("long")) == [2**80]


@pytest.mark.parametrize(("low", "high"), [(0, 0), (5, 4)])
def test_an_empty_range_is_refused(low: int, high: int) -> None:
    with pytest.raises(InvalidPlan, match="range of a count is empty"):
        TruncatedGeometric(ADD_REMOVE, 1, Fraction(1), 1, low, high)


@pytest.mark.parametrize(("sensitivity", "epsilon", "cells"), [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_parameters_must_be_positive(sensitivity: int, epsilon: int, cells: int) -> None:
    with pytest.raises(InvalidPlan, match="must be positive"):
        TruncatedGeometric.for_epsilon(ADD_REMOVE, sensitivity, Fraction(epsilon), cells)


def test_only_the_cells_that_were_charged() -> None:
    with pytest.raises(InvalidPlan, match="1 cells and got 2"):
        TruncatedGeometric(ADD_REMOVE, 1, Fraction(1), 1).apply([1, 2], ScriptedBits(b""))
