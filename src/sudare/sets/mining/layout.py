"""Records as a depth-first search over itemsets reads them, and its one step.

Claim    A search from `rooted` needs no memory but its arguments: at most one node an item and one
         place an item of a record.
Source   Occurrence delivery: Uno, Kiyomi, Arimura, LCM ver. 2 (FIMI 2004).
Symbols  place -> an index of `Layout.items`: one item in one record. A node is an itemset, given by
         its last item and the places of that item in the records that hold all of the set.
Needs    Items of a record ascend and do not repeat. `need` never falls during one search.
Gaps     none known. Why the claim holds: a set grows by larger items only, and nodes are taken from
         the end, so that its children lie where the children of its later siblings lay, and each
         of them holds fewer places than the sibling with the same last item did.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Baskets, Flags, Items, Places
from sudare.sets.compiled import compiled

# A plain 0 in a compiled function has a type of its own, for which numba compiles all that is
# called with it once more.
ZERO, ONE = cast(int, np.int64(0)), cast(int, np.int64(1))
# More items than there are.
EVERY = cast(int, np.int64(2**62))


class Layout(NamedTuple):
    """Item `items[p]` of the record `items[begins[p]:ends[p]]`, for each place p; `nexts` is
    p + 1. A step looks at a record from `begins` or from `nexts`."""

    items: Items
    begins: Places
    nexts: Places
    ends: Places


class Stack(NamedTuple):
    """Nodes (last item, first and end of its places, depth), and places, both filled from 0."""

    nodes: Places
    places: Places


class Work(NamedTuple):
    """Between steps `counts` are 0 and `spots` are -1; items that are `blocked` are passed over;
    `steps` counts the steps."""

    counts: Places
    spots: Places
    touched: Places
    blocked: Flags
    steps: Places


def supports(baskets: Baskets) -> Places:
    """In how many records each item is, by code."""
    return np.bincount(baskets.items, minlength=len(baskets.names)).astype(np.int64)


def lay_out(baskets: Baskets, order: NDArray[np.int64]) -> Layout:
    """The records with the items of `order` alone, each by its place there."""
    ranks = np.full(len(baskets.names), -1, np.int64)
    ranks[order] = np.arange(len(order))
    found = ranks[baskets.items]
    owners = np.repeat(np.arange(baskets.records), baskets.lengths)[found >= 0]
    # One sort of one number is much quicker than a sort by two keys.
    keys = np.sort(owners * max(1, len(order)) + found[found >= 0])
    owners, items = np.divmod(keys, max(1, len(order)))
    starts = np.searchsorted(owners, np.arange(baskets.records + 1))
    nexts = np.arange(1, len(items) + 1)
    return Layout(items.astype(np.int32), starts[owners], nexts, starts[owners + 1])


def rooted(layout: Layout, items: int) -> Stack:
    """The stack before the first step: a node for each item."""
    places = np.argsort(layout.items, kind="stable").astype(np.int64)
    counts = np.bincount(layout.items, minlength=items).astype(np.int64)
    ends = np.cumsum(counts)
    nodes = np.stack([np.arange(items), ends - counts, ends, np.zeros_like(ends)], axis=1)
    return Stack(nodes, places)


def work_for(items: int) -> Work:
    counts, touched = np.zeros(items, np.int64), np.empty(items, np.int64)
    blocked, steps = np.zeros(items, np.bool_), np.zeros(1, np.int64)
    return Work(counts, np.full(items, -1, np.int64), touched, blocked, steps)


@compiled
def _ascend(work: Work, kept: int) -> None:
    """Order the touched items that are kept, so that memory stays within its bound."""
    if kept * kept > len(work.counts):
        at = 0
        for item in range(len(work.counts)):
            if work.counts[item] > 0:
                work.touched[at] = item
                at += 1
        return
    for k in range(1, kept):
        item, at = work.touched[k], k
        while at > 0 and work.touched[at - 1] > item:
            work.touched[at] = work.touched[at - 1]
            at -= 1
        work.touched[at] = item


@compiled
def _first(work: Work, kept: int, most: int) -> int:
    """Drop items whose support none of the first `most` falls below; how many are left."""
    lowest, at = work.counts[work.touched[0]], most
    for k in range(most):
        lowest = min(lowest, work.counts[work.touched[k]])
    for k in range(most, kept):
        item = work.touched[k]
        if work.counts[item] > lowest:
            work.touched[at] = item
            at += 1
        else:
            work.counts[item] = 0
    return at


@compiled
def spread(
    layout: Layout,
    work: Work,
    source: Places,
    firsts: Places,
    stack: Stack,
    height: int,
    fill: int,
    need: int,
    depth: int,
    most: int,
) -> int:
    """Put on the stack every item with support `need` in the records of the places `source`, read
    from `firsts` on. Items that have `most` smaller ones of at least their support may be left out:
    where names decide between equals, nobody asks for them. Gives the new height."""
    work.steps[0] += 1
    seen = 0
    for place in source:
        for other in range(firsts[place], layout.ends[place]):
            item = layout.items[other]
            if work.counts[item] == 0:
                work.touched[seen] = item
                seen += 1
            work.counts[item] += 1
    kept = ZERO
    for k in range(seen):
        item = work.touched[k]
        if work.counts[item] >= need and not work.blocked[item]:
            work.touched[kept] = item
            kept += 1
        else:
            work.counts[item] = 0
    if kept == 0:
        return height
    _ascend(work, kept)
    if kept > most:
        kept = _first(work, kept, most)
    for k in range(kept):
        item = work.touched[k]
        end = fill + work.counts[item]
        node = stack.nodes[height]
        node[0], node[1], node[2], node[3] = item, fill, end, depth
        work.spots[item], work.counts[item] = fill, 0
        height, fill = height + 1, end
    for place in source:
        for other in range(firsts[place], layout.ends[place]):
            item = layout.items[other]
            if work.spots[item] >= 0:
                stack.places[work.spots[item]] = other
                work.spots[item] += 1
    for k in range(kept):
        work.spots[work.touched[k]] = -1
    return height
