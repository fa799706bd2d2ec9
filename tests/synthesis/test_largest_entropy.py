"""Histograms of largest entropy: their moments, their shape, and moments that cannot be."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.synthesis.largest_entropy import largest_entropy

PLACES = np.arange(32.0)


@pytest.mark.parametrize(("mean", "variance"), [(3, 4), (15, 80), (15, 200), (30, 1)])
def test_it_has_the_moments(mean: float, variance: float) -> None:
    shares = largest_entropy(PLACES, mean, variance)
    assert shares @ PLACES == pytest.approx(mean, abs=1e-6)
    assert shares @ (PLACES - mean) ** 2 == pytest.approx(variance, abs=1e-5)


def test_no_other_histogram_with_these_moments_has_more_entropy() -> None:
    shares = largest_entropy(PLACES, 12, 30)
    made = np.random.default_rng(3)
    basis = np.stack([np.ones(32), PLACES, PLACES**2])
    for _ in range(50):
        step = made.standard_normal(32) * shares
        step -= basis.T @ np.linalg.lstsq(basis.T, step, rcond=None)[0]
        other = shares + 0.1 * shares.min() / np.abs(step).max() * step
        assert -(other * np.log(other)).sum() <= -(shares * np.log(shares)).sum() + 1e-12


def test_a_mean_alone_tilts_an_even_histogram() -> None:
    even = largest_entropy(PLACES, 15.5, None)
    tilted = largest_entropy(PLACES, 8, None)
    assert even == pytest.approx(np.full(32, 1 / 32))
    assert np.all(np.diff(tilted) < 0)


@pytest.mark.parametrize(("mean", "variance"), [(99, 5), (-4, 1), (15, -3), (15, 9999)])
def test_impossible_moments_are_moved_to_possible_ones(mean: float, variance: float) -> None:
    shares = largest_entropy(PLACES, mean, variance)
    assert shares.sum() == pytest.approx(1)
    assert np.all(shares >= 0)
    assert shares @ PLACES == pytest.approx(np.clip(mean, 0, 31), abs=0.3)


def test_one_place_holds_everybody() -> None:
    assert largest_entropy(np.array([7.0]), 3, 2).tolist() == [1.0]
