"""Numbers that tell sets of items apart, mostly. Compiled.

Symbols  mixed(i) -> a number for an item with no pattern in its bits: sums of them are the same for
         sets that are the same, and hardly ever for others.
         sign of S -> one bit for each item: all bits of S are set in whatever holds S.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled, inlined

Signs = NDArray[np.uint64]
# An odd number with no pattern in its bits, the golden ratio's.
_MIX = np.uint64(0x9E3779B97F4A7C15)
_ONE, _TURN, _TOP = np.uint64(1), np.uint64(29), np.uint64(58)
_SHORT = np.uint64(0xFFFF)


@inlined
def mixed(item: int) -> np.uint64:
    part = (np.uint64(item) + _ONE) * _MIX
    return (part ^ (part >> _TURN)) * _MIX


@inlined
def sign_of(items: Items) -> np.uint64:
    sign = np.uint64(0)
    for i in items:
        sign |= _ONE << (mixed(i) >> _TOP)
    return sign


@compiled
def signs_of(at: Places, items: Items, records: Items) -> Signs:
    """The signs of some records, each items[at[u]:at[u + 1]]."""
    found = np.empty(len(records), np.uint64)
    for place in range(len(records)):
        record = records[place]
        found[place] = sign_of(items[at[record] : at[record + 1]])
    return found


@compiled
def sums_of(at: Places, items: Items) -> Signs:
    """The sums of all records."""
    found = np.zeros(len(at) - 1, np.uint64)
    for record in range(len(at) - 1):
        for place in range(at[record], at[record + 1]):
            found[record] += mixed(items[place])
    return found


@compiled
def near(total: np.uint64, first: int, second: int) -> np.uint64:
    """A number that is near for sets with the same two first items, and else tells sets apart as
    their sums do: what is looked up together is kept together."""
    return (
        (np.uint64(first) & _SHORT) << np.uint64(48)
        | (np.uint64(second) & _SHORT) << np.uint64(32)
        | total >> np.uint64(32)
    )
