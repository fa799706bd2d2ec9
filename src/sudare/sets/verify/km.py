"""Whether released baskets are k^m-anonymous: the certificate, or VerificationFailed.

Claim    `verify_km` returns only where each set of 1 to m items that occurs in a record occurs in
         at least k.
Source   Terrovitis, Mamoulis and Kalnis 2008; docs/sets-verifier.md.
Symbols  m -> `max_knowledge`; T(Q) -> the records that hold Q.
Needs    records after suppression or generalization, as an attacker sees them.
Gaps     none known; the work grows with the number of sets of m items in a record.

Proof. Let S be a smallest set that occurs too rarely. If T(Q ∪ x) = T(Q) for a set Q that is not
empty and an item x, both within S, then T(S \\ x) = T(S), and S \\ x would be smaller: such items
are dropped. Each S below Q occurs in the records that hold Q with all items to come: where those
are as many as the fewest met, nothing below needs a look, and the fewest reported stays exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Baskets
from sudare.facts.errors import VerificationFailed
from sudare.sets.compiled import compiled
from sudare.sets.pace import paced
from sudare.sets.verify.bitmaps import (
    Ints,
    Mask,
    count,
    members,
    shared,
    squeezed,
    stretch,
    words_for,
)
from sudare.sets.verify.lists import Lists, lists, rarest_first
from sudare.sets.verify.tables import filled, items_beside

_TESTED, _LARGEST, _FEWEST = range(3)


@dataclass(frozen=True)
class VerifiedKm:
    """What the check looked at: how many sets, the most items in one, and the fewest records that
    hold one (None without any item)."""

    tested: int
    deepest: int
    fewest: int | None


class Node(NamedTuple):
    """The records with a set Q of `size` items, and the items that may be added."""

    table: Mask
    records: Mask
    items: Ints
    size: int


@paced("km")
def verify_km(released: Baskets, k: int, max_knowledge: int) -> VerifiedKm:
    """Check the release from scratch; VerificationFailed where one set occurs too rarely."""
    tally = np.array([0, 0, released.records + 1], np.int64)
    held = lists(released, rarest_first(released))
    if max_knowledge > 0 and finds_rare(held, k, max_knowledge, tally):
        raise VerificationFailed(
            f"At least {int(tally[_FEWEST])} records can be told from all others: "
            f"fewer than {k} hold some of their items.",
            "Do not publish it; suppress or generalize again from the original data.",
        )
    fewest = int(tally[_FEWEST]) if tally[_TESTED] else None
    return VerifiedKm(int(tally[_TESTED]), int(tally[_LARGEST]), fewest)


@compiled
def finds_rare(held: Lists, k: int, most: int, tally: Ints) -> bool:
    """Whether a set of at most `most` items occurs in fewer than `k` records."""
    items = len(held.places) - 1
    column = np.full(items, -1, np.int64)
    for item in range(items):
        rows = held.holders[held.places[item] : held.places[item + 1]]
        if is_rare(len(rows), 1, k, tally):
            return True
        if most == 1 or len(rows) == 0:
            continue
        beside = items_beside(held, item, column)
        table = filled(held, rows, beside, column)
        more = np.empty(len(beside), np.int64)
        found = 0
        for place in range(len(beside)):
            column[beside[place]] = -1
            if beside[place] > item:
                more[found] = place
                found += 1
        whole = stretch(0, len(rows), len(rows))
        if finds_rare_below(Node(table, whole, more[:found], 1), k, most, tally):
            return True
    return False


@compiled
def is_rare(support: int, size: int, k: int, tally: Ints) -> bool:
    """Test one set; a set in no record at all is no knowledge."""
    if support == 0:
        return False
    tally[_TESTED] += 1
    tally[_LARGEST] = max(tally[_LARGEST], size)
    tally[_FEWEST] = min(tally[_FEWEST], support)
    return support < k


@compiled
def finds_rare_below(start: Node, k: int, most: int, tally: Ints) -> bool:
    """Whether Q with more items occurs too rarely; Q itself does not."""
    waiting = [start]
    while len(waiting) > 0:
        node = waiting.pop()
        whole = count(node.records)
        kept = np.empty(len(node.items), np.int64)
        found = 0
        for place in range(len(node.items)):
            support = count(shared(node.records, node.table[node.items[place]]))
            if is_rare(support, node.size + 1, k, tally):
                return True
            if 0 < support < whole:
                kept[found] = node.items[place]
                found += 1
        node = Node(node.table, node.records, kept[:found], node.size)
        if node.size + 1 < most and found > 1 and not is_settled(node, tally):
            branch(fitted(node, whole), waiting)
    return False


@compiled
def is_settled(node: Node, tally: Ints) -> bool:
    """Whether no set below occurs in fewer records than the fewest met."""
    left = node.records.copy()
    for place in range(len(node.items)):
        column = node.table[node.items[place]]
        for word in range(len(left)):
            left[word] &= column[word]
    return bool(count(left) >= tally[_FEWEST])


@compiled
def branch(node: Node, waiting: list[Node]) -> None:
    """One node for each item, with the items after it still to come."""
    for place in range(len(node.items) - 1):
        records = shared(node.records, node.table[node.items[place]])
        waiting.append(Node(node.table, records, node.items[place + 1 :], node.size + 1))


@compiled
def fitted(node: Node, whole: int) -> Node:
    """The node over its own records alone, where that halves the words."""
    if 2 * words_for(whole) > len(node.records):
        return node
    rows = np.empty(whole, np.int64)
    members(node.records, rows, 0)
    table = squeezed(node.table, node.items, rows)
    return Node(table, stretch(0, whole, whole), np.arange(len(node.items)), node.size)
