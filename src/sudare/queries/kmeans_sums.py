"""Sizes and means of clusters from one noisy round, with their errors.

Encoding each row gives its cluster, for every column, the pair (x − low, high − x) of grid steps.
         The pair adds up to the span whatever x is, so the number of rows and the sum share one
         sensitivity (queries/sensitivity.py, `of_shares`), and every column tells the number of
         rows once more. The d columns are d blocks with an even part of the round's budget.
Claim    for tables that differ in one unit of at most m rows a block moves by at most m·span
         (add-remove) or 2·m·span (replace-one) in L1, by m·span or √2·m·span in L2, and some pair
         attains it: a row at a bound, or two rows at opposite bounds, or in two clusters.
Needs    clusters disjoint and fixed before the round, by what was released so far alone.
Estimate in units of the span let a, b be the two noisy sums of a column; n is the mean of a + b
         over the columns, and the column's mean is u = 1/2 + (a − b)/(2n). Since the noises of
         a + b and a − b are uncorrelated, averaging n over the columns makes u better too.
Error    Fieller: the truth u satisfies |(a − b)/2 − (u − 1/2)·n| <= half width of its noise with
         probability 95 %; the bound is the largest |û − u| among those u. Half widths are those
         of queries/interval.py, over all clusters at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.facts.events import PrivacyEvent
from sudare.facts.grid import Grid
from sudare.facts.release import NoiseFact
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.queries.interval import GAUSSIAN_95, LAPLACE_EXCESS, Noise
from sudare.queries.measurement import MechanismName
from sudare.queries.sensitivity import Sensitivity, Setting, of_shares
from sudare.randomness.bits import RandomBits

Array = NDArray[np.float64]
Noisy = DiscreteLaplace | DiscreteGaussian


@dataclass(frozen=True)
class Found:
    """Sizes (k), means (k × d, in [0, 1]), and which clusters can be told from empty ones."""

    sizes: Array
    means: Array
    told: NDArray[np.bool_]


@dataclass(frozen=True)
class Width:
    """Half widths of the noise in cells of the round, each column in units of its span."""

    variances: Array
    is_laplace: bool
    narrow: Array

    def of_sizes(self) -> float:
        """The 95 % half width of a size."""
        d = len(self.variances)
        each = np.repeat(self.variances, 2)[None, :] / d**2
        return float(self._whole(each, np.array([self.narrow.max() / d]))[0])

    def of_means(self, means: Array, sizes: Array) -> Array:
        """Fieller's bound for every mean; where the noise swamps the size, the whole range."""
        widest = np.maximum(means, 1 - means)
        told = (sizes > self.of_sizes())[:, None] & np.ones_like(means, dtype=bool)
        divisor = np.where(told, sizes[:, None], 1.0)
        errors = np.zeros_like(means)
        for _ in range(60):
            ends = [np.clip(means - errors, 0, 1), np.clip(means + errors, 0, 1)]
            grown = np.maximum(self._ratio(ends[0]), self._ratio(ends[1])) / divisor
            if np.all(grown <= errors * (1 + 1e-9)):
                break
            errors = np.minimum(np.maximum(errors, grown), 1.0)
        return np.where(told, np.minimum(widest, errors), widest)

    def _ratio(self, means: Array) -> Array:
        """The half width of (a − b)/2 − (u − 1/2)·n at every u of a k × d array."""
        d = means.shape[1]
        lean = (means - 0.5) / d
        found = np.empty_like(means)
        for j in range(d):
            # Every column's two cells carry −lean; the column's own two also ±1/2.
            weights = np.repeat(-lean[:, j, None], 2 * d, axis=1)
            weights[:, 2 * j] += 0.5
            weights[:, 2 * j + 1] -= 0.5
            each = weights**2 * np.repeat(self.variances, 2)[None, :]
            slack = np.abs(weights) * np.repeat(self.narrow, 2)[None, :]
            found[:, j] = self._whole(each, slack.max(axis=1))
        return found

    def _whole(self, each: Array, slack: Array) -> Array:
        total = each.sum(axis=1)
        excess = np.zeros_like(total)
        if self.is_laplace:
            roots = np.sqrt((each**2).sum(axis=1))
            excess = np.divide(roots, total, out=excess, where=total > 0) * LAPLACE_EXCESS
        width: Array = np.sqrt(total) * (GAUSSIAN_95 + excess) + slack
        return width


@dataclass(frozen=True)
class Sums:
    """The noisy sums of one round: `groups` clusters, every column of `grids` with an even part."""

    setting: Setting
    grids: tuple[Grid, ...]
    groups: int
    mechanism: MechanismName
    part: Fraction

    def mechanisms(self) -> list[Noisy]:
        each = self.part / len(self.grids)
        blocks = [of_shares(self.setting, grid.span) for grid in self.grids]
        return [noisy(self.setting, self.mechanism, b, each, 2 * self.groups) for b in blocks]

    def events(self) -> list[PrivacyEvent]:
        return [each.event() for each in self.mechanisms()]

    def facts(self) -> list[NoiseFact]:
        return [fact_of(each) for each in self.mechanisms()]

    def width(self, *, smooth: bool = False) -> Width:
        """`smooth` ignores that the noise is discrete, for measures that compare budgets."""
        noises = [noise_of(each) for each in self.mechanisms()]
        spans = np.array([float(grid.span) for grid in self.grids])
        continuous = [n.scale**2 * (2 if n.kind == "laplace" else 1) for n in noises]
        exact = [noise.variance for noise in noises]
        is_narrow = np.array([n.kind == "laplace" and n.scale < 1 and not smooth for n in noises])
        variances = np.array(continuous if smooth else exact) / spans**2
        return Width(variances, noises[0].kind == "laplace", is_narrow / spans)

    def found(self, moments: Sequence[Sequence[int]], bits: RandomBits) -> Found:
        """Noisy sizes and means from each cluster's exact (count, Σx₁, Σx₂, …)."""
        parts = enumerate(zip(self.mechanisms(), self.grids, strict=True))
        low, high = zip(*(self._noised(moments, j, m, g, bits) for j, (m, g) in parts), strict=True)
        a, b = np.column_stack(low), np.column_stack(high)
        sizes = (a + b).mean(axis=1)
        told = sizes > self.width().of_sizes()
        safe = np.where(told, sizes, 1.0)[:, None]
        means = np.clip(np.where(told[:, None], 0.5 + (a - b) / 2 / safe, 0.5), 0.0, 1.0)
        return Found(np.maximum(sizes, 0.0), means, told)

    def _noised(
        self,
        moments: Sequence[Sequence[int]],
        column: int,
        mechanism: Noisy,
        grid: Grid,
        bits: RandomBits,
    ) -> tuple[Array, Array]:
        cells = mechanism.apply(pairs(moments, column, grid), bits)
        scaled = np.array([cell / grid.span for cell in cells])
        return scaled[0::2], scaled[1::2]


def pairs(moments: Sequence[Sequence[int]], column: int, grid: Grid) -> list[int]:
    """(Σ(x − low), Σ(high − x)) of each cluster, one after the other."""
    found = []
    for count, *sums in moments:
        found += [sums[column] - grid.low * count, grid.high * count - sums[column]]
    return found


def noisy(
    setting: Setting, name: MechanismName, moved: Sensitivity, part: Fraction, cells: int
) -> Noisy:
    """The noise of one block; truncated geometric noise has nothing to truncate here."""
    if name == "gaussian":
        return DiscreteGaussian.for_rho(setting.relation, moved.l2_squared, part, cells)
    return DiscreteLaplace.for_epsilon(setting.relation, moved.l1, part, cells)


def noise_of(mechanism: Noisy) -> Noise:
    if isinstance(mechanism, DiscreteGaussian):
        return Noise("gaussian", float(mechanism.sigma))
    return Noise("laplace", float(mechanism.scale))


def fact_of(mechanism: Noisy) -> NoiseFact:
    if isinstance(mechanism, DiscreteGaussian):
        scale, moved = f"σ = {mechanism.sigma}", f"L2² = {mechanism.l2_sensitivity_squared}"
        return NoiseFact("discrete Gaussian", mechanism.cells, scale, moved)
    scale, moved = f"s = {mechanism.scale}", f"L1 = {mechanism.l1_sensitivity}"
    return NoiseFact("discrete Laplace", mechanism.cells, scale, moved)
