"""Every itemset that is frequent enough.

Claim    All sets of items that at least `least` records hold, each once, with their supports.
Source   Agrawal, Srikant 1994 for what is asked; depth first by occurrence delivery (layout.py).
Needs    The answer fits in memory: how long it may be is bounded, and what is longer is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Baskets, Items, Places
from sudare.facts.errors import UsageError
from sudare.sets.compiled import compiled
from sudare.sets.mining.layout import (
    EVERY,
    Layout,
    Stack,
    Work,
    lay_out,
    rooted,
    spread,
    supports,
    work_for,
)
from sudare.sets.pace import paced

# Items of all itemsets together; four bytes each, and as much again while the answer grows.
MOST = 100_000_000


@dataclass(frozen=True, eq=False, repr=False)
class Itemsets:
    """Itemset j holds the codes `items[starts[j]:starts[j + 1]]`, in no order of meaning."""

    starts: Places
    items: Items
    supports: Places
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.supports)

    def by_name(self) -> dict[frozenset[str], int]:
        """The support of each itemset, by the names of its items."""
        named = [self.names[item] for item in self.items]
        bounds = zip(self.starts[:-1], self.starts[1:], self.supports, strict=True)
        return {frozenset(named[low:high]): int(support) for low, high, support in bounds}


@paced("km")
def frequent(
    baskets: Baskets, least: int, longest: int | None = None, most: int = MOST
) -> Itemsets:
    """All itemsets of at most `longest` items that at least `least` records hold."""
    if least < 1 or (longest is not None and longest < 1):
        raise UsageError(
            "The least support and the longest itemset are whole numbers from 1.",
            "Example: frequent(baskets, least=30, longest=5)",
        )
    counts = supports(baskets)
    order = np.argsort(counts, kind="stable")
    # The rarest items come first: they have the most to grow by and the fewest records.
    order = order[counts[order] >= least]
    deepest = int(baskets.lengths.max(initial=0))
    bound = deepest if longest is None else min(longest, deepest)
    found = _collect(lay_out(baskets, order), len(order), least, bound, most)
    return Itemsets(
        found.starts, order[found.items].astype(np.int32), found.supports, baskets.names
    )


class _Found(NamedTuple):
    starts: Places
    items: Items
    supports: Places


def _collect(layout: Layout, height: int, least: int, longest: int, most: int) -> _Found:
    """The compiled search stops where its arrays are full, and goes on with larger ones."""
    stack, work, path = rooted(layout, height), work_for(height), np.empty(longest, np.int32)
    size, number = 4096 + longest, 0
    found = _Found(np.zeros(1024, np.int64), np.empty(size, np.int32), np.empty(1024, np.int64))
    while True:
        height, number = _search(layout, work, stack, height, least, path, number, found)
        end = int(found.starts[number])
        if end > most:
            raise UsageError(
                "The frequent itemsets are too many to be listed.",
                "Raise the least support or bound their length; the best rules need no such list.",
            )
        if height == 0:
            return _Found(found.starts[: number + 1], found.items[:end], found.supports[:number])
        found = _Found(*(np.concatenate([each, np.empty_like(each)]) for each in found))


@compiled
def _search(
    layout: Layout,
    work: Work,
    stack: Stack,
    height: int,
    least: int,
    path: Items,
    number: int,
    found: _Found,
) -> tuple[int, int]:
    """Go on until nothing is left on the stack or the arrays might not hold another itemset;
    gives the new height of the stack and the new number of itemsets."""
    starts, items, counts = found
    while height > 0 and number + 1 < len(starts) and starts[number] + len(path) <= len(items):
        height -= 1
        item, low, high, depth = stack.nodes[height]
        path[depth] = item
        for k in range(depth + 1):
            items[starts[number] + k] = path[k]
        starts[number + 1] = starts[number] + depth + 1
        counts[number] = high - low
        number += 1
        if depth + 1 < len(path):
            source = stack.places[low:high]
            height = spread(
                layout, work, source, layout.nexts, stack, height, high, least, depth + 1, EVERY
            )
    return height, number
