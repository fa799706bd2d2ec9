"""Coins that are powers of one coin, uniform indices and uniform permutations.

Claim    `flip_powers` is exactly Bernoulli(e^(-rate * m)) for each exponent m; `uniform_below` and
         `permutation` are exactly uniform.
Source   docs/decisions/0003-digit-sampling.md, "Powers".
Symbols  m = sum of b_i 2^i, so e^(-rate m) is the product of e^(-rate 2^i) over the digits b_i = 1.
Needs    rate > 0 rational, 0 <= m.
Gaps     Exponents of Python integers use as many words as the longest of them needs.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sudare.randomness.bits import RandomBits, words64
from sudare.randomness.chances import Chance
from sudare.randomness.coins import Coins
from sudare.randomness.digits import Integers, unpack

BLOCK = 2**13
_SHORT = 2**20
_SMALL = 2**12
_TOP = np.uint64(2**64 - 1)


def flip_powers(bits: RandomBits, rate: Fraction, exponents: Integers) -> NDArray[np.bool_]:
    """Independent coins of chance e^(-rate * m); the same work for every int64 exponent.

    A coin is flipped for every digit of m, also for those that are 0 and do not count: which
    coins were flipped must not tell what m was.
    """
    if rate <= 0 or (len(exponents) and exponents.min() < 0):
        raise ValueError("coins need a positive rate and exponents that are not negative")
    heads = np.empty(len(exponents), dtype=np.bool_)
    for start in range(0, len(exponents), BLOCK):
        digits = unpack(exponents[start : start + BLOCK])
        coins = _power_coins(rate, len(digits))
        tails = ~coins.flip(bits, digits.shape[1])
        tails &= digits.view(np.bool_)
        np.logical_not(tails.any(axis=0), out=heads[start : start + BLOCK])
    return heads


@lru_cache(maxsize=256)
def _power_coins(rate: Fraction, width: int) -> Coins:
    return Coins([Chance(rate * 2**index) for index in range(width)])


def uniform_below(bits: RandomBits, limits: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each limit n >= 1 one index, uniform on 0 ... n-1.

    A word of 64 bits is taken modulo n, unless it lies in the last, incomplete stretch of n words;
    then it is drawn again. That happens with probability below n / 2^64.
    """
    if len(limits) and limits.min() < 1:
        raise ValueError("there must be at least one index to choose from")
    sizes = limits.astype(np.uint64)
    last = _TOP - (_TOP % sizes + np.uint64(1)) % sizes
    drawn = words64(bits, len(limits)).copy()
    for index in np.flatnonzero(drawn > last):
        while drawn[index] > last[index]:
            drawn[index] = words64(bits, 1)[0]
    return (drawn % sizes).astype(np.int64)


def uniform_places(bits: RandomBits, n: int, count: int) -> NDArray[np.uint16]:
    """`count` places, each uniform on 0 ... n-1, for a small n: words of 16 bits, of which those
    in the last, incomplete stretch of n are drawn again."""
    if not 1 <= n <= _SMALL:
        raise ValueError("there must be between one and 2^12 places")
    last = np.uint16(2**16 // n * n - 1)
    drawn = np.frombuffer(bits.take(2 * count), "<u2").copy()
    while (over := np.flatnonzero(drawn > last)).size:
        drawn[over] = np.frombuffer(bits.take(2 * over.size), "<u2")
    drawn %= np.uint16(n)
    return drawn


def uniform_index(bits: RandomBits, n: int) -> int:
    """One index, uniform on 0 ... n-1."""
    return int(uniform_below(bits, np.array([n], dtype=np.int64))[0])


def permutation(bits: RandomBits, n: int) -> NDArray[np.int64]:
    """The indices 0 ... n-1 in a uniformly random order.

    Sorted by random keys. Given that no two keys are equal, every order is equally likely; if two
    are equal, all keys are drawn again. Up to 2^20 indices travel in the last digits of their
    keys, because sorting numbers is many times faster than sorting places.
    """
    width = np.uint64(max(n - 1, 1).bit_length())
    while True:
        keys = words64(bits, n)
        if n > _SHORT:
            order = np.argsort(keys, kind="stable").astype(np.int64)
            if not (np.diff(keys[order]) == 0).any():
                return order
            continue
        drawn = np.sort((keys >> width << width) | np.arange(n, dtype=np.uint64))
        if not (np.diff(drawn >> width) == 0).any():
            return (drawn & ((np.uint64(1) << width) - np.uint64(1))).astype(np.int64)
