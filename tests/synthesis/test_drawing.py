"""Rows from a mixture: histograms to less than a row, values inside their bins."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.facts.statistics import Marginal
from sudare.synthesis.drawing import draw_bins, draw_components, draw_indices, spread
from support.bits import CountedBits


def number(counts: list[float], level_of: list[int], means: list[float] | None) -> Marginal:
    starts = tuple(10 * place for place in range(len(counts)))
    found = None if means is None else np.array(means)
    return Marginal(
        "x", "integer", np.array(counts), np.array(level_of), 0.0, True, (), starts,
        10 * len(counts) - 1, 1.0, found,
    )  # fmt: skip


def test_components_come_in_their_shares() -> None:
    weights = np.array([0.5, 0.3, 0.0, 0.2])
    found = draw_components(weights, 1_001, CountedBits("components"))
    assert np.all(np.diff(found) >= 0)
    assert np.abs(np.bincount(found, minlength=4) - 1_001 * weights).max() <= 1


def test_levels_differ_by_less_than_one_row_in_each_group() -> None:
    draw = np.random.default_rng(0)
    chances = draw.random((5, 7))
    chances[2, 3] = 0
    chances /= chances.sum(axis=1, keepdims=True)
    groups = np.repeat(np.arange(5), [100, 1, 333, 50, 17])
    found = spread(chances, groups, CountedBits("levels"))
    for group in range(5):
        held = np.bincount(found[groups == group], minlength=7)
        assert np.abs(held - held.sum() * chances[group]).max() < 1 + 1e-9
    # Shuffled inside the group: no order is left in it.
    assert np.any(np.diff(found[groups == 2]) < 0)


def test_bins_follow_their_counts_inside_levels() -> None:
    marginal = number([10, 30, 0, 60, 5], [0, 0, 1, 1, 2], None)
    levels = np.array([0] * 400 + [1] * 300 + [2] * 20 + [3] * 50)
    found = draw_bins(marginal, levels, CountedBits("bins"))
    assert np.bincount(found[:400], minlength=5).tolist() == [100, 300, 0, 0, 0]
    assert np.bincount(found[400:700], minlength=5).tolist() == [0, 0, 0, 300, 0]
    assert set(found[700:720].tolist()) == {4}
    assert set(found[720:].tolist()) == {-1}


def test_a_level_without_people_is_spread_evenly() -> None:
    marginal = number([0, 0, 7], [0, 0, 1], None)
    found = draw_bins(marginal, np.zeros(100, np.int64), CountedBits("empty"))
    assert np.bincount(found, minlength=3).tolist() == [50, 50, 0]


@pytest.mark.parametrize("mean", [0.5, 2.0, 4.5, 7.0, 8.6])
def test_values_lie_in_their_bin_at_its_mean(mean: float) -> None:
    marginal = number([5, 5], [0, 1], [mean, 10 + mean])
    bins = np.array([0] * 3_000 + [1] * 3_000 + [-1] * 10)
    found = draw_indices(marginal, bins, CountedBits("values"))
    assert np.array_equal(found, np.rint(found))
    assert (found[:3_000].min(), found[:3_000].max()) >= (0, 0)
    assert found[:3_000].max() <= 9
    assert found[3_000:6_000].min() >= 10
    assert found[3_000:6_000].max() <= 19
    assert found[6_000:].tolist() == [0.0] * 10
    # The power keeps the mean to a part of a step; without it the middle, 4.5, would be met.
    assert found[:3_000].mean() == pytest.approx(mean, abs=0.45)


def test_no_rows() -> None:
    marginal = number([1, 1], [0, 1], None)
    nothing = np.empty(0, np.int64)
    assert len(draw_bins(marginal, nothing, CountedBits("none"))) == 0
    assert len(draw_indices(marginal, nothing, CountedBits("none"))) == 0
