"""Tables from margins and moments alone: they have both, and the largest entropy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from sudare.synthesis.completion import with_means, with_product


def margins(draw: np.random.Generator, size: int) -> np.ndarray:
    found = draw.random(size) + 0.05
    return np.asarray(found / found.sum())


@pytest.mark.parametrize("label", range(6))
def test_product(label: int) -> None:
    draw = np.random.default_rng(label)
    rows, columns = margins(draw, 5), margins(draw, 7)
    x, y = np.sort(draw.normal(50, 20, 5)), np.sort(draw.normal(-3, 1, 7))
    truth = np.outer(rows, columns) * np.exp(0.01 * (label - 2) * np.outer(x - 50, y))
    truth /= truth.sum()
    rows, columns = truth.sum(axis=1), truth.sum(axis=0)
    product = float((truth * np.outer(x, y)).sum())
    table = with_product(rows, columns, x, y, product)
    assert table.sum(axis=1) == pytest.approx(rows, abs=1e-7)
    assert table.sum(axis=0) == pytest.approx(columns, abs=1e-7)
    assert float((table * np.outer(x, y)).sum()) == pytest.approx(product, rel=1e-6)


def test_the_entropy_is_the_largest() -> None:
    """Against a general solver on a small table."""
    rows, columns = np.array([0.5, 0.3, 0.2]), np.array([0.6, 0.4])
    x, y = np.array([0.0, 1.0, 4.0]), np.array([-1.0, 2.0])
    product = float(rows @ x * (columns @ y)) + 0.3
    table = with_product(rows, columns, x, y, product)

    def loss(flat: np.ndarray) -> float:
        return float((flat * np.log(np.maximum(flat, 1e-12))).sum())

    wanted = [
        {"type": "eq", "fun": lambda f: f.reshape(3, 2).sum(axis=1) - rows},
        {"type": "eq", "fun": lambda f: f.reshape(3, 2).sum(axis=0)[:1] - columns[:1]},
        {"type": "eq", "fun": lambda f: (f.reshape(3, 2) * np.outer(x, y)).sum() - product},
    ]
    start = np.outer(rows, columns).ravel()
    best = optimize.minimize(loss, start, constraints=wanted, bounds=[(0, 1)] * 6, tol=1e-12)
    assert table.ravel() == pytest.approx(best.x, abs=1e-4)


@pytest.mark.parametrize("label", range(6))
def test_means(label: int) -> None:
    draw = np.random.default_rng(label)
    truth = draw.random((6, 4)) + 0.05
    truth /= truth.sum()
    rows, columns = truth.sum(axis=1), truth.sum(axis=0)
    x = np.sort(draw.normal(1e5, 2e4, 6))
    means = (truth * x[:, None]).sum(axis=0) / columns
    table = with_means(rows, columns, x, means)
    # Rounds are bounded; what is left is far below what the mixture leaves.
    assert table.sum(axis=1) == pytest.approx(rows, abs=1e-3)
    assert table.sum(axis=0) == pytest.approx(columns, abs=1e-9)
    assert (table * x[:, None]).sum(axis=0) / columns == pytest.approx(means, rel=1e-3)


def test_empty_levels_and_impossible_moments_stay_tables() -> None:
    rows, columns = np.array([0.0, 1.0]), np.array([0.7, 0.0, 0.3])
    x, y = np.array([0.0, 1.0]), np.array([0.0, 1.0, 2.0])
    for product in (-50.0, 0.6, 50.0):
        table = with_product(rows, columns, x, y, product)
        assert np.isfinite(table).all()
        assert table.sum() == pytest.approx(1)
        assert table[0].sum() == 0
    table = with_means(rows, columns, x, np.array([5.0, 0.0, -5.0]))
    assert np.isfinite(table).all()
    assert table[:, 1].sum() == pytest.approx(0, abs=1e-12)
