"""What the curvature of a logistic regression should be, from numbers that were released before.

Model    the histogram of scores by label that the gauge released (queries/logistic_gauge.py), and
         means and covariances of the predictors that the first look released. If predictors lean
         linearly on the score, as normal ones do, a row of score η has the mean
         μ + Σb(η − η̄)/v and the covariance Σ − Σb bᵀΣ/v, v = bᵀΣb, so that the histogram tells
         K = Σ p(1 − p)·ỹỹᵀ. It is off where they do not, but has next to no noise in it.
Shrink   the measured K is right but noisy, so it is drawn to the model by James and Stein: of the
         difference D, in units of the model, the part 1 − E‖noise‖²/‖D‖² is kept, at least 0. With
         many rows all of it is kept, with few none. E‖noise‖² comes from fresh noise of the same
         law; all of this looks at released numbers alone.
"""

from __future__ import annotations

import numpy as np

from sudare.queries.second_moments import Array
from sudare.queries.spread import Spread

_LEAST = 1e-9


def expected_curvature(spread: Spread, beta: Array, scores: Array, rows: Array) -> Array:
    """K at β where rows are spread over the scores like these; 0 where there are none."""
    rows = np.maximum(rows, 0.0)
    rows = rows * float(spread.rows) / max(float(rows.sum()), 1.0)
    slopes = beta[1:]
    lean = spread.covariances @ slopes
    wide = max(float(slopes @ lean), _LEAST)
    middle = float(beta[0] + slopes @ spread.means)
    means = np.clip(spread.means + np.outer(scores - middle, lean) / wide, -1.0, 1.0)
    chance = 1 / (1 + np.exp(-scores))
    weights = rows * chance * (1 - chance)
    outer = np.column_stack([np.ones(len(scores)), means])
    found: Array = (outer * weights[:, None]).T @ outer
    found[1:, 1:] += weights.sum() * (spread.covariances - np.outer(lean, lean) / wide)
    return found


def drawn_to(model: Array, measured: Array, again: Array) -> Array:
    """The measured curvature shrunk to the model; `again` is it with fresh noise."""
    values, vectors = np.linalg.eigh(model)
    if values[-1] <= 0:
        return measured
    whiten = vectors / np.sqrt(np.maximum(values, values[-1] * _LEAST))
    gap = whiten.T @ (measured - model) @ whiten
    noise = whiten.T @ (again - measured) @ whiten
    expected = float((noise**2).sum(axis=(-2, -1)).mean())
    kept = max(0.0, 1 - expected / max(float((gap**2).sum()), _LEAST))
    found: Array = model + kept * (measured - model)
    return found
