"""Records for an experiment: short ones, and a tenth of them by lot.

Source   Nakagawa, Arai, Nakagawa, section 4.1: records of at most five items; 10 % of all records,
         drawn again for every repetition.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.baskets import Baskets, Places
from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import permutation


def with_items(baskets: Baskets, most: int | None = None) -> Baskets:
    """The records with at least one item, and at most so many."""
    lengths = baskets.lengths
    wanted = lengths > 0 if most is None else (lengths > 0) & (lengths <= most)
    return taken(baskets, np.flatnonzero(wanted))


def sample(baskets: Baskets, part: int, bits: RandomBits) -> Baskets:
    """One in `part` of the records, all equally likely, in the order of the file."""
    chosen = permutation(bits, baskets.records)[: baskets.records // part]
    return taken(baskets, np.sort(chosen))


def taken(baskets: Baskets, records: Places) -> Baskets:
    """These records; items keep their codes."""
    lengths = baskets.lengths[records]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    places = np.repeat(baskets.starts[records] - starts[:-1], lengths) + np.arange(starts[-1])
    return Baskets(starts, baskets.items[places], baskets.names)
