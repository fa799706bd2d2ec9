"""Which values of a column take a step up or down, so that their effects add up to a gap.

Claim    of the linear program "fewest steps whose effects add up to the gap", a vertex has no more
         steps that are taken in part than there are effects to add up; all others are taken or not.
         The parts are rounded in every way and the best kept, and what is left is mended by turning
         one or two decisions, so that less than one step's effect remains, however large the gap.
Source   linear programming (a basic solution has at most as many non-bound variables as equations);
         HiGHS's dual simplex returns one.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from sudare.facts.extras import needs
from sudare.facts.statistics import Floats

# What a gap of a typical step's effect costs if it is left, against the step itself.
_LEFT = 100.0
_MOST_PARTS = 12
_WHOLE = 1e-7
_SOME = 250
_MENDS = 12


def choose_steps(effects: Floats, gap: Floats, scale: Floats) -> NDArray[np.bool_]:
    """Which of the steps (rows of `effects`) to take; `scale` says how much of each gap matters as
    much as one of another."""
    count, equations = effects.shape
    if not count or not equations:
        return np.zeros(count, np.bool_)
    with needs("synthesis"):
        from scipy.optimize import linprog

    units = effects.T / scale[:, None]
    slack = np.eye(equations)
    sizes = np.abs(units[units != 0.0])
    typical = float(np.median(sizes)) if len(sizes) else 1.0
    found = linprog(
        np.concatenate([np.ones(count), np.full(2 * equations, _LEFT / typical)]),
        A_eq=np.hstack([units, slack, -slack]),
        b_eq=gap / scale,
        bounds=[(0, 1)] * count + [(0, None)] * (2 * equations),
        method="highs-ds",
    )
    if found.x is None:
        return np.zeros(count, np.bool_)
    share = found.x[:count]
    taken = share > 0.5
    parts = np.flatnonzero((share > _WHOLE) & (share < 1 - _WHOLE))
    parts = parts[np.argsort(np.abs(share[parts] - 0.5), kind="stable")][:_MOST_PARTS]
    if len(parts):
        taken[parts] = False
        rest = (gap - effects[taken].sum(axis=0)) / scale
        ways = np.array(list(product((False, True), repeat=len(parts))))
        left = np.max(np.abs(rest - ways @ (effects[parts] / scale)), axis=1)
        taken[parts] = ways[int(np.argmin(left))]
    return _mended(taken, effects / scale, gap / scale)


def _mended(taken: NDArray[np.bool_], effects: Floats, gap: Floats) -> NDArray[np.bool_]:
    """Change one or two decisions at a time, among some, while less is left after it."""
    some = np.linspace(0, len(effects) - 1, min(_SOME, len(effects))).astype(np.intp)
    left = gap - effects[taken].sum(axis=0)
    for _ in range(_MENDS):
        # Taking a step adds its effect, leaving it takes the effect away.
        turns = np.where(taken[some], -1.0, 1.0)[:, None] * effects[some]
        alone = np.max(np.abs(left - turns), axis=1)
        both = np.max(np.abs((left - turns)[:, None, :] - turns[None, :, :]), axis=2)
        np.fill_diagonal(both, np.inf)
        one, two = np.unravel_index(int(np.argmin(both)), both.shape)
        best = [one, two] if both[one, two] < alone.min() else [int(np.argmin(alone))]
        after = left - turns[best].sum(axis=0)
        if np.max(np.abs(after)) >= np.max(np.abs(left)):
            break
        left = after
        taken[some[best]] = ~taken[some[best]]
    return taken
