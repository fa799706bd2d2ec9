"""A target and the columns that explain it, as moments, with a ridge where they need one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sudare.local.estimates.channels import Scores
from sudare.local.estimates.jackknife import spread
from sudare.local.estimates.moments import Moments

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
