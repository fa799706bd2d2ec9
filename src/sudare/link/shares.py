"""Additive shares modulo 2^64: two halves of which each alone is noise.

Claim    either half is uniform whatever the values are, so that it says nothing about them; the sum
         of both is the values, and sums of halves are halves of sums.
Source   additive secret sharing; Cramer, Damgård, Nielsen 2015, section 3.
Symbols  x = first + second (mod 2^64); first is drawn, second = x − first.
Needs    fresh bits for every value; the two halves in different hands.
Gaps     a share is not authenticated: whoever holds one can change what is reconstructed.

A row travels as a record of eight bytes a number, least byte first. A number x in −2^63 ... 2^63−1
stands for x mod 2^64.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile
from sudare.randomness.bits import RandomBits, words64

Words = NDArray[np.uint64]
Records = NDArray[np.uint8]
WORD_BYTES = 8


def split(values: NDArray[np.int64], bits: RandomBits) -> tuple[Words, Words]:
    """The two shares of every value: one for the collector, one for the helper."""
    first = words64(bits, values.size).reshape(values.shape)
    return first, np.asarray(values.view(np.uint64) - first)


def reconstructed(first: Words, second: Words) -> NDArray[np.int64]:
    """What two shares stand for, between −2^63 and 2^63 − 1."""
    return (first + second).view(np.int64)


def to_records(words: Words) -> Records:
    """One record of bytes a row, as it is sealed: n × width words, n × 8·width bytes."""
    little = np.ascontiguousarray(words, dtype="<u8")
    return little.view(np.uint8).reshape(len(words), WORD_BYTES * words.shape[1])


def from_records(records: Records, width: int) -> Words:
    """The words of records that were opened."""
    if records.ndim != 2 or records.shape[1] != WORD_BYTES * width:
        raise _wrong_length()
    return np.ascontiguousarray(records).view("<u8").reshape(len(records), width)


def to_message(words: Words) -> bytes:
    """Words of any shape as bytes."""
    return np.ascontiguousarray(words, dtype="<u8").tobytes()


def from_message(message: bytes, shape: tuple[int, ...]) -> Words:
    """Words of a shape that the plan fixes."""
    if len(message) != WORD_BYTES * int(np.prod(shape)):
        raise _wrong_length()
    return np.frombuffer(message, dtype="<u8").reshape(shape)


def _wrong_length() -> InvalidFile:
    return InvalidFile(
        "A message of the secure computation has the wrong length.",
        "All sides need the same plan and the same rows; start the session again.",
    )
