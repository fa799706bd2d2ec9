"""The least and the greatest number of people in some cells, over all consistent data sets."""

from __future__ import annotations

from math import floor

import numpy as np

from sudare.facts.disclosure import Interval
from sudare.risk.tables.deadline import Deadline
from sudare.risk.tables.filling import SMALL
from sudare.risk.tables.grid import Cells
from sudare.risk.tables.linear import Ints
from sudare.risk.tables.possible import Possible
from sudare.risk.tables.relaxation import SURE, Relaxation


class Ruler:
    """Measures sets of cells; every data set it meets is kept, to save later questions."""

    def __init__(self, found: Possible, deadline: Deadline) -> None:
        self._program = found.program
        self._linear = found.program.linear
        self._witnesses = list(found.witnesses)
        self._deadline = deadline
        large = len(self._linear.upper) > SMALL
        self._relaxation = Relaxation(self._linear) if large else None

    def seen(self, cells: Cells) -> Interval:
        """An interval inside the true one, by the data sets met so far."""
        if not self._witnesses:
            return Interval(0, None, exact=False)
        touched, inside = self._classes(cells)
        low = min(int(each[inside].sum()) for each in self._witnesses)
        if self._linear.open[touched].any():
            return Interval(low, None, exact=False)
        return Interval(low, max(int(each[touched].sum()) for each in self._witnesses), exact=False)

    def measure(self, cells: Cells) -> Interval:
        """The true interval; where the time is up, one that contains it."""
        touched, inside = self._classes(cells)
        low, low_proved = self._extreme(inside, -1)
        if self._linear.open[touched].any():
            return Interval(max(0, -low), None, low_proved)
        high, high_proved = self._extreme(touched, 1)
        return Interval(max(0, -low), high, low_proved and high_proved)

    def _classes(self, cells: Cells) -> tuple[Ints, Ints]:
        """Classes with some cell in the set, and those that lie in it as a whole."""
        of, number = self._linear.class_of, self._linear.number
        hits = np.bincount(of[cells], minlength=number)
        return np.flatnonzero(hits), np.flatnonzero(hits == np.bincount(of, minlength=number))

    def _extreme(self, classes: Ints, sign: int) -> tuple[int, bool]:
        """A bound on sign × the count, and whether some data set attains it."""
        bound = sum(self._linear.upper[k] for k in classes) if sign > 0 else 0
        reached = self._reached(classes, sign)
        if bound > reached and self._relaxation is not None and not self._deadline.over():
            most = self._relaxation.most(classes.tolist(), sign, self._deadline.left())
            bound = bound if most is None else min(bound, floor(most + SURE))
        if bound > reached and not self._deadline.over():
            found = self._program.extreme(classes.tolist(), sign, self._deadline.left(0.1))
            if found.values is not None:
                self._witnesses.append(found.values)
                bound = min(bound, found.bound)
                reached = self._reached(classes, sign)
        if bound > reached:
            self._deadline.stopped = True
        return bound, bound == reached

    def _reached(self, classes: Ints, sign: int) -> float:
        found = (sign * int(each[classes].sum()) for each in self._witnesses)
        return max(found, default=float("-inf"))
