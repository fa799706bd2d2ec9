"""Mondrian: cut the records in two, again and again, while both sides meet the demand.

Each part is cut across the column in which it is relatively widest, at the median of its records;
if a side fails, the next widest column is tried. Parts are published as ranges of values. Nobody
is suppressed, and columns need no hierarchy, but ranges of different parts overlap in no fixed way.

Claim    every part meets the demand, or the whole table does not.
Source   LeFevre, DeWitt, Ramakrishnan 2006 (strict multidimensional partitioning).
Needs    codes in a meaningful order: numbers, or categories in the order in which they are
         declared. All parts are cut at once, a column each: a round costs one sort of the records
         that are in unfinished parts, however many parts there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sudare.facts.coded import Integers
from sudare.risk.anonymize.demand import Demand, Flags, Secret, met
from sudare.risk.anonymize.keys import grouped

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Round:
    """The records in unfinished parts, part by part: their places, their part, and how many
    columns each part has tried in vain."""

    rows: Integers
    owner: Integers
    tried: Integers

    @property
    def sizes(self) -> Integers:
        return np.bincount(self.owner)

    def sorted_by(self, values: Integers) -> tuple[_Round, Integers]:
        """The same records, those of one part in the order of values; and the values."""
        order = np.argsort(self.owner * (int(values.max()) + 1) + values)
        return _Round(self.rows[order], self.owner, self.tried), values[order]


@dataclass(frozen=True)
class _Test:
    """What both sides of a cut have to meet."""

    secrets: Sequence[Secret]
    demand: Demand
    people: Integers | None

    def met(self, ids: Integers, rows: Integers) -> Flags:
        """Whether each class of some of the records meets the demand."""
        own = [Secret(s.codes[rows], s.size, s.ordered, s.overall) for s in self.secrets]
        return met(ids, own, self.demand, None if self.people is None else self.people[rows])


def mondrian(
    columns: Sequence[Integers],
    secrets: Sequence[Secret],
    demand: Demand,
    people: Integers | None = None,
) -> Integers | None:
    """The part of each record, numbered from 0; None if even the whole table fails. `people` says
    whose record each is: the records of one person may go to several parts."""
    codes: Codes = np.stack(columns)
    nobody = np.zeros(codes.shape[1], np.int64)
    if not met(nobody, secrets, demand, people)[0]:
        return None
    spans = np.maximum(1, codes.max(axis=1) - codes.min(axis=1))
    parts, number = nobody.copy(), 0
    now = _Round(np.arange(len(nobody)), nobody, np.zeros(1, np.int64))
    while len(now.rows):
        unsorted, can = _chosen(now, codes, spans, demand)
        now, values = now.sorted_by(unsorted)
        side, split = _cut(now, values, can, _Test(secrets, demand, people))
        ended = ~split & (~can | (now.tried + 1 == len(codes)))
        gone = ended[now.owner]
        parts[now.rows[gone]] = number + (np.cumsum(ended) - 1)[now.owner[gone]]
        number += int(ended.sum())
        now = _next(now, gone, side, split)
    return parts


def _chosen(now: _Round, codes: Codes, spans: Integers, demand: Demand) -> tuple[Integers, Flags]:
    """The codes of the column that each part is to be cut across, and whether it can be."""
    sizes = now.sizes
    starts, own = np.cumsum(sizes) - sizes, codes[:, now.rows]
    low, high = (edge.reduceat(own, starts, axis=1) for edge in (np.minimum, np.maximum))
    widths = ((high - low) / spans[:, None]).T
    ranked = np.argsort(-widths, axis=1, kind="stable")
    part = np.arange(len(starts))
    column = ranked[part, now.tried]
    can = (widths[part, column] > 0) & (sizes >= 2 * demand.k)
    return codes[column[now.owner], now.rows], can


def _cut(now: _Round, values: Integers, can: Flags, test: _Test) -> tuple[Flags, Flags]:
    """The upper side of each record, and which parts are cut: at the more even of the two cuts
    next to the median, or at the other."""
    sizes = now.sizes
    middle = values[np.cumsum(sizes) - sizes + sizes // 2][now.owner]
    below, upto = values < middle, values <= middle
    counts = [np.bincount(now.owner, side) for side in (below, upto)]
    even = np.abs(2 * counts[0] - sizes) <= np.abs(2 * counts[1] - sizes)
    side, split = np.zeros(len(values), bool), np.zeros(len(sizes), bool)
    for first in (even, ~even):
        lower = np.where(first[now.owner], below, upto)
        held = np.where(first, *counts)
        # As many people have at least as many records.
        enough = (held >= test.demand.k) & (sizes - held >= test.demand.k)
        good = _good(now, lower, can & ~split & enough, test)
        side = np.where(good[now.owner], ~lower, side)
        split |= good
    return side, split


def _good(now: _Round, lower: Flags, asked: Flags, test: _Test) -> Flags:
    """Which of the parts asked for have two sides that meet the demand."""
    chosen = np.flatnonzero(asked[now.owner])
    good = np.zeros(len(asked), bool)
    if len(chosen):
        # Both sides of every part have records, so classes come in pairs, in the order of parts.
        ids = grouped([now.owner[chosen] * 2 + lower[chosen]])
        good[asked] = test.met(ids, now.rows[chosen]).reshape(-1, 2).all(axis=1)
    return good


def _next(now: _Round, gone: Flags, side: Flags, split: Flags) -> _Round:
    """The unfinished parts of the next round; a new part begins with its widest column."""
    stay = ~gone
    # Lower values come first, so the keys ascend and the records stay part by part.
    keys = now.owner[stay] * 2 + side[stay]
    begins = np.diff(keys, prepend=-1) > 0
    before = keys[begins] // 2
    tried = np.where(split[before], 0, now.tried[before] + 1)
    return _Round(now.rows[stay], np.cumsum(begins) - 1, tried)


def ranges(parts: Integers, codes: Integers, labels: Sequence[str], ordered: int) -> list[str]:
    """What is published of one column for each part. The first `ordered` codes are numbers in
    ascending order, shown as a range; other values are listed."""
    count = int(parts.max()) + 1
    pairs = np.unique(parts * len(labels) + codes)
    owners, values = pairs // len(labels), pairs % len(labels)
    ends = np.searchsorted(owners, np.arange(count + 1))
    return [
        _range(values[ends[part] : ends[part + 1]].tolist(), labels, ordered)
        for part in range(count)
    ]


def _range(values: list[int], labels: Sequence[str], ordered: int) -> str:
    numbers = [value for value in values if value < ordered]
    words = [labels[value] for value in values if value >= ordered]
    if numbers:
        low, high = labels[numbers[0]], labels[numbers[-1]]
        words.insert(0, low if low == high else f"{low}–{high}")
    return "|".join(words)
