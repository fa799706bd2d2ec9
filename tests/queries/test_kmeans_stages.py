"""The stages of kmeans: what one unit moves in each, and what is made of noisy cells afterwards."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.cluster import KMeans as Plain

from sudare.facts.grid import Grid
from sudare.facts.relation import Relation
from sudare.queries.interval import Noise
from sudare.queries.kmeans_cells import clustered, square_distances
from sudare.queries.kmeans_landmarks import bins_for, edges_of, weighted_points, with_spares
from sudare.queries.kmeans_start import Columns, Start
from sudare.queries.kmeans_sums import Sums, pairs
from sudare.queries.sensitivity import Setting
from support.bits import CountedBits
from support.tiny import moments

GRIDS = (Grid(-2, 2, 1.0, True), Grid(0, 1, 1.0, True))
NAMES = ("a", "b")
# Three clusters and several rows in each; the second and the third hold both ends of column a.
CENTERS = np.array([[0.5, 0.0], [0.0, 1.0], [1.0, 1.0]])
Cells = NDArray[np.int64]
Rows = list[dict[str, Any]]


def columns(relation: Relation, rows_per_unit: int, expected: float = 1000.0) -> Columns:
    setting = Setting(relation, rows_per_unit, 1)
    return Columns(NAMES, GRIDS, None, setting, "laplace", expected)


def units(rows_per_unit: int) -> Iterator[Rows]:
    """All rows of one unit: none, fewer, as many as it may have, and rows that lack a value."""
    values = itertools.product([-2, 0, 2, None], [0, 1])
    rows = [{"a": a, "b": b} for a, b in values]
    for count in range(rows_per_unit + 1):
        yield from map(list, itertools.combinations_with_replacement(rows, count))


def moved(found: list[Cells], relation: Relation) -> tuple[int, int]:
    """The largest L1 and squared L2 change when one unit comes, goes or is replaced."""
    others = found if relation is Relation.REPLACE_ONE else found[:1]
    changes = [one - other for one in found for other in others]
    return (
        max(int(np.abs(change).sum()) for change in changes),
        max(int((change**2).sum()) for change in changes),
    )


@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize("rows_per_unit", [1, 2])
@pytest.mark.parametrize("count", [1, 3])
def test_a_round_moves_by_its_sensitivity(
    relation: Relation, rows_per_unit: int, count: int
) -> None:
    """Cluster and column by column, by all units; some unit attains each claim."""
    clustering = columns(relation, rows_per_unit)
    request = clustering.nearest(CENTERS[:count])
    seen = [moments(request, rows).rows for rows in units(rows_per_unit)]
    claims = {
        name: Sums(clustering.setting, GRIDS, count, name, Fraction(1)).mechanisms()
        for name in ("laplace", "gaussian")
    }
    for place, grid in enumerate(GRIDS):
        cells = [np.array(pairs(rows, place, grid)) for rows in seen]
        l1, l2 = moved(cells, relation)
        assert l1 == claims["laplace"][place].l1_sensitivity  # type: ignore[union-attr]
        assert l2 == claims["gaussian"][place].l2_sensitivity_squared  # type: ignore[union-attr]


@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize("rows_per_unit", [1, 2])
@pytest.mark.parametrize("expected", [1e6, 10.0], ids=["grid", "columns apart"])
def test_the_cells_of_the_start_move_by_their_sensitivity(
    relation: Relation, rows_per_unit: int, expected: float
) -> None:
    clustering = columns(relation, rows_per_unit, expected)
    start = Start(clustering, 2, Fraction(1), Fraction(0))
    assert start.is_grid == (expected > 100)
    spied = [counted(start, rows) for rows in units(rows_per_unit)]
    for place, mechanism in enumerate(start.counting()):
        l1, _ = moved([each[place] for each in spied], relation)
        assert l1 == mechanism.l1_sensitivity  # type: ignore[union-attr]


def counted(start: Start, rows: Rows) -> list[Cells]:
    """The exact cells that the start asks for."""
    asked: list[Cells] = []

    class Fetch:
        def moments(self, requests: Any) -> Any:
            found = [moments(request, rows) for request in requests]
            asked.extend(np.array([row[0] for row in each.rows]) for each in found)
            return found

    start.centers(Fetch(), CountedBits("cells"))  # type: ignore[arg-type]
    return asked


def test_sizes_and_means_without_noise_are_exact() -> None:
    rows = [{"a": -2, "b": 1}] * 3 + [{"a": 0, "b": 1}] + [{"a": 2, "b": 1}] * 2
    clustering = columns(Relation.ADD_REMOVE, 1)
    exact = moments(clustering.nearest(CENTERS), rows).rows
    found = clustering.sums(3, Fraction(10**9)).found(exact, CountedBits("exact"))
    assert found.sizes.tolist() == [0, 4, 2]
    assert found.told.tolist() == [False, True, True]
    # −2 four times but once 0: the mean −1.5 is 0.5/4 of the way; what is empty is in the middle.
    np.testing.assert_allclose(found.means, [[0.5, 0.5], [0.125, 1.0], [1.0, 1.0]])


@pytest.mark.parametrize("most", [1, 5, 64, 4096])
def test_bins_fill_the_cells_they_may_have(most: int) -> None:
    grids = (Grid(0, 1000, 1.0, True), Grid(0, 1, 1.0, True), Grid(0, 50, 1.0, True))
    bins = bins_for(grids, most, 64)
    assert np.prod(bins) <= most
    assert bins[1] <= 2
    if most == 4096:
        assert bins == [45, 2, 45]


def test_edges_lie_on_the_grid_and_leave_no_gap() -> None:
    low, high = edges_of(Grid(0, 10, 1.0, True), 4)
    assert (low * 10).tolist() == [0, 3, 6, 9]
    assert (high * 10).tolist() == [2, 5, 8, 10]


def test_what_stands_out_keeps_its_place_and_the_rest_its_mass() -> None:
    """One heavy cell, and a scatter too light for single cells but not for blocks of them."""
    edges = [edges_of(Grid(0, 63, 1.0, True), 64)]
    cells = np.full(64, 3, dtype=np.int64)
    cells[5] = 1000
    points, weights = weighted_points(cells, edges, Noise("laplace", 5.0))
    assert weights.max() == 1000
    assert points[weights.argmax(), 0] == pytest.approx(5 / 63)
    assert weights.sum() == pytest.approx(cells.sum())


def test_empty_cells_hold_few_points() -> None:
    """4096 cells of pure noise, a hundred times: about one stands out of each level of blocks."""
    bits = np.random.default_rng(2)
    edges = [edges_of(Grid(0, 63, 1.0, True), 64)] * 2
    found = []
    for _ in range(100):
        cells = np.rint(bits.laplace(0, 5, (64, 64))).astype(np.int64)
        found.append(len(weighted_points(cells, edges, Noise("laplace", 5.0))[1]))
    # Seven levels; a sum of 700 counts of mean about one beyond twice that has p < 1e-6.
    assert np.mean(found) < 14


@pytest.mark.integration
def test_weighted_points_are_clustered_as_well_as_by_scikit_learn() -> None:
    generator = np.random.default_rng(3)
    points, weights = generator.random((400, 3)), generator.exponential(5, 400)
    centers = clustered(points, weights, 6, restarts=8)
    ours = float(weights @ square_distances(points, centers).min(axis=1))
    plain = Plain(6, n_init=20, random_state=0).fit(points, sample_weight=weights)
    assert ours < 1.05 * plain.inertia_
    np.testing.assert_array_equal(centers, clustered(points, weights, 6, restarts=8))


def test_there_is_a_place_for_every_centre_even_where_there_is_no_point() -> None:
    points, weights = with_spares(np.empty((0, 2)), np.empty(0), 30)
    centers = clustered(points, weights, 30, restarts=2)
    assert len(np.unique(centers, axis=0)) == 30
    assert 0 <= centers.min() <= centers.max() <= 1
