"""Discrete Gaussian noise for integer answers, accounted for in zCDP.

Claim    |f(x) - f(x')|_2^2 <= D2  =>  f(x) + Y is (D2 / (2 sigma^2))-zCDP, Y ~ N_Z(0, sigma^2).
Source   Canonne, Kamath, Steinke 2020 ("The Discrete Gaussian for Differential Privacy").
Symbols  D2 -> l2_sensitivity_squared (an integer), sigma -> sigma (a Fraction).
Needs    integer answers, independent Y per cell.
Gaps     none known.

Derivation. Write Phi(m) = sum over integers y of e^(-(y-m)^2 / (2 sigma^2)). For an integer shift
d and any order a > 1, completing the square gives
    sum_y P(y)^a P(y-d)^(1-a) = e^(a(a-1) d^2 / (2 sigma^2)) * Phi((1-a) d) / Phi(0),
and Phi(m) <= Phi(0) for every real m, because by Poisson's formula Phi is a cosine series with
positive coefficients. So the Rényi divergence of order a is at most a * d^2 / (2 sigma^2). Cells
are independent, divergences add, and the sum of d^2 over the cells is at most D2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.facts.events import GaussianEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.adding import add, add_array
from sudare.mechanisms.checks import require_cells, require_positive
from sudare.randomness.bits import RandomBits
from sudare.randomness.gaussian import discrete_gaussian

# Sigma is rounded up to 20 binary digits: it grows by less than two millionths, and the sampler's
# integers stay within int64 (docs/decisions/0003-digit-sampling.md).
SIGMA_DIGITS = 20


@dataclass(frozen=True)
class DiscreteGaussian:
    """An integer vector, each cell with its own discrete Gaussian noise of one sigma."""

    relation: Relation
    l2_sensitivity_squared: int
    sigma: Fraction
    cells: int

    def __post_init__(self) -> None:
        require_positive("sensitivity", self.l2_sensitivity_squared)
        require_positive("sigma", self.sigma)
        require_positive("number of cells", self.cells)

    @classmethod
    def for_rho(
        cls, relation: Relation, l2_sensitivity_squared: int, rho: Fraction, cells: int
    ) -> DiscreteGaussian:
        """The mechanism that costs at most `rho`, and hardly less."""
        require_positive("ρ", rho)
        sigma = _root_above(Fraction(l2_sensitivity_squared) / (2 * rho))
        return cls(relation, l2_sensitivity_squared, sigma, cells)

    def event(self) -> GaussianEvent:
        """What an answer costs; known before any data is read."""
        return GaussianEvent(self.relation, self.l2_sensitivity_squared, self.sigma, self.cells)

    def apply(self, values: Sequence[int], bits: RandomBits) -> list[int]:
        """The noisy answers, exact integers of any length."""
        require_cells(self.cells, len(values))
        return add(values, discrete_gaussian(bits, self.sigma, self.cells))

    def apply_array(self, values: NDArray[np.int64], bits: RandomBits) -> NDArray[np.int64]:
        """The noisy answers of a large vector, clamped to int64 at the very ends."""
        require_cells(self.cells, len(values))
        return add_array(values, discrete_gaussian(bits, self.sigma, self.cells))

    @property
    def variance(self) -> float:
        """The variance of one cell's noise; sigma^2 but for small sigma, where it is less."""
        # By Poisson's formula the two differ by a factor 1 - O(sigma^2 e^(-2 pi^2 sigma^2)), which
        # no float shows from sigma = 2 on.
        if self.sigma >= 2:
            return float(self.sigma**2)
        sigma = float(self.sigma)
        weights = [math.exp(-(y / sigma) * (y / sigma) / 2) for y in range(1, 80)]
        moment = sum(y * y * weight for y, weight in enumerate(weights, start=1))
        return 2 * moment / (1 + 2 * sum(weights))


def _root_above(square: Fraction) -> Fraction:
    """A number with a power of two below it, at or barely above the root of `square`."""
    exponent = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    shift = max(0, SIGMA_DIGITS - exponent)
    scaled = math.ceil(square * 4**shift)
    root = math.isqrt(scaled)
    return Fraction(root if root * root == scaled else root + 1, 2**shift)
