"""Records as the compiled functions read them: items by rank, rare ones first.

Symbols  rank -> an item's place in the order of support; items of fewer than k records have none,
         since no release may show them.
         owners of i -> the places of item i in all records: `owner[owner_at[i]:owner_at[i + 1]]`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Baskets, Items, Places


class Layout(NamedTuple):
    """The original records, which never change. Which items are held is kept beside them."""

    at: Places  # Record u is items[at[u]:at[u + 1]], ranks ascending.
    items: Items
    place: Places  # Where each of `items` stands in the baskets.
    record: Items  # The record of each of `items`.
    owner_at: Places
    owner: Places


def lay_out(baskets: Baskets, k: int) -> tuple[Layout, Items]:
    """The layout, and each item's rank by code, -1 for items of fewer than k records."""
    support = np.bincount(baskets.items, minlength=len(baskets.names))
    order = np.argsort(support, kind="stable")
    order = order[support[order] >= k]
    rank = np.full(len(support), -1, np.int32)
    rank[order] = np.arange(len(order))
    record = np.repeat(np.arange(baskets.records), baskets.lengths)
    place = np.flatnonzero(rank[baskets.items] >= 0)
    place = place[np.lexsort((rank[baskets.items[place]], record[place]))]
    items = rank[baskets.items[place]]
    record = record[place]
    layout = Layout(
        at=_ends(np.bincount(record, minlength=baskets.records)),
        items=items,
        place=place,
        record=record.astype(np.int32),
        owner_at=_ends(support[order]),
        owner=np.argsort(items, kind="stable"),
    )
    return layout, rank


def _ends(counts: Places) -> Places:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
