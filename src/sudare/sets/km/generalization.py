"""k^m-anonymity by generalization along a hierarchy of items.

Claim    every set of at most m nodes that occurs in the result is in at least k of its records, and
         no node of the cut could be replaced by its children without breaking that.
Source   Terrovitis, Mamoulis, Kalnis, VLDB 2008 and VLDB Journal 2011: global recoding of whole
         subtrees, and the loss NCP. They climb from the items; why we come down: docs/sets-km.md.
Why      A set of a coarser cut is held by every record that holds a finer one of as many nodes, so
         that what is coarser than an anonymous cut is anonymous. Hence a split that fails now fails
         ever after, each node is tried once, and every anonymous cut can be reached from the root.
Symbols  cut -> for every item the node that stands for it; no node of the cut lies below another.
         NCP -> 0 for a leaf, otherwise (leaves below a node)/(leaves); the loss is its mean over
         all occurrences of items.
Gaps     The least loss is not found in general. A record keeps a node once, however many of its
         items fell together. Where even the root is too rare, all records become empty, loss 1.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from sudare.facts.baskets import Baskets, Flags, Items, Places
from sudare.facts.errors import UsageError
from sudare.facts.item_tree import Hierarchy
from sudare.sets.km.shape import Shape, make_shape
from sudare.sets.km.splitting import may_split, recoded
from sudare.sets.km.suppression import Watch, check_degree
from sudare.sets.pace import paced


@dataclass(frozen=True, eq=False, repr=False)
class Generalized:
    """The records with nodes of the hierarchy for items, each item's node, and the loss."""

    baskets: Baskets
    cut: Items
    loss: float


@paced("km")
def by_generalization(
    baskets: Baskets, tree: Hierarchy, k: int, m: int, watch: Watch | None = None
) -> Generalized:
    """The better of two cuts: splitting what saves most first, and what stands for most first."""
    check_degree(k, m)
    _check_tree(baskets, tree)
    if 0 < np.count_nonzero(baskets.lengths) < k:
        nothing = baskets.kept(np.zeros(len(baskets.items), np.bool_))
        top = np.full(len(baskets.names), tree.root, np.int32)
        return Generalized(recoded(nothing, top, tree.names), top, 1.0)
    search = _Search(baskets, tree, k, m)
    if k == 1:
        cuts = [np.arange(len(baskets.names), dtype=np.int32)]
    else:
        tell = watch or _silent
        orders = (search.saved, search.shape.leaves)
        cuts = [search.split(order, tell, 0.5 * each) for each, order in enumerate(orders)]
    best = min(cuts, key=search.cost)
    total = max(1, len(baskets.items)) * int(search.shape.leaves[tree.root])
    return Generalized(recoded(baskets, best, tree.names), best, search.cost(best) / total)


class _Search:
    """Counts that every try needs: occurrences below each node, and what splitting it saves."""

    def __init__(self, baskets: Baskets, tree: Hierarchy, k: int, m: int) -> None:
        self.baskets, self.tree, self.k, self.m = baskets, tree, k, m
        self.shape = make_shape(tree)
        self.record = np.repeat(np.arange(baskets.records), baskets.lengths)
        self.saved = self._saved()

    def cost(self, cut: Items) -> int:
        """The loss in whole numbers: leaves below the nodes of all occurrences."""
        return int(_weights(self.shape)[cut[self.baskets.items]].sum())

    def split(self, order: Places, tell: Watch, start: float) -> Items:
        """Split from the root down, largest number of the order first, until nothing may be."""
        items: Items = np.arange(len(self.baskets.names), dtype=np.int32)
        cut = np.full_like(items, self.tree.root)
        heap = [(0, self.tree.root)]
        tried, inner = 0, int(np.count_nonzero(np.diff(self.shape.child_at)))
        while heap:
            _, node = heapq.heappop(heap)
            tell("generalizing", start + 0.5 * tried / inner)
            tried += 1
            below = self.shape.below(node, items)
            trial = cut.copy()
            trial[below] = self.shape.towards(node, items[below])
            children = self.shape.children(node)
            if may_split(self._with(below, trial), children, self.k, self.m):
                cut = trial
                grown = children[np.diff(self.shape.child_at)[children] > 0]
                for child in grown.tolist():
                    heapq.heappush(heap, (-int(order[child]), child))
        return cut

    def _with(self, below: Flags, cut: Items) -> Baskets:
        """The records with one of these items, recoded."""
        holds = np.zeros(self.baskets.records, np.bool_)
        holds[self.record[below[self.baskets.items]]] = True
        lengths = self.baskets.lengths[holds]
        items = self.baskets.items[holds[self.record]]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return recoded(Baskets(starts, items, self.baskets.names), cut, self.tree.names)

    def _saved(self) -> Places:
        """By how much the cost falls when a node is split."""
        shape, names = self.shape, len(self.tree.names)
        counts = np.bincount(self.baskets.items, minlength=names)
        # Occurrences below a node are a stretch of the walk's order.
        along = np.zeros(names + 1, np.int64)
        along[shape.low + 1] = counts
        along = np.cumsum(along)
        occurring = along[shape.high] - along[shape.low]
        saved = occurring * _weights(shape)
        inside = np.flatnonzero(self.tree.parent >= 0)
        np.subtract.at(saved, self.tree.parent[inside], (occurring * _weights(shape))[inside])
        return saved


def _weights(shape: Shape) -> Places:
    """NCP times the number of leaves: 0 for a leaf, otherwise the leaves below."""
    return np.where(np.diff(shape.child_at) > 0, shape.leaves, 0)


def _check_tree(baskets: Baskets, tree: Hierarchy) -> None:
    items = len(baskets.names)
    is_other = tree.names[:items] != baskets.names or bool(np.isin(tree.parent, range(items)).any())
    if is_other or tree.root < items:
        raise UsageError(
            "The hierarchy is of other items than the baskets.",
            "Its first nodes are the items by code, and none of them is a parent.",
        )


def _silent(step: str, share: float) -> None:
    """Nobody watches."""
