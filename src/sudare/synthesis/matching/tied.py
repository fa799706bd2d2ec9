"""Numbers that say the same: a correlation of 1 or −1 means y = a x + b in every row.

Claim    of two complete columns with |R| = 1 one follows from the other, so that only one of them
         is matched and the other is computed from it: no change of values in either alone could
         keep R.
Needs    a and b whole where y is (otherwise both are matched like any columns), and x kept where
         y is inside its bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats
from sudare.synthesis.matching.goal import Goal

_ONE = 1e-9
_WHOLE = 1e-6


@dataclass(frozen=True)
class Tie:
    """Column `child` is slope × column `parent` + offset, in grid indices."""

    child: int
    parent: int
    slope: float
    offset: float

    def value(self, indices: Floats) -> Floats:
        return self.slope * indices[:, self.parent] + self.offset


def ties_of(goal: Goal, free: NDArray[np.bool_]) -> list[Tie]:
    """Ties among the `free` columns (complete, without rules); no parent is a child."""
    found: list[Tie] = []
    children: set[int] = set()
    parents: set[int] = set()
    for parent in np.argsort(goal.deviation, kind="stable").tolist():
        for child in np.flatnonzero(free & goal.known[parent]).tolist():
            if not free[parent] or parent in children or child in {parent, *children, *parents}:
                continue
            tie = _tie(goal, child, parent)
            if tie is not None:
                found.append(tie)
                children.add(child)
                parents.add(parent)
    return found


def _tie(goal: Goal, child: int, parent: int) -> Tie | None:
    related = float(goal.wanted[child, parent])
    if abs(related) < 1 - _ONE:
        return None
    slope = float(np.sign(related) * goal.deviation[child] / goal.deviation[parent])
    offset = float(goal.mean[child] - slope * goal.mean[parent])
    if not goal.whole[child]:
        return Tie(child, parent, slope, offset)
    whole = round(slope), round(offset)
    is_whole = abs(slope - whole[0]) < _WHOLE and abs(offset - whole[1]) < _WHOLE
    return Tie(child, parent, *map(float, whole)) if is_whole and goal.whole[parent] else None


def narrowed(goal: Goal, ties: list[Tie]) -> Goal:
    """Parents bounded so that their children stay inside their own bounds."""
    low, high = goal.low.copy(), goal.high.copy()
    for each in ties:
        ends = sorted(
            (bound[each.child] - each.offset) / each.slope for bound in (goal.low, goal.high)
        )
        if goal.whole[each.parent]:
            ends = [float(np.ceil(ends[0] - _WHOLE)), float(np.floor(ends[1] + _WHOLE))]
        low[each.parent] = max(low[each.parent], ends[0])
        high[each.parent] = min(high[each.parent], ends[1])
    return replace(goal, low=low, high=high)
