"""The itemsets that a release may show at all: those that k original records hold.

Claim    Suppression only lowers supports, so that no other set of at most m items can ever occur
         in at least k records of a release.
Form     A tree: the set {a < b < c} is the child c of the child b of the child a of node 0. The
         child i of node 0 is node i + 1. Children stand side by side, items ascending.
Needs    21 bytes a set, and about 170 while the table is made.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Baskets, Flags, Items, Places
from sudare.facts.errors import UsageError
from sudare.sets.compiled import compiled
from sudare.sets.mining.itemsets import frequent

# Items of all sets together. While the table is made, a set takes about 170 bytes.
_MOST_ITEMS = 150_000_000
_Part = tuple[Items, Items, Places]


class Table(NamedTuple):
    """One place a set. `use` is how many records hold it now, `stands` whether any may."""

    item: Items
    parent: Items
    first: Items  # The children of a node are first[node] … end[node] - 1.
    end: Items
    use: Items
    stands: Flags


def make_table(baskets: Baskets, rank: Items, k: int, m: int) -> Table | None:
    """All sets of at most m items with support k or more; their use is their support. None where
    they are too many."""
    try:
        found = frequent(baskets, k, m, _MOST_ITEMS)
    except UsageError:
        return None
    sizes = np.diff(found.starts)
    items = rank[found.items]
    width = int(rank.max(initial=-1)) + 1
    parts = _singles(items[found.starts[:-1][sizes == 1]], found.supports[sizes == 1], width)
    levels = [np.arange(width, dtype=np.int64)]
    for size in range(2, int(sizes.max(initial=0)) + 1):
        which = np.flatnonzero(sizes == size)
        rows = np.stack([items[found.starts[which] + place] for place in range(size)], axis=1)
        rows.sort(axis=1)
        keys = _prefix(rows, levels, width) * width + rows[:, -1]
        order = np.argsort(keys)
        levels.append(keys[order])
        parent, last = np.divmod(levels[-1], width)
        parts.append((last.astype(np.int32), parent.astype(np.int32), found.supports[which[order]]))
    return _assembled(parts)


def _singles(items: Items, supports: Places, width: int) -> list[_Part]:
    """The root, and a node for every rank: also for an item that these records lack."""
    use = np.zeros(width, np.int64)
    use[items] = supports
    ranks: Items = np.arange(width, dtype=np.int32)
    root = (np.array([-1], np.int32), np.array([-1], np.int32), np.array([0]))
    return [root, (ranks, np.zeros(width, np.int32), use)]


def _prefix(rows: Items, levels: list[Places], width: int) -> Places:
    """The node of each row without its last item."""
    node = np.zeros(len(rows), np.int64)
    base = 1
    for depth in range(rows.shape[1] - 1):
        node = base + np.searchsorted(levels[depth], node * width + rows[:, depth])
        base += len(levels[depth])
    return node


def _assembled(parts: list[_Part]) -> Table:
    item, parent, use = (np.concatenate(column) for column in zip(*parts, strict=True))
    # Parents ascend, so that the children of a node are one stretch.
    nodes: Items = np.arange(len(item), dtype=np.int32)
    first = np.searchsorted(parent, nodes, side="left").astype(np.int32)
    end = np.searchsorted(parent, nodes, side="right").astype(np.int32)
    return Table(item, parent, first, end, use.astype(np.int32), np.ones(len(item), np.bool_))


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
