"""Uniform numbers and shuffles for what needs no exactness: drawing synthetic rows.

Claim    `uniforms` are multiples of 2^-53 in [0, 1), each with probability 2^-53. They are not for
         noise: a mechanism's samplers compare integers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.randomness.bits import RandomBits, words64


def uniforms(bits: RandomBits, count: int) -> NDArray[np.float64]:
    """`count` independent numbers, uniform on the multiples of 2^-53 in [0, 1)."""
    return (words64(bits, count) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def normals(bits: RandomBits, count: int) -> NDArray[np.float64]:
    """`count` independent standard normal numbers, by Box and Muller."""
    half = (count + 1) // 2
    radius = np.sqrt(-2.0 * np.log1p(-uniforms(bits, half)))
    angle = 2.0 * np.pi * uniforms(bits, half)
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:count]


def order(bits: RandomBits, groups: NDArray[np.integer]) -> NDArray[np.intp]:
    """An order of the rows in which each group's rows stand together, shuffled among themselves;
    `groups` must be ascending."""
    return np.argsort(groups + uniforms(bits, len(groups)), kind="stable")
