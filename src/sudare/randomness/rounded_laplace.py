"""Laplace numbers, rounded to whole numbers, exactly.

Claim    Z is the nearest whole number of s·X, where X has the density e^-|x| / 2.
Source   P[|Z| >= k] = P[s|X| >= k - 1/2] = e^(-(k - 1/2) / s) for k >= 1. So |Z| is 0 unless a coin
         of chance e^(-1/(2s)) lands heads, and is then 1 and a geometric number of ratio e^(-1/s).
Symbols  s -> scale (a positive Fraction).
Needs    fair bits.
Gaps     those of `geometric`.

This is not the discrete Laplace law, whose weights at 0 differ. It is what remains of a real
Laplace number, whose proofs it inherits also where the scale depends on the data.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from sudare.randomness.bits import RandomBits
from sudare.randomness.chances import Chance
from sudare.randomness.coins import Coins
from sudare.randomness.digits import Integers
from sudare.randomness.geometric import geometric


def rounded_laplace(bits: RandomBits, scale: Fraction, count: int) -> Integers:
    """`count` independent rounded Laplace numbers."""
    if scale <= 0:
        raise ValueError("the scale of Laplace noise must be positive")
    signs = np.frombuffer(bits.take(count), dtype=np.uint8) & 1
    moved = Coins([Chance(1 / (2 * scale))]).flip(bits, count)[0]
    sizes = np.where(moved, geometric(bits, 1 / scale, count) + 1, 0)
    signed: Integers = np.where(signs == 1, -sizes, sizes)
    return signed
