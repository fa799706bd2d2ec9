"""Standard deviations by which covariances become correlations.

Claim    a column is taken only where its variance cannot be zero: by its own estimate, or because
         a covariance with such a column is not zero (Cauchy, Schwarz: c² <= σ²·σ′²).
Model    σ of a column whose own estimate v ± s may be zero is the posterior mean under an even
         prior on the deviations that its bounds allow: v is normal around σ² with deviation s, and
         σ >= |c|/σ′ for every covariance c that is told, c normal around its truth.
Symbols  REACH·s -> 95 %; _SURE -> standard errors of a covariance that is told, 99.7 %.
Gaps     a σ that is expected and not measured is biased; its posterior deviation goes into the
         errors of the correlations as `doubts`, in parts of σ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.local.estimates.channels import Scores
from sudare.local.estimates.figures import normal
from sudare.local.estimates.jackknife import REACH, spread
from sudare.local.estimates.moments import Moments

_SURE = 3.0
# All deviations that a number on [−1, 1] can have.
_GRID = (np.arange(200) + 0.5) / 200


@dataclass(frozen=True)
class Deviations:
    """Replicates, R × d, of the columns that are told, and what is not known of each, in parts of
    it."""

    columns: tuple[str, ...]
    values: Scores
    doubts: Scores


def deviations(moments: Moments) -> Deviations:
    variances = np.einsum("rii->ri", moments.covariances)
    with np.errstate(invalid="ignore"):
        is_sure = variances[0] > REACH * spread(variances)
    # A replicate leaves out one group in 128; one whose variance falls to zero by that would not
    # have been sure.
    values = np.sqrt(np.maximum(np.nan_to_num(variances), 1e-12))
    doubts = np.zeros(len(is_sure))
    is_told = is_sure.copy()
    for column in np.flatnonzero(~is_sure & np.isfinite(variances).all(axis=0)):
        beside = _beside(moments.covariances[:, column], is_sure)
        if len(beside):
            is_told[column] = True
            found = _expected(
                variances[:, column], moments.covariances[:, column, beside], values[:, beside]
            )
            values[:, column], doubts[column] = found
    names = tuple(c for c, ok in zip(moments.columns, is_told, strict=True) if ok)
    return Deviations(names, values[:, is_told], doubts[is_told])


def _beside(covariances: Scores, is_sure: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The sure columns with which a covariance is told."""
    with np.errstate(invalid="ignore"):
        is_told = np.abs(covariances[0]) > _SURE * spread(covariances)
    return np.flatnonzero(is_told & is_sure)


def _expected(variances: Scores, covariances: Scores, others: Scores) -> tuple[Scores, float]:
    """Posterior means for all replicates, and the posterior deviation in parts of the first."""
    error = float(spread(variances))
    logs = -((variances[:, np.newaxis] - _GRID**2) ** 2) / (2 * error**2)
    least, noise = np.abs(covariances) / others, spread(covariances / others)
    for place in range(least.shape[1]):
        away = (_GRID - least[:, place, np.newaxis]) / noise[place]
        logs += np.log(np.maximum(normal(away), 1e-300))
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    means: Scores = weights @ _GRID
    deviation = np.sqrt(weights[0] @ (_GRID - means[0]) ** 2)
    return means, float(deviation / means[0])
