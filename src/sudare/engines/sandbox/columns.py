"""A block's columns as bytes, and back: for the memory file that a block's process is handed.

Numbers are doubles with NaN where there is none, dates are days (NaT), and everything else is a
code into a list of texts. A function gets a dictionary from name to NumPy array: float64,
datetime64[D], or objects (text or None).
"""

from __future__ import annotations

import json
import struct
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Kind = Literal["number", "date", "text"]


class Sent(NamedTuple):
    """One column: doubles, days, or codes with their texts (-1 is missing)."""

    name: str
    kind: Kind
    values: NDArray[Any]
    texts: tuple[str, ...] = ()


_TYPES = {"number": np.dtype("<f8"), "date": np.dtype("<M8[D]"), "text": np.dtype("<i4")}


def packed(columns: list[Sent]) -> bytes:
    """A header in JSON behind its length, then the arrays."""
    named = [[each.name, each.kind, len(each.values), each.texts] for each in columns]
    header = json.dumps(named).encode()
    arrays = [each.values.astype(_TYPES[each.kind], copy=False).tobytes() for each in columns]
    return b"".join([struct.pack("<Q", len(header)), header, *arrays])


def unpacked(stored: bytes) -> dict[str, NDArray[Any]]:
    """What a function is given."""
    (length,) = struct.unpack_from("<Q", stored)
    place, found = 8 + length, {}
    for name, kind, count, texts in json.loads(stored[8:place]):
        array = np.frombuffer(stored, _TYPES[kind], count, place)
        place += array.nbytes
        if kind == "text":
            # The last of the list stands where a code is -1.
            found[name] = np.array([*texts, None], dtype=object)[array]
        else:
            found[name] = array.copy()
    return found
