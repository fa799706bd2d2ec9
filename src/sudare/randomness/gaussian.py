"""Discrete Gaussian numbers, exactly, by rejection from discrete Laplace.

Claim    P[Y = y] is proportional to e^(-y^2 / (2 sigma^2)) on all integers.
Source   Canonne, Kamath, Steinke 2020; here the scale of the proposals is sigma itself.
Symbols  sigma = a/b. Propose Y ~ DLap(sigma), accept with chance e^(-(|Y| b - a)^2 / (2 a^2)).
Needs    sigma > 0 rational.
Gaps     For sigma beyond about 2^25 (a beyond it) Python integers are used: same law, but slower
         and not in constant time.

Why it is right: |y|/sigma + (|y| - sigma)^2 / (2 sigma^2) = y^2 / (2 sigma^2) + 1/2, so proposal
times acceptance is e^(-1/2) times the wanted weight. About 0.76 of the proposals are accepted (at
least 0.6). Proposals are independent, so the number of rounds is independent of the accepted
values; within a round every proposal costs the same, accepted or not.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import flip_powers
from sudare.randomness.digits import Integers
from sudare.randomness.laplace import discrete_laplace

BLOCK = 2**13


def discrete_gaussian(bits: RandomBits, sigma: Fraction, count: int) -> Integers:
    """`count` independent discrete Gaussian numbers; Python integers when int64 might not do."""
    if sigma <= 0:
        raise ValueError("sigma of discrete Gaussian noise must be positive")
    accepted = [discrete_laplace(bits, sigma, 0)]
    missing = count
    while missing > 0:
        # Twice what is missing and a few more nearly always fill a small request in one round.
        values = _round(bits, sigma, min(BLOCK, 2 * missing + 8))[:missing]
        accepted.append(values)
        missing -= len(values)
    return np.concatenate(accepted)


def _round(bits: RandomBits, sigma: Fraction, size: int) -> Integers:
    """The accepted ones of `size` proposals, in the order in which they were made."""
    proposals = discrete_laplace(bits, sigma, size)
    rate = Fraction(1, 2 * sigma.numerator**2)
    accepted = flip_powers(bits, rate, _exponents(proposals, sigma.numerator, sigma.denominator))
    values: Integers = proposals[accepted]
    return values


def _exponents(proposals: Integers, a: int, b: int) -> Integers:
    """(|y| b - a)^2, in int64 where every step fits."""
    sizes = abs(proposals)
    if (int(sizes.max()) + 1) * b + a >= 2**31:
        sizes = sizes.astype(np.object_)
    gaps = sizes * b - a
    squares: Integers = gaps * gaps
    return squares
