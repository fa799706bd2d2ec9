"""The multipliers of many moments: conjugate gradients, without writing their matrix down.

Claim    solves J G Jᵀ λ = gap (least.py) to _NEAR of the gap. The matrix is symmetric and not
         negative; one product with it is two products of rows × columns, however many moments
         there are. Newton's method takes what is left in its next step.
Source   Hestenes and Stiefel 1952, with the diagonal as preconditioner.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats

_NEAR = 1e-4
_STEPS = 400


def solved(
    z: Floats,
    give: Floats,
    moves: NDArray[np.intp],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    rights: Floats,
) -> Floats:
    """λ of the sums of the movable columns, then of the products of the pairs."""
    count = len(moves)

    def applied(answer: Floats) -> Floats:
        slopes = np.zeros((z.shape[1], z.shape[1]))
        slopes[second, first] += answer[count:]
        slopes[first, second] += answer[count:]
        change = give * (answer[:count] + z @ slopes[:, moves])
        added = np.zeros_like(slopes)
        added[moves] = change.T @ z
        return np.concatenate([change.sum(axis=0), added[first, second] + added[second, first]])

    weight = np.zeros((z.shape[1], z.shape[1]))
    weight[moves] = give.T @ z**2
    same = np.where(first == second, 2.0, 1.0)
    pairs = (weight[first, second] + weight[second, first]) * same
    diagonal = np.concatenate([give.sum(axis=0), pairs])
    scale = 1.0 / np.maximum(diagonal, 1e-12 * max(float(diagonal.max(initial=0.0)), 1e-300))
    answer = np.zeros_like(rights)
    rest = rights.copy()
    steered = scale * rest
    way, size = steered, float(rest @ steered)
    enough = _NEAR**2 * size
    for _ in range(_STEPS):
        if size <= enough:
            break
        bent = applied(way)
        curve = float(way @ bent)
        if curve <= 0:
            break
        length = size / curve
        answer, rest = answer + length * way, rest - length * bent
        steered = scale * rest
        before, size = size, float(rest @ steered)
        way = steered + (size / before) * way
    return answer
