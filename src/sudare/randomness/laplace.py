"""Discrete Laplace numbers: the difference of two independent geometric numbers.

Claim    P[Z = z] = (1 - r) / (1 + r) * r^|z| with r = e^(-1/scale), exactly.
Source   Ghosh, Roughgarden, Sundararajan 2012; digits: docs/decisions/0003-digit-sampling.md.
Symbols  Z = X - Y. For z >= 0: sum over y of (1-r)^2 r^(z+y) r^y = (1-r)^2 r^z / (1-r^2).
Needs    scale > 0 rational, from about 1e-3 to beyond 2^100.
Gaps     those of `geometric`.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from sudare.randomness.bits import RandomBits
from sudare.randomness.digits import Integers
from sudare.randomness.geometric import BLOCK as GEOMETRIC_BLOCK
from sudare.randomness.geometric import geometric

# Both geometric numbers of a block are drawn side by side and fill one block of theirs.
BLOCK = GEOMETRIC_BLOCK // 2


def discrete_laplace(bits: RandomBits, scale: Fraction, count: int) -> Integers:
    """`count` independent discrete Laplace numbers; Python integers when int64 might not do."""
    if scale <= 0:
        raise ValueError("the scale of discrete Laplace noise must be positive")
    rate = 1 / scale
    sizes = [BLOCK] * (count // BLOCK) + [count % BLOCK]
    return np.concatenate([_difference(bits, rate, size) for size in sizes])


def _difference(bits: RandomBits, rate: Fraction, count: int) -> Integers:
    drawn = geometric(bits, rate, 2 * count)
    difference: Integers = drawn[:count] - drawn[count:]
    return difference
