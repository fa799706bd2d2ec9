"""Algorithm 3, Coding: categories as numbers, 1-of-K with one column less than there are labels.

c_1 = (0, …, 0), c_2 = (1, 0, …, 0), …, c_v = (0, …, 0, 1). What the paper leaves open is settled
here: a label that nobody has is not coded, missing is a label like any other, and a column that
everybody has the same value of is taken out (it would make Σ singular) and put back at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats, Marginal, Statistics

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CodedCategory:
    """One category: `levels` are the levels that somebody has, the first of them is c_1; the
    others have the coded columns from `start` on."""

    name: str
    levels: Ints
    start: int

    @property
    def width(self) -> int:
        return len(self.levels) - 1

    @property
    def places(self) -> slice:
        return slice(self.start, self.start + self.width)


@dataclass(frozen=True, eq=False)
class Layout:
    """The coding table T: numbers first, in the order of `numbers`, then the categories. Those of
    the numbers that are `flags`, 0 or 1, are 1-of-K codes as they are."""

    numbers: tuple[str, ...]
    categories: tuple[CodedCategory, ...]
    flags: frozenset[str] = frozenset()

    @property
    def width(self) -> int:
        return len(self.numbers) + sum(each.width for each in self.categories)


def layout_of(statistics: Statistics, with_categories: bool = True) -> Layout:
    """Where every column that varies is coded."""
    varying = [each for each in statistics.numbers if _varies(statistics, each)]
    flags = frozenset(each.name for each in varying if each.type == "boolean")
    numbers = tuple(each.name for each in varying if with_categories or each.name not in flags)
    categories, start = [], len(numbers)
    for each in statistics.marginals if with_categories else ():
        levels = np.flatnonzero(each.level_counts > 0)
        if not each.is_number and len(levels) > 1:
            categories.append(CodedCategory(each.name, levels, start))
            start += len(levels) - 1
    return Layout(numbers, tuple(categories), flags)


def _varies(statistics: Statistics, each: Marginal) -> bool:
    held = np.flatnonzero(each.counts > 0)
    if len(held) == 1 and each.starts[held[0]] == each.ends[held[0]]:
        return False
    moments = statistics.moments
    if moments is None or each.name not in moments.columns:
        return True
    place = moments.columns.index(each.name)
    return not moments.known[place, place] or float(moments.covariance[place, place]) > 0


def coded(
    layout: Layout, values: dict[str, Floats], levels: dict[str, Ints], rows: slice
) -> Floats:
    """Some rows of Y."""
    count = rows.stop - rows.start
    found = np.zeros((count, layout.width))
    for place, name in enumerate(layout.numbers):
        found[:, place] = values[name][rows]
    for each in layout.categories:
        # c_1 is -1 here, a column that does not exist; it stays all zeros.
        places = np.searchsorted(each.levels, levels[each.name][rows]) - 1
        ones = np.flatnonzero(places >= 0)
        found[ones, each.start + places[ones]] = 1.0
    return found
