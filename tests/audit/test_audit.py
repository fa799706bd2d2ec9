"""The audit itself: its limits are valid, and it finds what it should find."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sudare.randomness.bits import words64
from support.audit import LowBits, Threshold, audit, lower_bound, lower_limit, upper_limit
from support.bits import CountedBits


@pytest.mark.parametrize(("count", "size"), [(1, 50), (30, 1000), (999, 1000), (500_000, 10**6)])
def test_limits_are_those_of_the_exact_binomial_test(count: int, size: int) -> None:
    low, high = lower_limit(count, size, 5e-7), upper_limit(count, size, 5e-7)
    assert stats.binom.sf(count - 1, size, low) == pytest.approx(5e-7, rel=1e-6)
    assert stats.binom.cdf(count, size, high) == pytest.approx(5e-7, rel=1e-6)


def test_limits_at_the_ends() -> None:
    assert lower_limit(0, 100, 1e-6) == 0
    assert upper_limit(100, 100, 1e-6) == 1
    assert upper_limit(0, 100, 1e-6) == pytest.approx(1 - 1e-6 ** (1 / 100))


def test_the_limits_cover_the_truth() -> None:
    """At an error of 1 %, 20,000 repetitions: a rate above 1.5 % has odds below 1e-10."""
    counts = np.random.default_rng(20).binomial(1000, 0.03, 20_000)
    by_count = {c: lower_limit(c, 1000, 0.01) for c in set(counts.tolist())}
    missed = np.mean([by_count[c] > 0.03 for c in counts.tolist()])
    assert missed < 0.015
    by_count = {c: upper_limit(c, 1000, 0.01) for c in set(counts.tolist())}
    assert np.mean([by_count[c] < 0.03 for c in counts.tolist()]) < 0.015


def fair(label: str, sides: int, size: int) -> np.ndarray:
    return (words64(CountedBits(label), size) % sides).astype(np.int64)


def test_equal_laws_bound_nothing() -> None:
    result = lower_bound(*(fair(label, 100, 200_000) for label in "abcd"))
    assert result.epsilon <= 0


def test_a_leak_in_the_lowest_bit_is_found_though_the_thresholds_look_right() -> None:
    """Even noise leaves the parity of the input in the open; every threshold hides it."""
    a, b = CountedBits("even a"), CountedBits("even b")

    def draw(bits: CountedBits, value: int, size: int) -> np.ndarray:
        return value + 2 * (words64(bits, size) % 10_000).astype(np.int64)

    result = audit(lambda n: draw(a, 0, n), lambda n: draw(b, 1, n), 100_000)
    assert isinstance(result.event, LowBits)
    assert result.epsilon > 8


def test_a_leak_in_the_last_bit_of_a_float_is_found() -> None:
    """The spacing of the floats above 1 is 2^-52; here the input decides the last of their bits."""
    grid = 1 + fair("float", 10_000, 400_000) * 2.0**-51
    parts = np.split(grid, 4)
    result = lower_bound(parts[0], parts[1] + 2.0**-52, parts[2], parts[3] + 2.0**-52)
    assert isinstance(result.event, LowBits)
    assert result.epsilon > 8


def test_a_shift_is_found_by_a_threshold_in_either_direction() -> None:
    """Below 10 lie 0.9 of one law and 0.5 of the other; the larger ratio is 0.5 / 0.1 above it."""
    even = [fair(f"even {k}", 20, 300_000) for k in range(2)]
    low = [np.where(fair(f"to {k}", 5, 300_000) < 4, x % 10, x)
           for k, x in enumerate(fair("low", 20, 600_000).reshape(2, -1))]  # fmt: skip
    one = lower_bound(low[0], even[0], low[1], even[1])
    other = lower_bound(even[0], low[0], even[1], low[1])
    for result, exchanged in ((one, True), (other, False)):
        assert (result.event, result.exchanged) == (Threshold(10, below=False), exchanged)
        assert math.log(5) - 0.06 < result.epsilon < math.log(5)


def test_delta_lowers_the_bound() -> None:
    samples = [fair("d0", 10, 10**5), fair("d1", 5, 10**5), fair("d2", 10, 10**5),
               fair("d3", 5, 10**5)]  # fmt: skip
    bounds = [lower_bound(*samples, delta=delta).epsilon for delta in (0.0, 0.2, 0.4)]
    assert bounds[0] > bounds[1] > bounds[2]
