"""The curvature that scores lead one to expect, and how far a noisy one is drawn to it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.queries.logistic_model import drawn_to, expected_curvature
from sudare.queries.spread import Spread

BETA = np.array([-0.4, 1.5, -2.0])
MEANS = np.array([0.1, -0.2])
COVARIANCES = np.array([[0.06, 0.02], [0.02, 0.05]])


def rows(count: int) -> NDArray[np.float64]:
    generator = np.random.default_rng(1)
    return generator.multivariate_normal(MEANS, COVARIANCES, count)


def test_of_normal_predictors_it_is_the_curvature() -> None:
    """Bins of 1/2 as the gauge has them; 200,000 rows tell K to within a hundredth."""
    y = rows(200_000)
    wide = np.column_stack([np.ones(len(y)), y])
    chance = 1 / (1 + np.exp(-wide @ BETA))
    true = (wide * (chance * (1 - chance))[:, None]).T @ wide
    edges = np.linspace(-6, 6, 25)
    counts, _ = np.histogram(wide @ BETA, edges)
    spread = Spread(np.array(200_000.0), MEANS, COVARIANCES)
    # Twice the rows: how many there are is the spread's to say.
    found = expected_curvature(spread, BETA, (edges[1:] + edges[:-1]) / 2, 2.0 * counts)
    np.testing.assert_allclose(found, true, rtol=0.02, atol=0.003 * true[0, 0])


def test_without_rows_it_is_nothing_and_draws_nothing() -> None:
    spread = Spread(np.array(10.0), MEANS, COVARIANCES)
    none = expected_curvature(spread, BETA, np.array([-1.0, 1.0]), np.array([0.0, -3.0]))
    assert (none == 0).all()
    measured = np.diag([5.0, -1.0, 2.0])
    assert (drawn_to(none, measured, np.stack([measured + 1, measured - 1])) == measured).all()


@pytest.mark.parametrize(("noise", "low", "high"), [(0.001, 0.999, 1.0), (10.0, 0.0, 0.0)])
def test_what_noise_explains_is_not_kept(noise: float, low: float, high: float) -> None:
    model, measured = np.diag([9.0, 4.0, 1.0]), np.diag([10.0, 4.5, 1.2])
    redrawn = measured + noise * np.random.default_rng(2).normal(size=(400, 3, 3))
    found = drawn_to(model, measured, redrawn)
    kept = (found - model)[0, 0] / (measured - model)[0, 0]
    assert low <= kept <= high
    np.testing.assert_allclose(found, model + kept * (measured - model))
