"""Linear models from means and covariances alone.

regression  β = Σ⁻¹σ with Σ the covariances of the columns and σ those with the target; R² = σ'β/σ²,
            less the part that noise adds by itself (jackknife). Of two classes: discriminants.py.

Gaps     where Σ is not safely definite, a ridge is added to its correlations; the errors hold an
         estimate of its bias.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from sudare.facts.estimated import Model
from sudare.local.estimates.channels import Scores
from sudare.local.estimates.discriminants import Fit, classes, logistic, machine
from sudare.local.estimates.figures import figure
from sudare.local.estimates.jackknife import debiased, spread
from sudare.local.estimates.problem import Problem
from sudare.local.estimates.squares import square_error

Kind = Literal["regression", "logistic", "svm"]


def linear(found: Problem) -> Fit:
    """Least squares; its score is R²."""
    slopes = found.solved()
    intercept = found.target_mean - (slopes * found.means).sum(axis=1)
    scores = _corrected(found.explained(slopes))
    return slopes, intercept, scores, square_error(scores, float(spread(scores)), slopes.shape[1])


def _corrected(values: Scores) -> Scores:
    """A share, freed of what noise adds to a square."""
    found: Scores = values - values[0] + debiased(values)
    return found


def _trivial(found: Problem, kind: Kind) -> float:
    """The score without any column: nothing explained, or the larger class named always."""
    share = float(classes(found)[0][0])
    return 0.0 if kind == "regression" else max(share, 1 - share)


_FITS: dict[str, Callable[[Problem], Fit]] = {
    "regression": linear,
    "logistic": logistic,
    "svm": machine,
}


def model(
    found: Problem,
    kind: Kind,
    units: dict[str, tuple[float, float]],
    classes: tuple[str, str] | None,
) -> Model:
    """The model in the columns' own units; `units` are middle and half of their bounds."""
    terms, scores, error = _terms(found, kind, units)
    # What half the ridge changes tells how much all of it may have, which goes into the errors.
    halved, other, _ = _terms(replace(found, ridge=found.ridge / 2), kind, units)
    errors = np.hypot(spread(terms), found.pull * (halved[0] - terms[0]))
    doubt = float(np.hypot(error, found.pull * (other[0] - scores[0])))
    figures = [figure(terms[:, i], error=float(error)) for i, error in enumerate(errors)]
    score = figure(scores, trivial=_trivial(found, kind), low=0, high=1, error=doubt)
    return Model(
        kind,
        found.target,
        classes,
        found.columns,
        figures[0],
        tuple(figures[1:]),
        score,
        found.ridge,
        kind != "regression",
    )


def _terms(
    found: Problem, kind: Kind, units: dict[str, tuple[float, float]]
) -> tuple[Scores, Scores, float]:
    """Replicates of intercept and coefficients, R × (1 + d), and of the score, R; its error."""
    slopes, intercept, scores, error = _FITS[kind](found)
    middles, halves = (np.array([units[c][i] for c in found.columns]) for i in range(2))
    middle, half = units[found.target] if kind == "regression" else (0.0, 1.0)
    own = slopes / halves * half
    start = middle + half * intercept - (own * middles).sum(axis=1)
    return np.concatenate([start[:, np.newaxis], own], axis=1), scores, error
