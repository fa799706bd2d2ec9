"""Fewer classes for a law, never with a smaller bound.

Claim    the law returned lies above the given one in the order ≼ of `law.py`, up to `slack`.
Why      classes of equal ratios are one class. Other classes are spread over four neighbours so
         that mass, mean of u and mean of v stay: a mean-preserving spread of (u, v), hence of
         every αu − βv. The grid is one of the size w = u + v and the share f = u/w: moving along
         w at a fixed f, and along f at a fixed w, are both linear in (u, v). f is what tells the
         two values apart, so it gets most of the points, spaced evenly in log(u/v).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sudare.accounting.shuffle.law import Array, Law

# Ratios that agree to this are the same number, computed in another order.
_SAME = 1e-14
_MOST_CLASSES = 10_000
# No product makes more classes than this before they are joined.
MOST_PAIRS = 1 << 19
_SIZE_STEP = 0.1
_MOST_SIZES = 48


def compact(law: Law, most: int = _MOST_CLASSES) -> Law:
    """The same law with classes of equal ratios joined, and on a grid where many are left."""
    joined = _joined(law)
    return joined if joined.classes <= most else _on_grid(joined, most)


def small_enough(one: Law, other: Law) -> tuple[Law, Law]:
    """Two factors whose product has not too many classes."""
    if one.classes * other.classes <= MOST_PAIRS:
        return one, other
    most = math.isqrt(MOST_PAIRS)
    if one.classes <= most:
        return one, compact(other, MOST_PAIRS // one.classes)
    if other.classes <= most:
        return compact(one, MOST_PAIRS // other.classes), other
    return compact(one, most), compact(other, most)


def _joined(law: Law) -> Law:
    """Classes whose ratios agree up to rounding become one."""
    wide, high = _levels(law.first / law.blanket), _levels(law.second / law.blanket)
    order = np.lexsort((high, wide))
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(wide[order]) != 0) | (np.diff(high[order]) != 0)
    if new.all():
        return law
    starts = np.flatnonzero(new)
    first, second, blanket = (
        np.add.reduceat(each[order], starts) for each in (law.first, law.second, law.blanket)
    )
    slack = law.slack + 2 * _SAME
    return replace(law, first=first, second=second, blanket=blanket, slack=slack)


def _levels(ratios: Array) -> NDArray[np.int64]:
    """Numbers the distinct values, those that agree up to rounding alike."""
    order = np.argsort(ratios, kind="stable")
    steps = np.diff(ratios[order]) > _SAME * ratios[order][1:]
    levels = np.empty(len(ratios), dtype=np.int64)
    levels[order] = np.concatenate([[0], np.cumsum(steps)])
    return levels


def _on_grid(law: Law, most: int) -> Law:
    """Every class is spread over the four corners of its cell."""
    u, v = law.first / law.blanket, law.second / law.blanket
    size, share = u + v, u / (u + v)
    span = math.log(float(size.max() / size.min()))
    sizes = _grid(np.log(size), min(_MOST_SIZES, 2 + math.ceil(span / _SIZE_STEP)), np.exp)
    shares = _grid(np.log(u / v), max(8, most // len(sizes)), _share_of)
    masses = np.zeros(len(sizes) * len(shares))
    across, along = _cells(size, sizes), _cells(share, shares)
    for row, much in across:
        for column, many in along:
            place = row * len(shares) + column
            masses += np.bincount(place, law.blanket * much * many, len(masses))
    whole, part = np.repeat(sizes, len(shares)), np.tile(shares, len(sizes))
    there = masses > 0
    masses, whole, part = masses[there], whole[there], part[there]
    return replace(
        law,
        first=masses * whole * part,
        second=masses * whole * (1 - part),
        blanket=masses,
        slack=law.slack + 2.0**-48,
    )


def _grid(logs: Array, count: int, made: Callable[[Array], Array]) -> Array:
    """Points spaced evenly in the logarithm, a little wider than what they have to hold."""
    low, high = float(logs.min()), float(logs.max())
    room = 1e-9 * max(1.0, abs(low), abs(high))
    return made(np.asarray(np.linspace(low - room, high + room, count)))


def _cells(places: Array, grid: Array) -> list[tuple[NDArray[np.int64], Array]]:
    """The grid points below and above each place, with their weights."""
    below = np.searchsorted(grid, places, side="right").astype(np.int64) - 1
    below = np.clip(below, 0, len(grid) - 2)
    above = np.clip((places - grid[below]) / (grid[below + 1] - grid[below]), 0.0, 1.0)
    return [(below, 1 - above), (below + 1, above)]


def _share_of(logs: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-logs)))
