"""Laplace noise on a public grid, for one number in [−1, 1].

Claim    ε-LDP; the score is unbiased for x, `squares` for x² up to 1/POSITIONS².
Source   Dwork, McSherry, Nissim, Smith 2006, for one person; discrete: mechanisms/discrete_laplace.
Symbols  N -> POSITIONS: x is place (x+1)/2·N, rounded at random; the noise has scale N/ε.
Needs    fair bits.
Gaps     none known.

Derivation. Two places differ by at most N, so the sum of place and noise of scale N/ε is ε-LDP in
the place (discrete_laplace.py with D = N), and so in x. The place's second moment is that of the
report less the noise's variance; rounding adds at most (2/N)²/4.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.relation import Relation
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.mechanisms.local.mechanism import Reports, Scores
from sudare.mechanisms.local.piecewise import POSITIONS
from sudare.mechanisms.local.shares import checked, exponential
from sudare.mechanisms.local.window import rounded
from sudare.randomness.bits import RandomBits


@dataclass(frozen=True)
class Laplace:
    """The place of a number, with noise."""

    epsilon: Fraction

    def __post_init__(self) -> None:
        checked(self.epsilon)

    @property
    def odds(self) -> Fraction:
        return exponential(self.epsilon)

    @property
    def cells(self) -> None:
        """Noise has no end."""

    def report(self, values: NDArray[Any], bits: RandomBits) -> Reports:
        places = rounded((values + 1.0) * (POSITIONS / 2), POSITIONS, bits).astype(np.int64)
        return self._noise(len(values)).apply_array(places, bits) if len(values) else places

    def scores(self, reports: Reports) -> Scores:
        found: Scores = 2 * reports.astype(np.float64) / POSITIONS - 1
        return found

    def squares(self, reports: Reports) -> Scores:
        found: Scores = self.scores(reports) ** 2 - self._variance
        return found

    def variance(self, x: Scores) -> Scores:
        return np.full_like(x, self._variance)

    def square_variance(self, x: Scores) -> Scores:
        # (x + Z)² − E Z² has variance 4x²·Var Z + E Z⁴ − (E Z²)²; a Laplace Z has E Z⁴ = 6 (E Z²)².
        found: Scores = 4 * x**2 * self._variance + 5 * self._variance**2
        return found

    def parameters(self) -> dict[str, Any]:
        return {}

    @property
    def _variance(self) -> float:
        return (2 / POSITIONS) ** 2 * self._noise(1).variance

    def _noise(self, cells: int) -> DiscreteLaplace:
        return DiscreteLaplace.for_epsilon(Relation.REPLACE_ONE, POSITIONS, self.epsilon, cells)
