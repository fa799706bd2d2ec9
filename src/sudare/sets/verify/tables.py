"""The table of one item: the items beside it, and which of its records hold each."""

from __future__ import annotations

import numpy as np

from sudare.facts.baskets import Items
from sudare.sets.compiled import compiled
from sudare.sets.verify.bitmaps import Ints, Mask, put, words_for
from sudare.sets.verify.lists import Lists


@compiled
def items_beside(released: Lists, item: int, column: Ints) -> Ints:
    """The items in the records that hold this one; `column` then tells the place of each."""
    beside = np.empty(len(column), np.int64)
    found = 0
    for place in range(released.places[item], released.places[item + 1]):
        record = released.holders[place]
        for at in range(released.starts[record], released.starts[record + 1]):
            other = released.items[at]
            if other != item and column[other] < 0:
                column[other] = found
                beside[found] = other
                found += 1
    return beside[:found].copy()


@compiled
def filled(lists: Lists, rows: Items, beside: Ints, column: Ints) -> Mask:
    """For each item beside, which of these records hold it."""
    table = np.zeros((len(beside), words_for(len(rows))), np.uint64)
    for row in range(len(rows)):
        record = rows[row]
        for at in range(lists.starts[record], lists.starts[record + 1]):
            place = column[lists.items[at]]
            if place >= 0:
                put(table[place], row)
    return table
