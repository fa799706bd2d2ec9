"""The second look goes to the tables that depend, and costs what it says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from sudare.facts.relation import Relation
from sudare.facts.statistics import Marginal, Statistics
from sudare.synthesis.dependent import most_dependent
from sudare.synthesis.measuring import measuring
from support.bits import CountedBits

COLUMNS = tuple("abcde")


def noisy(noise: float) -> Statistics:
    """Five labels columns of 1,000 rows; only a and d depend on each other."""
    draw = np.random.default_rng(7)
    marginals = tuple(
        Marginal(name, "category", np.full(4, 250.0), np.arange(4), labels=tuple("wxyz"))
        for name in COLUMNS
    )
    crosses = {}
    for place, a in enumerate(COLUMNS):
        for b in COLUMNS[place + 1 :]:
            exact = np.full((4, 4), 62.5)
            if (a, b) == ("a", "d"):
                exact = np.diag(np.full(4, 250.0))
            crosses[a, b] = exact + draw.normal(0, noise, (4, 4))
    told = dict.fromkeys(crosses, noise) | {(name, name): noise for name in COLUMNS}
    return Statistics("t", "private", 1000.0, marginals, crosses, noise=told)


@pytest.mark.parametrize("noise", [1.0, 20.0])
def test_the_dependent_pair_comes_first(noise: float) -> None:
    assert most_dependent(noisy(noise), 1) == [("a", "d")]
    assert len(most_dependent(noisy(noise), 3)) == 3
    assert most_dependent(noisy(noise), 0) == []


def test_without_the_dependence_the_pair_is_none_of_the_first() -> None:
    """The twin: the same noise over independent columns does not bring a and d to the front."""
    given = noisy(20.0)
    crosses = dict(given.crosses)
    crosses["a", "d"] = np.full((4, 4), 62.5)
    assert ("a", "d") not in most_dependent(replace(given, crosses=crosses), 3)


@pytest.mark.parametrize("delta", ["0", "1e-9"])
def test_two_looks_have_the_noise_that_is_stated(delta: str) -> None:
    given = measuring(6, 15, Relation.ADD_REMOVE, 1, Fraction(1), Fraction(delta))
    assert given.chosen == 6
    exact, bits = np.full(40_000, 10_000, np.int64), CountedBits(f"looks {delta}")
    first = given.table(exact, bits).astype(np.float64)
    both = given.second_look(first, exact, bits)
    # 40,000 cells: the standard deviation is off by 2 % less than once in a million runs.
    assert np.std(both) == pytest.approx(given.noise_again, rel=0.03)
    assert given.noise_again < 0.9 * given.noise_two
    assert abs(np.mean(both) - 10_000) < 5 * given.noise_again / 200
