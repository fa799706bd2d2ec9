"""The itemsets that a release may show at all: those that k original records hold.

Claim    Suppression only lowers supports, so that no other set of at most m items can ever occur
         in at least k records of a release.
Form     A tree: the set {a < b < c} is the child c of the child b of the child a of node 0. The
         child i of node 0 is node i + 1. Children stand side by side, items ascending.
Needs    The sets fit in memory; each takes about 50 bytes while the table is made, 21 later.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Baskets, Flags, Items, Places
from sudare.facts.errors import InvalidPlan, UsageError
from sudare.sets.compiled import compiled
from sudare.sets.mining.itemsets import frequent

_MOST_ITEMS = 200_000_000


class Table(NamedTuple):
    """One place a set. `use` is how many records hold it now, `stands` whether any may."""

    item: Items
    parent: Items
    first: Items  # The children of a node are first[node] … end[node] - 1.
    end: Items
    use: Items
    stands: Flags


def make_table(baskets: Baskets, rank: Places, k: int, m: int) -> Table:
    """All sets of at most m items with support k or more; their use is their support."""
    try:
        found = frequent(baskets, k, m, _MOST_ITEMS)
    except UsageError:
        found = None
    if found is None:
        raise InvalidPlan(
            "Too many sets of items are frequent to keep count of each.",
            "Lower the number of known items, or raise k.",
        )
    sizes = np.diff(found.starts)
    items = rank[found.items]
    width, nodes = int(rank.max(initial=-1)) + 1, 1
    levels: list[Places] = []
    parts: list[tuple[Places, Places, Places]] = []
    for size in range(1, int(sizes.max(initial=0)) + 1):
        which = np.flatnonzero(sizes == size)
        rows = np.sort(items[found.starts[which][:, None] + np.arange(size)], axis=1)
        parent = _prefix(rows, levels, width)
        keys = parent * width + rows[:, -1]
        order = np.argsort(keys)
        levels.append(keys[order])
        parts.append((rows[order, -1], parent[order], found.supports[which][order]))
        nodes += len(which)
    return _assembled(parts, nodes)


def _prefix(rows: Places, levels: list[Places], width: int) -> Places:
    """The node of each row without its last item."""
    node = np.zeros(len(rows), np.int64)
    base = 1
    for depth in range(rows.shape[1] - 1):
        node = base + np.searchsorted(levels[depth], node * width + rows[:, depth])
        base += len(levels[depth])
    return node


def _assembled(parts: list[tuple[Places, Places, Places]], nodes: int) -> Table:
    root = (np.array([-1]), np.array([-1]), np.array([0]))
    columns = zip(root, *parts, strict=True)
    item, parent, use = (np.concatenate(column).astype(np.int32) for column in columns)
    # Parents ascend, so that the children of a node are one stretch.
    numbers: NDArray[np.int64] = np.arange(nodes)
    first = np.searchsorted(parent, numbers, side="left").astype(np.int32)
    end = np.searchsorted(parent, numbers, side="right").astype(np.int32)
    return Table(item, parent, first, end, use, np.ones(nodes, np.bool_))


@compiled
def child(item: Items, lo: int, hi: int, wanted: int) -> int:
    """The first place in an ascending stretch of `item` with the wanted one or a later one."""
    while lo < hi:
        middle = (lo + hi) // 2
        if item[middle] < wanted:
            lo = middle + 1
        else:
            hi = middle
    return lo
