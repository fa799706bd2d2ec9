"""A hierarchy of items as generalization walks it: children, and what lies below each node."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Flags, Items, Places
from sudare.facts.item_tree import Hierarchy


class Shape(NamedTuple):
    """Numbers in the order of a walk that finishes a node before its next sibling: what lies below
    a node has the numbers from `low` up to, but not with, `high`."""

    child_at: Places  # The children of node p are child[child_at[p]:child_at[p + 1]], `low` rising.
    child: Places
    low: Places
    high: Places
    leaves: Places

    def children(self, node: int) -> Places:
        return self.child[self.child_at[node] : self.child_at[node + 1]]

    def below(self, node: int, nodes: Items) -> Flags:
        """Which of these lie below a node or are the node."""
        numbers = self.low[nodes]
        found: Flags = (numbers >= self.low[node]) & (numbers < self.high[node])
        return found

    def towards(self, node: int, nodes: Items) -> Items:
        """The child of a node on the way down to each of these, which lie below it."""
        children = self.children(node)
        which = np.searchsorted(self.low[children], self.low[nodes], side="right") - 1
        return children[which].astype(np.int32)


def make_shape(tree: Hierarchy) -> Shape:
    parent = tree.parent.astype(np.int64)
    child = np.argsort(parent, kind="stable")[1:]
    child_at = np.searchsorted(parent[child], np.arange(len(parent) + 1))
    order = [tree.root]
    for node in order:
        order.extend(child[child_at[node] : child_at[node + 1]].tolist())
    size, leaves = np.ones_like(parent), (np.diff(child_at) == 0).astype(np.int64)
    for node in reversed(order[1:]):
        size[parent[node]] += size[node]
        leaves[parent[node]] += leaves[node]
    low = np.zeros_like(parent)
    for node in order:
        children = child[child_at[node] : child_at[node + 1]]
        low[children] = low[node] + 1 + np.cumsum(size[children]) - size[children]
    return Shape(child_at, child, low, low + size, leaves)
