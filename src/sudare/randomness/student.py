"""Student's t with two degrees of freedom, rounded to whole numbers, exactly.

Claim    Z is the nearest whole number of s·T, where T has the density (1 + t²/2)^(-3/2) / (2√2).
Source   |T| = √2 V / √(1 - V²) with V uniform on (0, 1), since P[|T| <= t] = t / √(2 + t²).
Symbols  s -> scale (a positive Fraction); V in [a, a + 1) / 2^b after b bits of it were read.
Needs    fair bits.
Gaps     The number of bits that are read depends on what comes out (beyond the first 64 with a
         probability of about (1 + s) 2^-40), and Python's integers take longer where s is long.

|Z| = ⌊s|T| + 1/2⌋ = ⌊(1 + R) / 2⌋ with R = ⌊√(8 s² a² / (4^b - a²))⌋ at V = a / 2^b, which integers
alone decide: R is a whole root. |Z| does not fall where V grows, so once both ends of the interval
of V give the same |Z| the bits to come cannot change it; until then more of them are read. Where
64 bits settle it with room to spare, floating point may be trusted: its error is bounded, and
what lies within the bound of a step is left to the integers.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.randomness.bits import RandomBits, words64
from sudare.randomness.digits import Integers

WORD = 64
# Every operation of the short way errs by at most 2^-53 of its result; there are fewer than 2^5.
_FLOAT_ERROR = 2.0**-47
# Beyond this a step of one is no longer far above the error of a double.
_LARGEST_SHORT = 2.0**40
# Numbers drawn side by side.
BLOCK = 2**16


def student(bits: RandomBits, scale: Fraction, count: int) -> Integers:
    """`count` independent rounded numbers; Python integers, since the tail is heavy."""
    if scale <= 0:
        raise ValueError("the scale of Student's t must be positive")
    parts = [_block(bits, scale, min(BLOCK, count - at)) for at in range(0, count, BLOCK)]
    return np.concatenate(parts) if parts else np.empty(0, dtype=object)


def _block(bits: RandomBits, scale: Fraction, count: int) -> Integers:
    signs = np.frombuffer(bits.take(count), dtype=np.uint8) & 1
    leading = words64(bits, count)
    sizes, certain = _short(leading, scale)
    found = sizes.astype(object)
    for place in np.flatnonzero(~certain):
        found[place] = _settled(bits, scale, int(leading[place]))
    signed: Integers = np.where(signs == 1, -found, found)
    return signed


def _short(
    leading: NDArray[np.uint64], scale: Fraction
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """|Z| from 64 bits of V in floating point, and where that is certain.

    With v = a / 2^64 the next bits may raise t by at most √2·2^-64 / (1 - v - 2^-64)^(3/2).
    """
    if not 2.0**-500 < scale < 2.0**500:
        zeros = np.zeros(leading.size, dtype=np.int64)
        return zeros, np.zeros(leading.size, dtype=np.bool_)
    s = float(scale)
    v = leading.astype(np.float64) * 2.0**-64
    rest = (~leading).astype(np.float64) * 2.0**-64  # 1 - v - 2^-64, without cancellation.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        low = s * math.sqrt(2) * v / np.sqrt((rest + 2.0**-64) * (1 + v)) + 0.5
        high = low + s * 2.0**-63 / (rest * np.sqrt(rest))
        down, up = low * (1 - _FLOAT_ERROR), high * (1 + _FLOAT_ERROR)
        certain = (up < _LARGEST_SHORT) & (np.floor(down) == np.floor(up))
    return np.where(certain, np.floor(down), 0).astype(np.int64), certain


def _settled(bits: RandomBits, scale: Fraction, leading: int) -> int:
    """|Z| from the first 64 bits of V and as many more as it takes."""
    numerator, width = leading, WORD
    while True:
        low = _size(numerator, width, scale)
        if numerator + 1 < 1 << width and low == _size(numerator + 1, width, scale):
            return low
        numerator = (numerator << WORD) | int(words64(bits, 1)[0])
        width += WORD


def _size(numerator: int, width: int, scale: Fraction) -> int:
    """|Z| at V = numerator / 2^width < 1, in integers alone."""
    top = 8 * (scale.numerator * numerator) ** 2
    bottom = scale.denominator**2 * ((1 << 2 * width) - numerator**2)
    return (1 + math.isqrt(top // bottom)) // 2
