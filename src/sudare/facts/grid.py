"""The public grid on which a column's values become integers.

Noise is integer noise, so every value is first clamped to its declared bounds and put on a grid
that the schema alone fixes: index = value / step, rounded to the nearest whole number and from the
middle between two to the even one, which every engine does in one step (IEEE 754). Integers, dates
(days since 1970-01-01) and booleans (0, 1) have step 1 and lose nothing. A real column has `step`
if it is declared, else the power of two just below (max − min) / 2^20: dividing by a power of two
is exact in floating point, so every engine finds the same index.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

# A real column without a declared step is cut into at least this many steps, so that rounding
# moves a mean by less than one millionth of the declared range.
DEFAULT_STEPS = 2**20


@dataclass(frozen=True)
class Grid:
    """Grid indices low..high, each `step` apart; index i stands for the value i·step. On an exact
    grid (integers, dates, booleans) nothing is rounded."""

    low: int
    high: int
    step: float
    is_exact: bool

    @property
    def span(self) -> int:
        return self.high - self.low

    def first_index(self, edge: Fraction) -> int:
        """The index at which "edge or more" begins: rounded as the data are, so that a value
        written like the edge falls on its upper side."""
        if self.is_exact:
            return math.ceil(edge)
        return grid_index(float(edge), self.step)

    def on_grid(self, value: Fraction) -> Fraction:
        """A number as the data would be rounded; beyond the bounds, one step beyond them."""
        if self.is_exact:
            return value
        step = Fraction(self.step)
        if value < self.low * step - step:
            return (self.low - 1) * step
        if value > self.high * step + step:
            return (self.high + 1) * step
        return grid_index(float(value), self.step) * step


def grid_index(value: float, step: float) -> int:
    """The index of a clamped value: the same IEEE operations that the engines write in SQL."""
    return round(value / step)


def exact_inverse(step: float) -> float | None:
    """1 / step where multiplying by it is exactly dividing by the step: for powers of two."""
    inverse = 1 / step if math.frexp(step)[0] == 0.5 else math.inf
    return inverse if math.isfinite(inverse) else None


def default_step(low: float, high: float) -> float:
    """The largest power of two that cuts [low, high] into at least DEFAULT_STEPS steps."""
    return 2.0 ** math.floor(math.log2((high - low) / DEFAULT_STEPS))


def unit_grid(low: int, high: int) -> Grid:
    return Grid(low, high, 1, is_exact=True)


def real_grid(low: float, high: float, step: float | None) -> Grid:
    chosen = step if step is not None else default_step(low, high)
    return Grid(grid_index(low, chosen), grid_index(high, chosen), chosen, is_exact=False)
