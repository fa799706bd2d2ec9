"""From pairs of a record and an item to baskets: in order, and every item once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.engines.baskets.named import Named
from sudare.facts.baskets import Baskets


def gathered(
    owner: NDArray[np.int64], items: Named, records: int, users: Sequence[str] | None = None
) -> tuple[Baskets, int]:
    """The baskets of all records, and how many items were named again. The items of a record stay
    in their order, those of an owner need not stand together, and a row may name no item."""
    present = items.codes >= 0
    owner, codes = owner[present], items.codes[present]
    if np.any(owner[1:] < owner[:-1]):
        order = np.argsort(owner, kind="stable")
        owner, codes = owner[order], codes[order]
    first = first_occurrences(owner * len(items.names) + codes)
    owner, kept = owner[first], codes[first]
    starts = np.zeros(records + 1, np.int64)
    np.cumsum(np.bincount(owner, minlength=records), out=starts[1:])
    return Baskets(starts, kept, items.names, users), len(codes) - len(kept)


def first_occurrences(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which keys were not there before."""
    found = np.ones(len(keys), np.bool_)
    ordered = np.sort(keys)
    # Few files repeat an item, and plain sorting is much quicker than sorting with places.
    if np.any(ordered[1:] == ordered[:-1]):
        found[:] = False
        found[np.unique(keys, return_index=True)[1]] = True
    return found
