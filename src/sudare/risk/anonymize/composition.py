"""What two anonymized files of the same records tell together.

Claim    whoever knows a person's quasi-identifiers finds one class in each file; the person's value
         is in both, so it is in the intersection of their values. `certain` counts the records for
         which one value is left.
Units    a person with several records counts once, if what is said holds for one of them.
Source   Ganta, Kasiviswanathan, Smith 2008: composition attacks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sudare.facts.coded import Integers
from sudare.risk.anonymize.demand import Flags
from sudare.risk.anonymize.keys import grouped, sizes_of, spread_of


@dataclass(frozen=True)
class Composition:
    """Records whose value is certain from the first file, the second, and both together; records
    for which both together leave fewer values than either; and the fewest records that two classes
    of a person have in common."""

    first: int
    second: int
    together: int
    narrowed: int
    smallest_joint: int


def composed(
    first: Integers, second: Integers, codes: Integers, size: int, people: Integers | None = None
) -> Composition:
    """Two numberings of classes of the same records, and one sensitive column."""

    def counted(chosen: Flags) -> int:
        return int(chosen.sum()) if people is None else len(np.unique(people[chosen]))

    values = [_values(ids, codes, size) for ids in (first, second)]
    joint = grouped([first, second])
    records = sizes_of(joint, people)
    ones, twos = np.empty_like(records), np.empty_like(records)
    ones[joint], twos[joint] = first, second
    alone = [np.bincount(each // size) for each in values]
    left = _common(values[0], values[1], ones, twos, size)
    narrower = left < np.minimum(alone[0][ones], alone[1][twos])
    return Composition(
        first=counted(alone[0][first] == 1),
        second=counted(alone[1][second] == 1),
        together=counted((left == 1)[joint]),
        narrowed=counted(narrower[joint]),
        smallest_joint=int(records.min()),
    )


def _values(ids: Integers, codes: Integers, size: int) -> Integers:
    """The distinct (class, value), as class · size + value, ascending."""
    found = spread_of(ids, codes, size, ordered=False)
    return found.owner * size + found.code


def _common(
    first: Integers, second: Integers, ones: Integers, twos: Integers, size: int
) -> Integers:
    """How many values each pair of classes has in common."""
    starts = np.searchsorted(first, ones * size)
    counts = np.searchsorted(first, (ones + 1) * size) - starts
    owner = np.repeat(np.arange(len(ones)), counts)
    inside = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    value = first[np.repeat(starts, counts) + inside] % size
    wanted = twos[owner] * size + value
    place = np.minimum(np.searchsorted(second, wanted), len(second) - 1)
    shared = second[place] == wanted
    return np.bincount(owner[shared], minlength=len(ones))
