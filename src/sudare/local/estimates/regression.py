"""Linear models from means and covariances alone.

regression  β = Σ⁻¹σ with Σ the covariances of the columns and σ those with the target; R² = σ'β/σ²,
            less the part that noise adds by itself (jackknife).
logistic    the log odds of two classes whose columns are normal with one covariance are linear:
            β = W⁻¹δ with δ the difference of the classes' means and W = Σ − π(1−π)δδ'. Exact for
            such columns, an approximation for others.
svm         least squares on ±1 instead of the hinge: the same direction as Fisher's discriminant.
            An approximation for all.

Source   Anderson 1958 (discriminants); Suykens, Vandewalle 1999 (least-squares SVM).
Gaps     where Σ is not safely definite, a ridge is added to its correlations; the errors hold an
         estimate of its bias. Accuracies assume normal columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sudare.facts.estimated import Model
from sudare.local.estimates.channels import Scores
from sudare.local.estimates.figures import figure, normal
from sudare.local.estimates.jackknife import debiased, spread
from sudare.local.estimates.moments import Moments
from sudare.local.estimates.squares import square_error

Kind = Literal["regression", "logistic", "svm"]
# Noise can make columns seem to explain all and more; the log odds would have no end.
_MOST_EXPLAINED = 0.98
# Standard errors by which the least eigenvalue has to lie above zero.
_CLEAR = 3.0


@dataclass(frozen=True)
class Problem:
    """A target and the columns that explain it, in units of x, with all replicates: means, the
    columns' covariances and those with the target, and the target's own mean and variance."""

    target: str
    columns: tuple[str, ...]
    means: Scores
    covariances: Scores
    along: Scores
    target_mean: Scores
    target_variance: Scores
    ridge: float
    pull: float

    def solved(self) -> Scores:
        """Σ⁻¹σ with the ridge on the diagonal, which scales with the variances: R × d."""
        places = np.arange(len(self.columns))
        firm = self.covariances.copy()
        firm[:, places, places] *= 1 + self.ridge
        found = np.linalg.solve(firm, self.along[:, :, np.newaxis])[:, :, 0]
        return found.astype(np.float64, copy=False)

    def explained(self, slopes: Scores) -> Scores:
        """The share of the target's variance that these slopes explain: R."""
        spread_of_fit = np.einsum("ri,rij,rj->r", slopes, self.covariances, slopes)
        gained = 2 * (slopes * self.along).sum(axis=1) - spread_of_fit
        found: Scores = gained / self.target_variance
        return found


def problem(moments: Moments, target: str) -> Problem:
    """The problem of a target; the other columns explain it."""
    own = moments.columns.index(target)
    others = [i for i in range(len(moments.columns)) if i != own]
    columns = tuple(moments.columns[i] for i in others)
    covariances = moments.covariances[:, others][:, :, others]
    return Problem(
        target,
        columns,
        moments.means[:, others],
        covariances,
        moments.covariances[:, others, own],
        moments.means[:, own],
        moments.covariances[:, own, own],
        *_ridge(covariances),
    )


def _ridge(covariances: Scores) -> tuple[float, float]:
    """What the least eigenvalue μ of the correlations lacks to stand clear of its noise, λ, and how
    many times the change that half of it makes is its whole bias. Along μ a ridge takes the part
    λ/(μ + λ) of a coefficient away and half the ridge λ/(2μ + λ), so that is 2 + λ/μ times; of μ no
    less than its standard error is believed."""
    if covariances.shape[1] < 2:
        return 0.0, 2.0
    deviations = np.sqrt(np.einsum("rii->ri", covariances))
    scaled = covariances / (deviations[:, :, np.newaxis] * deviations[:, np.newaxis, :])
    least = np.linalg.eigvalsh(scaled)[:, 0]
    noise, found = float(spread(least)), float(least[0])
    ridge = max(0.0, _CLEAR * noise - found)
    return ridge, 2.0 + (ridge / max(found, noise) if ridge else 0.0)


def linear(found: Problem) -> tuple[Scores, Scores, Scores]:
    """Coefficients (R × d), intercept (R) and R² (R), in units of x."""
    slopes = found.solved()
    intercept = found.target_mean - (slopes * found.means).sum(axis=1)
    return slopes, intercept, _corrected(found.explained(slopes))


def logistic(found: Problem) -> tuple[Scores, Scores, Scores]:
    """The log odds of x = 1 against x = −1 for the target. W⁻¹δ is Σ⁻¹δ/(1 − R²), by the formula of
    Sherman and Morrison."""
    share, weight = _classes(found)
    slopes = found.solved()
    left = 1 - np.clip(found.explained(slopes), 0, _MOST_EXPLAINED)
    slopes = slopes / (2 * weight * left)[:, np.newaxis]
    odds = np.log(share / (1 - share))
    apart, middle = _apart(found)
    intercept = odds - (slopes * middle).sum(axis=1)
    return slopes, intercept, _accuracy(found, slopes, apart, odds)


def machine(found: Problem) -> tuple[Scores, Scores, Scores]:
    """Least squares on ±1; its sign is the class."""
    slopes, intercept, _ = linear(found)
    apart, middle = _apart(found)
    # The border lies where the fitted value is zero: this far from the middle of the classes.
    shift = intercept + (slopes * middle).sum(axis=1)
    return slopes, intercept, _accuracy(found, slopes, apart, shift)


def _apart(found: Problem) -> tuple[Scores, Scores]:
    """δ, from one class's mean to the other's, and the point midway."""
    share, weight = _classes(found)
    apart = found.along / (2 * weight[:, np.newaxis])
    return apart, found.means + (0.5 - share)[:, np.newaxis] * apart


def _classes(found: Problem) -> tuple[Scores, Scores]:
    """The share π of the second class, and π(1−π). Means of noise can lie beyond what is possible;
    a class has at least one in a thousand."""
    share = np.clip((found.target_mean + 1) / 2, 1e-3, 1 - 1e-3)
    return share, share * (1 - share)


def _accuracy(found: Problem, slopes: Scores, apart: Scores, shift: Scores) -> Scores:
    """How often the sign of slopes·x + intercept names the class, for normal columns: `shift` is
    its value midway between the classes. The noise in the slopes widens it and does not help."""
    share, weight = _classes(found)
    within = found.covariances - weight[:, np.newaxis, np.newaxis] * (
        apart[:, :, np.newaxis] * apart[:, np.newaxis, :]
    )
    along = (slopes * apart).sum(axis=1)
    wide = np.sqrt(np.maximum(np.einsum("ri,rij,rj->r", slopes, within, slopes), 1e-12))
    gain = max(0.0, float(debiased(along))) - along[0]
    rates = share * normal((((along + gain) / 2) + shift) / wide)
    rates += (1 - share) * normal((((along + gain) / 2) - shift) / wide)
    return rates


def _corrected(values: Scores) -> Scores:
    """A share, freed of what noise adds to a square."""
    found: Scores = values - values[0] + debiased(values)
    return found


def _trivial(found: Problem, kind: Kind) -> float:
    """The score without any column: nothing explained, or the larger class named always."""
    share = float(_classes(found)[0][0])
    return 0.0 if kind == "regression" else max(share, 1 - share)


_FITS: dict[str, Callable[[Problem], tuple[Scores, Scores, Scores]]] = {
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
    terms, scores = _terms(found, kind, units)
    # What half the ridge changes tells how much all of it may have, which goes into the errors.
    halved, other = _terms(replace(found, ridge=found.ridge / 2), kind, units)
    errors = np.hypot(spread(terms), found.pull * (halved[0] - terms[0]))
    doubt = float(np.hypot(spread(scores), found.pull * (other[0] - scores[0])))
    if kind == "regression":
        doubt = square_error(scores, doubt, len(found.columns))
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
) -> tuple[Scores, Scores]:
    """Replicates of intercept and coefficients, R × (1 + d), and of the score, R."""
    slopes, intercept, scores = _FITS[kind](found)
    middles, halves = (np.array([units[c][i] for c in found.columns]) for i in range(2))
    middle, half = units[found.target] if kind == "regression" else (0.0, 1.0)
    own = slopes / halves * half
    start = middle + half * intercept - (own * middles).sum(axis=1)
    return np.concatenate([start[:, np.newaxis], own], axis=1), scores
