"""Rows drawn at random for the heavy measures, with the bits that are handed in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.microdata import Microdata
from sudare.randomness.bits import RandomBits, words32
from sudare.randomness.choice import permutation


def some(data: Microdata, most: int, bits: RandomBits) -> Microdata:
    """At most so many rows, in random order."""
    return data.taken(permutation(bits, data.rows)[:most])


def halves(data: Microdata, most: int, bits: RandomBits) -> tuple[Microdata, Microdata]:
    """Two disjoint random parts of at most so many rows each. All rows of a person go to one part:
    rows of one person are alike, and would make the parts look nearer than different people are."""
    order = permutation(bits, data.rows)
    if data.people is not None:
        numbers, who = np.unique(data.people, return_inverse=True)
        first = permutation(bits, len(numbers)) < len(numbers) // 2
        # Where all rows are of one person there are no different people to compare.
        if first.any():
            parts = [order[first[who[order]]], order[~first[who[order]]]]
            return data.taken(parts[0][:most]), data.taken(parts[1][:most])
    size = min(most, data.rows // 2)
    return data.taken(order[:size]), data.taken(order[size : 2 * size])


def fold_of(rows: int, folds: int, bits: RandomBits) -> NDArray[np.int64]:
    """A fold for each row, all of nearly equal size."""
    return permutation(bits, rows) % folds


def fresh_state(bits: RandomBits) -> int:
    """What scikit-learn takes for its own random choices: a fresh word of 32 bits."""
    return int(words32(bits, 1)[0])
