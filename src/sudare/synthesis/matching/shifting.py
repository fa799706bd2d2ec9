"""Newton's method for the columns that are as good as continuous.

Claim    repeated, the change of least.py converges quadratically. g is 0 at the bounds, so that a
         value at its bound stays there.
Needs    moments that some table within the bounds can have; otherwise the gap that is left is
         reported by the caller.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats
from sudare.randomness.bits import RandomBits
from sudare.randomness.floats import uniforms
from sudare.synthesis.matching.goal import Goal, gap_of
from sudare.synthesis.matching.least import least_change

_SHARES = (0.02, 0.1, 0.4, 1.0)
_STEPS = 25
_DONE = 1e-12
# A step moves nobody by more than this share of the way to the bound.
_FURTHEST = 0.9


@dataclass(frozen=True, eq=False)
class Room:
    """How far every value may go: the interval that its rules and bounds leave it."""

    low: Floats
    high: Floats


def shift(
    indices: Floats,
    present: NDArray[np.bool_],
    goal: Goal,
    room: Room,
    movable: NDArray[np.bool_],
    held: NDArray[np.bool_],
    bits: RandomBits,
) -> Floats:
    """New indices; only the movable columns of a few rows differ, of more rows where few cannot
    close the gap. Values that are `held` move only where the others cannot close it alone."""
    moves = np.flatnonzero(movable)
    if not len(moves) or not len(indices):
        return indices
    best, least = indices, gap_of(goal.standard(indices, present), goal).largest
    chance = uniforms(bits, len(indices))
    tries = [(present & ~held, share) for share in _SHARES] if held.any() else []
    for free, share in [*tries, *((present, share) for share in _SHARES)]:
        rows = np.flatnonzero(chance <= share)
        found = _newton(indices, present, free, goal, room, moves, rows)
        left = gap_of(goal.standard(found, present), goal)
        closed = _concerning(left.sums, left.products, moves)
        if closed < least:
            best, least = found, closed
        if closed <= 1e-8:
            break
    return best


def _concerning(sums: Floats, products: Floats, moves: NDArray[np.intp]) -> float:
    whole = float(np.max(np.abs(products[moves]), initial=0.0))
    return max(whole, float(np.max(np.abs(sums[moves]), initial=0.0)))


def _newton(
    indices: Floats,
    present: NDArray[np.bool_],
    free: NDArray[np.bool_],
    goal: Goal,
    room: Room,
    moves: NDArray[np.intp],
    rows: NDArray[np.intp],
) -> Floats:
    z = goal.standard(indices, present)
    low = (room.low[np.ix_(rows, moves)] - goal.mean[moves]) / goal.deviation[moves]
    high = (room.high[np.ix_(rows, moves)] - goal.mean[moves]) / goal.deviation[moves]
    own = free[np.ix_(rows, moves)]
    last = np.inf
    for _ in range(_STEPS):
        gap = gap_of(z, goal)
        size = _concerning(gap.sums, gap.products, moves)
        if size <= _DONE or size > 4 * last:
            break
        last = min(last, size)
        part = z[rows]
        held = part[:, moves]
        near = np.minimum(held - low, high - held)
        give = np.where(own, np.clip(near, 0.0, 1.0), 0.0)
        change = least_change(part, give, moves, gap.sums, gap.products, goal.known, len(z))
        z[np.ix_(rows, moves)] = held + np.clip(change, -_FURTHEST * near, _FURTHEST * near) * own
    found = indices.copy()
    back = z[np.ix_(rows, moves)] * goal.deviation[moves] + goal.mean[moves]
    found[np.ix_(rows, moves)] = np.where(own, back, indices[np.ix_(rows, moves)])
    return found
