"""Bins and levels when the data may not choose them: bins from the schema, levels from noise.

A histogram under ε has bins that the schema alone fixes: every index of a short column, equal
intervals of a long one with its ends, and zero, as bins of their own, since these are where real
columns have their spikes. Levels are then runs of bins, and labels, that stand clear of the noise.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from sudare.facts.grid import Grid
from sudare.facts.statistics import Floats

Ints = NDArray[np.int64]
_SHORT = 128
_INTERVALS = 64
_HALVES = 16
_FEWEST = 8
# With so many rows a bin on average, histograms stand clear of the noise.
_ROWS_A_BIN = 2.0
# A level's noisy count is at least this many standard deviations of its noise.
_CLEAR = 4.0
MOST_LEVELS = 20


def public_starts(
    grid: Grid, cuts: Collection[int] = (), rows: float = np.inf, noise: float = 0.0
) -> Ints:
    """The first index of every bin; fewer where so many declared `rows` would drown in noise."""
    most = max(rows / (_ROWS_A_BIN * noise), _FEWEST) if noise > 0 else np.inf
    if grid.span < min(_SHORT, most):
        return np.arange(grid.low, grid.high + 1, dtype=np.int64)
    width, parts = grid.span + 1, int(min(_INTERVALS, most))
    found = {grid.low + width * part // parts for part in range(parts)}
    # Declared bounds are often far above what is common: ever finer bins towards the lower one.
    halvings = int(min(_HALVES, most / 2))
    found |= {grid.low + (width >> halves) for halves in range(1, halvings)}
    for spike in (grid.low, 0, grid.high):
        if grid.low <= spike <= grid.high:
            found |= {spike, spike + 1}
    found |= {cut for cut in cuts if grid.low < cut <= grid.high}
    return np.array(sorted(each for each in found if each <= grid.high), dtype=np.int64)


def clear_levels(
    starts: Ints,
    counts: Floats,
    noise: float,
    cuts: Collection[int] = (),
    most: int = MOST_LEVELS,
) -> Ints:
    """The level of every bin: runs of bins that stand clear of the noise."""
    total = max(float(np.maximum(counts, 0).sum()), 1.0)
    begins = np.zeros(len(starts), np.bool_)
    begins[0] = True
    held, bins, fixed = 0.0, 0, set(cuts)
    for place, count in enumerate(counts.tolist()):
        is_full = held >= max(_CLEAR * noise * np.sqrt(max(bins, 1)), total / most)
        is_spike = count >= max(_CLEAR * noise, total / most) and held >= _CLEAR * noise * np.sqrt(
            max(bins, 1)
        )
        if place and (is_full or is_spike or int(starts[place]) in fixed):
            begins[place] = True
            held, bins = 0.0, 0
        held, bins = held + count, bins + 1
    last = int(np.flatnonzero(begins)[-1])
    if held < _CLEAR * noise * np.sqrt(max(bins, 1)) and last and int(starts[last]) not in fixed:
        begins[last] = False
    return np.cumsum(begins) - 1


def clear_labels(counts: Floats, noise: float, apart: Collection[int] = ()) -> Ints:
    """The level of every label: those that stand clear of the noise, and the rest together."""
    own = counts >= _CLEAR * noise
    own[list(apart)] = True
    if np.count_nonzero(~own) == 1:
        own[:] = True
    found = np.full(len(counts), int(np.count_nonzero(own)), np.int64)
    found[own] = np.arange(int(np.count_nonzero(own)))
    return found
