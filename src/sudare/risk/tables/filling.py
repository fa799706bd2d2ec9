"""The search behind `possible`: data sets that fill new places until no more can be filled.

Small programs go to CP-SAT as they are. For large ones a linear program first finds a fractional
data set that fills as much as can be, and CP-SAT only looks for whole numbers close to it: seconds
where the direct question takes minutes (docs/decisions/0009-what-tables-give-away.md).
"""

from __future__ import annotations

import numpy as np

from sudare.risk.tables.deadline import Deadline
from sudare.risk.tables.linear import Ints
from sudare.risk.tables.program import Found, Program
from sudare.risk.tables.relaxation import SURE, Relaxation, around

SMALL = 300
SLACKS = (2, 8)
FIRST_SLICE = 2.0


class Filling:
    """Variables are `seen` (some data set fills them), `empty` (none does) or not settled yet.

    `consistent` says whether there is a data set at all, None as long as that is not known.
    """

    def __init__(
        self, program: Program, deadline: Deadline, consistent: bool | None = None
    ) -> None:
        self.program = program
        self._deadline = deadline
        self.seen: set[int] = set()
        self.empty: set[int] = set()
        self.witnesses: list[Ints] = []
        self.consistent = consistent
        large = len(program.linear.upper) > SMALL
        self._relaxation = Relaxation(program.linear) if large else None

    def can_fill(self, targets: set[int]) -> bool:
        """Whether some data set fills at least one of the targets; undecided counts as yes."""
        if not targets & self.seen and self.consistent is not False:
            self.settle(targets, first=True)
        return self.consistent is not False and not targets <= self.empty

    def settle(self, targets: set[int], first: bool = False) -> set[int]:
        """Decide the targets, or only until the first is filled; return those left undecided."""
        search = _Search(self, targets - self.seen - self.empty, first)
        if self._relaxation is not None:
            self._round_fractions(search, self._relaxation)
        if self.consistent is None and not self._deadline.over():
            self._take(self.program.feasible(self._deadline.left()))
        slice_ = FIRST_SLICE
        while search.open() and self.consistent and not self._deadline.over():
            search.tell(self._deadline)
            time = min(slice_, self._deadline.left())
            found = self.program.spread(sorted(search.left()), time)
            slice_ *= 1 if self._take(found) else 2
            if found.values is None and found.proved:
                self.empty |= search.left()
        self._deadline.stopped |= search.open() and self.consistent is not False
        return search.left() if self.consistent is not False else set()

    def _take(self, found: Found) -> bool:
        """Keep a data set; say whether it fills something new."""
        if found.values is None:
            if found.proved and self.consistent is None:
                self.consistent = False
            return False
        self.consistent = True
        self.witnesses.append(found.values)
        before = len(self.seen)
        self.seen |= set(np.flatnonzero(found.values).tolist())
        return len(self.seen) > before

    def _round_fractions(self, search: _Search, relaxation: Relaxation) -> None:
        """Whole numbers near fractional data sets, as long as they fill something new."""
        going = True
        while going and search.open() and not self._deadline.over():
            search.tell(self._deadline)
            going = self._round_once(search, relaxation)
        for target in sorted(search.left()) if self.consistent else ():
            if self._deadline.over() or not search.open():
                return
            most = relaxation.most([target], 1, self._deadline.left())
            if most is not None and most < 1 - SURE:
                self.empty.add(target)
                search.tell(self._deadline)

    def _round_once(self, search: _Search, relaxation: Relaxation) -> bool:
        found = relaxation.spread(sorted(search.left()), self._deadline.left())
        if found is None:
            return False
        middle, filled = found
        if filled < 1 - SURE and self.consistent:
            self.empty |= search.left()
            return False
        for slack in SLACKS:
            low, high = around(middle, slack)
            near = self.program.near(low, high, min(10.0, self._deadline.left(0.5)))
            if near.values is not None:
                return self._take(near)
        return False


class _Search:
    """The targets of one `settle`, and whether it is to go on."""

    def __init__(self, filling: Filling, targets: set[int], first: bool) -> None:
        self._filling = filling
        self._targets = targets
        self._first = first

    def left(self) -> set[int]:
        return self._targets - self._filling.seen - self._filling.empty

    def open(self) -> bool:
        return bool(self.left()) and not (self._first and self._targets & self._filling.seen)

    def tell(self, deadline: Deadline) -> None:
        total = len(self._targets)
        if not self._first:
            deadline.tell("searching", total - len(self.left()), total)
