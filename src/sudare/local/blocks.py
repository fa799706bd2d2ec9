"""Several columns as one label: how numbers are binned for it, and what its places mean.

A block is an item of kind `labels`: the labels of its columns, numbers by their bins, are one joint
label, the first column counting most. A number with few values has a bin for each of them; of any
other the lowest value has a bin of its own, since nothing earned, lost or worked is where real
columns have their spike, and the rest lies in equal parts.

The file need not say how many bins a number has: it follows from the number of joint labels.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sudare.facts.local_plan import MOST_BINS
from sudare.facts.randomized import Domain, Item, LabelDomain, NumberDomain, Randomized

# A number of so many values has a bin for each, however few bins others have.
_FEW = 16
# Places are compared with the ends of bins as floats; they lie much farther apart than this.
_SLACK = 1e-9


def size_of(domain: Domain, bins: int) -> int:
    """The labels of a category, the values of a number that has few, or its bins."""
    if isinstance(domain, LabelDomain):
        return len(domain.labels)
    values = domain.high - domain.low + 1
    return values if values <= max(bins, _FEW) else bins


def sizes_in(facts: Randomized, item: Item) -> tuple[int, ...] | None:
    """The size of each column of a block; None where the item's labels do not fit its columns."""
    domains = [facts.domains.get(column) for column in item.columns]
    known = [domain for domain in domains if domain is not None]
    if len(known) < len(domains):
        return None
    for bins in range(2, MOST_BINS + 1):
        found = tuple(size_of(domain, bins) for domain in known)
        values = math.prod(found)
        if values == item.parameters.get("values"):
            return found
        if values > int(item.parameters.get("values", 0)):
            break
    return None


def bin_starts(domain: NumberDomain, bins: int) -> tuple[int, ...]:
    """The first grid index of every bin."""
    span = domain.high - domain.low
    if bins > span:
        return tuple(range(domain.low, domain.high + 1))
    rest = (domain.low + 1 + part * span // (bins - 1) for part in range(bins - 1))
    return (domain.low, *rest)


def bins_of(x: NDArray[np.float64], domain: NumberDomain, bins: int) -> NDArray[np.int64]:
    """The bin of every number, as x in [−1, 1]."""
    starts = np.array(bin_starts(domain, bins), np.float64) - domain.low
    places = (x + 1.0) * ((domain.high - domain.low) / 2)
    # What is missing counts as the middle, which may lie between two indices.
    found: NDArray[np.int64] = np.searchsorted(starts - _SLACK * (1 + starts), places, "right") - 1
    return found
