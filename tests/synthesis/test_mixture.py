"""The mixture: its tables are those of one distribution, and they come near what is asked."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from sudare.synthesis.mixture import Mixture, fit
from support.bits import CountedBits

OFFSETS = np.array([0, 3, 5, 9])


def truth(label: int = 0) -> np.ndarray:
    """The two-way tables of a random distribution of three columns, as targets."""
    draw = np.random.default_rng(label)
    joint = draw.gamma(0.5, size=(3, 2, 4))
    joint /= joint.sum()
    found = np.zeros((9, 9), np.float32)
    for a in range(3):
        for b in range(3):
            rest = tuple({0, 1, 2} - {a, b})
            block = joint.sum(axis=rest)
            if a == b:
                block = np.diag(block)
            elif a > b:
                block = block.T
            found[OFFSETS[a] : OFFSETS[a + 1], OFFSETS[b] : OFFSETS[b + 1]] = block
    return found


def off_diagonal(matrix: np.ndarray) -> np.ndarray:
    found = np.array(matrix, dtype=np.float64)
    for a, b in pairwise(OFFSETS.tolist()):
        found[a:b, a:b] = 0
    return found


@pytest.mark.parametrize("label", range(4))
def test_two_way_tables_are_met(label: int) -> None:
    given = truth(label)
    found = fit(given, OFFSETS, CountedBits("fit"), components=20, rounds=600)
    assert np.abs(off_diagonal(found.pairs()) - off_diagonal(given)).max() < 2e-3
    assert found.weights.sum() == pytest.approx(1)
    for place in range(3):
        assert found.column(place).sum(axis=1) == pytest.approx(np.ones(20), abs=1e-5)


def likelihood(found: Mixture, given: np.ndarray) -> float:
    wanted = off_diagonal(given)
    return float((wanted * np.log(np.maximum(found.pairs(), 1e-12))).sum())


def test_every_round_climbs() -> None:
    given = truth(9)
    climbs = [
        likelihood(fit(given, OFFSETS, CountedBits("climb"), components=6, rounds=rounds), given)
        for rounds in (1, 4, 10, 40, 120)
    ]
    assert climbs == sorted(climbs)


def test_an_unknown_pair_is_left_alone() -> None:
    given = truth(2)
    given[0:3, 5:9] = 0
    given[5:9, 0:3] = 0
    found = fit(given, OFFSETS, CountedBits("masked"), components=20, rounds=600)
    known = off_diagonal(given) > 0
    assert np.abs(found.pairs() - given)[known].max() < 3e-3


def test_one_column_is_its_histogram() -> None:
    given = np.diag(np.array([0.5, 0.3, 0.2], np.float32))
    found = fit(given, np.array([0, 3]), CountedBits("one"), components=5)
    assert found.column(0) == pytest.approx(np.tile([0.5, 0.3, 0.2], (5, 1)), abs=1e-6)


def test_tables_that_contradict_each_other_still_give_one_distribution() -> None:
    given = truth(1)
    given[0:3, 3:5] = np.full((3, 2), 1 / 6)
    found = fit(given, OFFSETS, CountedBits("torn"), components=20, rounds=100)
    margins = [found.pairs()[0:3, 3:5].sum(axis=1), found.pairs()[0:3, 5:9].sum(axis=1)]
    assert margins[0] == pytest.approx(margins[1], abs=1e-6)


def test_progress_is_told() -> None:
    told: list[float] = []
    fit(truth(), OFFSETS, CountedBits("told"), components=3, rounds=20, watch=told.append)
    assert told == sorted(told)
    assert told[-1] == 1
