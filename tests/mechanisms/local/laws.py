"""The exact law of a local mechanism, by playing every random word that matters."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from sudare.mechanisms.local.shares import Shares


def window_law(shares: Shares, start: int) -> list[Fraction]:
    """P(cell | start), from the shares alone."""
    cells = shares.near + shares.far
    high, low = Fraction(shares.high, shares.used), Fraction(shares.low, shares.used)
    return [high if start <= cell < start + shares.near else low for cell in range(cells)]


def worst_ratio(laws: list[list[Fraction]]) -> Fraction:
    """The greatest ratio of one report's probability under two values."""
    return max(max(column) / min(column) for column in zip(*laws, strict=True))


def boundary_words(shares: Shares, count: int) -> np.ndarray[Any, Any]:
    """Words on both sides of every boundary between the first few cells, and the last word used."""
    edges = [0]
    for cell in range(min(count, shares.near)):
        edges += [(cell + 1) * shares.high - 1, (cell + 1) * shares.high]
    base = shares.near * shares.high
    for cell in range(min(count, shares.far)):
        edges += [base + (cell + 1) * shares.low - 1, base + (cell + 1) * shares.low]
    edges.append(shares.used - 1)
    return np.array(sorted({edge for edge in edges if edge < shares.used}), dtype=np.uint64)
