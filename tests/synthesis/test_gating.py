"""What of noisy covariances and shifts is fitted, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sudare.facts.statistics import Marginal, NumberMoments, Origin, Statistics
from sudare.synthesis.gating import kept_covariance, kept_shift
from sudare.synthesis.signal import signal

ROWS = 1000.0


def number(name: str) -> Marginal:
    counts = np.full(4, ROWS / 4)
    return Marginal(name, "integer", counts, np.arange(4), starts=(0, 1, 2, 3), high=3)


def noisy(
    covariance: float = 0.5, shift: float = 50.0, error: float = 0.1, origin: Origin = "randomized"
) -> Statistics:
    counts = np.array([500.0, 500.0])
    category = Marginal("c", "category", counts, np.arange(2), labels=("p", "q"))
    matrix = np.array([[1.25, covariance], [covariance, 1.25]])
    moments = NumberMoments(("x", "y"), np.array([1.5, 1.5]), matrix, np.ones((2, 2), np.bool_))
    return Statistics(
        "t",
        origin,
        ROWS,
        (number("x"), number("y"), category),
        {},
        moments,
        {("x", "c"): 1.5 * counts + np.array([shift, -shift])},
        {("x", "x"): 5.0, ("y", "y"): 5.0, ("c", "c"): 5.0},
        errors={("x", "y"): error, ("x", "c"): 10.0},
    )


def test_a_clear_covariance_is_shrunk_by_its_noise() -> None:
    assert kept_covariance(noisy(0.5, error=0.1), "x", "y") == pytest.approx(1 - 0.1**2 / 0.5**2)
    assert kept_covariance(noisy(0.5, error=0.1), "y", "x") == pytest.approx(0.96)


def test_a_covariance_that_noise_could_have_made_is_dropped() -> None:
    assert kept_covariance(noisy(0.19, error=0.1), "x", "y") == 0
    assert kept_covariance(noisy(-0.19, error=0.1), "x", "y") == 0
    assert kept_covariance(noisy(0.2, error=0.1), "x", "y") > 0


def test_exact_covariances_are_taken_as_they_are() -> None:
    assert kept_covariance(noisy(0.01, origin="exact"), "x", "y") == 1


def test_an_unknown_covariance_is_none() -> None:
    statistics = noisy()
    assert statistics.moments is not None
    unknown = replace(statistics.moments, known=np.eye(2, dtype=np.bool_))
    assert kept_covariance(replace(statistics, moments=unknown), "x", "y") == 0
    assert kept_covariance(replace(statistics, moments=None), "x", "y") == 0


def test_shifts_are_judged_over_all_levels() -> None:
    assert kept_shift(noisy(shift=50.0), "x", "c", 1.5) == pytest.approx(1 - 100 / 5000)
    assert kept_shift(noisy(shift=10.0), "x", "c", 1.5) == 0
    assert kept_shift(noisy(), "y", "c", 1.5) == 0


def test_it_is_said_where_there_is_signal() -> None:
    assert signal(noisy()) == {("x", "y"): True, ("x", "c"): True, ("y", "c"): False}
    assert signal(noisy(0.05, 5.0)) == dict.fromkeys([("x", "y"), ("x", "c"), ("y", "c")], False)


def test_errors_and_noise_survive_a_file() -> None:
    read = Statistics.from_json(noisy().to_json())
    assert read.errors == noisy().errors
    assert read.noise == noisy().noise
