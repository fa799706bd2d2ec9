"""Who shares what, where a person may have several rows: people by value, level and cell.

Numbers of people are for deciding what may be stated; they are never stated themselves and no file
of statistics has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Holders:
    """Every pair of a value and a person who has it once, in the order of the values: `places` are
    positions in the ascending values of a column, `who` the people's numbers from 0."""

    places: Ints
    who: Ints

    @classmethod
    def of(cls, places: Ints, who: Ints) -> Holders:
        """From one pair a row."""
        people = _most(who)
        pairs = np.unique(places * people + who)
        return cls(pairs // people, pairs % people)

    def people(self, group_of: Ints, groups: int) -> Ints:
        """How many different people each group of values has."""
        own = Holders.of(group_of[self.places], self.who)
        return np.bincount(own.places, minlength=groups).astype(np.int64)

    def before(self) -> Ints:
        """Where in the pairs the same person stood last, −1 if nowhere: a pair brings a new person
        to the pairs from `first` on if that is before `first`."""
        order = np.argsort(self.who, kind="stable")
        again = np.diff(self.who[order], prepend=-1) == 0
        found = np.full(len(order), -1, np.int64)
        found[order[again]] = order[np.flatnonzero(again) - 1]
        return found


@dataclass(frozen=True, eq=False)
class Sharing:
    """How many different people there are in every bin (what is missing after them) and level of a
    column and in every cell of a two-way table."""

    bins: Mapping[str, Floats]
    levels: Mapping[str, Floats]
    cells: Mapping[tuple[str, str], Floats]


def _most(who: Ints) -> int:
    return int(who.max(initial=0)) + 1
