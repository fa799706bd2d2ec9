"""Audits of the pure mechanisms: never above the claim, close to it, and they catch a 5 % twin.

Each audit states its bound at confidence 1 - 1e-6, so a sound mechanism fails one run in a million
streams; the streams are fixed. The inputs are the worst case that each derivation names.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from sudare.facts.relation import Relation
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.mechanisms.geometric import TruncatedGeometric
from sudare.mechanisms.permute_and_flip import PermuteAndFlip
from support.audit import AuditResult, Draw, audit, in_parts, size_for
from support.bits import CountedBits
from support.tiers import now_only

EPSILONS = [Fraction(text) for text in ("0.1", "0.5", "1", "2", "4")]
RELATION = Relation.ADD_REMOVE
LOW_SCALE = Fraction(95, 100)


def laplace(epsilon: Fraction, factor: Fraction, value: int, label: str) -> Draw:
    """Discrete Laplace at sensitivity 1, its scale multiplied by `factor`."""
    bits = CountedBits(label)

    def draw(count: int) -> np.ndarray:
        mechanism = DiscreteLaplace(RELATION, 1, factor / epsilon, count)
        return mechanism.apply_array(np.full(count, value), bits)

    return draw


def geometric(epsilon: Fraction, factor: Fraction, value: int, label: str) -> Draw:
    """The truncated geometric mechanism on a count between 0 and 9, at sensitivity 2."""
    bits = CountedBits(label)

    def draw(count: int) -> np.ndarray:
        mechanism = TruncatedGeometric(RELATION, 2, factor * 2 / epsilon, count, 0, 9)
        return mechanism.apply_array(np.full(count, 2 * value), bits)

    return draw


def selection(epsilon: Fraction, factor: Fraction, value: int, label: str) -> Draw:
    """Permute-and-flip between two candidates whose equal scores move apart by 2 in all."""
    bits = CountedBits(label)

    def draw(count: int) -> np.ndarray:
        mechanism = PermuteAndFlip(RELATION, Fraction(1), epsilon / factor)
        scores = np.tile(np.array([-value, value]), (count, 1))
        return mechanism.apply_rows(scores, Fraction(1), bits)

    return draw


def run(kind: str, epsilon: Fraction, factor: Fraction) -> AuditResult:
    make = {"laplace": laplace, "geometric": geometric, "selection": selection}[kind]
    draws = [
        in_parts(make(epsilon, factor, value, f"{kind} {epsilon} {factor} {value}"))
        for value in (0, 1)
    ]
    return audit(*draws, size_for(float(epsilon)))


@pytest.mark.parametrize("epsilon", now_only(EPSILONS, Fraction(1)), ids=str)
@pytest.mark.parametrize("kind", ["laplace", "geometric", "selection"])
def test_the_bound_is_tight_and_never_above_the_claim(kind: str, epsilon: Fraction) -> None:
    result = run(kind, epsilon, Fraction(1))
    assert 0.95 * epsilon <= result.epsilon <= epsilon


@pytest.mark.parametrize("epsilon", now_only(EPSILONS, Fraction(1)), ids=str)
@pytest.mark.parametrize("kind", ["laplace", "geometric", "selection"])
def test_a_scale_five_percent_too_low_is_caught(kind: str, epsilon: Fraction) -> None:
    assert run(kind, epsilon, LOW_SCALE).epsilon > epsilon
