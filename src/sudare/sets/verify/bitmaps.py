"""Sets of records as bits in words of 64: intersections and sizes in a few instructions.

A mask is a row of words; bit r of it says whether record r belongs to the set. A table has one mask
an item. Records are numbered within a table, so that masks are as short as the records that matter.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.sets.compiled import compiled

Mask = NDArray[np.uint64]
Ints = NDArray[np.int64]

_ONE = np.uint64(1)
_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_EIGHTS = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)
_HALF = (np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56))


@compiled
def ones_in(word: np.uint64) -> int:
    """How many bits are set; the compiler turns this into one instruction."""
    word = word - ((word >> _HALF[0]) & _PAIRS)
    word = (word & _FOURS) + ((word >> _HALF[1]) & _FOURS)
    word = (word + (word >> _HALF[2])) & _EIGHTS
    return np.int64((word * _BYTES) >> _HALF[3])  # type: ignore[return-value]


@compiled
def words_for(rows: int) -> int:
    """The words of a mask over so many records."""
    return (rows + 63) // 64


@compiled
def put(mask: Mask, row: int) -> None:
    """Add a record."""
    mask[row >> 6] |= _ONE << np.uint64(row & 63)


@compiled
def has(mask: Mask, row: int) -> bool:
    """Whether a record belongs to the set."""
    return bool((mask[row >> 6] >> np.uint64(row & 63)) & _ONE)


@compiled
def count(mask: Mask) -> int:
    """The size of the set."""
    total = 0
    for word in range(len(mask)):
        total += ones_in(mask[word])
    return total


@compiled
def meets(mask: Mask, other: Mask) -> bool:
    """Whether the two have a record in common."""
    common = np.uint64(0)
    for word in range(len(mask)):
        common |= mask[word] & other[word]
    return bool(common != 0)


@compiled
def within(mask: Mask, other: Mask) -> bool:
    """Whether every record of the first belongs to the second."""
    outside = np.uint64(0)
    for word in range(len(mask)):
        outside |= mask[word] & ~other[word]
    return bool(outside == 0)


@compiled
def shared(mask: Mask, other: Mask) -> Mask:
    """The records in both."""
    both = np.empty(len(mask), np.uint64)
    for word in range(len(mask)):
        both[word] = mask[word] & other[word]
    return both


@compiled
def without(mask: Mask, other: Mask) -> Mask:
    """The records of the first that the second lacks."""
    rest = np.empty(len(mask), np.uint64)
    for word in range(len(mask)):
        rest[word] = mask[word] & ~other[word]
    return rest


@compiled
def stretch(first: int, size: int, rows: int) -> Mask:
    """Of so many records, `size` from `first` on."""
    mask = np.zeros(words_for(rows), np.uint64)
    for row in range(first, first + size):
        put(mask, row)
    return mask


@compiled
def members(mask: Mask, rows: Ints, start: int) -> int:
    """Write the records of the set into `rows` from `start` on; where the writing ended."""
    for word in range(len(mask)):
        left = mask[word]
        while left:
            lowest = left & (~left + _ONE)
            rows[start] = word * 64 + ones_in(lowest - _ONE)
            start += 1
            left ^= lowest
    return start


@compiled
def squeezed(table: Mask, items: Ints, rows: Ints) -> Mask:
    """The table of these items over these records alone, renumbered in their order."""
    small = np.zeros((len(items), words_for(len(rows))), np.uint64)
    for place in range(len(items)):
        wide = table[items[place]]
        for row in range(len(rows)):
            if has(wide, rows[row]):
                put(small[place], row)
    return small
