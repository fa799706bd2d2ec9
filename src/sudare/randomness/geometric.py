"""Geometric numbers, exactly, with the same work whatever comes out.

Claim    P[X = k] = (1 - r) r^k for every k >= 0, with r = e^-rate; nothing is cut off.
Source   docs/decisions/0003-digit-sampling.md, "Digits of a geometric number".
Symbols  I -> the number of digits that are drawn; X = 2^I * Q + R, R < 2^I.
Needs    rate > 0 rational.
Gaps     Work beyond I + 1 words a number happens with probability below 2^-32 a word (ties) and
         2^-64 a number (Q > 0). Beyond `INT64_DIGITS` digits Python integers are used, whose
         arithmetic takes longer for longer numbers.

The digits of R are independent coins of chance r^(2^i) / (1 + r^(2^i)), and Q, the number of heads
in a row of a coin of chance r^(2^I), is independent of them all.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from sudare.randomness.bits import RandomBits
from sudare.randomness.chances import Chance
from sudare.randomness.coins import Coins, settle
from sudare.randomness.digits import Integers, integer_dtype, pack

# Numbers drawn side by side: a row of their words, 128 KiB, stays in the cache while it is used.
BLOCK = 2**15
# The digits end where e^(-rate * 2^I) < 2^-64, that is rate * 2^I >= 45 > 64 ln 2.
TAIL_EXPONENT = 45


def geometric(bits: RandomBits, rate: Fraction, count: int) -> Integers:
    """`count` independent geometric numbers; int64, or Python integers when I > INT64_DIGITS."""
    if rate <= 0:
        raise ValueError("the rate of a geometric number must be positive")
    coins = _coins(rate)
    values = np.empty(count, dtype=integer_dtype(len(coins) - 1))
    for start in range(0, count, BLOCK):
        block = values[start : start + BLOCK]
        heads = coins.flip(bits, len(block))
        block[:] = pack(heads[:-1])
        for column in np.flatnonzero(heads[-1]):
            # Python's integers, so that a freak of a tail raises instead of wrapping around.
            block[column] = int(block[column]) + (_further_tails(bits, coins) << (len(coins) - 1))
    return values


@lru_cache(maxsize=1024)
def _coins(rate: Fraction) -> Coins:
    """One coin for each of the I digits, and the coin of the tail at the end."""
    width = 0
    while rate * 2**width < TAIL_EXPONENT:
        width += 1
    digits = [Chance(rate * 2**index, logistic=True) for index in range(width)]
    return Coins([*digits, Chance(rate * 2**width)])


def _further_tails(bits: RandomBits, coins: Coins) -> int:
    """Q, given that its first coin landed heads."""
    tails = 1
    while settle(bits, coins.chances[-1], index=0):
        tails += 1
    return tails
