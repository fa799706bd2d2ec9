"""A lower bound on the ε that a mechanism really has, from samples on two neighbouring tables.

Claim    With probability at least `confidence`, `lower_bound(...).epsilon` is at most every ε for
         which the two outputs satisfy (ε, δ). So a bound above a claim disproves the claim.
Method   If (ε, δ) holds, then P_a(S) <= e^ε P_b(S) + δ for every set S, that is
         ε >= log((P_a(S) - δ) / P_b(S)), and the same with a and b exchanged. The set and the
         direction are chosen on one pair of samples; on a second, fresh pair P_a is bounded from
         below and P_b from above (Clopper and Pearson 1934, half of the error for each).
Sets     thresholds on the value, and sets of low bits: noise that is right in the large may still
         give its input away in the last digits (Mironov 2012).

How many samples. With p = P_a(S) and q = P_b(S) the bound falls short of the truth by about
z (sqrt((1-p) / (p n)) + sqrt((1-q) / (q n))), where z = 4.89 for half of 1e-6, and scatters by the
root of the sum of the squares. The tight sets used here have p and q near 1/2 when ε is small:
short by 2 z / sqrt(n), scatter sqrt(2 / n). To be within 5 % of ε = 0.1 with three deviations to
spare, n >= ((2 * 4.89 + 3 * 1.41) / 0.005)^2 = 7.9e6 for each table. `size_for` gives 8e6 there,
1.6e7 for both, and 2e6 for each table where ε is larger.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Samples = NDArray[Any]
Draw = Callable[[int], Samples]

CONFIDENCE = 1 - 1e-6
# An eighth of the size is drawn to choose the set: with much less, chance picks too small a set.
SELECT_SHARE = 8
CUTS = 256
LOW_BITS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Threshold:
    """All outputs from `cut` on, or with `below` all outputs under it."""

    cut: float
    below: bool

    def count(self, samples: Samples) -> int:
        return int(np.count_nonzero((samples < self.cut) == self.below))


@dataclass(frozen=True)
class LowBits:
    """All outputs whose lowest `width` bits form one of `patterns`."""

    width: int
    patterns: tuple[int, ...]

    def count(self, samples: Samples) -> int:
        return int(pattern_counts(samples, self.width)[list(self.patterns)].sum())


Event = Threshold | LowBits


@dataclass(frozen=True)
class AuditResult:
    """`epsilon` is the lower bound (minus infinity if nothing was found)."""

    epsilon: float
    event: Event
    exchanged: bool


def lower_bound(
    samples_a_select: Samples,
    samples_b_select: Samples,
    samples_a_test: Samples,
    samples_b_test: Samples,
    delta: float = 0.0,
    confidence: float = CONFIDENCE,
) -> AuditResult:
    """Choose the set on the first two samples, bound ε on the last two."""
    sizes = len(samples_a_select), len(samples_b_select)
    chosen, exchanged, best = Threshold(0.0, below=True), False, -math.inf
    for event, *counts in events(samples_a_select, samples_b_select):
        for turn in (False, True):
            found = _log_ratio(counts, sizes, turn, delta, 1 - confidence)
            if found > best:
                chosen, exchanged, best = event, turn, found
    counts = [chosen.count(samples_a_test), chosen.count(samples_b_test)]
    sizes = len(samples_a_test), len(samples_b_test)
    epsilon = _log_ratio(counts, sizes, exchanged, delta, 1 - confidence)
    return AuditResult(epsilon, chosen, exchanged)


def audit(draw_a: Draw, draw_b: Draw, size: int, delta: float = 0.0) -> AuditResult:
    """`lower_bound` from two functions that draw fresh outputs; `size` of them for the bound."""
    sizes = size // SELECT_SHARE, size
    samples = [draw(count) for count in sizes for draw in (draw_a, draw_b)]
    return lower_bound(*samples, delta=delta)


def size_for(epsilon: float) -> int:
    """Fresh samples for each table; the module's docstring derives the numbers."""
    return 8_000_000 if epsilon < 0.5 else 2_000_000


def in_parts(draw: Draw, part: int = 1_000_000) -> Draw:
    """The same draws, made a million at a time to bound the memory."""

    def drawn(count: int) -> Samples:
        sizes = [min(part, count - start) for start in range(0, count, part)]
        return np.concatenate([draw(size) for size in sizes])

    return drawn


def events(samples_a: Samples, samples_b: Samples) -> Iterator[tuple[Event, int, int]]:
    """The sets to choose from, each with how many of either sample lie in it."""
    yield from _thresholds(np.sort(samples_a), np.sort(samples_b))
    for width in LOW_BITS:
        yield from _low_bits(samples_a, samples_b, width)


def _thresholds(sorted_a: Samples, sorted_b: Samples) -> Iterator[tuple[Event, int, int]]:
    """Both sides of cuts at the quantiles of the two samples."""
    ranks = np.linspace(0, 1, CUTS // 2)
    quantiles = [np.quantile(s, ranks, method="nearest") for s in (sorted_a, sorted_b)]
    for cut in np.unique(np.concatenate(quantiles)):
        a, b = (int(np.searchsorted(s, cut)) for s in (sorted_a, sorted_b))
        yield Threshold(cut, below=True), a, b
        yield Threshold(cut, below=False), len(sorted_a) - a, len(sorted_b) - b


def _low_bits(a: Samples, b: Samples, width: int) -> Iterator[tuple[Event, int, int]]:
    """The patterns in the order of their likelihood under a against b, cut at every place."""
    counts_a, counts_b = pattern_counts(a, width), pattern_counts(b, width)
    order = np.argsort(-(counts_a + 1.0) / (counts_b + 1.0), kind="stable")
    for end in range(1, len(order)):
        for part in (order[:end], order[end:]):
            event = LowBits(width, tuple(part.tolist()))
            yield event, int(counts_a[part].sum()), int(counts_b[part].sum())


def pattern_counts(samples: Samples, width: int) -> NDArray[np.int64]:
    """How often each pattern of the lowest `width` bits occurs; floats by their own encoding."""
    whole = samples.astype(np.float64).view(np.uint64) if samples.dtype.kind == "f" else samples
    low = whole & whole.dtype.type(2**width - 1)
    return np.bincount(low.astype(np.int64), minlength=2**width)


def _log_ratio(
    counts: Sequence[int], sizes: Sequence[int], exchanged: bool, delta: float, error: float
) -> float:
    """log((p - δ) / q) at the lower limit of p and the upper limit of q."""
    top, bottom = (1, 0) if exchanged else (0, 1)
    low = lower_limit(counts[top], sizes[top], error / 2)
    high = upper_limit(counts[bottom], sizes[bottom], error / 2)
    return math.log((low - delta) / high) if low > delta else -math.inf


def lower_limit(count: int, size: int, error: float) -> float:
    """Clopper and Pearson: the true probability is below this with probability <= error."""
    return float(stats.beta.ppf(error, count, size - count + 1)) if count else 0.0


def upper_limit(count: int, size: int, error: float) -> float:
    """Clopper and Pearson: the true probability is above this with probability <= error."""
    return float(stats.beta.isf(error, count + 1, size - count)) if count < size else 1.0
