"""Records numbered and sorted by several columns of codes at once.

Columns become one integer a record, in the order of the columns. Numbers are made dense by
counting where there are few of them, which takes a fraction of the time of sorting.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sudare.facts.coded import Integers, Members, Spread, Whole

# Products of codes stay below this, so that they fit into 64 bits.
_WIDE = 2**62
# Counting pays as long as there are not many more possible numbers than records.
_FEW = 8


def grouped(columns: Sequence[Integers]) -> Integers:
    """The class of each record, numbered from 0 in the order of the columns: records that agree on
    all columns."""
    return _dense(*_keys(columns))[0]


def in_order(columns: Sequence[Integers]) -> Integers:
    """The records sorted by the columns, the first one first."""
    return np.argsort(_keys(columns)[0], kind="stable").astype(np.int64)


def sizes_of(ids: Integers, people: Integers | None) -> Integers:
    """How many records each numbered class has; of people those with a record in it."""
    return np.bincount(ids) if people is None else members_of(ids, people).sizes()


def members_of(ids: Integers, people: Integers) -> Members:
    """Every (class, person) once."""
    width = int(people.max(initial=0)) + 1
    pairs = _distinct(ids * width + people)
    return Members(pairs // width, pairs % width)


def spread_of(
    ids: Integers,
    codes: Integers,
    size: int,
    ordered: bool,
    people: Integers | None = None,
    whole: Whole | None = None,
) -> Spread:
    """How a sensitive column is spread over numbered classes."""
    if people is not None:
        return _spread_of_people(ids, codes, size, ordered, people, whole)
    classes = int(ids.max(initial=0)) + 1
    if classes * size <= _FEW * len(ids) + 1024:
        counts = np.bincount(ids * size + codes, minlength=classes * size)
        pairs = np.flatnonzero(counts)
        count = counts[pairs]
    else:
        pairs, count = np.unique(ids * size + codes, return_counts=True)
    return Spread(pairs // size, pairs % size, count.astype(np.int64), size, ordered)


def whole_of(codes: Integers, size: int, people: Integers | None) -> Whole:
    """A sensitive column over all records."""
    spread = spread_of(np.zeros_like(codes), codes, size, ordered=False, people=people)
    units = int(spread.sizes()[0])
    shares = np.bincount(spread.code, spread.weights, size) / units
    return Whole(shares, int(spread.count.max()) / units)


def _spread_of_people(
    ids: Integers,
    codes: Integers,
    size: int,
    ordered: bool,
    people: Integers,
    whole: Whole | None,
) -> Spread:
    """A person counts once for every value that the person has in a class."""
    members = members_of(ids, people)
    width = int(people.max(initial=0)) + 1
    # The place of each record's (class, person) among the members.
    place = np.searchsorted(members.owner * width + members.unit, ids * width + people)
    held = _distinct(place * size + codes)
    member, code = held // size, held % size
    values = np.bincount(member)
    pairs, entry = np.unique(members.owner[member] * size + code, return_inverse=True)
    count = np.bincount(entry).astype(np.int64)
    weight = np.bincount(entry, 1.0 / values[member]).astype(np.float64)
    return Spread(pairs // size, pairs % size, count, size, ordered, weight, members, whole)


def _distinct(keys: Integers) -> Integers:
    return np.asarray(np.unique(keys), np.int64)


def _keys(columns: Sequence[Integers]) -> tuple[Integers, int]:
    """One number a record and how many numbers there can be."""
    ids, size = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        width = int(column.max(initial=0)) + 1
        if size * width > _WIDE:
            # With fewer than 2^31 records and codes the product fits after this.
            ids, size = _dense(ids, size)
        ids, size = ids * width + column, size * width
    return ids, size


def _dense(ids: Integers, size: int) -> tuple[Integers, int]:
    if size <= _FEW * len(ids) + 1024:
        present = np.bincount(ids, minlength=size) > 0
        places = np.cumsum(present) - 1
        return places[ids].astype(np.int64), int(places[-1]) + 1
    distinct, found = np.unique(ids, return_inverse=True)
    return found.astype(np.int64), len(distinct)
