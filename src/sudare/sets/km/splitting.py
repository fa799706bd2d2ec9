"""Whether a node of a cut may be split into its children.

Claim    Splitting changes the supports of sets with one of the children alone. So the result is
         k^m-anonymous if the records were before and no set of at most m nodes with a child is
         held by some but fewer than k records.
Way      The children get the smallest codes, so that a search that takes sets in ascending order
         meets those sets, and no others, below its first roots.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.baskets import Baskets, Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.mining.layout import EVERY, Layout, Stack, Work, lay_out, rooted, spread, work_for


def recoded(baskets: Baskets, cut: Items, names: tuple[str, ...]) -> Baskets:
    """The records with nodes for items, each once, where its first item stood."""
    record = np.repeat(np.arange(baskets.records), baskets.lengths)
    nodes = cut[baskets.items]
    first = np.sort(np.unique(record * len(names) + nodes, return_index=True)[1])
    lengths = np.bincount(record[first], minlength=baskets.records)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Baskets(starts, nodes[first].astype(np.int32), names, baskets.users)


def may_split(released: Baskets, children: Places, k: int, m: int) -> bool:
    """Whether sets with one of these nodes occur in k records or in none; `released` need only hold
    the records with them."""
    nodes = np.unique(released.items)
    is_child = np.isin(nodes, children)
    order = np.concatenate([nodes[is_child], nodes[~is_child]]).astype(np.int64)
    layout = lay_out(released, order)
    roots = int(np.count_nonzero(is_child))
    return _is_anonymous(layout, work_for(len(order)), rooted(layout, len(order)), roots, k, m)


@compiled
def _is_anonymous(layout: Layout, work: Work, stack: Stack, height: int, k: int, m: int) -> bool:
    """Whether no set of at most m items that begins with one of the first `height` is too rare."""
    while height > 0:
        height -= 1
        _, low, high, depth = stack.nodes[height]
        if high - low < k:
            return False
        if depth + 1 < m:
            source = stack.places[low:high]
            height = spread(
                layout, work, source, layout.nexts, stack, height, high, 1, depth + 1, EVERY
            )
    return True
