"""Bins that the schema alone fixes, and levels that stand clear of the noise."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sudare.facts.grid import Grid
from sudare.synthesis.public_bins import clear_labels, clear_levels, public_starts
from support.tiers import examples


@examples(200)
@given(
    st.integers(-1000, 1000), st.integers(0, 10**6), st.sets(st.integers(-1500, 1500), max_size=3),
    st.floats(1, 1e7), st.floats(0, 1e3),
)  # fmt: skip
def test_starts_cover_the_grid(
    low: int, span: int, cuts: set[int], rows: float, noise: float
) -> None:
    grid = Grid(low, low + span, 1.0, True)
    starts = public_starts(grid, cuts, rows, noise)
    assert starts[0] == low
    assert np.all(np.diff(starts) > 0)
    assert starts[-1] <= grid.high
    assert {cut for cut in cuts if low < cut <= grid.high} <= set(starts.tolist())
    assert len(starts) <= 128 + 6 + len(cuts)
    # The ends, where real columns have their spikes, are bins of their own.
    assert span == 0 or low + 1 in starts
    assert grid.high in starts


def test_noise_makes_bins_fewer() -> None:
    grid = Grid(0, 10_000, 1.0, True)
    sizes = [len(public_starts(grid, (), 1_000, noise)) for noise in (0.0, 5.0, 20.0, 1e6)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 60 > 14 >= sizes[-1]


def test_levels_stand_clear_of_the_noise() -> None:
    draw = np.random.default_rng(3)
    counts = np.maximum(draw.normal(100, 60, 120), 0)
    starts = np.arange(120)
    levels = clear_levels(starts, counts, noise=60.0, cuts={17})
    assert levels[0] == 0
    assert set(np.diff(levels).tolist()) <= {0, 1}
    assert levels[17] == levels[16] + 1
    sums, sizes = np.bincount(levels, counts), np.bincount(levels)
    held = (sums >= 3 * 60 * np.sqrt(sizes)) | np.isin(np.arange(len(sums)), [levels[16]])
    assert held.all()


def test_without_noise_a_spike_is_apart() -> None:
    counts = np.array([5.0, 5, 500, 5, 5])
    levels = clear_levels(np.arange(5), counts, noise=0.0, most=3)
    assert levels[2] != levels[1]
    assert levels[2] != levels[3]


def test_labels() -> None:
    counts = np.array([100.0, 2, 3, 90, 1])
    assert clear_labels(counts, 10.0).tolist() == [0, 2, 2, 1, 2]
    assert clear_labels(counts, 10.0, {2}).tolist() == [0, 3, 1, 2, 3]
    # One label alone in the noise keeps its own name; all in the noise are one level.
    assert clear_labels(np.array([100.0, 2]), 10.0).tolist() == [0, 1]
    assert clear_labels(np.zeros(3), 10.0).tolist() == [0, 0, 0]
