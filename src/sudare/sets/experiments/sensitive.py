"""Who calls what sensitive in an experiment: drawn by lot in the paper's four settings.

Source   Nakagawa, Arai, Nakagawa, section 4.1.
Settings fixed -> a share of the items, the same for everyone. personalized -> as large a share for
         every person, independently. personalized+ -> a share of the items is prone to be
         sensitive; to every person each of them is so but for a chance of 1 %, and each other item
         with a chance of 1 %. fixed+ -> what is sensitive to anyone there is so to everyone.
Claim    all draws are exactly even. Of a person's items only those are kept that stand in some
         record together with an item of the person: e can be inferred from a set of the person's
         items only where a record holds both, so the others change no result.
Needs    no empty record.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from sudare.facts.baskets import Baskets, Flags, Items, Sensitive
from sudare.randomness.bits import RandomBits, words64
from sudare.randomness.choice import permutation, uniform_places

# One in so many items is flipped.
FLIPPED = 100
# Persons are drawn in pieces, to spare memory.
_PIECE = 1000


def fixed(baskets: Baskets, share: Fraction, bits: RandomBits) -> Sensitive:
    """The same items for everyone."""
    return Sensitive.fixed(_some(len(baskets.names), share, bits), baskets.records)


def personalized(baskets: Baskets, share: Fraction, bits: RandomBits) -> Sensitive:
    """Items of their own for everyone."""
    items = len(baskets.names)
    return _gathered(baskets, lambda people: even_choice(people, items, share, bits))[0]


def flipped(baskets: Baskets, share: Fraction, bits: RandomBits) -> tuple[Sensitive, Sensitive]:
    """personalized+, and the fixed+ that belongs to it."""
    items = len(baskets.names)
    prone = _some(items, share, bits)

    def draw(people: int) -> Flags:
        flips: Flags = uniform_places(bits, FLIPPED, people * items).reshape(people, items) == 0
        return flips ^ prone

    own, anyone = _gathered(baskets, draw)
    return own, Sensitive.fixed(anyone, baskets.records)


def even_choice(people: int, items: int, share: Fraction, bits: RandomBits) -> Flags:
    """For every person as many items, each set of them equally likely."""
    wanted = round(share * items)
    if not 0 < wanted < items:
        return np.full((people, items), wanted > 0, np.bool_)
    while True:
        keys = words64(bits, people * items).reshape(people, items)
        chosen: Flags = keys <= np.partition(keys, wanted - 1, axis=1)[:, wanted - 1 : wanted]
        # Too many are chosen where two keys at the border are equal.
        if np.count_nonzero(chosen) == people * wanted:
            return chosen


def _some(items: int, share: Fraction, bits: RandomBits) -> Flags:
    chosen = np.zeros(items, np.bool_)
    chosen[permutation(bits, items)[: round(share * items)]] = True
    return chosen


def _gathered(baskets: Baskets, draw: Callable[[int], Flags]) -> tuple[Sensitive, Flags]:
    """What persons draw, as far as it matters, and what at least one of them drew."""
    near, nobody = _neighbours(baskets), np.zeros(len(baskets.names), np.bool_)
    anyone, counts, items = nobody.copy(), [np.zeros(1, np.int64)], [np.empty(0, np.int32)]
    for first in range(0, baskets.records, _PIECE):
        starts = baskets.starts[first : first + _PIECE + 1]
        drawn = draw(len(starts) - 1)
        anyone |= drawn.any(axis=0)
        held = baskets.items[starts[0] : starts[-1]]
        drawn &= np.logical_or.reduceat(near[held], starts[:-1] - starts[0], axis=0)
        counts.append(np.count_nonzero(drawn, axis=1))
        items.append(np.nonzero(drawn)[1].astype(np.int32))
    ends = np.cumsum(np.concatenate(counts)).astype(np.int64)
    return Sensitive(nobody, ends, np.concatenate(items)), anyone


def _neighbours(baskets: Baskets) -> Flags:
    """Whether two items stand in a record together."""
    near = np.zeros((len(baskets.names), len(baskets.names)), np.bool_)
    for length in np.unique(baskets.lengths):
        starts = baskets.starts[:-1][baskets.lengths == length]
        records: Items = baskets.items[starts[:, None] + np.arange(length)]
        for column in records.T:
            near[column[:, None], records] = True
    return near
