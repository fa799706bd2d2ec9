"""The steps of a logistic regression on noisy gradients and curvatures: after the release only."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sudare.queries.second_moments import Array
from sudare.queries.spread import Spread, semidefinite

# No score changes by more than this in one step, as a root mean square over the rows.
LONGEST_STEP = 2.0
# Scores of a start spread by at most this: beyond it chances are 0 or 1 and curvatures vanish.
WIDEST_START = 3.0
# Coefficients of columns scaled to [−1, 1] are held to this.
LARGEST = 50.0
_RARE = 0.001


@dataclass(frozen=True)
class Newton:
    """`spread` tells how far a step moves scores, `noise` is the deviation of a cell of K."""

    spread: Spread
    alpha: float
    noise: float

    def stepped(self, beta: Array, gradients: Array, curvatures: Array) -> Array:
        """The next coefficients; leading axes of gradients and curvatures are draws."""
        penalty = self.alpha * np.array([0.0, *[1.0] * (len(beta) - 1)])
        system = self._raised(curvatures) + np.diag(penalty)
        steps = np.linalg.solve(system, (gradients - penalty * beta)[..., None])[..., 0]
        lengths = np.sqrt(np.einsum("...i,ij,...j->...", steps, self._second(), steps))
        short = np.minimum(1.0, LONGEST_STEP / np.maximum(lengths, 1e-12))
        found: Array = np.clip(beta + steps * short[..., None], -LARGEST, LARGEST)
        return found

    def sampling(self, curvature: Array) -> Array:
        """The covariance of the coefficients over samples."""
        raised = self._raised(curvature)
        size = len(raised)
        penalty = self.alpha * np.diag([0.0, *[1.0] * (size - 1)])
        inverse = np.linalg.inv(raised + penalty)
        found: Array = inverse @ raised @ inverse
        return found

    def _raised(self, curvatures: Array) -> Array:
        return semidefinite(curvatures, self._floor(curvatures.shape[-1]))

    def lifts(self, curvature: Array) -> bool:
        """Whether noise may hide a direction, so that steps along it are too short."""
        least = float(np.linalg.eigvalsh(curvature)[0])
        return least < self._floor(len(curvature))

    def _floor(self, size: int) -> float:
        return max(1e-3, self.noise * math.sqrt(size) / 2)

    def _second(self) -> Array:
        """E(1, y)(1, y)ᵀ."""
        means = np.concatenate([[1.0], self.spread.means])
        inner = np.zeros((len(means), len(means)))
        inner[1:, 1:] = self.spread.covariances
        return inner + np.outer(means, means)


def discriminant(spread: Spread, gradient: Array, noise: float) -> Array:
    """Fisher's linear discriminant from moments and the gradient Σ(t − ½)(1, y) at β = 0."""
    rows = float(spread.rows)
    share = min(1 - _RARE, max(_RARE, 0.5 + float(gradient[0]) / rows))
    # Σ(t − ½)y = n·π(1−π)·(μ₁ − μ₀) + (π − ½)·n·mean.
    mixed = gradient[1:] / rows - (share - 0.5) * spread.means
    gap = np.clip(mixed / (share * (1 - share)), -2.0, 2.0)
    within = spread.covariances - share * (1 - share) * np.outer(gap, gap)
    floor = max(1e-6, noise * math.sqrt(len(gap)) / rows)
    slopes = np.linalg.solve(semidefinite(within, floor), gap)
    wide = math.sqrt(max(0.0, float(slopes @ spread.covariances @ slopes)))
    slopes = slopes * min(1.0, WIDEST_START / max(wide, 1e-12))
    level = spread.means + (0.5 - share) * gap
    start = math.log(share / (1 - share)) - float(slopes @ level)
    found: Array = np.clip(np.concatenate([[start], slopes]), -LARGEST, LARGEST)
    return found


def expected_accuracy(spread: Spread, beta: Array) -> float:
    """E max(p, 1 − p) of normal scores, by Gauss and Hermite."""
    middle = float(beta[0] + beta[1:] @ spread.means)
    wide = math.sqrt(max(0.0, float(beta[1:] @ spread.covariances @ beta[1:])))
    places, weights = np.polynomial.hermite_e.hermegauss(60)
    scores = np.clip(np.abs(middle + wide * places), 0.0, 700.0)
    return float((weights / weights.sum()) @ (1 / (1 + np.exp(-scores))))
