"""Weighted points out of noisy cells: what k-means starts from, after the noise.

Most cells of a fine grid are empty and hold noise alone, so a cell counts only above a threshold
that about one empty cell of the whole grid passes. What lies below is not thrown away, which would
pull centres towards the crowd: it is added up over blocks of two cells a column and held against
the threshold of that sum, and so on up to the whole range. Thresholds follow from the plan; the
rest is made of noisy numbers and costs nothing.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sudare.facts.grid import Grid
from sudare.queries.interval import Noise

Array = NDArray[np.float64]
# Spare points have next to no weight; a cluster starts at one only where no cell is left.
_SPARE = 1e-6


def bins_for(grids: tuple[Grid, ...], most: int, most_bins: int) -> list[int]:
    """As many equal bins for every column as `most` cells allow; a column with fewer values than
    that has one bin a value, which leaves more to the others."""
    bins = [1] * len(grids)
    grows = True
    while grows:
        grows = False
        for place in sorted(range(len(grids)), key=lambda j: bins[j]):
            more = bins[place] + 1
            fits = math.prod(bins) // bins[place] * more <= most
            if fits and more <= min(most_bins, grids[place].span + 1):
                bins[place], grows = more, True
    return bins


def edges_of(grid: Grid, bins: int) -> tuple[Array, Array]:
    """The first and the last grid index of each bin, in units of the span."""
    width = grid.span + 1
    first = [-(-code * width // bins) for code in range(bins + 1)]
    low = [index / grid.span for index in first[:-1]]
    high = [(index - 1) / grid.span for index in first[1:]]
    return np.array(low), np.array(high)


def weighted_points(
    cells: NDArray[np.int64], edges: list[tuple[Array, Array]], noise: Noise
) -> tuple[Array, Array]:
    """Midpoints and weights of the cells, and blocks of cells, that stand out of the noise."""
    counts = cells.astype(np.float64)
    variances = np.full(counts.shape, noise.variance)
    points: list[Array] = []
    weights: list[Array] = []
    while True:
        kept = counts > np.sqrt(variances) * _above(counts.size, noise)
        kept &= variances > 0 if noise.variance > 0 else counts > 0
        places = np.argwhere(kept)
        middles = [(low + high)[places[:, j]] / 2 for j, (low, high) in enumerate(edges)]
        points.append(np.column_stack(middles))
        weights.append(counts[kept])
        if counts.size == 1:
            return np.vstack(points), np.concatenate(weights)
        counts = _halved(np.where(kept, 0, counts))
        variances = _halved(np.where(kept, 0, variances))
        edges = [(low[::2], high[_lasts(len(high))]) for low, high in edges]


def spread_points(count: int, columns: int) -> Array:
    """Points that fill the whole range evenly: multiples of the roots of primes, modulo 1."""
    roots = np.array([math.sqrt(prime) for prime in _primes(columns)])
    found: Array = (np.arange(1, count + 1)[:, None] * roots[None, :]) % 1.0
    return found


def with_spares(points: Array, weights: Array, k: int) -> tuple[Array, Array]:
    """The points, and enough spare ones that k centres always find a place."""
    spares = spread_points(max(64, 4 * k), points.shape[1])
    return np.vstack([points, spares]), np.concatenate([weights, np.full(len(spares), _SPARE)])


def _above(cells: int, noise: Noise) -> float:
    """Standard deviations that about one of as many empty cells passes."""
    rarity = math.log(max(2.0, cells / 2))
    return math.sqrt(2 * rarity) if noise.kind == "gaussian" else rarity / math.sqrt(2)


def _halved(cells: Array) -> Array:
    for axis in range(cells.ndim):
        starts = np.arange(0, cells.shape[axis], 2)
        cells = np.add.reduceat(cells, starts, axis=axis).astype(np.float64)
    return cells


def _lasts(size: int) -> NDArray[np.int64]:
    found: NDArray[np.int64] = np.minimum(np.arange(1, size + 1, 2), size - 1)
    return found


def _primes(count: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found
