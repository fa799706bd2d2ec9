"""The answers of blocks as counts on a public grid, and private places on it.

Symbols  n -> the number of blocks, public; v_1 ... v_n the blocks' places, of which one unit
         changes at most one; q -> a level; L(c), U(c) -> how many lie below cell c, and in it or
         below it.
Score    −max(0, L(c) − q·n, q·n − U(c)): how many answers have to change until c is a q-quantile.
Claim    the score changes by at most 1 when one v_i is replaced, since L and U each do.
Cells    places are gathered into at most `MOST_CELLS` cells of a public layout, so that a choice
         takes the same small time whatever was declared. A cell stands for its middle.
Forecast what the plan alone tells: as if the blocks' answers lay evenly over the middle eighth of
         the declared range. The law used is the exponential mechanism's, than which permute-and-
         flip is never worse (McKenna and Sheldon 2020).
Gaps     none known.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.facts.relation import Relation
from sudare.mechanisms.permute_and_flip import PermuteAndFlip
from sudare.randomness.bits import RandomBits

MOST_CELLS = 2**14
ASSUMED_PART = 8
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cells:
    """Places 0 ... span in cells of `per_cell` places; the last one may hold fewer."""

    span: int

    @property
    def per_cell(self) -> int:
        return -(-(self.span + 1) // MOST_CELLS)

    @property
    def size(self) -> int:
        return -(-(self.span + 1) // self.per_cell)

    def counts(self, places: Counts) -> Counts:
        return np.bincount(places // self.per_cell, minlength=self.size).astype(np.int64)

    def middle(self, cell: int) -> Fraction:
        """The place in the middle of a cell."""
        first = cell * self.per_cell
        return Fraction(first + min(first + self.per_cell - 1, self.span), 2)

    def assumed(self, blocks: int) -> Counts:
        """The places of a forecast: evenly over the middle of the range."""
        part = np.linspace(-0.5, 0.5, blocks) / ASSUMED_PART + 0.5
        return np.rint(part * self.span).astype(np.int64)


@dataclass(frozen=True)
class Choice:
    """A private q-quantile of the blocks' answers."""

    relation: Relation
    cells: Cells
    level: Fraction
    epsilon: Fraction

    @property
    def mechanism(self) -> PermuteAndFlip:
        return PermuteAndFlip(self.relation, Fraction(1), self.epsilon)

    def scores(self, places: Counts) -> Counts:
        """The scores in units of 1/denominator of the level."""
        counts, q = self.cells.counts(places), self.level
        upto = np.cumsum(counts)
        aim = q.numerator * len(places)
        over, under = q.denominator * (upto - counts) - aim, aim - q.denominator * upto
        found: Counts = -np.maximum(0, np.maximum(over, under))
        return found

    def apply(self, places: Counts, bits: RandomBits) -> int:
        """The chosen cell."""
        unit = Fraction(1, self.level.denominator)
        return self.mechanism.apply(self.scores(places), unit, bits)

    def law(self, places: Counts) -> Floats:
        """The chances of the cells under the exponential mechanism: for forecasts."""
        rate = float(self.epsilon) / (2 * self.level.denominator)
        weights = np.exp(rate * self.scores(places))
        found: Floats = weights / weights.sum()
        return found
