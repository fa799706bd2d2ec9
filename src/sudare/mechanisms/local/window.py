"""A cell drawn near a place with high probability, and evenly elsewhere: the draw behind
generalised randomised response, the piecewise mechanism and the square wave.

There are `near + far` cells in a row. Given a start s, the `near` cells from s on get `high` words
of the random word each, all others `low` (shares.py). A draw that falls on words of nobody is
repeated.

Claim    if every start leaves the window inside the row, the drawn cell is ε-LDP in s, and so it is
         in anything from which s is computed, at random or not.
Derivation. Every cell has probability high/used or low/used, whatever s is, and high/low <= e^ε
(shares.py). A random start mixes such laws with weights that sum to 1, and a mixture of numbers
from [low, high]/used stays inside.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.mechanisms.local.shares import WORD, Shares
from sudare.randomness.bits import RandomBits, words32, words64

# Values handled in one step.
BLOCK = 2**14

Starts = NDArray[Any]


def draw(starts: Starts, shares: Shares, bits: RandomBits) -> NDArray[Any]:
    """One cell for each start, in the type of the starts' words: 32 or 64 bits."""
    kind = np.dtype(np.uint32 if shares.words == WORD else np.uint64)
    found = np.empty(len(starts), kind)
    for first in range(0, len(starts), BLOCK):
        block = starts[first : first + BLOCK].astype(kind, copy=False)
        found[first : first + BLOCK] = _drawn(block, shares, kind, bits)
    return found


def _drawn(
    starts: NDArray[Any], shares: Shares, kind: np.dtype[Any], bits: RandomBits
) -> NDArray[Any]:
    words = _usable(len(starts), shares, bits)
    inside = kind.type(shares.near * shares.high)
    is_near = words < inside
    # Unsigned numbers wrap around below zero; what is wrong here is not taken in the end.
    away: NDArray[Any] = words - inside
    away //= kind.type(shares.low)
    away += np.multiply(away >= starts, kind.type(shares.near), dtype=kind)
    near = starts if shares.near == 1 else words // kind.type(shares.high) + starts
    # As np.where(is_near, near, away), without a branch that the processor has to guess.
    away += np.multiply(near - away, is_near, dtype=kind)
    return away


def _usable(count: int, shares: Shares, bits: RandomBits) -> NDArray[Any]:
    """Words that belong to a cell."""
    take = words32 if shares.words == WORD else words64
    words: NDArray[Any] = take(bits, count)
    last = words.dtype.type(shares.used - 1)
    if shares.used == shares.words or not count or words.max() <= last:
        return words
    words = words.copy()
    while (over := np.flatnonzero(words > last)).size:
        words[over] = take(bits, over.size)
    return words


def rounded(places: NDArray[np.float64], last: int, bits: RandomBits) -> NDArray[np.uint64]:
    """Places between 0 and `last` as whole numbers, up or down at random so that the mean stays."""
    lifted = words32(bits, len(places)) * 2.0**-32
    lifted += places
    # Whatever is no number goes to the middle; it must not end the work.
    np.copyto(lifted, last / 2, where=np.isnan(lifted))
    np.clip(lifted, 0, last, out=lifted)
    return lifted.astype(np.uint64)
