"""Second moments: what one unit moves, what the cells say, and what noise does to them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.grid import Grid
from sudare.facts.relation import Relation
from sudare.queries.noising import Noising
from sudare.queries.second_moments import SecondMoments, drawn
from sudare.queries.sensitivity import Setting
from sudare.queries.spread import reach95
from support.bits import CountedBits

GRIDS = (Grid(-2, 1, 1.0, True), Grid(0, 1, 1.0, True), Grid(3, 5, 0.5, True))
RELATIONS = [Relation.ADD_REMOVE, Relation.REPLACE_ONE]
Cells = tuple[NDArray[np.int64], ...]


def sums(moments: SecondMoments, rows: NDArray[np.int64]) -> list[int]:
    """(n, monomials…) by definition."""
    found = [len(rows)]
    for monomial in moments.monomials:
        found.append(int(np.prod([rows[:, i] for i in monomial], axis=0).sum()))
    return found


def units(moments: SecondMoments, rows_per_unit: int) -> Iterator[Cells]:
    """The cells of every unit, the absent one included."""
    values = [range(grid.low, grid.high + 1) for grid in moments.grids]
    rows = list(itertools.product(*values))
    for count in range(rows_per_unit + 1):
        for chosen in itertools.combinations_with_replacement(rows, count):
            table = np.array(chosen, dtype=np.int64).reshape(count, len(moments.grids))
            yield tuple(np.array(b) for b in moments.exact(sums(moments, table)))


def largest(cells: list[Cells], relation: Relation) -> tuple[list[int], list[int], Fraction]:
    """Block by block the largest L1 and L2² change, and the largest change of all blocks at once
    as a share of their L1 sensitivities (given as the largest of each)."""
    absent = cells[0]
    others = cells if relation is Relation.REPLACE_ONE else [absent]
    l1 = [max(int(np.abs(a[b] - o[b]).sum()) for a in cells for o in others)
          for b in range(len(absent))]  # fmt: skip
    l2 = [max(int(((a[b] - o[b]) ** 2).sum()) for a in cells for o in others)
          for b in range(len(absent))]  # fmt: skip
    joint = max(
        sum(Fraction(int(np.abs(a[b] - o[b]).sum()), l1[b]) for b in range(len(l1)))
        for a in cells
        for o in others
    )
    return l1, l2, Fraction(joint)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("rows_per_unit", [1, 2])
def test_sensitivities_hold_and_are_attained(relation: Relation, rows_per_unit: int) -> None:
    grids = GRIDS if rows_per_unit == 1 else GRIDS[:2]
    moments = SecondMoments(grids, Setting(relation, rows_per_unit, 1))
    l1, l2, joint = largest(list(units(moments, rows_per_unit)), relation)
    assert l1 == [block.sensitivity.l1 for block in moments.blocks]
    assert l2 == [block.sensitivity.l2_squared for block in moments.blocks]
    if relation is Relation.ADD_REMOVE:
        assert joint == len(moments.blocks)
    else:
        assert joint < len(moments.blocks)


def test_a_weight_multiplies_the_sensitivity() -> None:
    setting = Setting(Relation.ADD_REMOVE, 1, 1)
    plain, heavy = (SecondMoments(GRIDS, setting, None, weight) for weight in (1, 7))
    for one, other in zip(plain.blocks, heavy.blocks, strict=True):
        assert other.sensitivity.l1 == 7 * one.sensitivity.l1
        assert other.sensitivity.l2_squared == 49 * one.sensitivity.l2_squared
    np.testing.assert_allclose(heavy.units(), 7 * plain.units())


@pytest.mark.parametrize("public", [None, 500])
def test_exact_cells_give_the_matrix(public: int | None) -> None:
    generator = np.random.default_rng(1)
    rows = np.stack([generator.integers(g.low, g.high + 1, 500) for g in GRIDS], axis=1)
    moments = SecondMoments(GRIDS, Setting(Relation.REPLACE_ONE, 1, 1), public)
    cells = np.concatenate(moments.exact(sums(moments, rows))) / moments.units()
    y = np.stack([(2 * rows[:, j] - g.low - g.high) / g.span for j, g in enumerate(GRIDS)], axis=1)
    wide = np.concatenate([np.ones((500, 1)), y], axis=1)
    np.testing.assert_allclose(moments.matrices(cells), wide.T @ wide, atol=1e-9)


def test_a_public_number_of_rows_is_used() -> None:
    moments = SecondMoments(GRIDS, Setting(Relation.REPLACE_ONE, 1, 1), 100)
    exact = public_cells(moments)
    noise = drawn("laplace", np.ones(len(exact)), 20_000, CountedBits("public rows"))
    found = moments.matrices(exact + noise)
    assert np.all(found[:, 0, 0] == 100)
    # All rows are at corners, where y² = 1; 20 000 draws of deviation 2.3 leave 0.1 at p < 1e-6.
    assert abs(found[:, 1, 1].mean() - 100) < 0.1
    noising = Noising.of(Relation.REPLACE_ONE, moments.blocks, "laplace", Fraction(1))
    assert moments.count_deviation(noising.noises()) == 0


def public_cells(moments: SecondMoments) -> NDArray[np.float64]:
    """The cells of 100 rows at the corners of the bounds."""
    low = [[grid.low, grid.high] for grid in moments.grids]
    rows = np.array(list(itertools.product(*low)) * 13, dtype=np.int64)[:100]
    found: NDArray[np.float64] = np.concatenate(moments.exact(sums(moments, rows)))
    return found / moments.units()


@pytest.mark.integration
@pytest.mark.parametrize("name", ["laplace", "gaussian"])
def test_simulated_noise_is_the_noise(name: str) -> None:
    moments = SecondMoments(GRIDS, Setting(Relation.ADD_REMOVE, 1, 1))
    noising = Noising.of(Relation.ADD_REMOVE, moments.blocks, name, Fraction(1, 50))  # type: ignore[arg-type]
    zero = [[0] * block.cells for block in moments.blocks]
    bits = CountedBits(f"second moments {name}")
    really = np.stack([np.array(noising.apply(zero, bits)) for _ in range(2000)])
    drawn_again = moments.simulated(np.zeros(len(moments.units())), noising.noises(), 2000, bits)
    found = moments.matrices(really / moments.units())
    # Both are 2000 draws of one law: a ratio of deviations off by 15 % has p < 1e-6.
    ratio = drawn_again.std(axis=0) / found.std(axis=0)
    assert 0.85 < ratio.min() <= ratio.max() < 1.18
    assert abs(moments.count_deviation(noising.noises()) / found[:, 0, 0].std() - 1) < 0.12


def test_the_reach_is_the_95th_of_a_hundred() -> None:
    deviations = np.arange(1, 101)[:, None] * np.array([[1.0, -2.0]])
    assert reach95(deviations).tolist() == [96.0, 192.0]
