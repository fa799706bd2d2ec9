"""What the drawn numbers are to have, in standard units.

A number stands as z = (index − mean) / deviation, 0 where it is missing. Wanted are Σz = 0 and
Σ z_j z_k = n R_jk for the pairs that are known. `gap` says what is still to be added.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats

# A column that moves in steps of less than this share of its deviation can be treated as
# continuous and rounded in the end: the rounding of n rows moves a moment by 0.3 · step / √n.
FINE = 1e-2


@dataclass(frozen=True, eq=False)
class Goal:
    """`mean` and `deviation` in grid indices, `wanted` = R, `known` where R is stated; `whole`
    columns take whole indices only, `fine` ones so many that they are as good as continuous; `low`
    and `high` are the declared bounds."""

    mean: Floats
    deviation: Floats
    wanted: Floats
    known: NDArray[np.bool_]
    whole: NDArray[np.bool_]
    low: Floats
    high: Floats

    @property
    def fine(self) -> NDArray[np.bool_]:
        return ~self.whole | (self.deviation * FINE >= 1.0)

    def only(self, columns: NDArray[np.intp]) -> Goal:
        """The same of some of the columns."""
        both = np.ix_(columns, columns)
        return Goal(
            self.mean[columns], self.deviation[columns], self.wanted[both], self.known[both],
            self.whole[columns], self.low[columns], self.high[columns],
        )  # fmt: skip

    def standard(self, indices: Floats, present: NDArray[np.bool_]) -> Floats:
        return np.where(present, (indices - self.mean) / self.deviation, 0.0)


@dataclass(frozen=True, eq=False)
class Gap:
    """What has to be added to Σz, and to Σzz, a row: both divided by the number of rows."""

    sums: Floats
    products: Floats

    @property
    def largest(self) -> float:
        whole = max(float(np.max(np.abs(self.sums), initial=0.0)), 0.0)
        return max(whole, float(np.max(np.abs(self.products), initial=0.0)))

    def among(self, columns: NDArray[np.bool_]) -> float:
        """The largest gap that concerns these columns alone."""
        both = np.outer(columns, columns)
        return max(
            float(np.max(np.abs(self.sums[columns]), initial=0.0)),
            float(np.max(np.abs(self.products[both]), initial=0.0)),
        )


def gap_of(z: Floats, goal: Goal) -> Gap:
    rows = max(len(z), 1)
    products = np.where(goal.known, goal.wanted - z.T @ z / rows, 0.0)
    return Gap(-z.sum(axis=0) / rows, products)
