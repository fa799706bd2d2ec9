"""Many rows of bytes in little memory: an array that grows in place, and one row a key.

Needs    memory for the rows themselves, eight bytes a row for their order, and a sixteenth of what
         sorting all of them would take.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
_ROOM = 65_536
_PARTS = 16


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


def one_each(points: Bytes, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of the rows in this order the first of each point, in this order."""
    kept = np.zeros(len(order), np.bool_)
    part_of = points[order, 0] % np.uint8(_PARTS) if len(order) else np.empty(0, np.uint8)
    for part in range(_PARTS):
        places = np.flatnonzero(part_of == part)
        found = points[order[places]]
        whole = found.view(np.dtype((np.void, points.shape[1]))).ravel()
        kept[places[np.unique(whole, return_index=True)[1]]] = True
    return order[kept]
