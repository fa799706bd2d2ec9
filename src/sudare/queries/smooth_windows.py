"""Order statistics of a histogram, and the smooth bound of what lies between two of their ranks.

Symbols  x_1 <= ... <= x_n are the cells of the values; x_i is the lowest cell for i < 1 and the
         highest for i > n. A and B >= A are ranks, k the rows a unit may have.
Claim    W(x) = max over i <= A, j >= B of (x_j - x_i)·e^(-β·max((A - i + j - B)/k - 1, 0)) is at
         least what one unit can move the width of any window from A to B, and W(x) <= e^β W(x')
         for neighbours x and x', also where their anchors A and B move with the table as those
         of a quantile do (docs/smooth.md).
Source   Nissim, Raskhodnikova, Smith 2007, Section 3.1: for k = 1, A = B it is their S* of the
         median, found in O(n log n). Here n is the number of different values within reach.
Needs    cells below 2^20, windows of at most 2^42 ranks: sums stay within int64.
Gaps     none known.

Search. Of equal values only the rank nearest to its anchor matters. With d = x_j - x_i the gain
ln d - β·max((a + b)/k - 1, 0) satisfies g(i, j) + g(i', j') >= g(i, j') + g(i', j) for i < i',
j < j' (d is a sum of lengths, and a concave function of a + b), so the best j does not fall where
i grows: the middle row of i splits what is left, and every level of splits costs one pass.
Rounding. A choice that is wrong by η makes the rows it restricts wrong by η at most, so 2^5 levels
of errors below 2^-43 leave less than 2^-38. What is computed, e^g at the decay β - 2^-28, lies
within a factor of 1 ± 2^-37 of an e^(β - 2^-28)-smooth bound W; times 1 + 2^-36 it is at least W
and at most (1 + 2^-34)·W, which is e^β-smooth. W is held above e^-60: the largest of two smooth
bounds is one, and a constant is one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
# The cells on one side of an anchor, and how many ranks each is away from it.
Side = tuple[Ints, Ints]
LEAST_LOG = -60.0
_ROOM = 2.0**-28
_ABOVE = 1 + 2.0**-36
_FAR = 2**52


@dataclass(frozen=True)
class Ranks:
    """The different values of a table, padded by both ends of the bounds: cell, first and last
    rank of each."""

    cells: Ints
    first: Ints
    last: Ints
    rows: int
    width: int

    def upto(self, rank: float) -> int:
        """How many of the values begin at this rank or before."""
        return int(np.searchsorted(self.first, rank, side="right"))

    def value(self, rank: int) -> int:
        """x_rank."""
        return int(self.cells[np.searchsorted(self.last, rank)])

    def total(self, first: int, last: int) -> int:
        """x_first + ... + x_last."""
        held = np.minimum(self.last, last) - np.maximum(self.first, first) + 1
        return int(np.dot(self.cells, np.maximum(held, 0)))


def ranks_of(counts: Ints) -> Ranks:
    """From a dense histogram, one cell a value."""
    present = np.flatnonzero(counts)
    cells = np.empty(present.size + 2, dtype=np.int64)
    cells[0], cells[1:-1], cells[-1] = 0, present, counts.size - 1
    last = np.empty(present.size + 2, dtype=np.int64)
    last[0], last[-1] = 0, _FAR
    np.cumsum(counts[present], out=last[1:-1])
    first = np.empty(present.size + 2, dtype=np.int64)
    first[0] = -_FAR
    np.add(last[:-1], 1, out=first[1:])
    return Ranks(cells, first, last, int(last[-2]), counts.size - 1)


def log_window(ranks: Ranks, low: int, high: int, decay: Fraction, k: int) -> float:
    """ln W for A = low, B = high, or -60 if that is larger; smooth at `decay` in spite of
    rounding."""
    slow = float(decay) - _ROOM
    if slow <= 0:
        # So little decay reaches every rank: the whole range is a bound for any table.
        return math.log(ranks.width) if ranks.width else LEAST_LOG
    # What lies further from its anchor than this weighs less than e^-60.
    reach = k * (1 + (math.log(max(2, ranks.width)) - LEAST_LOG) / slow)
    near = slice(np.searchsorted(ranks.last, low - reach), ranks.upto(low))
    left = (ranks.cells[near], low - np.minimum(ranks.last[near], low))
    near = slice(np.searchsorted(ranks.last, high), ranks.upto(high + reach))
    right = (ranks.cells[near], np.maximum(ranks.first[near], high) - high)
    best = _best(left, right, slow, k)
    return max(best, LEAST_LOG) + math.log(_ABOVE)


def as_bound(log: float) -> Fraction:
    """e^log as a Fraction, a little above it; `log` is what `log_window` returned."""
    return Fraction(math.exp(log) * _ABOVE)


def _best(left: Side, right: Side, slow: float, k: int) -> float:
    """The largest gain over all pairs, by levels of splits."""
    rows, columns = left[0].size, right[0].size
    chosen = np.full(rows, -1, dtype=np.int64)
    best = -math.inf
    step = 1 << max(0, rows.bit_length() - 1)
    while step:
        at = np.arange(step - 1, rows, 2 * step)
        starts = np.where(at - step >= 0, chosen[np.maximum(at - step, 0)], 0)
        ends = np.full(at.size, columns - 1)
        bounded = at + step < rows
        ends[bounded] = chosen[at[bounded] + step]
        gains, chosen[at] = _row_maxima(left, right, at, starts, ends, slow, k)
        best = max(best, float(gains.max(initial=-math.inf)))
        step //= 2
    return best


def _row_maxima(
    left: Side,
    right: Side,
    at: Ints,
    starts: Ints,
    ends: Ints,
    slow: float,
    k: int,
) -> tuple[Floats, Ints]:
    """For every row the largest gain between its first and last column, and where it is."""
    sizes = ends - starts + 1
    offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    columns = np.arange(int(sizes.sum())) - np.repeat(offsets - starts, sizes)
    row = np.repeat(at, sizes)
    apart = right[0][columns] - left[0][row]
    over = np.maximum((right[1][columns] + left[1][row]) / k - 1, 0)
    with np.errstate(divide="ignore"):
        gains = np.log(np.maximum(apart, 0)) - slow * over
    most = np.maximum.reduceat(gains, offsets)
    hits = np.flatnonzero(gains == np.repeat(most, sizes))
    owners = np.searchsorted(offsets, hits, side="right") - 1
    first = np.searchsorted(owners, np.arange(at.size))
    return most, columns[hits[first]]
