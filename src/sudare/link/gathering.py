"""Many rows of bytes in little memory: an array that grows in place, and one row a key in a random
order.

Needs    memory for the rows themselves, ten bytes a row for their order, and a sixteenth of what
         sorting all of them would take.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import permutation

Bytes = NDArray[np.uint8]
_ROOM = 65_536
_PARTS = 16
_BUCKETS = 64


class Growing:
    """Rows of one width, added a batch at a time."""

    def __init__(self, width: int) -> None:
        self._rows = np.empty((0, width), np.uint8)
        self._used = 0

    def add(self, rows: Bytes) -> None:
        needed = self._used + len(rows)
        if needed > len(self._rows):
            # The allocator moves large arrays by their pages, not by a copy.
            room = max(needed, self._used + self._used // 8 + _ROOM)
            self._rows.resize((room, self._rows.shape[1]), refcheck=False)
        self._rows[self._used : needed] = rows
        self._used = needed

    def whole(self) -> Bytes:
        """All of them; nothing is added afterwards."""
        self._rows.resize((self._used, self._rows.shape[1]), refcheck=False)
        return self._rows


def leaving(points: Bytes, bits: RandomBits) -> NDArray[np.int64]:
    """Which rows leave, in which order: of each point one row, drawn evenly, all in an order that
    is drawn evenly.

    The order is that of Rao (1961) and Sandelius (1962): every row goes to one of 64 parts by six
    fair bits, every part is permuted, and they follow each other.
    """
    kept = np.zeros(len(points), np.bool_)
    for places in _parts(points[:, 0] % np.uint8(_PARTS), _PARTS, bits):
        whole = points[places].view(np.dtype((np.void, points.shape[1]))).ravel()
        # In an order drawn evenly the first row of a point is one drawn evenly among its rows.
        kept[places[np.unique(whole, return_index=True)[1]]] = True
    part_of = np.frombuffer(bits.take(len(points)), np.uint8) % np.uint8(_BUCKETS)
    part_of = np.where(kept, part_of, np.uint8(_BUCKETS))
    order = np.empty(int(kept.sum()), np.int64)
    at = 0
    for places in _parts(part_of, _BUCKETS, bits):
        order[at : at + len(places)] = places
        at += len(places)
    return order


def _parts(part_of: NDArray[np.uint8], count: int, bits: RandomBits) -> Iterator[NDArray[np.int64]]:
    """The places of each part, in an order drawn evenly."""
    for part in range(count):
        places = np.flatnonzero(part_of == part)
        yield places[permutation(bits, len(places))]
