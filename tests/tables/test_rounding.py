"""Rounding: whole numbers next to real ones, margins that hardly move."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sudare.facts.cube import every_margin, margin_of
from sudare.tables.fitting import non_negative
from sudare.tables.rounding import whole
from support.cubes import flat
from support.tiers import examples

DIMENSIONS = (flat(3), flat(4))
VARIANCES = dict.fromkeys(every_margin(DIMENSIONS), 4.0)
TABLES = arrays(np.float64, (3, 4), elements=st.floats(0, 50, width=32))


@examples(60)
@given(TABLES)
def test_every_cell_moves_by_less_than_one(values: np.ndarray) -> None:
    found = whole(values, DIMENSIONS, VARIANCES)
    assert found.min() >= 0
    assert (np.abs(found - values) < 1 + 1e-9).all()
    # The total is a running sum, so it is rounded once.
    assert abs(int(found.sum()) - float(values.sum())) <= 0.5 + 1e-6


@examples(60)
@given(TABLES, st.lists(st.integers(0, 90), min_size=3, max_size=3))
def test_a_public_margin_is_met_exactly(values: np.ndarray, known: list[int]) -> None:
    wanted = np.array(known).reshape(3, 1)
    found = whole(values, DIMENSIONS, VARIANCES, ((1, 0), wanted))
    assert found.min() >= 0
    assert (found.sum(axis=1, keepdims=True) == wanted).all()


def test_margins_are_mended() -> None:
    """Cumulative rounding alone leaves the last axis to chance; turning pairs of cells does not."""
    dimensions = (flat(20), flat(12), flat(10))
    values = (np.arange(2400) * 0.6180339887498949 % 1).reshape(20, 12, 10) ** 3
    variances = dict.fromkeys(every_margin(dimensions), 4.0)
    found = whole(values, dimensions, variances)
    floor = np.floor(values)
    crude = np.diff(np.floor(np.cumsum((values - floor).ravel()) + 0.5), prepend=0.0)
    for margin in [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1)]:
        mended = margin_of(found - values, dimensions, margin)
        assert np.sqrt((mended**2).mean()) < 1.5
    last = margin_of(crude.reshape(values.shape) - values, dimensions, (0, 0, 1))
    mended = margin_of(found - values, dimensions, (0, 0, 1))
    assert (mended**2).mean() < 0.5 * (last**2).mean()


def test_the_fit_keeps_what_is_not_negative() -> None:
    values = np.arange(12.0).reshape(3, 4)
    precisions = np.ones((2, 2))
    assert non_negative(values, precisions, DIMENSIONS) is values


def test_the_fit_is_the_nearest_table_by_hand() -> None:
    """Two cells, only their own noise: (−3, 5) lies nearest to (0, 5); where the sum is known far
    better than the difference, nearest to (0, 2)."""
    estimate = np.array([-3.0, 5.0])
    stiff = non_negative(estimate, np.array([1e6, 1.0]), (flat(2),), rounds=2000)
    np.testing.assert_allclose(stiff, [0, 2], atol=0.02)
