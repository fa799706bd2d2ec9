"""Records as codes: what an engine hands to the jobs that look at classes of records.

A class is a set of records with the same codes in some columns. Codes run from 0 in the order of
a column's values; what is missing has the last code, so it is a value of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CodedColumn:
    """A column by its codes: how many there are, whether they are numbers in ascending order, and
    whether the last of them means missing."""

    name: str
    size: int
    ordered: bool
    has_missing: bool


@dataclass(frozen=True)
class ClassSizes:
    """How many classes there are of each size, ascending by size, and how many units (people, or
    rows where every row is one) have their smallest class at that size: each is counted once,
    however many classes it is in. `most_rows` is the most rows that one unit has."""

    sizes: Integers
    classes: Integers
    units: Integers
    most_rows: int = 1

    @classmethod
    def of_rows(cls, sizes: Integers, classes: Integers) -> ClassSizes:
        """Where every row is a unit of its own, it is in one class."""
        return cls(sizes, classes, sizes * classes)

    @property
    def records(self) -> int:
        return int(self.units.sum())

    @property
    def count(self) -> int:
        return int(self.classes.sum())

    @property
    def is_partition(self) -> bool:
        """Whether every unit is in one class only."""
        return self.records == int((self.sizes * self.classes).sum())

    def records_below(self, k: int) -> int:
        """The units with a row in a class of fewer than k."""
        return int(self.units[self.sizes < k].sum())


@dataclass(frozen=True)
class Members:
    """Who is in which class: every (class, unit) once, ascending by class."""

    owner: Integers
    unit: Integers

    def sizes(self) -> Integers:
        return np.bincount(self.owner).astype(np.int64)

    def inside(self, chosen: npt.NDArray[np.bool_]) -> int:
        """How many units have a row in one of the chosen classes."""
        return len(np.unique(self.unit[chosen[self.owner]]))


@dataclass(frozen=True)
class Whole:
    """A sensitive column over everybody: the share of every code, a unit weighing 1 in all, and
    the share of units that have the commonest value."""

    shares: Reals
    commonest: float


@dataclass(frozen=True)
class Spread:
    """How a sensitive column is spread over classes: the units of each class that have each code
    that occurs in it, ascending by class. `codes` is the number of codes of the column.

    Where units have several rows, one may have several codes in a class: it counts for each of
    them, and its `weight` of 1 is divided evenly among them; `members` says who is where, and
    `whole` what all of them have."""

    owner: Integers
    code: Integers
    count: Integers
    codes: int
    ordered: bool
    weight: Reals | None = None
    members: Members | None = None
    whole: Whole | None = None

    @property
    def weights(self) -> Reals:
        return self.count.astype(np.float64) if self.weight is None else self.weight

    def starts(self) -> Integers:
        """Where the entries of each class begin."""
        return np.flatnonzero(np.diff(self.owner, prepend=-1)).astype(np.int64)

    def sizes(self) -> Integers:
        """The units of each class."""
        if self.members is not None:
            return self.members.sizes()
        return np.asarray(np.add.reduceat(self.count, self.starts()), np.int64)

    def inside(self, chosen: npt.NDArray[np.bool_]) -> int:
        """How many units have a row in one of the chosen classes."""
        if self.members is not None:
            return self.members.inside(chosen)
        return int(self.sizes()[chosen].sum())


@dataclass(frozen=True)
class Matches:
    """Units of one file by how many units of another have the same values in some row."""

    records: int
    none: int
    one: int
    few: int
    both_unique: int
