"""Exact probability laws in floating point, written down apart from the code under test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product


def geometric_law(rate: float) -> dict[int, float]:
    """(1-r) r^k, down to weights that no test can see."""
    return {k: -math.expm1(-rate) * math.exp(-rate * k) for k in range(int(40 / rate) + 2)}


def laplace_law(scale: float) -> dict[int, float]:
    """The discrete Laplace law, proportional to e^(-|z| / scale)."""
    return _normalized({z: math.exp(-abs(z) / scale) for z in _reach(40 * scale)})


def gaussian_law(sigma: float) -> dict[int, float]:
    """The discrete Gaussian law, proportional to e^(-z^2 / (2 sigma^2))."""
    return _normalized({z: math.exp(-z * z / (2 * sigma**2)) for z in _reach(12 * sigma)})


def permute_and_flip_law(chances: Sequence[float]) -> dict[int, float]:
    """Permute-and-flip with these chances, summed over every outcome of the coins."""
    law = dict.fromkeys(range(len(chances)), 0.0)
    for coins in product((False, True), repeat=len(chances)):
        weight = math.prod(c if up else 1 - c for c, up in zip(chances, coins, strict=True))
        for index in range(len(chances)):
            if coins[index]:
                law[index] += weight / sum(coins)
    return law


def _reach(size: float) -> range:
    return range(-int(size) - 2, int(size) + 3)


def _normalized(weights: dict[int, float]) -> dict[int, float]:
    total = math.fsum(weights.values())
    return {value: weight / total for value, weight in weights.items()}
