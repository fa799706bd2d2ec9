"""The data sets that are consistent with a set of parts, as whole numbers under linear rows.

Claim    A vector of counts fits every row iff some data set with these counts fits every part.
Symbols  variable k < number -> how many people class k holds; a class is all cells that no part
         tells apart, so people may move freely inside it. Further variables split a class over
         overlapping rows of one table, or seat a named person; two persons never share a seat.
Needs    limits as `parts` makes them.
Gaps     where nothing bounds a class from above (`open`), its count is cut at a bound that changes
         neither which classes can be inhabited nor the least counts; see `_enough`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.disclosure import Interval
from sudare.risk.tables.parts import Limits, PersonLimits

Ints = NDArray[np.int64]
_NEVER = int(np.iinfo(np.int64).max)


@dataclass(frozen=True)
class LinearRow:
    """low <= the sum of the plus variables less the minus variable <= high (None: no bound)."""

    plus: tuple[int, ...]
    minus: int | None
    low: int | None
    high: int | None


class Linear:
    """Variables with upper bounds, and rows."""

    def __init__(
        self, size: int, limits: Sequence[Limits], persons: Sequence[PersonLimits] = ()
    ) -> None:
        seated = [each.cells.astype(np.int64) for each in persons]
        self.class_of = _classes(size, [each.labels for each in limits] + seated)
        self.first = np.unique(self.class_of, return_index=True)[1]
        self.number = len(self.first)
        most = _most(self.first, limits)
        self.open = most == _NEVER
        self.upper = np.where(self.open, _enough(limits, persons), most).tolist()
        self.rows: list[LinearRow] = []
        for each in limits:
            self._add(each)
        self.seats = [self._seat(person) for person in persons]
        self._share_seats()

    def _new(self, upper: int) -> int:
        self.upper.append(upper)
        return len(self.upper) - 1

    def _add(self, limits: Limits) -> None:
        """Every row's count lies in its interval."""
        of_row = _classes_of_rows(limits, limits.labels[self.first])
        for rows in limits.shared:
            self._count_once(limits, rows, of_row)
        for row in sorted(set(range(len(limits.counts))).difference(*limits.shared)):
            self._between(of_row[row], limits.counts[row])

    def _count_once(
        self, limits: Limits, rows: tuple[int, ...], of_row: Sequence[list[int]]
    ) -> None:
        """Rows overlap: each class is split over the rows it fits."""
        pieces: dict[int, list[int]] = {}
        for row in rows:
            mine = [self._new(self.upper[k]) for k in of_row[row]]
            for k, piece in zip(of_row[row], mine, strict=True):
                pieces.setdefault(k, []).append(piece)
            self._between(mine, limits.counts[row])
        for k, split in pieces.items():
            self.rows.append(LinearRow(tuple(split), k, 0, 0))

    def _between(self, variables: Sequence[int], count: Interval) -> None:
        if count.low > 0 or count.high is not None:
            self.rows.append(LinearRow(tuple(variables), None, count.low, count.high))

    def _seat(self, person: PersonLimits) -> dict[int, int]:
        seats = {int(k): self._new(1) for k in np.flatnonzero(person.cells[self.first])}
        self.rows.append(LinearRow(tuple(seats.values()), None, 1, 1))
        return seats

    def _share_seats(self) -> None:
        for k in range(self.number):
            here = tuple(seats[k] for seats in self.seats if k in seats)
            if here:
                self.rows.append(LinearRow(here, k, None, 0))


def _classes(size: int, labellings: Sequence[Ints]) -> Ints:
    found = np.zeros(size, dtype=np.int64)
    for labels in labellings:
        pair = found * (int(labels.max(initial=0)) + 1) + labels
        found = np.unique(pair, return_inverse=True)[1].astype(np.int64)
    return found


def _classes_of_rows(limits: Limits, labels: Ints) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in limits.counts]
    for k, label in enumerate(labels):
        for row in limits.fits[label]:
            found[row].append(k)
    return found


def _most(first: Ints, limits: Sequence[Limits]) -> Ints:
    """The most people a class may hold by one row alone."""
    most = np.full(len(first), _NEVER, dtype=np.int64)
    for each in limits:
        tops = [_top(each, rows) for rows in each.fits]
        most = np.minimum(most, np.asarray(tops, dtype=np.int64)[each.labels[first]])
    return most


def _top(limits: Limits, rows: frozenset[int]) -> int:
    """Rows that share people bound a class only by their sum, all others by each of them."""
    shared = {row for group in limits.shared for row in group}
    tops = [_high(limits, row) for row in rows - shared]
    together = [_high(limits, row) for row in rows & shared]
    if together and _NEVER not in together:
        tops.append(sum(together))
    return min(tops, default=_NEVER)


def _high(limits: Limits, row: int) -> int:
    high = limits.counts[row].high
    return _NEVER if high is None else high


def _enough(limits: Sequence[Limits], persons: Sequence[PersonLimits]) -> int:
    """A cut for classes that nothing bounds.

    A count above the sum of all lower ends meets each of them by itself, so cutting it there
    keeps a data set consistent and every class that was inhabited stays so.
    """
    return sum(count.low for each in limits for count in each.counts) + len(persons) + 1
