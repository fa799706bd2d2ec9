"""Bins of a number and levels of a column: how finely a column is described.

A **bin** is what the histogram tells apart. A value that `minimum` people or more share is a bin of
its own; other values are gathered into intervals of at least `minimum` people, because the
histogram of a column in which nearly every value is different would be the column itself. A
**level** is what two-way tables tell apart: common values alone, the rest in intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.sharing import Holders
from sudare.facts.statistics import Floats

Ints = NDArray[np.int64]
MINIMUM = 10
MOST_BINS = 1024
MOST_LEVELS = 32
MOST_LABELS = 64
# A value that this share of the rows has is a level of its own.
_COMMON = 0.01
# Levels never reach over a tenth of the declared range, so that tails are told apart.
_PARTS = 10


@dataclass(frozen=True, eq=False)
class Bins:
    """Intervals of indices by their first one, with counts and mean indices."""

    starts: Ints
    counts: Floats
    means: Floats


def bins_of(
    values: Ints,
    counts: Ints,
    low: int,
    high: int,
    cuts: Collection[int] = (),
    minimum: int = MINIMUM,
    *,
    width: int = 1,
    rest: Ints | None = None,
    holders: Holders | None = None,
) -> Bins:
    """Bins of a number's different values; no bin reaches over one of `cuts`. Where a value stands
    for the `width` values from it on, `rest` is the sum of their distances from it. Where people
    have several rows, `holders` say who has which value; otherwise `counts` are people."""
    crowd = _Crowd(values, counts, holders)
    inside = np.maximum(values, low)
    above = (0 if rest is None else rest) - counts * (inside - values)
    after = values + width
    values = inside
    fewest = _Fewest(minimum, -(-int(counts.sum()) // MOST_BINS))
    heavy = (crowd.people() >= fewest.people) & (counts >= fewest.rows)
    starts: set[int] = {low, *(cut for cut in cuts if low < cut <= high)}
    starts.update(values[heavy].tolist())
    starts.update(start for start in after[heavy].tolist() if start <= high)
    starts.update(_light_starts(values, crowd, heavy, sorted(starts), fewest))
    ordered = np.array(sorted(starts), dtype=np.int64)
    ordered = _without_thin(ordered, values, crowd, set(cuts), minimum)
    places = np.searchsorted(ordered, values, side="right") - 1
    found = np.bincount(places, counts, len(ordered)).astype(np.float64)
    sums = np.bincount(places, counts * (values - float(low)) + above, len(ordered))
    ends = np.append(ordered[1:] - 1, high)
    with np.errstate(invalid="ignore"):
        means = np.where(found > 0, low + sums / np.maximum(found, 1), (ordered + ends) / 2)
    return Bins(ordered, found, means)


@dataclass(frozen=True)
class _Fewest:
    """What a bin holds at least: so many people, since fewer would be seen, and so many rows, since
    there would be too many bins."""

    people: int
    rows: int


class _Crowd:
    """People and rows by value, whether or not a person may have several rows."""

    def __init__(self, values: Ints, counts: Ints, holders: Holders | None) -> None:
        self.size, self.counts, self.holders = len(values), counts, holders

    def people(self, group_of: Ints | None = None, groups: int | None = None) -> Ints:
        """How many people each group of values has; each value, if there are no groups."""
        groups = self.size if groups is None else groups
        group_of = np.arange(groups) if group_of is None else group_of
        if self.holders is not None:
            return self.holders.people(group_of, groups)
        return np.bincount(group_of, self.counts, groups).astype(np.int64)

    def gathering(self) -> Callable[[int, int], int]:
        """How many people a value brings to those from `first` on, both by position."""
        if self.holders is None:
            own = self.counts.tolist()
            return lambda first, place: own[place]
        before = self.holders.before()
        every = np.arange(self.size + 1)
        starts = np.searchsorted(self.holders.places, every).tolist()
        return lambda first, place: int(
            np.count_nonzero(before[starts[place] : starts[place + 1]] < starts[first])
        )


def _light_starts(
    values: Ints, crowd: _Crowd, heavy: NDArray[np.bool_], fixed: list[int], fewest: _Fewest
) -> list[int]:
    """Where intervals of rare values begin: each holds the fewest people or a little more."""
    found: list[int] = []
    brought, counts = crowd.gathering(), crowd.counts.tolist()
    section = np.searchsorted(np.array(fixed), values, side="right").tolist()
    last, before, first, people, rows = -1, 0, 0, 0, 0
    for place in np.flatnonzero(~heavy).tolist():
        value, part = int(values[place]), section[place]
        if part != last:
            first, people, rows, last = place, 0, 0, part
        elif people >= fewest.people and rows >= fewest.rows:
            found.append(roundest(before + 1, value))
            first, people, rows = place, 0, 0
        people += brought(first, place)
        rows += counts[place]
        before = value
    return found


def roundest(low: int, high: int) -> int:
    """The whole number from low to high that ends with the most zeros: an edge between two people's
    values need not be one of them."""
    size = 1
    while -(-low // (size * 10)) * size * 10 <= high and size < 10**18:
        size *= 10
    return -(-low // size) * size


def _without_thin(starts: Ints, values: Ints, crowd: _Crowd, fixed: set[int], minimum: int) -> Ints:
    """An interval with some people, but fewer than the minimum, is joined to the one before it,
    and the one after it to the first; never over a cut."""

    def people(begins: Ints) -> Ints:
        places = np.searchsorted(begins, values, side="right") - 1
        return crowd.people(places, len(begins))

    held = people(starts)
    thin = (held > 0) & (held < minimum)
    thin[0] = False
    thin[np.isin(starts, list(fixed))] = False
    found: Ints = starts[~thin]
    while len(found) > 1 and 0 < people(found)[0] < minimum and int(found[1]) not in fixed:
        found = np.delete(found, 1)
    return found


def levels_of(
    starts: Ints,
    counts: Floats,
    high: int,
    cuts: Collection[int] = (),
    most: int = MOST_LEVELS,
) -> Ints:
    """The level of every bin: at most about `most`, ascending from 0."""
    if len(starts) <= most:
        return np.arange(len(starts), dtype=np.int64)
    share = np.maximum(counts, 0) / max(float(np.maximum(counts, 0).sum()), 1e-300)
    begins = np.zeros(len(starts), np.bool_)
    begins[0] = True
    begins[np.isin(starts, list(cuts))] = True
    common = share >= _COMMON
    begins |= common
    begins[1:] |= common[:-1]
    edges = np.linspace(float(starts[0]), float(high) + 1, _PARTS + 1)[1:-1]
    begins[np.minimum(np.searchsorted(starts, edges), len(starts) - 1)] = True
    room = max(most - int(begins.sum()), most // 4)
    rest = np.where(common, 0.0, share)
    filled = np.cumsum(rest) / max(float(rest.sum()), 1e-300)
    begins[np.minimum(np.searchsorted(filled, np.arange(1, room) / room), len(starts) - 1)] = True
    return np.cumsum(_with_people(begins, counts, set(cuts), starts)) - 1


def _with_people(
    begins: NDArray[np.bool_], counts: Floats, fixed: set[int], starts: Ints
) -> NDArray[np.bool_]:
    """A level without people is joined to the one before it."""
    levels = np.cumsum(begins) - 1
    empty = np.bincount(levels, np.maximum(counts, 0)) <= 0
    first = np.flatnonzero(begins)
    kept = begins.copy()
    for level in np.flatnonzero(empty).tolist():
        if level and int(starts[first[level]]) not in fixed:
            kept[first[level]] = False
    return kept


def label_levels(
    counts: Floats,
    apart: Collection[int] = (),
    most: int = MOST_LABELS,
    shared: Collection[int] = (),
) -> Ints:
    """The level of every label: those of most people have their own, the rest share one, and so do
    those that are to be `shared`. Labels that are to stand `apart` (rules speak of them) are never
    shared."""
    if len(counts) <= most and len(shared) < 2:
        return np.arange(len(counts), dtype=np.int64)
    chosen, together = set(apart), set(shared)
    for place in np.argsort(-counts, kind="stable").tolist():
        if len(chosen) >= max(most - 1, len(set(apart))):
            break
        if place not in together:
            chosen.add(place)
    found = np.full(len(counts), len(chosen), np.int64)
    found[sorted(chosen)] = np.arange(len(chosen))
    return found
