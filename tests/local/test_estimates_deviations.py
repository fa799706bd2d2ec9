"""Standard deviations: measured, expected where a covariance says that there is one, else none."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.local.estimates.channels import Scores
from sudare.local.estimates.correlations import correlations
from sudare.local.estimates.deviations import deviations
from sudare.local.estimates.jackknife import GROUPS
from sudare.local.estimates.moments import Moments


def moments(covariances: list[list[float]], errors: list[list[float]], seed: int = 1) -> Moments:
    """Moments as they stand, with replicates that have these standard errors."""
    full, noise = np.array(covariances), np.array(errors)
    made = np.random.default_rng(seed).standard_normal((GROUPS, *full.shape))
    made = (made + made.swapaxes(1, 2)) / np.sqrt(2)
    made /= np.sqrt((made**2).sum(axis=0) * (GROUPS - 1) / GROUPS)
    values: Scores = np.concatenate([full[np.newaxis], full + noise * made])
    names = tuple("abc"[: len(full)])
    return Moments(names, np.zeros((GROUPS + 1, len(names))), values)


def test_a_sure_variance_is_measured() -> None:
    found = deviations(moments([[0.25, 0.0], [0.0, 0.09]], [[0.01, 0.01], [0.01, 0.01]]))
    assert found.columns == ("a", "b")
    np.testing.assert_allclose(found.values[0], [0.5, 0.3])
    assert (found.doubts == 0).all()


@pytest.mark.parametrize("variance", [-0.02, 0.03, 0.07])
def test_a_covariance_says_that_there_is_a_variance(variance: float) -> None:
    """σ' >= |c|/σ = 0.2 at least, and what is expected is not far above what is measured."""
    given = moments([[0.25, 0.1], [0.1, variance]], [[0.01, 0.015], [0.015, 0.04]])
    found = deviations(given)
    assert found.columns == ("a", "b")
    assert 0.18 < found.values[0, 1] < 0.35
    assert 0.05 < found.doubts[1] < 0.5
    told = correlations(given)
    assert 0.5 < told.published[0, 0, 1] <= 1
    # The error holds what is not known of the deviation.
    assert told.errors[0, 1] > found.doubts[1] * told.raw[0, 0, 1]


def test_without_one_the_column_is_left_open() -> None:
    given = moments([[0.25, 0.03], [0.03, 0.03]], [[0.01, 0.015], [0.015, 0.04]])
    assert deviations(given).columns == ("a",)
    # What is not told beside a column that is not told itself says nothing.
    both = moments([[0.01, 0.1], [0.1, 0.03]], [[0.04, 0.015], [0.015, 0.04]])
    assert deviations(both).columns == ()
