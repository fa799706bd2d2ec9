"""Conjugate gradients and the matrix written down give the same multipliers."""

from __future__ import annotations

import numpy as np

from sudare.synthesis.matching.gradients import solved
from sudare.synthesis.matching.least import _dense, _pairs


def test_gradients_and_matrix_agree() -> None:
    source = np.random.default_rng(4)
    z = source.normal(size=(300, 6)) @ source.normal(size=(6, 6))
    moves = np.array([0, 2, 3, 5])
    give = source.random((300, 4))
    known = source.random((6, 6)) < 0.7
    known = known | known.T | np.eye(6, dtype=bool)
    first, second = _pairs(moves, known)
    rights = source.normal(size=len(moves) + len(first))
    exact = _dense(z, give, moves, first, second, rights)
    found = solved(z, give, moves, first, second, rights)
    assert np.max(np.abs(found - exact)) <= 1e-3 * np.max(np.abs(exact))


def test_pairs_are_named_once() -> None:
    known = np.ones((4, 4), np.bool_)
    known[0, 3] = known[3, 0] = False
    first, second = _pairs(np.array([0, 2]), known)
    named = [tuple(sorted(pair)) for pair in zip(first.tolist(), second.tolist(), strict=True)]
    assert sorted(named) == [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 3)]
