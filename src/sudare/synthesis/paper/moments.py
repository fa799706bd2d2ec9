"""Algorithm 4, FixMeanCov: a linear map after which mean and covariance are those of D.

Claim    Z has the mean μ_D and the covariance Σ_D (ddof 0) exactly, up to the rounding of floats,
         whatever Y is, as long as Σ_Y has full rank.
Source   Algorithm 4 and Theorem 2.1, with line 5 read as z_i ← Q_Y⁻¹(y_i − μ_Y) and line 9 as
         Z = z Q_Dᵀ + 1 μ_Dᵀ; as printed, line 5 has z_i on both sides and line 9 forgets them.
Symbols  Q is a root: Σ = Q Qᵀ. `roots` says which one, because the algorithm does not.
Needs    Σ_D without constants; a Σ_D with negative eigenvalues (noise) counts them as zero.
Gaps     Moments hold for Z. A category is decoded afterwards, and its own are then not exact.

Any Q' = Q R with a rotation R is a root as good as Q, and what comes out depends on it. The paper's
Q = U Λ^½ pairs the eigenvectors of Σ_Y with those of Σ_D in order of size, with signs that a
library chose: a rotation of all columns into each other ("literal"). The symmetric root of the
correlations, Q = V^½ P^½ (V the variances, P the correlations; ZCA-cor), turns nothing and keeps
every column near to what its histogram gave ("symmetric").

Eigenvalues are those of the correlations in either case: variances run from 1e10 (a weight) to 1e-5
(a rare label), and no cutoff could tell a small one from zero in Σ itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudare.facts.statistics import Floats
from sudare.synthesis.paper.target import Target

Roots = Literal["symmetric", "literal"]
# Eigenvalues of correlations below this are rounding.
_ZERO = 1e-11


@dataclass(frozen=True, eq=False)
class FixMeanCov:
    """Lines 1 to 3, 7 and 8; `apply` is lines 4 to 6 and 9 for some rows."""

    center: Floats
    map: Floats
    mean: Floats

    def apply(self, rows: Floats) -> Floats:
        found: Floats = (rows - self.center) @ self.map.T + self.mean
        return found


def fix_mean_cov(own: Target, target: Target, roots: Roots = "symmetric") -> FixMeanCov:
    """From μ_Y and Σ_Y to μ_D and Σ_D: Q_D Q_Y⁻¹ in one matrix."""
    whiten = _inverse_root(own.covariance, roots)
    return FixMeanCov(own.mean, _root(target.covariance, roots) @ whiten, target.mean)


def moments_of(blocks: Callable[[], Iterable[Floats]]) -> Target:
    """μ_Y and Σ_Y of rows that come in blocks; they are asked for twice, because a sum of squares
    about zero would lose the digits of a number that lies far from it."""
    count, mean = 0, np.zeros(0)
    for block in blocks():
        mean = block.sum(axis=0) + (mean if count else 0.0)
        count += len(block)
    mean = mean / count
    total = np.zeros((len(mean), len(mean)))
    for block in blocks():
        apart = block - mean
        total += apart.T @ apart
    return Target(mean, total / count)


def _parts(covariance: Floats) -> tuple[Floats, Floats, Floats]:
    """Standard deviations, and eigenvalues and eigenvectors of the correlations, rounding as 0."""
    deviations = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    safe = np.where(deviations > 0, deviations, 1.0)
    values, vectors = np.linalg.eigh(covariance / np.outer(safe, safe))
    least = _ZERO * max(float(values[-1]), 0.0)
    return safe, np.where(values > least, values, 0.0), vectors


def _root(covariance: Floats, roots: Roots) -> Floats:
    deviations, values, vectors = _parts(covariance)
    root = vectors * np.sqrt(values)
    found: Floats = deviations[:, None] * (root @ vectors.T if roots == "symmetric" else root)
    return found


def _inverse_root(covariance: Floats, roots: Roots) -> Floats:
    """The pseudo-inverse of the root."""
    deviations, values, vectors = _parts(covariance)
    inverse = np.where(values > 0, 1 / np.sqrt(np.where(values > 0, values, 1.0)), 0.0)
    root = (vectors * inverse).T
    found: Floats = (vectors @ root if roots == "symmetric" else root) / deviations
    return found
