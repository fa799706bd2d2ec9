"""Many rows of bytes in little memory: an array that grows in place, and one row a key in a random
order.

Needs    memory for the rows themselves, seven bytes a row for their order, and a small part of
         what sorting all of them would take.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import permutation

Bytes = NDArray[np.uint8]
Places = NDArray[np.integer[Any]]
_PARTS = 64
_BUCKETS = 64


class Growing:
    """Rows of one width, added a batch at a time.

    They lie in pages of their own. An array of the allocator's would grow among everything else
    that a session allocates, and leave holes behind that are as large as itself.
    """

    def __init__(self, width: int) -> None:
        self._width, self._used = width, 0
        self._pages = _pages(mmap.PAGESIZE)

    def add(self, rows: Bytes) -> None:
        needed = (self._used + len(rows)) * self._width
        if needed > len(self._pages):
            # Pages that nobody has written to yet take no memory.
            self._pages = _grown(self._pages, max(needed, 2 * len(self._pages)))
        first = self._used
        self._used += len(rows)
        self.whole()[first:] = rows

    def whole(self) -> Bytes:
        """All rows so far; while somebody holds them, none are added."""
        taken = np.frombuffer(self._pages, np.uint8, self._used * self._width)
        return taken.reshape(self._used, self._width)


def _pages(size: int) -> mmap.mmap:
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def _grown(pages: mmap.mmap, size: int) -> mmap.mmap:
    """The same content with more room: moved by the system, not copied, where it can do that."""
    try:
        pages.resize(size)
        return pages
    except SystemError:
        larger = _pages(size)
        larger[: len(pages)] = pages[:]
        return larger


def leaving(points: Bytes, bits: RandomBits) -> Places:
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
    np.logical_not(kept, out=kept)
    part_of[kept] = _BUCKETS
    count = len(points) - int(kept.sum())
    del kept
    order: Places = np.empty(count, np.uint32 if len(points) <= 2**32 else np.int64)
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
