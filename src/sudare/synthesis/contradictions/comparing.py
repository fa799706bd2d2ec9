"""How far two published figures may be apart and still be taken for the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from sudare.facts.statistics import Floats, Marginal

# A file may give seven digits of a figure; whoever rounds harder is told so.
RELATIVE = 1e-6
# The part of the largest possible value that floating-point sums may leave over.
LEFTOVER = 1e-12


def differ(left: Any, right: Any, leftover: float = 0.0) -> bool:
    """Whether any two figures of the same place are apart."""
    return bool(np.any(exceeds(left, right, leftover) | exceeds(right, left, leftover)))


def exceeds(value: Any, limit: Any, leftover: float = 0.0) -> Any:
    """Whether a figure is above a limit, beyond rounding."""
    allowed = RELATIVE * np.maximum(np.abs(value), np.abs(limit)) + leftover
    return np.subtract(value, limit) > allowed


def outside(value: Any, low: Any, high: Any, leftover: float = 0.0) -> bool:
    return bool(np.any(exceeds(low, value, leftover) | exceeds(value, high, leftover)))


def bin_values(marginal: Marginal) -> tuple[Floats, Floats]:
    """The smallest and largest value of every bin of a number, in the units of the data."""
    return _values(marginal, marginal.starts, marginal.ends)


def level_values(marginal: Marginal) -> tuple[Floats, Floats]:
    """The smallest and largest value of every level of a number, without the missing one."""
    starts = marginal.level_starts()
    return _values(marginal, starts, (*(each - 1 for each in starts[1:]), marginal.high))


def bounds(marginal: Marginal) -> tuple[float, float]:
    low, high = _values(marginal, (marginal.low,), (marginal.high,))
    return float(low[0]), float(high[0])


def size(marginal: Marginal) -> float:
    """The largest absolute value that the bounds allow."""
    return max(abs(each) for each in bounds(marginal))


def _values(
    marginal: Marginal, first: tuple[int, ...], last: tuple[int, ...]
) -> tuple[Floats, Floats]:
    # A real value is rounded to its index, so it may lie half a step beside it.
    half = 0.5 if marginal.type == "real" else 0.0
    low = (np.array(first, dtype=np.float64) - half) * marginal.step
    return low, (np.array(last, dtype=np.float64) + half) * marginal.step
