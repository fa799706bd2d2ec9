"""Values of one column change places between rows: its histogram stays, its covariances move.

Claim    of disjoint random pairs of rows, pair p changes Σ z_j z_k by e_pk = −(z_rj − z_sj)(z_rk −
         z_sk) if its two values of column j change places. Swapping each pair with probability
         q_p = clip(e_p · λ, 0, 1), λ solving Σ q_p e_p = gap, closes the gap on average with the
         least Σ q²; what is left is the chance of the draw, and the next round takes that.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats
from sudare.randomness.bits import RandomBits
from sudare.randomness.floats import uniforms
from sudare.synthesis.matching.goal import Goal, gap_of

Ints = NDArray[np.int64]
# (column, rows, rows that would give them their values) → which of the swaps are allowed.
Allowed = Callable[[int, Ints, Ints], NDArray[np.bool_]]
_ROUNDS = 40
# So many rows hold more swaps than are ever needed.
_MOST_ROWS = 200_000
# Of many columns each has its turn so many times.
_TURNS = 2


def swap_all(
    indices: Floats,
    present: NDArray[np.bool_],
    goal: Goal,
    allowed: Allowed,
    exchange: Callable[[int, Ints, Ints], None],
    bits: RandomBits,
    tolerance: float = 1e-3,
) -> None:
    """Swap, column by column, until covariances are within `tolerance` or nothing helps any more.
    `indices` are changed in place; `exchange` is told every swap."""
    z = goal.standard(indices, present)
    best, products = np.inf, gap_of(z, goal).products
    for _ in range(max(_ROUNDS, _TURNS * z.shape[1])):
        gap = np.abs(products)
        np.fill_diagonal(gap, 0.0)
        worst = int(np.argmax((gap**2).sum(axis=0)))
        largest = float(gap.max(initial=0.0))
        if largest <= tolerance or (largest > 0.98 * best and largest < 10 * tolerance):
            return
        best = min(best, largest)
        _swap(worst, products[worst], z, indices, present, goal, allowed, exchange, bits)
        # A swap touches one column's moments; with many columns all of them would take long.
        own = goal.wanted[worst] - z[:, worst] @ z / max(len(z), 1)
        products[worst] = products[:, worst] = np.where(goal.known[worst], own, 0.0)


def _swap(
    column: int,
    wanted: Floats,
    z: Floats,
    indices: Floats,
    present: NDArray[np.bool_],
    goal: Goal,
    allowed: Allowed,
    exchange: Callable[[int, Ints, Ints], None],
    bits: RandomBits,
) -> None:
    others = np.flatnonzero(goal.known[column] & (np.arange(z.shape[1]) != column))
    rows = np.flatnonzero(present[:, column])
    mixed = rows[np.argsort(uniforms(bits, len(rows)))][:_MOST_ROWS]
    half = len(mixed) // 2
    first, second = mixed[:half], mixed[half : 2 * half]
    moves = z[first, column] - z[second, column]
    # Two equal values change nothing by changing places.
    differ = moves != 0.0
    first, second, moves = first[differ], second[differ], moves[differ]
    effects = -moves[:, None] * (z[np.ix_(first, others)] - z[np.ix_(second, others)])
    chances = _chances(effects, wanted[others] * len(z))
    chosen = np.flatnonzero(uniforms(bits, len(first)) < chances)
    chosen = chosen[allowed(column, first[chosen], second[chosen])]
    one, two = first[chosen], second[chosen]
    for array in (indices, z):
        array[one, column], array[two, column] = array[two, column], array[one, column]
    exchange(column, one, two)


def _chances(effects: Floats, gap: Floats) -> Floats:
    """q = clip(effects · λ, 0, 1) with Σ q · effects = gap, by Newton's method."""
    slope = np.linalg.lstsq(effects.T @ effects + 1e-9 * np.eye(len(gap)), 2.0 * gap, rcond=None)[0]
    for _ in range(30):
        chances = np.clip(effects @ slope, 0.0, 1.0)
        left = gap - chances @ effects
        if np.max(np.abs(left), initial=0.0) < 0.5:
            break
        active = effects[(chances > 0) & (chances < 1)]
        curve = active.T @ active + 1e-9 * np.eye(len(gap))
        slope = slope + np.linalg.lstsq(curve, left, rcond=None)[0]
    return np.clip(effects @ slope, 0.0, 1.0)
