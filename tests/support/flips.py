"""The whole law of one choice by permute-and-flip.

The chance of candidate i is, in the exponential view (mechanisms/permute_and_flip.py),
P[i] = ∫ Π_{j≠i} (1 − u·e^{L(q_j − q_i)}) du over u from 0 to min_j e^{L(q_i − q_j)}: a polynomial,
which Gauss-Legendre quadrature integrates without error.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.mechanisms.permute_and_flip import PermuteAndFlip


def law(scores: NDArray[np.int64], unit: Fraction, choice: PermuteAndFlip) -> NDArray[np.float64]:
    """The exact law of one choice."""
    rate = float(choice.epsilon * unit / (2 * choice.score_sensitivity))
    logs = rate * scores.astype(np.float64)
    nodes, weights = np.polynomial.legendre.leggauss(len(scores) // 2 + 1)
    found = []
    for place, log in enumerate(logs):
        others = np.exp(np.delete(logs, place) - log)
        top = min(1.0, 1.0 / others.max())
        u = (nodes + 1) / 2 * top
        product = np.prod(1 - u[:, None] * others[None, :], axis=1)
        found.append(float((weights * product).sum() * top / 2))
    return np.array(found)
