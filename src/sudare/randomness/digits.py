"""Between integers and rows of binary digits, for a whole vector at once.

Row i of a digit matrix holds the digit of weight 2^i of every integer. Up to `INT64_DIGITS` digits
the integers are int64; longer ones are Python integers in an array of objects.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Three digits short of 63, so that sums of a few such integers cannot leave int64 either.
INT64_DIGITS = 60

Integers = NDArray[Any]


def integer_dtype(width: int) -> np.dtype[Any]:
    """The type that holds integers of `width` digits."""
    return np.dtype(np.int64) if width <= INT64_DIGITS else np.dtype(np.object_)


def pack(rows: NDArray[np.bool_]) -> Integers:
    """The integers whose binary digits are the columns of `rows`."""
    width, count = rows.shape
    columns = np.zeros((max(8, -(-width // 8)), count), dtype=np.uint8)
    for index in range(width - 1, -1, -1):
        # Doubling and adding one digit at a time, from the top of each byte down.
        column = columns[index // 8]
        column += column
        column += rows[index].view(np.uint8)
    if integer_dtype(width) == np.int64:
        return _join(columns, -(-width // 8))
    data, size = columns.T.tobytes(), len(columns)
    whole = [int.from_bytes(data[i * size : (i + 1) * size], "little") for i in range(count)]
    return _objects(whole)


def unpack(values: Integers) -> NDArray[np.uint8]:
    """The binary digits (0 or 1) of non-negative integers.

    int64 and uint64 always give 64 rows, so that the work says nothing about the values.
    """
    if values.dtype == np.object_:
        size = 8 * max(1, *(-(-int(value).bit_length() // 64) for value in values))
        data = b"".join(int(value).to_bytes(size, "little") for value in values)
    else:
        size, data = 8, values.astype("<u8").tobytes()
    columns = np.ascontiguousarray(np.frombuffer(data, dtype=np.uint8).reshape(-1, size).T)
    rows = np.empty((8 * size, len(values)), dtype=np.uint8)
    for index in range(8 * size):
        np.right_shift(columns[index // 8], index % 8, out=rows[index])
    rows &= 1
    return rows


def _join(columns: NDArray[np.uint8], used: int) -> Integers:
    values = np.zeros(columns.shape[1], dtype=np.int64)
    for column in columns[:used][::-1]:
        values <<= 8
        values |= column
    return values


def _objects(values: list[int]) -> NDArray[np.object_]:
    array = np.empty(len(values), dtype=np.object_)
    array[:] = values
    return array
