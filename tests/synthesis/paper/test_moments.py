"""Algorithm 4: mean and covariance come out exactly."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.randomness.floats import uniforms
from sudare.synthesis.paper.moments import Roots, fix_mean_cov, moments_of
from sudare.synthesis.paper.target import Target
from support.bits import CountedBits

ROOTS: tuple[Roots, ...] = ("symmetric", "literal")


def rows_of(count: int, width: int) -> np.ndarray:  # type: ignore[type-arg]
    """Columns of very different size, far from zero."""
    scale = 10.0 ** np.arange(-3, -3 + 2 * width, 2)
    return (uniforms(CountedBits("rows"), count * width).reshape(count, width) ** 2 + 5) * scale


def test_two_columns_by_hand() -> None:
    # Y = ±1 independently: μ_Y = 0, Σ_Y = I, so that Z = Y Q_Dᵀ + μ_D with Q_D the root of Σ_D.
    rows = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    own = moments_of(lambda: [rows[:3], rows[3:]])
    assert own.mean.tolist() == [0, 0]
    assert own.covariance.tolist() == [[1, 0], [0, 1]]
    target = Target(np.array([10.0, 20.0]), np.array([[4.0, 0], [0, 9]]))
    found = fix_mean_cov(own, target).apply(rows)
    assert found == pytest.approx(np.array([[12, 23], [12, 17], [8, 23], [8, 17]]))


@pytest.mark.parametrize("roots", ROOTS)
def test_moments_are_exact(roots: Roots) -> None:
    rows = rows_of(500, 5)
    mix = np.array([[2.0, 1, 0, 0, 1], [0, 3, 1, 0, 0], [1, 0, 1, 0, 0], [0, 1, 0, 5, 1], [1] * 5])
    size = np.array([1e5, 1.0, 1e-2, 40.0, 3.0])
    target = Target(size * 3, mix @ mix.T * np.outer(size, size))
    own = moments_of(lambda: [rows[:100], rows[100:]])
    found = fix_mean_cov(own, target, roots).apply(rows)
    again = moments_of(lambda: [found])
    assert again.mean == pytest.approx(target.mean, rel=1e-9)
    assert again.covariance == pytest.approx(target.covariance, rel=1e-9)


@pytest.mark.parametrize("roots", ROOTS)
def test_a_singular_covariance_is_met_too(roots: Roots) -> None:
    # The third column is the sum of the others, which differ by 1e10 in variance.
    rows = rows_of(300, 3)
    base = np.array([[1e10, 30.0], [30.0, 1.0]])
    mix = np.array([[1.0, 0], [0, 1], [1e-5, 1]])
    target = Target(np.zeros(3), mix @ base @ mix.T)
    found = fix_mean_cov(moments_of(lambda: [rows]), target, roots).apply(rows)
    again = moments_of(lambda: [found]).covariance
    deviations = np.sqrt(np.diag(target.covariance))
    assert np.abs((again - target.covariance) / np.outer(deviations, deviations)).max() < 1e-9
    assert np.abs(found[:, 0] * 1e-5 + found[:, 1] - found[:, 2]).max() < 1e-7 * deviations[2]


def test_equal_columns_of_y_do_not_break_the_inverse() -> None:
    rows = rows_of(50, 2)[:, [0, 1, 1]]
    found = fix_mean_cov(moments_of(lambda: [rows]), Target(np.zeros(3), np.eye(3))).apply(rows)
    assert np.isfinite(found).all()
    # The two equal ones share one direction, so they cannot both have variance one.
    assert found.var(axis=0) == pytest.approx([1, 0.5, 0.5])


def test_negative_eigenvalues_of_noisy_statistics_count_as_zero() -> None:
    rows = rows_of(50, 2)
    target = Target(np.zeros(2), np.array([[1.0, 1.2], [1.2, 1.0]]))
    found = fix_mean_cov(moments_of(lambda: [rows]), target).apply(rows)
    assert np.corrcoef(found.T)[0, 1] == pytest.approx(1.0)


def test_symmetric_roots_turn_nothing_where_moments_fit_already() -> None:
    rows = rows_of(200, 3)
    own = moments_of(lambda: [rows])
    assert fix_mean_cov(own, own).map == pytest.approx(np.eye(3), abs=1e-9)
