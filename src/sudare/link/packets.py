"""A chunk of a stream between organisations: points, and for each the sealed report.

The bytes are the number of rows and the length of a sealed report, four bytes each, then all points
(32 bytes each), then all reports. A relay exchanges the points and leaves the reports as they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile

Bytes = NDArray[np.uint8]
POINT = 32
ROWS = 65_536
_HEAD = 8


def packed(points: Bytes, sealed: Bytes) -> bytes:
    """The chunk of these rows."""
    head = len(points).to_bytes(4, "big") + sealed.shape[1].to_bytes(4, "big")
    return b"".join((head, points.tobytes(), sealed.tobytes()))


def unpacked(data: bytes | bytearray | memoryview) -> tuple[Bytes, Bytes]:
    """Points and sealed reports of a chunk; InvalidFile if it is not one."""
    rows, width = int.from_bytes(data[:4], "big"), int.from_bytes(data[4:_HEAD], "big")
    middle = _HEAD + rows * POINT
    if len(data) < _HEAD or len(data) != middle + rows * width:
        raise InvalidFile(
            "A chunk of another organisation's rows is not whole.",
            "Its sender is broken or does not follow the protocol: end this session.",
        )
    found = np.frombuffer(data, np.uint8)
    return found[_HEAD:middle].reshape(rows, POINT), found[middle:].reshape(rows, width)


def stretches(rows: int) -> Iterator[tuple[int, int, bool]]:
    """First row, end and whether it is the last, chunk by chunk; no rows are one empty chunk."""
    for first in range(0, max(rows, 1), ROWS):
        end = min(first + ROWS, rows)
        yield first, end, end == rows


class Sum:
    """A digest of the sealed reports of a stream, in order: relays do not change it."""

    def __init__(self) -> None:
        self._state = hashlib.sha256()
        self.rows = 0

    def add(self, sealed: Bytes) -> None:
        self._state.update(np.ascontiguousarray(sealed).tobytes())
        self.rows += len(sealed)

    def hexdigest(self) -> str:
        return self._state.hexdigest()
