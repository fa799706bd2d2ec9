"""Square wave: a bin becomes a bin near it, for the shape of a whole distribution.

Claim    ε-LDP in the bin.
Source   Li, Wang, Lopuhaä-Zwakenberg, Skoric, Li 2020 ("Estimating Numerical Distributions under
         Local Differential Privacy"), on a grid.
Symbols  v -> values, the bins; w -> near, the width of the wave (odd); K = v + w − 1 cells.
Needs    fair bits.
Gaps     the histogram is read off by iterative Bayes (local/estimates/bayes.py); matrix inversion
         works but is noisier than for randomised response.

Derivation. Bin j is start j of a window of w cells in a row of v − 1 + w: ε-LDP by window.py.
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
from sudare.mechanisms.local.window import draw
from sudare.randomness.bits import RandomBits


@dataclass(frozen=True)
class SquareWave:
    """The mechanism on `values` bins with a wave of `near` cells."""

    epsilon: Fraction
    values: int
    near: int

    def __post_init__(self) -> None:
        checked(self.epsilon)

    @classmethod
    def best(cls, epsilon: Fraction, values: int) -> SquareWave:
        """The width at which a report tells most of the value (section 5.3 of the source)."""
        e = float(checked(epsilon))
        # The quotient of two differences that vanish with ε; its limit is 1/2.
        half = (
            0.5
            if e < 1e-3
            else (e * math.exp(e) - math.expm1(e)) / (2 * math.exp(e) * (math.expm1(e) - e))
        )
        return cls(epsilon, values, 2 * math.floor(half * values) + 1)

    @cached_property
    def shares(self) -> Shares:
        return shared(self.epsilon, self.near, self.values - 1, LONG)

    @property
    def odds(self) -> Fraction:
        return self.shares.odds

    @property
    def cells(self) -> int:
        return self.values - 1 + self.near

    def report(self, values: NDArray[Any], bits: RandomBits) -> Reports:
        return draw(values, self.shares, bits).astype(np.uint32)

    def law(self) -> Scores:
        found = np.full((self.cells, self.values), self.shares.chance_far)
        for value in range(self.values):
            found[value : value + self.near, value] = self.shares.chance_near
        return found

    def scores(self, reports: Reports) -> Scores:
        return self._inverse[reports]

    def variance(self, share: float) -> float:
        """Of the bins in the middle, under an even distribution."""
        law, inverse = self.law(), self._inverse
        cell = law.mean(axis=1)
        found = cell @ inverse**2 - (cell @ inverse) ** 2
        return float(np.median(found))

    def parameters(self) -> dict[str, Any]:
        return {"values": self.values, "near": self.near}

    @cached_property
    def _inverse(self) -> Scores:
        """A left inverse of the law: row = cell, column = bin."""
        found: Scores = np.linalg.pinv(self.law()).T.astype(np.float64)
        return found
