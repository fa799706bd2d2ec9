"""Audit of noise for cells that move together: the worst change moves all of them by their reach.

The privacy loss is a whole number of steps, so that thresholds and low bits are looked at; one cell
is audited as it is released too. A twin with 5 % less noise must fail.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.relation import Relation
from sudare.mechanisms.box_noise import BoxNoise
from sudare.randomness.box import discrete_box
from support.audit import audit, in_parts
from support.bits import CountedBits

REACHES = (2, 3, 6)
SHORT = Fraction(95, 100)


def bound(epsilon: Fraction, factor: Fraction, label: str, one_cell: bool, size: int) -> float:
    noise = BoxNoise(Relation.ADD_REMOVE, REACHES, epsilon)
    bits, moves = CountedBits(label), np.array(noise.steps) * np.array(noise.reaches)

    def drawn(moved: bool, count: int) -> NDArray[Any]:
        many = discrete_box(bits, noise.scale * factor, noise.cells, count)
        many = many + (moves if moved else 0)
        if one_cell:
            return np.asarray(many[:, 0])
        return np.asarray(np.abs(many - moves).max(axis=1) - np.abs(many).max(axis=1))

    draws = [in_parts(lambda n, moved=moved: drawn(moved, n)) for moved in (False, True)]
    return audit(draws[0], draws[1], size).epsilon


@pytest.mark.integration
def test_a_box_keeps_its_claim_and_uses_it() -> None:
    claim = Fraction(1)
    assert 0.95 <= bound(claim, Fraction(1), "box", False, 2_000_000) <= 1
    assert bound(claim, SHORT, "box twin", False, 2_000_000) > 1


@pytest.mark.slow
def test_a_cell_alone_tells_less() -> None:
    """The other cells hide a part of what one would tell by itself."""
    found = bound(Fraction(1), Fraction(1), "box cell", True, 2_000_000)
    assert 0.3 <= found <= 0.95
