"""Which given attackers succeed: the released rules of their set, counted record by record."""

from __future__ import annotations

import numpy as np

from sudare.facts.baskets import Flags, Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.verify.bitmaps import Ints
from sudare.sets.verify.lists import Lists


@compiled
def succeed(
    held: Lists,
    everyone: Flags,
    starts: Places,
    items: Items,
    targets: Ints,
    sets: Ints,
    p: int,
    q: int,
) -> Flags:
    """For each target and set, in the order of sets, whether a rule gives the target away. `held`
    numbers items by code."""
    flags = np.zeros(len(targets), np.bool_)
    counts = np.zeros(len(everyone), np.int64)
    beside = np.empty(len(everyone), np.int64)
    found, support = 0, 0
    for number in range(len(targets)):
        # Equal sets follow each other; their rules are counted once.
        if number == 0 or differs(sets[number], sets[number - 1]):
            for place in range(found):
                counts[beside[place]] = 0
            found, support = count_beside(held, sets[number], counts, beside)
        for place in range(found):
            item = beside[place]
            if q * counts[item] > p * support and (
                everyone[item] or contains(items, starts, targets[number], item)
            ):
                flags[number] = True
                break
    return flags


@compiled
def differs(one: Ints, other: Ints) -> bool:
    found = 0
    for place in range(len(one)):
        found += one[place] != other[place]
    return found > 0


@compiled
def count_beside(held: Lists, known: Ints, counts: Ints, beside: Ints) -> tuple[int, int]:
    """Count the items outside the set in the records that hold it: how many items, and records."""
    rarest = known[0]
    for item in known:
        if held.places[item + 1] - held.places[item] < (
            held.places[rarest + 1] - held.places[rarest]
        ):
            rarest = item
    found, support = 0, 0
    for place in range(held.places[rarest], held.places[rarest + 1]):
        record = held.holders[place]
        if not holds(held, record, known):
            continue
        support += 1
        for at in range(held.starts[record], held.starts[record + 1]):
            item = held.items[at]
            if counts[item] == 0:
                beside[found] = item
                found += 1
            counts[item] += 1
    return found_outside(known, counts, beside, found), support


@compiled
def holds(held: Lists, record: int, known: Ints) -> bool:
    """Whether the record holds all items of the set; both are ascending."""
    matched = 0
    for at in range(held.starts[record], held.starts[record + 1]):
        if matched < len(known) and held.items[at] == known[matched]:
            matched += 1
    return matched == len(known)


@compiled
def found_outside(known: Ints, counts: Ints, beside: Ints, found: int) -> int:
    """Drop the items of the set itself; how many are left."""
    for item in known:
        counts[item] = 0
    left = 0
    for place in range(found):
        if counts[beside[place]] > 0:
            beside[left] = beside[place]
            left += 1
    return left


@compiled
def contains(items: Items, starts: Places, record: int, item: int) -> bool:
    """Whether the record's ascending list has the item, by halving."""
    low, high = starts[record], starts[record + 1]
    while low < high:
        middle = (low + high) // 2
        if items[middle] < item:
            low = middle + 1
        else:
            high = middle
    return bool(low < starts[record + 1] and items[low] == item)
