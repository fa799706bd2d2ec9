"""Discrete Laplace noise for integer answers.

Claim    |f(x) - f(x')|_1 <= D  =>  f(x) + Z is (D/s)-DP, Z ~ DLap(s) in every cell.
Source   Ghosh, Roughgarden, Sundararajan 2012; digits: docs/decisions/0003-digit-sampling.md.
Symbols  s -> scale (a Fraction), D -> l1_sensitivity.
Needs    integer answers, independent Z per cell.
Gaps     none known.

Derivation. P[f(x) + Z = t] is proportional to the product over cells of e^(-|t_c - f(x)_c| / s).
Between neighbours the exponent of the product changes by at most
sum_c |f(x)_c - f(x')_c| / s <= D/s, by the triangle inequality in each cell, and the normalizing
constant is the same on both sides. So every point, and with it every set, changes its probability
by a factor of at most e^(D/s). Equality: one cell, f(x') = f(x) + D, all t <= f(x).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.facts.events import LaplaceEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.adding import add, add_array
from sudare.mechanisms.checks import require_cells, require_positive
from sudare.randomness.bits import RandomBits
from sudare.randomness.laplace import discrete_laplace


@dataclass(frozen=True)
class DiscreteLaplace:
    """An integer vector, each cell with its own discrete Laplace noise of one scale."""

    relation: Relation
    l1_sensitivity: int
    scale: Fraction
    cells: int

    def __post_init__(self) -> None:
        require_positive("sensitivity", self.l1_sensitivity)
        require_positive("scale", self.scale)
        require_positive("number of cells", self.cells)

    @classmethod
    def for_epsilon(
        cls, relation: Relation, l1_sensitivity: int, epsilon: Fraction, cells: int
    ) -> DiscreteLaplace:
        """The mechanism that costs exactly `epsilon`."""
        require_positive("ε", epsilon)
        return cls(relation, l1_sensitivity, l1_sensitivity / epsilon, cells)

    def event(self) -> LaplaceEvent:
        """What an answer costs; known before any data is read."""
        return LaplaceEvent(self.relation, self.l1_sensitivity, self.scale, self.cells)

    def apply(self, values: Sequence[int], bits: RandomBits) -> list[int]:
        """The noisy answers, exact integers of any length."""
        require_cells(self.cells, len(values))
        return add(values, discrete_laplace(bits, self.scale, self.cells))

    def apply_array(self, values: NDArray[np.int64], bits: RandomBits) -> NDArray[np.int64]:
        """The noisy answers of a large vector, clamped to int64 at the very ends."""
        require_cells(self.cells, len(values))
        return add_array(values, discrete_laplace(bits, self.scale, self.cells))

    @property
    def variance(self) -> float:
        """The variance of one cell's noise: 2r / (1-r)^2 with r = e^(-1/s)."""
        rate = float(1 / self.scale)
        return 2 * math.exp(-rate) / math.expm1(-rate) ** 2
