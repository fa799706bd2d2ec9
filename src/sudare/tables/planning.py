"""Where to put the noise: shares of one budget over margins, chosen for what was asked.

Claim    the plan minimises the weighted mean, over the margins asked for, of the root mean square
         error of a margin's cells. For Gaussian noise this is convex in the shares (√Σ c/τ is a
         norm of convex functions of τ, and τ is linear), so the minimum is global. For Laplace
         noise it is the best of several local minima, one of which starts at the finest cells
         alone (the naive way), so that the objective is never above the naive one.
Source   Xiao, He, Zhang, Kifer 2023, "An Optimal and Scalable Matrix Mechanism for Noisy
         Marginals under Convex Loss Functions" (ResidualPlanner): components B can be measured
         one by one, cost and variance are sums over B. Shares: the multiplicative algorithm of
         optimal design (Silvey, Titterington, Torsney 1978; monotone for convex criteria: Yu 2010).
Symbols  s_A -> shares, u_A -> precision of each cell of margin A, τ_B = Σ_A u_A / h[A, B] the
         precision of component B, variance of margin C = Σ_(B <= C) k[C, B] / τ_B.
Needs    plan and schema alone; no data.
Gaps     Under Laplace noise a better local minimum may exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sudare.tables.spectrum import Spectrum

Vector = NDArray[np.float64]
# From shares to the precisions of cells, and the derivatives of these.
Precision = Callable[[Vector], tuple[Vector, Vector]]

_ROUNDS = 1500
_SETTLED = 1e-10
# A share below this part of the total buys less than its own event is worth reading about.
_LEAST_SHARE = 2e-3
_DUST = 1e-7
_MOST_PAIRS = 128


@dataclass(frozen=True)
class Goal:
    """Weights over margins (0: not asked for), what noise is known to be absent (components whose
    margins are public), and the tables of the dimensions."""

    spectrum: Spectrum
    weights: Vector
    known: NDArray[np.bool_]

    def variances(self, precisions: Vector, atoms: NDArray[np.float64] | None = None) -> Vector:
        """The mean variance of a cell, for every margin; infinite where nothing tells of it."""
        tau = precisions @ (self.spectrum.gains if atoms is None else atoms)
        with np.errstate(divide="ignore"):
            inverse = np.where(self.known, 0.0, 1.0 / tau)
        with np.errstate(invalid="ignore"):
            spread = np.where(self.spectrum.k > 0, self.spectrum.k * inverse, 0.0)
        found: Vector = spread.sum(axis=1)
        return found

    @property
    def asked(self) -> NDArray[np.bool_]:
        """The margins that count: those with a weight that are not known anyhow."""
        open_ = (self.spectrum.k[:, ~self.known] > 0).any(axis=1)
        return (self.weights > 0) & open_

    def inner(self) -> Goal:
        """The same for the margins between the total and the finest cells, if there are any."""
        weights = self.weights.copy()
        weights[[0, -1]] *= 1e-6
        return self if not weights[1:-1].any() else replace(self, weights=weights)

    def mixed(self, other: Goal) -> Goal:
        return replace(self, weights=(self.weights + other.weights) / 2)

    def loss(self, variances: Vector) -> float:
        """The weighted mean of the root mean square errors."""
        asked = self.asked
        weights = self.weights[asked]
        if not weights.any():
            return 0.0
        return float(weights @ np.sqrt(variances[asked]) / weights.sum())


def best_shares(
    goal: Goal, precision: Precision, atoms: NDArray[np.float64], starts: list[Vector]
) -> Vector:
    """Shares that add up to 1; row A of `atoms` is what one unit of precision gives to every
    component."""
    found = [_descended(goal, precision, atoms, start) for start in starts]
    kept = [shares for raw in found for shares in (raw, _thinned(goal, precision, atoms, raw))]

    def value(shares: Vector) -> float:
        return goal.loss(goal.variances(precision(shares)[0], atoms))

    losses = [value(shares) for shares in kept]
    # Fewer measurements are worth a ten thousandth of the error.
    best = min(losses)
    near = [s for s, loss in zip(kept, losses, strict=True) if loss <= best * (1 + 1e-4)]
    return _without_dust(min(near, key=lambda shares: int((shares > _DUST).sum())))


def guarded_shares(
    goal: Goal, precision: Precision, atoms: NDArray[np.float64], starts: list[Vector]
) -> Vector:
    """As `best_shares`, but never worse than the first start for the margins between the total
    and the finest cells either: these are what tables are read for."""
    inner = goal.inner()
    limit = inner.loss(inner.variances(precision(starts[0])[0], atoms))
    kept = [
        shares
        for each in (goal, inner, goal.mixed(inner))
        for shares in (best_shares(each, precision, atoms, starts), starts[0])
        if inner.loss(inner.variances(precision(shares)[0], atoms)) <= limit * (1 + 1e-9)
    ]
    return min(kept, key=lambda s: goal.loss(goal.variances(precision(s)[0], atoms)))


def _without_dust(shares: Vector) -> Vector:
    """Shares that went to 0 without reaching it."""
    swept: Vector = np.where(shares > _DUST, shares, 0.0)
    swept /= swept.sum()
    return swept


def _descended(
    goal: Goal, precision: Precision, atoms: NDArray[np.float64], start: Vector
) -> Vector:
    shares: Vector = start / start.sum()
    asked, live = goal.asked, ~goal.known
    weights, spread = goal.weights[asked], goal.spectrum.k[asked]
    for _ in range(_ROUNDS):
        precisions, slopes = precision(shares)
        tau = precisions @ atoms
        inverse = np.where(live & (tau > 0), 1.0 / np.maximum(tau, 1e-100), 0.0)
        # How fast the loss falls with τ_B.
        roots = np.sqrt(np.maximum(spread @ inverse, 1e-300))
        pull = ((weights / roots) @ spread) * inverse**2
        grown: Vector = shares * np.sqrt(np.maximum(atoms @ pull, 0.0) * slopes)
        total = grown.sum()
        if not (np.isfinite(total) and total > 0):
            return shares
        grown /= total
        if np.abs(grown - shares).max() < _SETTLED:
            return grown
        shares = grown
    return shares


def _thinned(
    goal: Goal, precision: Precision, atoms: NDArray[np.float64], shares: Vector
) -> Vector:
    """The same without tiny shares, settled once more."""
    kept = np.where(shares >= _LEAST_SHARE, shares, 0.0)
    return shares if not kept.any() else _descended(goal, precision, atoms, kept)


def starting_points(goal: Goal, order: NDArray[np.int64]) -> Iterator[Vector]:
    """The naive plan, the asked margins, all margins, the margins of each number of dimensions
    (`order`) and, while they are few, every margin beside the finest cells; each with a trace of
    everything else so that no share is stuck at 0."""
    count = len(goal.weights)
    trace = np.full(count, 1e-3 / count)
    naive = np.zeros(count)
    naive[-1] = 1.0
    yield naive
    yield naive + trace
    yield np.where(goal.weights > 0, 1.0, 0.0) + trace
    yield np.ones(count)
    for size in range(1, int(order.max()) + 1):
        chosen = np.where(order == size, 1.0, 0.0)
        yield chosen + trace
        yield chosen + np.where(order == size - 1, 0.5, 0.0) + 0.05 * naive + trace
    for place in range(min(count - 1, _MOST_PAIRS)):
        pair = 0.55 * naive
        pair[place] = 0.45
        yield pair + trace
