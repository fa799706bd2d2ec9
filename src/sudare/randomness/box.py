"""Whole vectors whose chance falls with their largest entry.

Claim    P[Z = z] is proportional to e^(−max_j |z_j| / scale), exactly, for z in Z^m.
Source   Hardt and Talwar 2010 (the K-norm mechanism, for real vectors); on whole numbers here.
Symbols  r = e^(−1/scale); T -> half the width of a cube; m -> cells.
Derivation
         Draw T with P[T = t] ∝ (2t + 1)^m·r^t and Z uniform on the (2T + 1)^m whole points of
         {−T … T}^m. Then P[Z = z] ∝ Σ_{t >= max|z_j|} r^t ∝ r^(max|z_j|).
         The sum of m + 1 geometric numbers of ratio r is t with a chance ∝ (t+1)…(t+m)·r^t. Kept
         with the chance Π_{i=1..m} (2t + 1)/(2(t + i)), which is at most 1 and is the chance that
         m independent coins all land heads, it has a chance ∝ (2t + 1)^m·r^t.
Needs    scale >= m², so that few are not kept (a part of about m²/2t, t about m·scale).
Gaps     how many are drawn again tells something of T, which the released vector tells too.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import uniform_below
from sudare.randomness.digits import Integers
from sudare.randomness.geometric import geometric

# Limits up to 2^62 are drawn side by side.
_MOST = 2**61


def discrete_box(bits: RandomBits, scale: Fraction, cells: int, count: int) -> Integers:
    """`count` independent vectors, one a row; Python integers when int64 might not do."""
    if cells < 1 or scale < cells**2:
        raise ValueError("a box needs at least one cell and a scale of at least their square")
    halves = _halves(bits, scale, cells, count)
    spread = np.repeat(halves, cells)
    found: Integers = _below(bits, 2 * spread + 1) - spread
    return found.reshape(count, cells)


def _halves(bits: RandomBits, scale: Fraction, cells: int, count: int) -> Integers:
    found = _sums(bits, scale, cells, count)
    todo = np.flatnonzero(~_are_kept(bits, found, cells))
    while len(todo):
        found[todo] = again = _sums(bits, scale, cells, len(todo))
        todo = todo[~_are_kept(bits, again, cells)]
    return found


def _sums(bits: RandomBits, scale: Fraction, cells: int, count: int) -> Integers:
    drawn = geometric(bits, 1 / scale, (cells + 1) * count)
    if drawn.dtype != object and count and int(drawn.max()) > _MOST // (2 * cells + 2):
        drawn = drawn.astype(object)
    found: Integers = drawn.reshape(cells + 1, count).sum(axis=0)
    return found


def _are_kept(bits: RandomBits, halves: Integers, cells: int) -> np.ndarray:
    kept = np.ones(len(halves), dtype=np.bool_)
    for number in range(1, cells + 1):
        kept &= (_below(bits, 2 * (halves + number)) < 2 * halves + 1).astype(np.bool_)
    return kept


def _below(bits: RandomBits, limits: Integers) -> Integers:
    """For each limit a number that is uniform below it."""
    if limits.dtype != object:
        return uniform_below(bits, limits)
    return np.array([_long_below(bits, int(limit)) for limit in limits], dtype=object)


def _long_below(bits: RandomBits, limit: int) -> int:
    width = limit.bit_length()
    count = -(-width // 8)
    while True:
        drawn = int.from_bytes(bits.take(count), "little") >> (8 * count - width)
        if drawn < limit:
            return drawn
