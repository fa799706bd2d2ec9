"""Hybrid: piecewise with probability α, else two-point.

Claim    ε-LDP; the score is unbiased for x as those of its parts are.
Source   Wang et al. 2019, section III-C: α = 1 − e^{−ε/2} for ε > 0.6094 (their ε*), else 0.
Symbols  cells 0 ... K−1 are the piecewise mechanism's, K and K+1 the two-point's bits 0 and 1.
Needs    fair bits; α is a public number of 32 binary digits.
Gaps     where α = 0 the report does not tell x².

Derivation. Which part speaks is drawn without looking at x and can be read off the report, so a
report's probability is α (or 1 − α) times that of the part's, and ratios are those of the part.
The second moment comes from the piecewise reports alone: 1{piecewise}·(its square score)/α.
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
from sudare.mechanisms.local.piecewise import Piecewise
from sudare.mechanisms.local.shares import WORD, checked
from sudare.mechanisms.local.two_point import TwoPoint
from sudare.randomness.bits import RandomBits, words32

# The positive root of the equation at which the piecewise part begins to help.
THRESHOLD = 0.6094


@dataclass(frozen=True)
class Hybrid:
    """The mechanism; `weight` is α in words of 2^32."""

    epsilon: Fraction
    weight: int

    def __post_init__(self) -> None:
        checked(self.epsilon)

    @classmethod
    def best(cls, epsilon: Fraction) -> Hybrid:
        alpha = -math.expm1(-float(epsilon) / 2) if epsilon > THRESHOLD else 0.0
        return cls(epsilon, round(alpha * WORD))

    @cached_property
    def piecewise(self) -> Piecewise:
        return Piecewise.best(self.epsilon)

    @cached_property
    def two_point(self) -> TwoPoint:
        return TwoPoint.best(self.epsilon)

    @property
    def alpha(self) -> float:
        return self.weight / WORD

    @property
    def odds(self) -> Fraction:
        return max(self.piecewise.odds, self.two_point.odds)

    @property
    def cells(self) -> int:
        return self.piecewise.cells + 2

    def report(self, values: NDArray[Any], bits: RandomBits) -> Reports:
        """Both parts are drawn for everyone, so that the work does not tell which one spoke."""
        is_wave = words32(bits, len(values)) < self.weight
        point = self.two_point.report(values, bits).astype(np.uint16)
        point += np.uint16(self.piecewise.cells)
        return np.where(is_wave, self.piecewise.report(values, bits), point)

    def scores(self, reports: Reports) -> Scores:
        return self._tables[0][reports]

    def squares(self, reports: Reports) -> Scores | None:
        return None if self.weight == 0 else self._tables[1][reports]

    def variance(self, x: Scores) -> Scores:
        wave, point = self.piecewise.variance(x), self.two_point.variance(x)
        return self.alpha * wave + (1 - self.alpha) * point

    def square_variance(self, x: Scores) -> Scores | None:
        if self.weight == 0:
            return None
        # E[(1{piecewise} S/α)²] = E[S²]/α, and E[S]² is subtracted once.
        wave, square = self.piecewise.square_variance(x), x**2
        return (wave + square**2) / self.alpha - square**2

    def parameters(self) -> dict[str, Any]:
        return {"weight": self.weight}

    @cached_property
    def _tables(self) -> tuple[Scores, Scores]:
        cells = np.arange(self.piecewise.cells)
        ends = self.two_point.scores(np.arange(2))
        squares = self.piecewise.squares(cells) / max(self.alpha, 1 / WORD)
        return np.append(self.piecewise.scores(cells), ends), np.append(squares, [0.0, 0.0])
