"""Whole numbers near a table of real ones, so that margins hardly move.

Claim    the result is a table of integers z >= 0 with |z − x| < 1 in every cell, chosen so that
         Σ_A (margin A of z − margin A of x)² / variance of A is small: rounding must not show
         beside the noise. Public totals (`exact`) hold exactly, if need be by cells that move by
         more than 1.
Method   cumulative rounding in the order of the cells keeps the sums of side-by-side cells within
         1; then pairs of cells in one line of the table are turned, one up and one down, where
         their margins gain by it, a few lines at a time.
Needs    noisy numbers and public ones alone: this is post-processing and costs nothing. Which cells
         of a margin turn is decided by their place (multiples of the golden ratio), not by chance.
Gaps     A heuristic: the best rounding of a table of three or more dimensions is a hard problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.facts.cube import Array, Dimension, Margin, finest, margin_of
from sudare.tables.algebra import spread, sums

_ROUNDS = 24
# Of the lines that could be mended this share is tried at first.
_FIRST_SHARE = 0.05
_FINE = 0.02
_GOLDEN = 0.6180339887498949
Counts = NDArray[np.int64]


def whole(
    values: Array,
    dimensions: Sequence[Dimension],
    variances: Mapping[Margin, float],
    exact: tuple[Margin, Counts] | None = None,
) -> Counts:
    """The integers; `variances` are those of the noise in a cell of each margin."""
    floor = np.floor(values)
    rounded = _cumulative(values, floor)
    top = finest(dimensions)
    weights = {m: 1.0 / max(v, 0.25) for m, v in variances.items() if m != top}
    if weights and rounded.size > 1:
        rounded = _mended(rounded, values, floor, dimensions, weights)
    counts = rounded.astype(np.int64)
    return counts if exact is None else forced(counts, values, dimensions, *exact)


def _cumulative(values: Array, floor: Array) -> Array:
    """Floors and ceilings whose running sum stays within 1/2 of the running sum of the values."""
    whole_sums = np.floor(np.cumsum((values - floor).ravel()) + 0.5)
    ups = np.diff(whole_sums, prepend=0.0).reshape(values.shape)
    # Rounding errors of the running sum could ask for a step on a whole number.
    rounded: Array = floor + np.clip(ups, 0.0, 1.0)
    return rounded


def _mended(
    rounded: Array,
    values: Array,
    floor: Array,
    dimensions: Sequence[Dimension],
    weights: Mapping[Margin, float],
) -> Array:
    """Turn one cell up and one down in some lines of the table, as long as that lowers the cost;
    sums over the line's axis do not notice."""
    errors = sums(rounded - values, dimensions)
    cost = _cost(errors, weights)
    shares = dict.fromkeys(_long_axes(rounded), _FIRST_SHARE)
    for number in range(_ROUNDS):
        if _is_fine(errors, weights):
            break
        for axis in shares:
            pull = spread({m: errors[m] * w for m, w in weights.items()}, dimensions)
            own = sum(weight for margin, weight in weights.items() if margin[axis] > 0)
            turned = _turned(rounded, values, floor, pull, axis, own, shares[axis], number)
            tried = sums(turned - values, dimensions)
            found = _cost(tried, weights)
            # Too many lines at once mend the same margin twice: then fewer are tried.
            shares[axis] = min(0.5, shares[axis] * 1.5) if found < cost else shares[axis] / 4
            if found < cost:
                rounded, errors, cost = turned, tried, found
    return rounded


def _long_axes(rounded: Array) -> list[int]:
    return [axis for axis, size in enumerate(rounded.shape) if size > 1]


def _is_fine(errors: Mapping[Margin, Array], weights: Mapping[Margin, float]) -> bool:
    """Whether rounding adds less than 2 % to the variance of every margin."""
    return all(w * float((errors[m] ** 2).mean()) < _FINE for m, w in weights.items())


def _cost(errors: Mapping[Margin, Array], weights: Mapping[Margin, float]) -> float:
    return sum(weight * float((errors[m] ** 2).sum()) for m, weight in weights.items())


def _turned(
    rounded: Array,
    values: Array,
    floor: Array,
    pull: Array,
    axis: int,
    own: float,
    share: float,
    number: int,
) -> Array:
    """In each chosen line the cell to round up and the cell to round down that help the most."""
    ups = np.where((rounded == floor) & (values > floor), pull, np.inf)
    downs = np.where(rounded > floor, pull, -np.inf)
    up = np.argmin(ups, axis=axis, keepdims=True)
    down = np.argmax(downs, axis=axis, keepdims=True)
    gain = np.take_along_axis(downs, down, axis) - np.take_along_axis(ups, up, axis)
    places = np.arange(gain.size, dtype=np.float64).reshape(gain.shape)
    chosen = np.modf((places + 1) * (number + 1) * _GOLDEN)[0] < share
    step = ((gain > own) & chosen).astype(np.float64)
    turned = rounded.copy()
    np.put_along_axis(turned, up, np.take_along_axis(turned, up, axis) + step, axis)
    np.put_along_axis(turned, down, np.take_along_axis(turned, down, axis) - step, axis)
    return turned


def forced(
    counts: Counts,
    values: Array,
    dimensions: Sequence[Dimension],
    margin: Margin,
    known: Counts,
) -> Counts:
    """Make one margin exact: cells with the largest rounding error move first."""
    found = counts.copy()
    while True:
        gap = known - margin_of(found, dimensions, margin)
        if not gap.any():
            return found
        wanted = spread({margin: gap.astype(np.float64)}, dimensions)
        keys = _group_numbers(dimensions, margin, known.shape)
        sign = np.sign(wanted)
        # Of cells that must grow those go first that were rounded down the most, and so on; a
        # cell of 0 cannot shrink.
        score = np.where((sign < 0) & (found == 0), -np.inf, (values - found) * sign)
        order = np.lexsort((-score.ravel(), keys.ravel()))
        first = np.searchsorted(keys.ravel()[order], np.arange(known.size))
        rank = np.empty(found.size, dtype=np.int64)
        rank[order] = np.arange(found.size)
        rank -= first[keys.ravel()]
        turned = (rank.reshape(found.shape) < np.abs(wanted)) & np.isfinite(score)
        found = found + np.where(turned, sign, 0.0).astype(np.int64)


def _group_numbers(
    dimensions: Sequence[Dimension], margin: Margin, shape: tuple[int, ...]
) -> NDArray[np.int64]:
    """For every finest cell, the number of the cell of `margin` that holds it."""
    numbers = np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape)
    return spread({margin: numbers}, dimensions).astype(np.int64)
