"""Which combinations of quasi-identifiers single out most people.

Claim    the listed subsets of each size are those with most records that are alone in their class;
         no subset left uncounted could be among them.
Symbols  splitting a class of s units with at most m rows each by a column of v values gives at most
         min(s·m, v) classes, so the classes of S ∪ {c} are at most Σ min(s·m, v) over the classes
         of S, and nobody is alone without a class; and who is alone by S is so by every larger
         set, so no subset has more uniques than all columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from sudare.facts.coded import ClassSizes

Subset = tuple[str, ...]
Fetch = Callable[[Subset], ClassSizes]
FEW = 5


@dataclass(frozen=True)
class Combination:
    """How many units a set of columns singles out, and puts into classes below FEW."""

    columns: Subset
    uniques: int
    few: int


@dataclass(frozen=True)
class Combinations:
    """The worst sets of each size, what is unique without each column, and the work done."""

    worst: tuple[Combination, ...]
    without: tuple[Combination, ...]
    counted: int
    skipped: int


@dataclass
class _Search:
    columns: Mapping[str, int]
    fetch: Fetch
    rows: int
    most: int
    known: dict[Subset, ClassSizes] = field(default_factory=dict)
    bounds: dict[Subset, int] = field(default_factory=dict)

    def count(self, subset: Subset) -> ClassSizes:
        if subset not in self.known:
            self.known[subset] = self.fetch(subset)
            self.bounds[subset] = self.known[subset].count
        return self.known[subset]

    def bound(self, subset: Subset) -> int:
        """No more classes, so no more uniques, than this."""
        if subset not in self.bounds:
            parts = [(subset[:i] + subset[i + 1 :], name) for i, name in enumerate(subset)]
            self.bounds[subset] = min(self._split(rest, self.columns[name]) for rest, name in parts)
        return min(self.bounds[subset], self.most)

    def _split(self, rest: Subset, values: int) -> int:
        if not rest:
            return min(values, self.rows)
        found = self.known.get(rest)
        if found is None:
            return min(self.bound_classes(rest) * values, self.rows)
        return int((found.classes * np.minimum(found.sizes * found.most_rows, values)).sum())

    def bound_classes(self, subset: Subset) -> int:
        self.bound(subset)
        return self.bounds[subset]


def riskiest(columns: Mapping[str, int], fetch: Fetch, largest: int, keep: int = 5) -> Combinations:
    """The `keep` worst subsets of each size up to `largest`; `columns` has the number of values of
    each column, `fetch` counts the classes of a subset."""
    names = tuple(columns)
    everything = fetch(names)
    rows = everything.records * everything.most_rows
    search = _Search(columns, fetch, rows, everything.records_below(2))
    search.known[names] = everything
    search.bounds[names] = everything.count
    worst: list[Combination] = []
    skipped = 0
    for size in range(1, min(largest, len(names)) + 1):
        found, left = _of_size(search, list(combinations(names, size)), keep)
        worst += found
        skipped += left
    without = _without(search, names) if len(names) > 1 else ()
    return Combinations(tuple(worst), without, len(search.known), skipped)


def _of_size(
    search: _Search, subsets: Sequence[Subset], keep: int
) -> tuple[list[Combination], int]:
    """Count the subsets with the highest bounds first, and stop where no bound can win."""
    found: list[Combination] = []
    ordered = sorted(subsets, key=lambda each: -search.bound(each))
    for place, subset in enumerate(ordered):
        if len(found) >= keep and search.bound(subset) < _ranked(found)[keep - 1].uniques:
            return _ranked(found)[:keep], len(ordered) - place
        found.append(_combination(subset, search.count(subset)))
    return _ranked(found)[:keep], 0


def _ranked(found: list[Combination]) -> list[Combination]:
    return sorted(found, key=lambda each: (-each.uniques, -each.few, each.columns))


def _without(search: _Search, names: Subset) -> tuple[Combination, ...]:
    """What stays unique if one column is left out, most helpful first."""
    rests = [(name, tuple(each for each in names if each != name)) for name in names]
    found = [(search.count(rest), name) for name, rest in rests]
    return tuple(
        sorted(
            (_combination((name,), sizes) for sizes, name in found),
            key=lambda each: (each.uniques, each.few, each.columns),
        )
    )


def _combination(columns: Subset, found: ClassSizes) -> Combination:
    return Combination(columns, found.records_below(2), found.records_below(FEW))
