"""Piecewise: a number becomes a cell, most often one near it.

Claim    ε-LDP; the score is unbiased for x in [−1, 1] up to 2^−32, and `squares` for x² up to
         2.5/POSITIONS² (docs/local.md, "On a public grid").
Source   paper 000, Algorithm 2 (Wang et al. 2019), on a grid: docs/local.md has the derivation.
Symbols  w -> near, the cells of the window; N -> POSITIONS, so that s = 0 ... N; K = N + w cells.
         p, q -> the probabilities of a cell inside and outside the window.
Needs    fair bits.
Gaps     none known.

Derivation. s is (x+1)/2·N, rounded up or down at random. Given s the cells s ... s+w−1 have
probability p each and the others q, p/q <= e^ε: ε-LDP by window.py. The mean of the cell is
q·(sum of all cells) + (p−q)·(sum of the window) = q·K(K−1)/2 + (p−q)(w·s + w(w−1)/2), which is
linear in s, and so in x whatever the rounding. The mean of its square is
q·(sum of squares) + (p−q)·Σ_{i<w}(s+i)² = const + (p−q)(w·s² + w(w−1)·s), from which s² is read
off by linear combination with the cell itself. Rounding makes E[s²] larger than the square of the
unrounded place by f(1−f) <= 1/4 with its fraction f, which is (2/N)²/4 = 1/N² in units of x².
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.mechanisms.local.mechanism import Reports, Scores
from sudare.mechanisms.local.shares import LONG, Shares, checked, shared
from sudare.mechanisms.local.window import draw, rounded
from sudare.randomness.bits import RandomBits

# Places of the window: [−1, 1] in steps of 2/POSITIONS.
POSITIONS = 4096


@dataclass(frozen=True)
class Piecewise:
    """The mechanism with a window of `near` cells."""

    epsilon: Fraction
    near: int

    def __post_init__(self) -> None:
        checked(self.epsilon)

    @classmethod
    def best(cls, epsilon: Fraction) -> Piecewise:
        """Algorithm 2's window: of its range 2C the part (C−1)/2C = 1/(e^{ε/2}+1)."""
        near = round(POSITIONS / math.exp(float(checked(epsilon)) / 2))
        return cls(epsilon, max(near, 1))

    @cached_property
    def shares(self) -> Shares:
        return shared(self.epsilon, self.near, POSITIONS, LONG)

    @property
    def odds(self) -> Fraction:
        return self.shares.odds

    @property
    def cells(self) -> int:
        return POSITIONS + self.near

    def report(self, values: NDArray[Any], bits: RandomBits) -> Reports:
        starts = rounded((values + 1.0) * (POSITIONS / 2), POSITIONS, bits)
        return draw(starts, self.shares, bits).astype(np.uint16)

    def scores(self, reports: Reports) -> Scores:
        return self._tables[0][reports]

    def squares(self, reports: Reports) -> Scores:
        return self._tables[1][reports]

    def variance(self, x: Scores) -> Scores:
        first, _, law = self._moments(x)
        return law @ self._tables[0] ** 2 - first**2

    def square_variance(self, x: Scores) -> Scores:
        _, second, law = self._moments(x)
        return law @ self._tables[1] ** 2 - second**2

    def parameters(self) -> dict[str, Any]:
        return {"near": self.near}

    @cached_property
    def _tables(self) -> tuple[Scores, Scores]:
        """What each cell says of x and of x²."""
        p, q = self.shares.chance_near, self.shares.chance_far
        w, cells = self.near, np.arange(self.cells, dtype=np.float64)
        place = (cells - q * cells.sum()) / ((p - q) * w) - (w - 1) / 2
        inside = (cells**2 - q * (cells**2).sum()) / (p - q) - (w - 1) * w * (2 * w - 1) / 6
        square = inside / w - (w - 1) * place
        # x = 2s/N − 1, so x² = 4s²/N² − 4s/N + 1.
        n = POSITIONS
        return 2 * place / n - 1, 4 * square / n**2 - 4 * place / n + 1

    def _moments(self, x: Scores) -> tuple[Scores, Scores, Scores]:
        law = np.stack([self.law(each) for each in np.atleast_1d(x)])
        return law @ self._tables[0], law @ self._tables[1], law

    def law(self, x: float) -> Scores:
        """P(cell | x), the rounding included."""
        place = (x + 1) / 2 * POSITIONS
        low = min(math.floor(place), POSITIONS)
        found = np.full(self.cells, self.shares.chance_far)
        for start, weight in ((low, 1 - (place - low)), (low + 1, place - low)):
            gain = self.shares.chance_near - self.shares.chance_far
            found[start : start + self.near] += weight * gain
        return found
