"""The search for one attacker below a set Q, for one sensitive item e.

Claim    `finds` returns True exactly where some S ⊇ Q within Q and the items to come, of at most
         `most` items, is dangerous for e: a released record holds S and e, an original record
         holds S and calls e sensitive, and q·supp(S ∪ e) > p·supp(S).
Source   docs/sets-verifier.md. Definitions 2 to 4 of Nakagawa, Arai and Nakagawa, read with the
         attacker knowing items of the original record.
Symbols  A(S) -> `holding`, released records with S and e; N(S) -> `lacking`, with S and without e;
         W(S) -> `callers`, original records with S that call e sensitive. S is dangerous where A
         and W are not empty and (q - p)·|A| > p·|N|.
Needs    A and W of the starting Q. Where e is sensitive to everyone, W(S) is not looked at: the
         records of A(S) are themselves owners of S who call e sensitive.
Gaps     The number of sets can grow exponentially for data made to that end.

Proof. No set that is dangerous is cut off without another that is dangerous being found. A, N and
W only shrink as S grows, so an item without a record in A or in W cannot be added (`reaches`).

Free search, where every S below the start is small enough. Let S be a largest dangerous set below
the start. If an item x outside S held all of A(S) and of W(S), then S ∪ x would have the same A and
W and no more N, so be dangerous and larger. Follow the branches towards S: at each node take the
first item that is in S, so that the items passed by are not in S. At each Q on this way, A(S) ⊆
A(Q) and W(S) ⊆ W(Q). Hence (1) an item to come that holds all of A(Q) and W(Q) is in S, and is
added at once; (2) no item passed by holds all of A(Q) and W(Q), so that nodes where one does are
not on the way and are left (`is_passed`). The way ends with S itself being tested.

Bounded search. Let S be a smallest dangerous set below Q. An item x of S outside Q with T(Q ∪ x) =
T(Q), T = A ∪ N, would give T(S \\ x) = T(S) and W(S \\ x) ⊇ W(S), so S \\ x would be dangerous and
smaller (Q has an item, so that S \\ x is never empty). Such items are dropped. This holds for
ORIGINAL owners, since whoever owned S owned S \\ x. Once Q and all items to come are few enough,
the search below is free, with nothing passed by as yet.

In both, |A(S)| <= |A(Q)| and |N(S)| >= |N(M)| where M is Q with all items to come: where even so
no confidence above the highest met is possible, nothing below needs a look (`is_settled`), and the
highest confidence that is reported stays exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudare.sets.compiled import compiled
from sudare.sets.verify.bitmaps import (
    Ints,
    Mask,
    count,
    meets,
    members,
    shared,
    squeezed,
    stretch,
    within,
    words_for,
)

# Places in a tally, which all branches of a search share.
TESTED, LARGEST, ABOVE, BELOW, EXPOSED = range(5)


class Table(NamedTuple):
    """One mask an item: over released records, and over original ones."""

    released: Mask
    owners: Mask


class View(NamedTuple):
    """What is left of the records after Q, for one e. `is_common` -> e is sensitive to everyone."""

    holding: Mask
    lacking: Mask
    callers: Mask
    is_common: bool


class Node(NamedTuple):
    """A set Q of `size` items with the items that may still be added, and those passed by."""

    table: Table
    left: View
    items: Ints
    passed: Ints
    size: int


class Limits(NamedTuple):
    """ρ = p/q, and how many items an attacker knows at most."""

    p: int
    q: int
    most: int


@compiled
def reaches(table: Table, view: View, item: int) -> bool:
    """Whether a dangerous set may contain this item."""
    if not meets(view.holding, table.released[item]):
        return False
    return view.is_common or meets(view.callers, table.owners[item])


@compiled
def covers(table: Table, view: View, item: int) -> bool:
    """Whether the item holds all of A and of W."""
    if not within(view.holding, table.released[item]):
        return False
    return view.is_common or within(view.callers, table.owners[item])


@compiled
def narrowed(table: Table, view: View, item: int) -> View:
    """The view after the item was added to Q."""
    column = table.released[item]
    callers = view.callers if view.is_common else shared(view.callers, table.owners[item])
    return View(shared(view.holding, column), shared(view.lacking, column), callers, view.is_common)


@compiled
def holds_all(table: Table, view: View, item: int) -> bool:
    """Whether all released records with Q hold the item."""
    column = table.released[item]
    return within(view.holding, column) and within(view.lacking, column)


@compiled
def is_passed(node: Node) -> bool:
    """Whether sets with an item that was passed by are as dangerous as all of this node."""
    for place in range(len(node.passed)):
        if covers(node.table, node.left, node.passed[place]):
            return True
    return False


@compiled
def is_dangerous(node: Node, limits: Limits, tally: Ints) -> bool:
    """Test Q → e, and remember the highest confidence, or how many people are exposed."""
    holding = count(node.left.holding)
    support = holding + count(node.left.lacking)
    tally[TESTED] += 1
    tally[LARGEST] = max(tally[LARGEST], node.size)
    if limits.q * holding > limits.p * support:
        # Whoever still holds Q owned it before, so that these many call e sensitive at least.
        tally[EXPOSED] = support if node.left.is_common else count(node.left.callers)
        return True
    if holding * tally[BELOW] > tally[ABOVE] * support:
        tally[ABOVE] = holding
        tally[BELOW] = support
    return False


@compiled
def is_settled(node: Node, tally: Ints) -> bool:
    """Whether no set below can have a confidence above the highest met."""
    fewest = node.left.lacking.copy()
    for place in range(len(node.items)):
        column = node.table.released[node.items[place]]
        for word in range(len(fewest)):
            fewest[word] &= column[word]
    holding = count(node.left.holding)
    return bool(holding * tally[BELOW] <= tally[ABOVE] * (holding + count(fewest)))


@compiled
def finds(start: Node, limits: Limits, tally: Ints) -> bool:
    """Whether a set of this node is dangerous. Nodes wait on a list, not on the machine's stack,
    which nested records could overflow."""
    waiting = [start]
    while len(waiting) > 0:
        node = waiting.pop()
        is_free = node.size + len(node.items) <= limits.most
        if is_free and is_passed(node):
            continue
        node = settled_items(node, is_free)
        if is_dangerous(node, limits, tally):
            return True
        if len(node.items) and node.size < limits.most and not is_settled(node, tally):
            branch(fitted(node) if is_roomy(node.left) else node, is_free, waiting)
    return False


@compiled
def settled_items(node: Node, is_free: bool) -> Node:
    """The node with items added that must be in, and without those that cannot or need not be."""
    table, view, size = node.table, node.left, node.size
    lacking = view.lacking
    kept = np.empty(len(node.items), np.int64)
    count_kept = 0
    for place in range(len(node.items)):
        item = node.items[place]
        if not reaches(table, view, item):
            continue
        if is_free and covers(table, view, item):
            lacking = shared(lacking, table.released[item])
            size += 1
        elif is_free or not holds_all(table, view, item):
            kept[count_kept] = item
            count_kept += 1
    view = View(view.holding, lacking, view.callers, view.is_common)
    return Node(table, view, kept[:count_kept], node.passed, size)


@compiled
def branch(node: Node, is_free: bool, waiting: list[Node]) -> None:
    """One node for each item, with the items after it still to come; the first is looked at first.
    The items before it are passed by, which says something only where the search is free."""
    held = len(node.passed) if is_free else 0
    before = np.empty(held + len(node.items), np.int64)
    before[:held] = node.passed[:held]
    before[held:] = node.items
    for place in range(len(node.items) - 1, -1, -1):
        view = narrowed(node.table, node.left, node.items[place])
        passed = before[: held + place] if is_free else before[:0]
        waiting.append(Node(node.table, view, node.items[place + 1 :], passed, node.size + 1))


@compiled
def is_roomy(view: View) -> bool:
    """Whether half of the words would do for the records that are left."""
    rows = words_for(count(view.holding) + count(view.lacking))
    callers = words_for(count(view.callers))
    return 2 * rows <= len(view.holding) or 2 <= max(2 * callers, 2) <= len(view.callers)


@compiled
def fitted(node: Node) -> Node:
    """The same node over the records that are left alone, with items renumbered."""
    view, ahead = node.left, len(node.items)
    every = np.empty(ahead + len(node.passed), np.int64)
    every[:ahead] = node.items
    every[ahead:] = node.passed
    holding = count(view.holding)
    rows = np.empty(holding + count(view.lacking), np.int64)
    members(view.lacking, rows, members(view.holding, rows, 0))
    callers = np.empty(count(view.callers), np.int64)
    members(view.callers, callers, 0)
    table = Table(
        squeezed(node.table.released, every, rows), squeezed(node.table.owners, every, callers)
    )
    seen = View(
        stretch(0, holding, len(rows)),
        stretch(holding, len(rows) - holding, len(rows)),
        stretch(0, len(callers), len(callers)),
        view.is_common,
    )
    return Node(table, seen, np.arange(ahead), np.arange(ahead, len(every)), node.size)
