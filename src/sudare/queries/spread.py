"""Means and covariances from noisy second moments: after the release, so at no cost.

Needs    matrices Σ(1, y)(1, y)ᵀ with y in [−1, 1], as queries/second_moments.py estimates them.
What noise can do is repaired without looking at data: the number of rows counts as at least three
deviations of its own noise (and one row), means are held to their bounds, and negative eigenvalues
of a covariance are cut off (the nearest positive semidefinite matrix, Higham 1988).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sudare.queries.second_moments import Array

# How often the noise is drawn again to see what it does to an answer.
DRAWS = 400


@dataclass(frozen=True)
class Spread:
    """Rows, means and covariances in units of half the declared ranges; leading axes are draws."""

    rows: Array
    means: Array
    covariances: Array


def spread_of(matrices: Array, least_rows: float, *, is_cut: bool = True) -> Spread:
    """What the matrices say, repaired as the docstring says; eigenvalues as they are unless
    `is_cut`."""
    rows = np.maximum(matrices[..., 0, 0], least_rows)
    means = np.clip(matrices[..., 0, 1:] / rows[..., None], -1.0, 1.0)
    second = matrices[..., 1:, 1:] / rows[..., None, None]
    outer = means[..., :, None] * means[..., None, :]
    covariances = second - outer
    return Spread(rows, means, semidefinite(covariances) if is_cut else covariances)


def least_rows(deviation: float) -> float:
    return max(1.0, 3 * deviation)


def semidefinite(matrices: Array, least: float = 0.0) -> Array:
    """Eigenvalues below `least` are raised to it; the rest is kept."""
    values, vectors = np.linalg.eigh(matrices)
    raised = (vectors * np.maximum(values, least)[..., None, :]) @ np.swapaxes(vectors, -1, -2)
    found: Array = (raised + np.swapaxes(raised, -1, -2)) / 2
    return found


def reach95(deviations: Array) -> Array:
    """The size that 95 % of simulated deviations (first axis) stay within."""
    place = min(len(deviations), math.ceil(0.95 * (len(deviations) + 1))) - 1
    found: Array = np.sort(np.abs(deviations), axis=0)[place]
    return found
