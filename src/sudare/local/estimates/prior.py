"""What correlations are likely before they are measured: many are zero, the rest lie around a mean.

Model    a correlation is 0 with probability 1 − w, else normal around μ with deviation τ; its raw
         estimate is normal around it with its standard error. (w, μ, τ) are averaged over a grid,
         weighted by how well they explain all entries together.
Source   spike and slab: Mitchell, Beauchamp 1988; averaging over hyperparameters instead of taking
         the likeliest: full Bayes, so that few entries do not overfit.
Gaps     entries are taken as independent given (w, μ, τ), their errors as normal and known.
"""

from __future__ import annotations

import itertools

import numpy as np

from sudare.local.estimates.channels import Scores

_PARTS = (0.1, 0.25, 0.5, 0.75, 1.0)
_MEANS = (0.0, *(sign * size for size in (0.1, 0.2, 0.3, 0.45, 0.6, 0.8) for sign in (1, -1)))
_DEVIATIONS = (0.03, 0.08, 0.16, 0.3, 0.5)
_GRID = np.array(list(itertools.product(_PARTS, _MEANS, _DEVIATIONS)))
_W, _MU, _TAU2 = _GRID[:, 0], _GRID[:, 1], _GRID[:, 2] ** 2
# Half of the weight is on a mean of zero.
_PRIOR = np.where(_MU == 0, 0.5, 0.5 / (len(_MEANS) - 1)) / (len(_PARTS) * len(_DEVIATIONS))
_STEP = 1e-3


def expected(entries: Scores, errors: Scores) -> tuple[Scores, Scores]:
    """Posterior means, and how much each moves with its own raw value."""
    weights = _weights(entries, errors)
    at = [_means(entries + step, errors) @ weights for step in (-_STEP, 0.0, _STEP)]
    return at[1], (at[2] - at[0]) / (2 * _STEP)


def _densities(entries: Scores, errors: Scores) -> tuple[Scores, Scores]:
    x, v = entries[:, np.newaxis], errors[:, np.newaxis] ** 2 + 1e-12
    slab = _W * np.exp(-((x - _MU) ** 2) / (2 * (v + _TAU2))) / np.sqrt(v + _TAU2)
    spike = (1 - _W) * np.exp(-(x**2) / (2 * v)) / np.sqrt(v)
    return slab, spike


def _weights(entries: Scores, errors: Scores) -> Scores:
    """How likely each (w, μ, τ) is after all entries have been seen."""
    slab, spike = _densities(entries, errors)
    logs = np.log(slab + spike + 1e-300).sum(axis=0) + np.log(_PRIOR)
    weights: Scores = np.exp(logs - logs.max())
    weights /= weights.sum()
    return weights


def _means(entries: Scores, errors: Scores) -> Scores:
    slab, spike = _densities(entries, errors)
    v = errors[:, np.newaxis] ** 2 + 1e-12
    kept = _TAU2 / (_TAU2 + v)
    found: Scores = slab / (slab + spike + 1e-300) * (_MU + kept * (entries[:, np.newaxis] - _MU))
    return found
