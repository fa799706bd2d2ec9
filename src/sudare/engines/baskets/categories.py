"""Categories of items, under which many of them can be called sensitive at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sudare.engines.baskets.encodings import check_encoding
from sudare.engines.baskets.tables import check_decoded, read_pair
from sudare.facts.errors import InvalidFile


@dataclass(frozen=True, eq=False, repr=False)
class Categories:
    """The items of every category; an item may be in several, and need not be in the data."""

    items: Mapping[str, tuple[str, ...]]


def read_categories(data: object, *, encoding: str | None = None) -> Categories:
    """Categories from a table with the columns item and category."""
    check_encoding(encoding)
    wanted = [("item",), ("category",)]
    pair = read_pair(data, wanted, "categories", encoding)
    check_decoded(pair, "categories")
    items, categories = pair.first, pair.second
    missing = np.flatnonzero((items.codes < 0) | (categories.codes < 0))
    if missing.size:
        raise InvalidFile(
            f"Row {missing[0] + 1} of the categories lacks an item or a category.",
            "Give every row both.",
        )
    found: dict[str, dict[str, None]] = {name: {} for name in categories.names}
    for item, category in zip(items.codes.tolist(), categories.codes.tolist(), strict=True):
        found[categories.names[category]][items.names[item]] = None
    return Categories({name: tuple(members) for name, members in found.items()})
