"""The least change of some columns that closes the gap of their moments, to first order.

Claim    Δz_rj = g_rj (b_j + Σ_k A_jk z_rk) for the movable columns j, A symmetric where both
         columns are movable, is the least change in the norm Σ Δz² / g that closes the linearised
         gap of all moments in which a movable column takes part.
Source   Lagrange: Δ = G Jᵀ λ with J G Jᵀ λ = gap, J the derivative of the moments. Paper 002's
         Algorithm 4 is the case g = 1, all columns movable, without bounds.
Method   few moments: J G Jᵀ is written down and solved. Many: conjugate gradients (gradients.py).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats
from sudare.synthesis.matching.gradients import solved

_FEW = 400


def least_change(
    z: Floats,
    give: Floats,
    moves: NDArray[np.intp],
    sums: Floats,
    products: Floats,
    known: NDArray[np.bool_],
    rows: int,
) -> Floats:
    """Δz of the movable columns; `z` are the rows that may change, `give` their g, `sums` and
    `products` the gaps a row of all `rows` rows."""
    first, second = _pairs(moves, known)
    rights = np.concatenate([sums[moves], products[first, second]]) * rows
    if len(rights) <= _FEW:
        answer = _dense(z, give, moves, first, second, rights)
    else:
        answer = solved(z, give, moves, first, second, rights)
    slopes = np.zeros((z.shape[1], z.shape[1]))
    slopes[second, first] += answer[len(moves) :]
    slopes[first, second] += answer[len(moves) :]
    found: Floats = give * (answer[: len(moves)] + z @ slopes[:, moves])
    return found


def _dense(
    z: Floats,
    give: Floats,
    moves: NDArray[np.intp],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    rights: Floats,
) -> Floats:
    size = len(rights)
    with_one = np.column_stack([z, np.ones(len(z))])
    curve = np.zeros((size, size))
    for at, column in enumerate(moves.tolist()):
        # The constraints that this column takes part in, and the column that each multiplies.
        left, right = np.flatnonzero(first == column), np.flatnonzero(second == column)
        places = np.concatenate([[at], len(moves) + left, len(moves) + right])
        factors = np.concatenate([[z.shape[1]], second[left], first[right]])
        used, within = np.unique(factors, return_inverse=True)
        part = with_one[:, used]
        block = part.T @ (part * give[:, at : at + 1])
        np.add.at(curve, np.ix_(places, places), block[np.ix_(within, within)])
    ridge = 1e-13 * np.trace(curve) / max(size, 1)
    found: Floats = np.linalg.lstsq(curve + ridge * np.eye(size), rights, rcond=None)[0]
    return found


def _pairs(
    moves: NDArray[np.intp], known: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Known pairs with a movable column, each once."""
    movable = np.zeros(len(known), np.bool_)
    movable[moves] = True
    once = np.triu(known) | (known & ~movable[None, :])
    first, second = np.nonzero(once & movable[:, None])
    return first, second
