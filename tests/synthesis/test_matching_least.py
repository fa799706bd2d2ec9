"""The least change: it closes the gap to first order, moves nothing else, and is the least."""

from __future__ import annotations

import numpy as np
import pytest

from sudare.synthesis.matching import gradients, least
from sudare.synthesis.matching.least import least_change


def problem(label: int, columns: int = 5, rows: int = 60) -> tuple[np.ndarray, ...]:
    draw = np.random.default_rng(label)
    z = draw.normal(size=(rows, columns))
    moves = np.array([0, 2, 3])[: columns - 1]
    give = draw.random((rows, len(moves)))
    give[:5] = 0
    known = np.ones((columns, columns), bool)
    known[0, 4 % columns] = known[4 % columns, 0] = columns < 5
    sums = draw.normal(size=columns) * 0.01
    products = draw.normal(size=(columns, columns)) * 0.01
    return z, give, moves, sums, products + products.T, known


def added(z: np.ndarray, moves: np.ndarray, change: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the change adds to Σz and, to first order, to Σzz."""
    whole = np.zeros_like(z)
    whole[:, moves] = change
    return whole.sum(axis=0), whole.T @ z + z.T @ whole


@pytest.mark.parametrize("few", [400, 0])
@pytest.mark.parametrize("label", range(3))
def test_the_gap_is_closed_to_first_order(
    label: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Written down and solved, or by conjugate gradients."""
    monkeypatch.setattr(least, "_FEW", few)
    z, give, moves, sums, products, known = problem(label)
    change = least_change(z, give, moves, sums, products, known, len(z))
    total, pairs = added(z, moves, change)
    # Conjugate gradients stop near the solution, and Newton's next step takes the rest.
    near = 1e-6 if few else 10 * gradients._NEAR * len(z)
    assert total[moves] == pytest.approx(sums[moves] * len(z), abs=near)
    concerned = np.zeros_like(known)
    concerned[moves] = concerned[:, moves] = True
    concerned &= known
    assert pairs[concerned] == pytest.approx((products * len(z))[concerned], abs=near)
    # Where nothing gives, nothing moves.
    assert not change[:5].any()


def test_no_other_change_that_closes_the_gap_is_smaller() -> None:
    z, give, moves, sums, products, known = problem(7)
    give = give + 0.1
    change = least_change(z, give, moves, sums, products, known, len(z))
    # A change of the null space of all constraints is added; the norm can only grow.
    draw = np.random.default_rng(0)
    rows, columns = z.shape
    constraints = []
    for at, column in enumerate(moves.tolist()):
        unit = np.zeros((rows, len(moves)))
        unit[:, at] = 1
        constraints.append(unit.ravel())
        for other in range(columns):
            if known[column, other]:
                both = np.zeros((rows, len(moves)))
                both[:, at] = z[:, other]
                if other in moves:
                    both[:, moves.tolist().index(other)] += z[:, column]
                constraints.append(both.ravel())
    basis = np.linalg.qr(np.array(constraints).T)[0]
    for _ in range(5):
        extra = draw.normal(size=change.size) * 0.01
        extra -= basis @ (basis.T @ extra)
        moved = change + extra.reshape(change.shape)
        assert np.sum(moved**2 / give) > np.sum(change**2 / give)
