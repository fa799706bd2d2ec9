"""All sets that start with one item: its table, and a search for every sensitive item beside it.

Claim    `search` returns True exactly where a dangerous set has its rarest item among those asked
         for. Every set that is not empty has a rarest item, so asking for all finds any.
Symbols  `sensitive` -> by number of the item: 0 nobody calls it sensitive, `SOME` somebody does,
         `EVERYONE`.
Needs    released records within the original ones; items numbered alike in both.
Gaps     A table takes one bit for each record that holds the item and each item beside it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.verify.bitmaps import (
    Ints,
    Mask,
    count,
    members,
    put,
    stretch,
    without,
    words_for,
)
from sudare.sets.verify.lists import Lists
from sudare.sets.verify.tables import filled, items_beside
from sudare.sets.verify.walking import Limits, Node, Table, View, finds

SOME, EVERYONE = 1, 2
UNBOUNDED = 2**40


class Demands(NamedTuple):
    """What is sensitive: for each item by number, and what each record adds, by code."""

    sensitive: Ints
    codes: Ints
    starts: Places
    items: Items


@compiled
def search(
    released: Lists,
    original: Lists,
    demands: Demands,
    limits: Limits,
    first: int,
    last: int,
    tally: Ints,
) -> bool:
    """Whether a dangerous set starts with one of the items from `first` to before `last`."""
    column = np.full(len(demands.codes), -1, np.int64)
    for item in range(first, last):
        beside = items_beside(released, item, column)
        if sensitive_beside(beside, demands) and starts_danger(
            released, original, demands, limits, item, beside, column, tally
        ):
            return True
        for place in range(len(beside)):
            column[beside[place]] = -1
    return False


@compiled
def sensitive_beside(beside: Ints, demands: Demands) -> int:
    """How many of these items somebody calls sensitive."""
    found = 0
    for place in range(len(beside)):
        found += demands.sensitive[beside[place]] > 0
    return found


@compiled
def starts_danger(
    released: Lists,
    original: Lists,
    demands: Demands,
    limits: Limits,
    item: int,
    beside: Ints,
    column: Ints,
    tally: Ints,
) -> bool:
    """Whether a dangerous set has this item and rarer ones not."""
    rows = released.holders[released.places[item] : released.places[item + 1]]
    owners = demanding(original, demands, item)
    table = Table(filled(released, rows, beside, column), filled(original, owners, beside, column))
    calls = called(owners, demands, beside)
    everyone = stretch(0, len(rows), len(rows))
    nobody = np.zeros(0, np.uint64)
    mark = np.full(len(beside), -1, np.int64)
    for place in range(len(beside)):
        wanted = demands.sensitive[beside[place]]
        if wanted == 0 or (wanted == SOME and count(calls[place]) == 0):
            continue
        holding = table.released[place].copy()
        items = np.empty(0, np.int64)
        passed = items
        if limits.most > 1:
            mark[place] = place
            items, passed = beside_both(released, rows, holding, item, column, mark, place)
        if limits.most < UNBOUNDED:
            # A set with an item that was passed by may be larger than an attacker's knowledge.
            passed = passed[:0]
        view = View(
            holding,
            without(everyone, holding),
            nobody if wanted == EVERYONE else calls[place],
            wanted == EVERYONE,
        )
        if finds(Node(table, view, items, passed, 1), limits, tally):
            return True
    return False


@compiled
def demanding(original: Lists, demands: Demands, item: int) -> Items:
    """The original owners of the item who call something sensitive that not everyone does."""
    owners = np.empty(original.places[item + 1] - original.places[item], np.int32)
    found = 0
    for place in range(original.places[item], original.places[item + 1]):
        record = original.holders[place]
        if demands.starts[record] < demands.starts[record + 1]:
            owners[found] = record
            found += 1
    return owners[:found].copy()


@compiled
def called(owners: Items, demands: Demands, beside: Ints) -> Mask:
    """For each item beside, which of these owners add it to what is sensitive."""
    table = np.zeros((len(beside), words_for(len(owners))), np.uint64)
    column = np.full(len(demands.codes), -1, np.int64)
    for place in range(len(beside)):
        column[demands.codes[beside[place]]] = place
    for row in range(len(owners)):
        record = owners[row]
        for at in range(demands.starts[record], demands.starts[record + 1]):
            place = column[demands.items[at]]
            if place >= 0:
                put(table[place], row)
    return table


@compiled
def beside_both(
    released: Lists, rows: Items, holding: Mask, item: int, column: Ints, mark: Ints, place: int
) -> tuple[Ints, Ints]:
    """The items in records that hold this one and the sensitive one: those to come, and rarer ones,
    with which other searches start."""
    common = np.empty(count(holding), np.int64)
    members(holding, common, 0)
    items = np.empty(len(mark), np.int64)
    passed = np.empty(len(mark), np.int64)
    more, rarer = 0, 0
    for row in range(len(common)):
        record = rows[common[row]]
        for at in range(released.starts[record], released.starts[record + 1]):
            other = released.items[at]
            found = column[other]
            if other == item or mark[found] == place:
                continue
            mark[found] = place
            if other > item:
                items[more] = found
                more += 1
            else:
                passed[rarer] = found
                rarer += 1
    return items[:more].copy(), passed[:rarer].copy()
