"""The least ε at which a falling bound on δ meets a wanted δ, approached from above."""

from __future__ import annotations

import math
from collections.abc import Callable

_CLOSE = 1e-5
_MOST_STEPS = 80


def smallest(delta_of: Callable[[float], float], delta: float, largest: float) -> float:
    """An ε with delta_of(ε) ≤ δ, within 1e-5 of the least; `largest` is known to do.

    First the interval is narrowed to a factor of two, then √(−log δ(ε)), which is nearly a
    straight line in ε, is followed to the root by the Illinois rule. Whatever the steps, what is
    returned was either seen to satisfy the bound or is `largest`.
    """
    if delta <= 0:
        return largest
    gap = _depth(delta_of(0.0)) - _depth(delta)
    if gap >= 0:
        return 0.0
    low, low_gap, high, high_gap = 0.0, gap, largest, math.inf
    for _ in range(_MOST_STEPS):
        if high - low <= _CLOSE * high:
            break
        wide = low == 0 or high > 2 * low or math.isinf(high_gap)
        middle = _split(low, high) if wide else _secant(low, high, low_gap, high_gap)
        found = delta_of(middle)
        gap = _depth(found) - _depth(delta)
        if found <= delta:
            high, high_gap, low_gap = middle, gap, low_gap if wide else low_gap / 2
        else:
            low, low_gap, high_gap = middle, gap, high_gap if wide else high_gap / 2
    return high


def _depth(delta: float) -> float:
    return math.sqrt(max(0.0, -math.log(delta))) if delta > 0 else math.inf


def _split(low: float, high: float) -> float:
    if low == 0:
        return high / 4
    return math.sqrt(low * high) if high > 2 * low else (low + high) / 2


def _secant(low: float, high: float, low_gap: float, high_gap: float) -> float:
    """Where the line through both ends meets zero, kept off the ends."""
    rise = high_gap - low_gap
    share = -low_gap / rise if rise > 0 else 0.5
    least = 0.4 * _CLOSE * high / (high - low)
    return low + (high - low) * min(max(share, min(least, 0.5)), max(1 - least, 0.5))
