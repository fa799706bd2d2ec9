"""Records as codes: what an engine hands to the jobs that look at classes of records.

A class is a set of records with the same codes in some columns. Codes run from 0 in the order of
a column's values; what is missing has the last code, so it is a value of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


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
    """How many classes there are of each size, ascending by size."""

    sizes: Integers
    classes: Integers

    @property
    def records(self) -> int:
        return int((self.sizes * self.classes).sum())

    @property
    def count(self) -> int:
        return int(self.classes.sum())

    def records_below(self, k: int) -> int:
        """The records in classes of fewer than k."""
        small = self.sizes < k
        return int((self.sizes[small] * self.classes[small]).sum())


@dataclass(frozen=True)
class Spread:
    """How a sensitive column is spread over classes: the records of each class with each code that
    occurs in it, ascending by class. `codes` is the number of codes of the column."""

    owner: Integers
    code: Integers
    count: Integers
    codes: int
    ordered: bool


@dataclass(frozen=True)
class Matches:
    """Records of one file by how many records of another have the same values."""

    records: int
    none: int
    one: int
    few: int
    both_unique: int
