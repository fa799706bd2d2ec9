"""Suppression only takes away: each released record is within its original one."""

from __future__ import annotations

import numpy as np

from sudare.facts.baskets import Baskets
from sudare.facts.errors import VerificationFailed
from sudare.sets.verify.lists import Numbers, owners


def check_subsets(original: Baskets, released: Baskets) -> None:
    """VerificationFailed where the release is no suppression of the original."""
    if released.records != original.records or released.names != original.names:
        raise VerificationFailed(
            "The release and the original data differ in records or in item names.",
            "Both must have the same records in the same order, and the same items by code.",
        )
    width = max(len(original.names), 1)
    before, after = _places(original, width), _places(released, width)
    is_new = ~np.isin(after, before, assume_unique=False)
    is_new[1:] |= after[1:] == after[:-1]
    if is_new.any():
        records = len(np.unique(after[is_new] // width))
        raise VerificationFailed(
            f"Of the released records, {records} hold items that the original ones do not.",
            "Do not publish it; a release must come from these very records.",
        )


def _places(baskets: Baskets, width: int) -> Numbers:
    """One number a record and item, ascending."""
    places = owners(baskets) * width + baskets.items
    places.sort()
    return places
