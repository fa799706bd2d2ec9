"""What is measured: noisy margins and, for Gaussian noise, noisy residuals.

Claim    a margin changes, when one unit's rows come or go (add-remove), by at most k in L1 and k²
         in squared L2, k the rows a unit; when they are replaced by others (replace-one), by at
         most 2k and 2k², or k and k² where the margin is one cell (a row may lack a value and not
         count). The residual of margin B, every row multiplied by Π (m_i I − 1 1ᵀ) with m_i the
         number of siblings on axis i, changes by at most k² P in squared L2 (add-remove) and
         2k² P m/(m − 1) (replace-one), P = Π m_i (m_i − 1), m the least m_i.
Derivation
         One row adds 1 to one cell. A column of m I − 1 1ᵀ has (m − 1)² + (m − 1) = m(m − 1), and
         two columns of the same siblings have inner product −m; norms and inner products of a
         Kronecker product are products. |c − d|² = 2P − 2⟨c, d⟩ is largest where ⟨c, d⟩ is most
         negative: the rows differ on one axis, the one with the least m, −P/(m − 1). A unit's rows
         are k columns at most; norms of sums and differences are convex, so k equal rows are worst.
Source   ResidualPlanner (Xiao et al. 2023): the cost of a residual is that of its columns. Scaled
         to integers it takes discrete noise.
Needs    counts that an engine has bounded to k rows a unit.
Gaps     none known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from sudare.facts.cube import Array, Dimension, Margin, cells_of, margin_name
from sudare.facts.events import GaussianEvent, LaplaceEvent
from sudare.facts.relation import Relation
from sudare.facts.release import NoiseFact
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.randomness.bits import RandomBits

Kind = Literal["margin", "residual"]


@dataclass(frozen=True)
class Setting:
    """Everything that a sensitivity depends on but the margin."""

    dimensions: tuple[Dimension, ...]
    relation: Relation
    rows_per_unit: int

    @property
    def replaces(self) -> bool:
        return self.relation is Relation.REPLACE_ONE

    def cells(self, margin: Margin) -> int:
        return cells_of(self.dimensions, margin)

    def margin_l1(self, margin: Margin) -> int:
        both = self.replaces and self.cells(margin) > 1
        return self.rows_per_unit * (2 if both else 1)

    def margin_l2_squared(self, margin: Margin) -> int:
        both = self.replaces and self.cells(margin) > 1
        return self.rows_per_unit**2 * (2 if both else 1)

    def residual_l2_squared(self, margin: Margin) -> int:
        sizes = siblings(self.dimensions, margin)
        product = math.prod(m * (m - 1) for m in sizes)
        if not self.replaces:
            return self.rows_per_unit**2 * product
        if not sizes:
            return self.rows_per_unit**2
        least = min(sizes)
        return self.rows_per_unit**2 * 2 * product * least // (least - 1)


def siblings(dimensions: Sequence[Dimension], margin: Margin) -> list[int]:
    """How many siblings a member has on every axis that the margin does not sum over."""
    return [
        dimension.children(level - 1)[0]
        for dimension, level in zip(dimensions, margin, strict=True)
        if level
    ]


def is_even(dimensions: Sequence[Dimension]) -> bool:
    """Whether all groups of every level hold the same number of members, two or more."""
    return all(
        len(set(dimension.children(level))) == 1 and dimension.children(level)[0] > 1
        for dimension in dimensions
        for level in range(dimension.depth)
    )


@dataclass(frozen=True)
class Measure:
    """One noisy integer vector."""

    kind: Kind
    margin: Margin
    mechanism: DiscreteLaplace | DiscreteGaussian
    scale: int = 1

    def event(self) -> LaplaceEvent | GaussianEvent:
        return self.mechanism.event()

    @property
    def variance(self) -> float:
        """Of one cell's noise, in units of counts."""
        return self.mechanism.variance / self.scale**2

    def fact(self, dimensions: Sequence[Dimension]) -> NoiseFact:
        name = margin_name(dimensions, self.margin)
        shown = name if self.kind == "margin" else f"residual of {name}"
        one = self.mechanism
        if isinstance(one, DiscreteLaplace):
            scale, reach = f"{float(one.scale):.6g}", f"L1 {one.l1_sensitivity}"
        else:
            scale, reach = f"{float(one.sigma):.6g}", f"L2² {one.l2_sensitivity_squared}"
        law = "discrete Laplace" if isinstance(one, DiscreteLaplace) else "discrete Gaussian"
        return NoiseFact(f"{law}: {shown}", one.cells, scale, reach)

    def exact(self, margin: Array, dimensions: Sequence[Dimension]) -> Array:
        """The integer vector before noise, from the exact margin."""
        return margin if self.kind == "margin" else residual(margin, dimensions, self.margin)

    def noisy(self, margin: Array, dimensions: Sequence[Dimension], bits: RandomBits) -> Array:
        """The margin, or the residual in units of counts, with noise."""
        values = self.exact(margin, dimensions)
        found = self.mechanism.apply_array(values.ravel().astype(np.int64), bits)
        shaped: Array = found.reshape(values.shape)
        return shaped if self.scale == 1 else shaped / self.scale


def residual(margin: Array, dimensions: Sequence[Dimension], levels: Margin) -> Array:
    """Every axis multiplied by m I − 1 1ᵀ within siblings, in integers."""
    found = margin
    for axis, (dimension, level) in enumerate(zip(dimensions, levels, strict=True)):
        if level:
            size = dimension.children(level - 1)[0]
            shape = found.shape
            split = found.reshape((*shape[:axis], -1, size, *shape[axis + 1 :]))
            centred = split * size - split.sum(axis=axis + 1, keepdims=True)
            found = centred.reshape(shape)
    return found


def residual_scale(dimensions: Sequence[Dimension], margin: Margin) -> int:
    return math.prod(siblings(dimensions, margin))


def laplace_measure(setting: Setting, margin: Margin, epsilon: Fraction) -> Measure:
    reach = setting.margin_l1(margin)
    one = DiscreteLaplace.for_epsilon(setting.relation, reach, epsilon, setting.cells(margin))
    return Measure("margin", margin, one)


def gaussian_measure(setting: Setting, kind: Kind, margin: Margin, rho: Fraction) -> Measure:
    is_margin = kind == "margin"
    reach = (setting.margin_l2_squared if is_margin else setting.residual_l2_squared)(margin)
    one = DiscreteGaussian.for_rho(setting.relation, reach, rho, setting.cells(margin))
    scale = 1 if is_margin else residual_scale(setting.dimensions, margin)
    return Measure(kind, margin, one, scale)
