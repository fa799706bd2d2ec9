"""What the bins of a histogram leave open of its mean, its variance and sums of its values.

Claim    For n_b values in [lo_b, hi_b], each range below holds for all such values; it is attained
         where the values are free to lie anywhere in their bins.
Source   Least variance at mean μ: the bins' means are clip(t, lo, hi) for one t (Lagrange).
         Greatest at mean μ: every value at an end of its bin, E[x²] is then linear in the bins'
         means with slope lo_b + hi_b, so the highest bins are filled first; one bin gives
         (hi − μ)(μ − lo).
         Without a mean: least where t is the mean itself; greatest is min over c of the greatest
         E[(x − c)²] (minimax: the variance is concave in the distribution).
Symbols  n_b -> counts, lo_b and hi_b -> lows and highs, in ascending order of bins.
Needs    disjoint bins, some count above 0.
Gaps     whole numbers leave slightly less open; not used.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.statistics import Floats

Range = tuple[float, float]
_HALVINGS = 200


def mean_range(counts: Floats, lows: Floats, highs: Floats) -> Range:
    return _mean(counts, lows), _mean(counts, highs)


def variance_range(counts: Floats, lows: Floats, highs: Floats) -> Range:
    """Whatever the mean."""
    lows, highs = lows - lows[0], highs - lows[0]
    below, above = 0.0, float(highs[-1])
    for _ in range(_HALVINGS):
        middle = (below + above) / 2
        is_above = _mean(counts, np.clip(middle, lows, highs)) > middle
        below, above = (middle, above) if is_above else (below, middle)
    least = _mean(counts, (np.clip(below, lows, highs) - below) ** 2)
    below, above = 0.0, float(highs[-1])
    for _ in range(_HALVINGS):
        thirds = below + (above - below) / 3, above - (above - below) / 3
        is_left = _widest(counts, lows, highs, thirds[0]) < _widest(counts, lows, highs, thirds[1])
        below, above = (below, thirds[1]) if is_left else (thirds[0], above)
    return least, _widest(counts, lows, highs, (below + above) / 2)


def variance_range_at(counts: Floats, lows: Floats, highs: Floats, mean: float) -> Range:
    """Where the mean is known; it has to be one that the bins allow."""
    lows, highs = lows - mean, highs - mean
    below, above = float(lows[0]), float(highs[-1])
    for _ in range(_HALVINGS):
        middle = (below + above) / 2
        is_below = _mean(counts, np.clip(middle, lows, highs)) < 0
        below, above = (middle, above) if is_below else (below, middle)
    least = _mean(counts, np.clip(above, lows, highs) ** 2)
    widths = counts * (highs - lows)
    # What is still to be raised once all higher bins are full, of each bin's own width.
    filled_above = np.cumsum(widths[::-1])[::-1] - widths
    raised = np.clip(-float(np.dot(counts, lows)) - filled_above, 0, widths)
    greatest = float(np.dot(counts, lows**2) + np.dot(raised, lows + highs)) / float(counts.sum())
    return least, greatest


def variance_range_of(counts: Floats, lows: Floats, highs: Floats, means: Floats) -> Range:
    """Where the mean inside every bin is known."""
    between = _mean(counts, (means - _mean(counts, means)) ** 2)
    return between, between + _mean(counts, np.maximum((highs - means) * (means - lows), 0))


def sum_range(counts: Floats, lows: Floats, highs: Floats, people: Floats) -> tuple[Floats, Floats]:
    """The sum of any `people` of the values: between that of the smallest and the largest."""
    return _smallest(counts, lows, people), -_smallest(counts[::-1], -highs[::-1], people)


def _smallest(counts: Floats, values: Floats, people: Floats) -> Floats:
    steps = np.append(0.0, np.cumsum(counts))
    return np.asarray(np.interp(people, steps, np.append(0.0, np.cumsum(counts * values))))


def _widest(counts: Floats, lows: Floats, highs: Floats, center: float) -> float:
    return _mean(counts, np.maximum((lows - center) ** 2, (highs - center) ** 2))


def _mean(counts: Floats, values: Floats) -> float:
    return float(np.dot(counts, values) / counts.sum())
