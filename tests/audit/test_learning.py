"""Audit of k-means, PCA and regressions under Laplace noise: from rows to noisy cells.

As in test_questions.py the worst pair of neighbours is found by enumeration
(tests/support/learned_pairs.py), and ε is bounded from below on the privacy loss of all noisy
cells. k-means is audited stage by stage: the cells of its start and a round (landmarks are a round
too). A logistic regression likewise: one look at coefficients (gradient and curvature together) and
its gauge. Where a stage is one block the loss is an integer, so that its low bits are looked at
too. One noisy cell is audited as it is released, with thresholds and low bits. Gaussian noise is in
test_learning_gaussian.py.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.relation import Relation
from sudare.mechanisms.box_noise import BoxNoise
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.queries.noising import Noising
from sudare.randomness.box import discrete_box
from support.audit import audit, in_parts
from support.bits import CountedBits
from support.learned_pairs import CASES, Change, loss_of

SIZE = 2_000_000
SHORT = Fraction(95, 100)


def bound(change: Change, noising: Noising, factor: Fraction, label: str) -> float:
    """The audited ε; `factor` is what the twin's scale is of the right one."""
    bits = CountedBits(label)
    parts = list(zip(change, noising.mechanisms, strict=True))
    steps = [
        (int(step), one.scale * factor)
        for block, one in parts
        if isinstance(one, DiscreteLaplace)
        for step in block[block != 0]
    ]
    boxes = [
        (block * np.array(one.steps), one.scale * factor)
        for block, one in parts
        if isinstance(one, BoxNoise)
    ]
    alone = len(noising.mechanisms) == 1

    def drawn(moved: bool, count: int) -> NDArray[Any]:
        loss: NDArray[Any] = np.zeros(count, dtype=np.int64 if alone else np.float64)
        for step, scale in steps:
            noise = DiscreteLaplace(Relation.ADD_REMOVE, 1, scale, count)
            noisy = noise.apply_array(np.full(count, step if moved else 0), bits)
            part = np.abs(noisy - step) - np.abs(noisy)
            loss += part if alone else part / float(scale)
        for moves, scale in boxes:
            many = discrete_box(bits, scale, len(moves), count) + (moves if moved else 0)
            gone = np.abs(many - moves).max(axis=1) - np.abs(many).max(axis=1)
            loss += gone / float(scale)
        return loss

    draws = [in_parts(lambda n, moved=moved: drawn(moved, n)) for moved in (False, True)]
    return audit(draws[0], draws[1], SIZE).epsilon


# The ε that is claimed, and what the worst pair shows of it: all, but for second moments under
# replace-one, where no row moves every block as far as it may, and for a look: a row with a
# surprising label moves the gradient fully, but counts next to nothing in the curvature. Where less
# is shown more is claimed, so that the audit has as much to see.
ATTAINED = {
    ("pca", "add-remove"): (1, 1.0, 1.0),
    ("pca", "replace-one"): (2, 0.6, 0.99),
    ("linear", "add-remove"): (1, 1.0, 1.0),
    ("look", "add-remove"): (1, 0.75, 0.95),
    ("look", "replace-one"): (1, 0.75, 0.95),
    ("gauge", "add-remove"): (1, 1.0, 1.0),
    ("gauge", "replace-one"): (1, 1.0, 1.0),
    ("round", "add-remove"): (1, 1.0, 1.0),
    ("round", "replace-one"): (1, 1.0, 1.0),
    ("round of one column", "add-remove"): (1, 1.0, 1.0),
    ("cells", "add-remove"): (1, 1.0, 1.0),
    ("cells", "replace-one"): (1, 1.0, 1.0),
}


# The same noise on other blocks, or on as many with twice the sensitivity.
SLOW = {("linear", "add-remove")} | {
    (case, "replace-one") for case in ("pca", "look", "round", "gauge", "cells")
}


@pytest.mark.parametrize(
    ("case", "relation"),
    [pytest.param(*key, marks=pytest.mark.slow) if key in SLOW else key for key in ATTAINED],
)
def test_learning_keeps_its_claim(case: str, relation: str) -> None:
    claim, low, high = ATTAINED[case, relation]
    noising, change = CASES[case](relation, "laplace", Fraction(claim))
    attained = float(loss_of(change, noising))
    assert low * claim <= attained <= high * claim
    found = bound(change, noising, Fraction(1), f"audit {case} {relation}")
    assert 0.9 * attained <= found <= attained
    # The twin believes in sensitivities that are 5 % too small.
    twin = bound(change, noising, SHORT, f"twin {case} {relation}")
    assert twin > (attained if found >= 0.95 * attained else 1.03 * found)


@pytest.mark.parametrize("case", ["pca", pytest.param("round", marks=pytest.mark.slow)])
def test_a_noisy_cell_keeps_its_claim_to_the_last_bit(case: str) -> None:
    """The last block's cell as it is released; the twin's noise is 5 % too little."""
    noising, change = CASES[case]("add-remove", "laplace", Fraction(1))
    one, step = noising.mechanisms[-1], int(np.abs(change[-1]).max())
    assert isinstance(one, DiscreteLaplace)
    assert step == one.l1_sensitivity
    epsilon = float(one.l1_sensitivity / one.scale)

    def bounded(factor: Fraction, label: str) -> float:
        bits = CountedBits(label)

        def drawn(value: int, count: int) -> NDArray[Any]:
            noise = DiscreteLaplace(one.relation, one.l1_sensitivity, one.scale * factor, count)
            return noise.apply_array(np.full(count, value), bits)

        parts = [in_parts(lambda n, value=value: drawn(value, n)) for value in (0, step)]
        return audit(parts[0], parts[1], 8_000_000).epsilon

    assert 0.95 * epsilon <= bounded(Fraction(1), f"cell {case}") <= epsilon
    assert bounded(SHORT, f"cell twin {case}") > epsilon
