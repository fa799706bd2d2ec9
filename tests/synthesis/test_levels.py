"""Bins of at least so many people, and levels that keep what rules tell apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.synthesis.levels import (
    MOST_BINS,
    MOST_LABELS,
    MOST_LEVELS,
    bins_of,
    label_levels,
    levels_of,
    roundest,
)
from support.tiers import examples

COUNTS = st.dictionaries(st.integers(-50, 400), st.integers(1, 40), min_size=1, max_size=60)


@examples(150)
@given(COUNTS, st.lists(st.integers(-60, 420), max_size=3), st.integers(1, 15))
def test_bins_hold_everyone_and_not_too_few(
    held: dict[int, int], cuts: list[int], minimum: int
) -> None:
    values = np.array(sorted(held))
    counts = np.array([held[value] for value in values.tolist()])
    low, high = -55, 410
    bins = bins_of(values, counts, low, high, cuts, minimum)
    assert bins.starts[0] == low
    assert np.all(np.diff(bins.starts) > 0)
    assert bins.starts[-1] <= high
    assert {cut for cut in cuts if low < cut <= high} <= set(bins.starts.tolist())
    ends = [*(bins.starts[1:] - 1).tolist(), high]
    for start, end, count, mean in zip(
        bins.starts.tolist(), ends, bins.counts, bins.means, strict=True
    ):
        inside = (values >= start) & (values <= end)
        assert count == counts[inside].sum()
        if count:
            assert mean == pytest.approx((counts * values)[inside].sum() / count)
    # Without cuts only an empty bin, or the one bin of all, has fewer people than the minimum.
    if not [cut for cut in cuts if low < cut <= high] and len(bins.counts) > 1:
        assert not ((bins.counts > 0) & (bins.counts < minimum)).any()


def test_common_values_stand_alone() -> None:
    values, counts = np.array([0, 1, 2, 50, 99]), np.array([500, 3, 4, 300, 40])
    bins = bins_of(values, counts, 0, 99, minimum=10)
    assert {0, 1, 50, 51, 99} >= set(bins.starts.tolist()) >= {0, 50, 51, 99}
    assert bins.counts[bins.starts.tolist().index(50)] == 300


def test_few_people_below_a_spike_are_not_told_apart() -> None:
    """Three people at the lower bound would be a bin of three."""
    bins = bins_of(np.array([0, 5]), np.array([3, 100]), 0, 9, minimum=10)
    assert bins.counts[0] == 103
    assert bins.means[0] == pytest.approx(500 / 103)


def test_unique_values_are_gathered() -> None:
    values = np.arange(0, 200_000, 2)
    bins = bins_of(values, np.ones_like(values), 0, 200_000)
    assert len(bins.starts) <= MOST_BINS + 2
    assert bins.counts.min() >= 10
    assert bins.counts.sum() == len(values)


def test_cells_of_several_values() -> None:
    """Where neighbours are counted together, spikes are as wide as a cell and means right."""
    values, counts = np.array([0, 4, 8, 12]), np.array([100, 20, 30, 50])
    rest = np.array([105, 30, 45, 0])
    bins = bins_of(values, counts, 1, 15, minimum=10, width=4, rest=rest)
    assert bins.starts.tolist() == [1, 4, 8, 12]
    assert bins.counts.tolist() == [100, 20, 30, 50]
    # The first cell reaches below the lower bound, where nobody is.
    assert bins.means.tolist() == pytest.approx([1 + 5 / 100, 4 + 1.5, 8 + 1.5, 12])


def test_levels_are_few_and_follow_each_other() -> None:
    draw = np.random.default_rng(1)
    starts = np.arange(0, 5_000, 5)
    counts = draw.integers(0, 50, len(starts)).astype(float)
    counts[[0, 400]] = 4_000
    cuts = {1_015, 3_000}
    levels = levels_of(starts, counts, 5_000, cuts)
    assert levels[0] == 0
    assert set(np.diff(levels).tolist()) <= {0, 1}
    assert levels[-1] + 1 <= 2 * MOST_LEVELS
    for cut in cuts:
        at = starts.tolist().index(cut)
        assert levels[at] == levels[at - 1] + 1
    # A spike has a level of its own, and no level is without people.
    assert (levels == levels[400]).sum() == 1
    assert np.bincount(levels, counts).min() > 0


def test_short_columns_keep_every_bin() -> None:
    assert levels_of(np.arange(20), np.zeros(20), 19).tolist() == list(range(20))


def test_rare_labels_share_a_level_unless_rules_speak_of_them() -> None:
    counts = np.arange(200, dtype=float)
    levels = label_levels(counts, apart={0, 3})
    assert levels.max() + 1 == MOST_LABELS
    shared = np.flatnonzero(levels == levels.max())
    assert not {0, 3} & set(shared.tolist())
    assert counts[shared].max() < np.sort(counts)[-(MOST_LABELS - 3)]
    sizes = np.bincount(levels)
    assert (sizes[:-1] == 1).all()
    assert label_levels(np.ones(5)).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (1, 9, 1),
        (8, 13, 10),
        (98, 103, 100),
        (45, 45, 45),
        (-13, -8, -10),
        (-3, 4, 0),
        (101, 119, 110),
    ],
)
def test_the_roundest_number(low: int, high: int, found: int) -> None:
    assert roundest(low, high) == found


def test_edges_are_round_numbers_and_nobodys_values() -> None:
    """Pays that end with 7, ten apart: an edge that followed the data would be one of them."""
    values = 120_007 + 10 * np.arange(3_000)
    found = bins_of(values, np.ones(3_000, np.int64), 0, 999_999)
    edges = found.starts[1:]
    assert len(edges) > 100
    assert not set(edges.tolist()) & set(values.tolist())
    assert np.all(edges % 10 == 0)
    # Somebody is on either side of every edge, and as close as the values lie.
    assert np.all(np.isin(edges + 7, values) & np.isin(edges - 3, values))
