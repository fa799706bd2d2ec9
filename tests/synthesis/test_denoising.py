"""Noisy tables: margins agree, noise is shrunk away, signal is kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from sudare.facts.statistics import Marginal, Statistics
from sudare.synthesis.denoising import agreed_shares, clean_table, cleaned, shrunk, simplex
from support.tiers import examples


@examples(200)
@given(arrays.arrays(float, st.integers(1, 30), elements=st.floats(-5, 5)))
def test_the_nearest_shares(values: np.ndarray) -> None:
    found = simplex(values)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    # The nearest: what was cut and what was kept satisfy the conditions of the projection.
    kept = found > 0
    away = values[kept] - found[kept]
    assert away == pytest.approx(np.full(kept.sum(), away[0]), abs=1e-9)
    assert (values[~kept] <= away[0] + 1e-9).all()


def test_pure_noise_becomes_independence() -> None:
    draw = np.random.default_rng(0)
    rows, columns = np.full(8, 1 / 8), np.full(10, 1 / 10)
    quiet = 0
    for _ in range(50):
        noisy = np.outer(rows, columns) + draw.normal(0, 1e-3, (8, 10))
        table, kept = clean_table(noisy, rows, columns, 1e-3)
        assert table.sum(axis=1) == pytest.approx(rows, abs=1e-6)
        assert table.sum(axis=0) == pytest.approx(columns, abs=1e-6)
        assert table.min() >= 0
        quiet += kept == 0
    # The largest singular value of noise is near the threshold, and seldom above it by chance.
    assert quiet >= 30


def test_what_is_shrunk_is_nearer_than_what_was_measured() -> None:
    draw = np.random.default_rng(1)
    truth = np.outer(draw.normal(size=12), draw.normal(size=9)) * 0.01
    errors = []
    for _ in range(20):
        noisy = truth + draw.normal(0, 0.003, truth.shape)
        found, kept = shrunk(noisy, 0.003)
        errors.append((np.sum((found - truth) ** 2), np.sum((noisy - truth) ** 2)))
        assert kept >= 1
    mine, raw = np.mean(errors, axis=0)
    assert mine < 0.5 * raw


def test_without_noise_nothing_is_shrunk() -> None:
    truth = np.array([[0.3, 0.1], [0.1, 0.5]])
    table, kept = clean_table(truth, truth.sum(axis=1), truth.sum(axis=0), 0.0)
    assert table == pytest.approx(truth, abs=1e-6)
    assert kept == 1
    single, none = clean_table(np.array([[0.4, 0.6]]), np.ones(1), np.array([0.4, 0.6]), 0.1)
    assert single == pytest.approx(np.array([[0.4, 0.6]]))
    assert none == 0


def category(name: str, counts: list[float]) -> Marginal:
    size = len(counts)
    labels = tuple(f"{name}{place}" for place in range(size))
    return Marginal(name, "category", np.array(counts), np.arange(size), labels=labels)


STATISTICS = Statistics(
    "t",
    "private",
    100.0,
    (category("a", [60.0, 40.0]), category("b", [50.0, 50.0])),
    {("a", "b"): np.array([[40.0, 30.0], [10.0, 20.0]])},
    noise={("a", "a"): 1.0, ("b", "b"): 1.0, ("a", "b"): 1.0},
)


def test_margins_are_averaged_by_their_precision() -> None:
    # A margin of the table sums two cells, so that it weighs half as much as the histogram.
    assert agreed_shares(STATISTICS)["a"] == pytest.approx([(60 + 70 / 2) / 150, (40 + 15) / 150])
    sure = replace(STATISTICS, noise={**STATISTICS.noise, ("a", "b"): 1e-5})
    assert agreed_shares(sure)["a"] == pytest.approx([0.7, 0.3])


def test_all_tables_get_the_agreed_margins() -> None:
    shares = agreed_shares(STATISTICS)
    tables, kept = cleaned(STATISTICS, shares)
    assert tables["a", "b"].sum(axis=1) == pytest.approx(shares["a"], abs=1e-6)
    assert tables["a", "b"].sum(axis=0) == pytest.approx(shares["b"], abs=1e-6)
    assert kept["a", "b"] == 1
