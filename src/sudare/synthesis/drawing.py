"""Rows from a mixture: levels first, then bins inside levels, then values inside bins.

Every step draws systematically, a sample spread evenly over its distribution and then shuffled, so
that a column's histogram differs from its expectation by less than one row in each component,
instead of by the square root of the rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats, Marginal
from sudare.randomness.bits import RandomBits
from sudare.randomness.floats import order, uniforms
from sudare.synthesis.mixture import Mixture

Ints = NDArray[np.int64]


def draw_components(weights: Floats, rows: int, bits: RandomBits) -> Ints:
    """A component a row, ascending."""
    places = (np.arange(rows) + uniforms(bits, 1)) / rows
    found = np.searchsorted(np.cumsum(weights / weights.sum()), places, side="right")
    return np.minimum(found, len(weights) - 1)


def draw_levels(mixture: Mixture, place: int, components: Ints, bits: RandomBits) -> Ints:
    """A level of one column for every row; `components` are ascending."""
    return spread(mixture.column(place).astype(np.float64), components, bits)


def spread(chances: Floats, groups: Ints, bits: RandomBits) -> Ints:
    """For every row a draw from the chances of its group, systematic inside the group; `groups` are
    ascending, `chances` has one row a group."""
    sizes = np.bincount(groups, minlength=len(chances))
    first = np.cumsum(sizes) - sizes
    start = uniforms(bits, len(chances))
    within = (np.arange(len(groups)) - first[groups] + start[groups]) / sizes[groups]
    sums = np.cumsum(chances, axis=1)
    sums /= np.maximum(sums[:, -1:], 1e-300)
    sums[:, -1] = 1.0
    steps = (sums + np.arange(len(chances))[:, None]).ravel()
    width = chances.shape[1]
    drawn = np.searchsorted(steps, groups + within, side="right") - groups * width
    found = np.empty(len(groups), np.int64)
    found[order(bits, groups)] = np.clip(drawn, 0, width - 1)
    return found


def draw_bins(marginal: Marginal, levels: Ints, bits: RandomBits) -> Ints:
    """A bin for every row, inside its level; −1 where the value is missing."""
    found = np.full(len(levels), -1, np.int64)
    there = np.flatnonzero(levels < marginal.present_levels)
    if marginal.bins == marginal.present_levels and np.all(np.diff(marginal.level_of) == 1):
        found[there] = levels[there]
        return found
    chances = np.zeros((marginal.present_levels, marginal.bins))
    chances[marginal.level_of, np.arange(marginal.bins)] = np.maximum(marginal.counts, 0)
    empty = chances.sum(axis=1) <= 0
    member = np.arange(marginal.present_levels)[:, None] == marginal.level_of[None, :]
    chances[empty] = member[empty]
    sorted_rows = there[np.argsort(levels[there], kind="stable")]
    found[sorted_rows] = spread(chances, levels[sorted_rows], bits)
    return found


def draw_indices(marginal: Marginal, bins: Ints, bits: RandomBits) -> Floats:
    """A grid index for every row inside its bin; whole, but of type float; 0 where missing."""
    starts, widths = _spans(marginal)
    found = np.zeros(len(bins))
    rows = np.flatnonzero(bins >= 0)
    rows = rows[np.argsort(bins[rows], kind="stable")]
    own = bins[rows]
    sizes = np.bincount(own, minlength=marginal.bins)
    first = np.cumsum(sizes) - sizes
    start = uniforms(bits, marginal.bins)
    within = (np.arange(len(rows)) - first[own] + start[own]) / sizes[own]
    drawn = np.floor(starts[own] + widths[own] * within)
    placed = np.empty(len(rows))
    placed[order(bits, own)] = drawn
    found[rows] = placed
    return np.where(bins >= 0, np.clip(found, marginal.low, marginal.high), 0.0)


def _spans(marginal: Marginal) -> tuple[Floats, Floats]:
    """Where values are drawn, uniformly, inside every bin: as far on one side of its mean as on the
    other. A last bin that reaches to a distant bound keeps its mean so, and is not drawn all over
    the distance."""
    starts = np.array(marginal.starts, np.float64)
    ends = np.array(marginal.ends, np.float64) + 1
    if marginal.means is None:
        return starts, ends - starts
    middle = np.clip(marginal.means + 0.5, starts, ends)
    reach = np.maximum(np.minimum(middle - starts, ends - middle), 0.5)
    low = np.clip(middle - reach, starts, ends - 1)
    return low, np.minimum(2 * reach, ends - low)
