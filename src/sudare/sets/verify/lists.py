"""Who holds what, read off baskets once: items by record, and records by item.

Items are numbered by how many released records hold them, the rarest first: few records hold a rare
item, so a search that starts with it has small tables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Baskets, Items, Places

Numbers = NDArray[np.int64]


class Lists(NamedTuple):
    """Record u holds `items[starts[u]:starts[u + 1]]`, ascending; item i is held by the records
    `holders[places[i]:places[i + 1]]`, ascending."""

    starts: Places
    items: Items
    places: Places
    holders: Items


def rarest_first(released: Baskets) -> Numbers:
    """The number of each item by its code."""
    supports = np.bincount(released.items, minlength=len(released.names))
    numbers = np.empty(len(supports), np.int64)
    numbers[np.argsort(supports, kind="stable")] = np.arange(len(supports))
    return numbers


def lists(baskets: Baskets, numbers: Numbers) -> Lists:
    """The lists of these baskets with items so numbered."""
    width = max(len(numbers), 1)
    keys = owners(baskets) * width + numbers[baskets.items]
    keys.sort()
    items = keys % width
    by_item = np.argsort(items, kind="stable")
    held = np.bincount(items, minlength=len(numbers))
    return Lists(
        np.asarray(baskets.starts, np.int64),
        items.astype(np.int32),
        np.concatenate([[0], np.cumsum(held)]).astype(np.int64),
        (keys // width)[by_item].astype(np.int32),
    )


def owners(baskets: Baskets) -> Numbers:
    """The record of each place in `items`."""
    return np.repeat(np.arange(baskets.records, dtype=np.int64), baskets.lengths)
