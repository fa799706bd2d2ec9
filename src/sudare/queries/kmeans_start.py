"""Where k-means starts: noisy counts over a grid, then noisy means around landmarks.

Grid     all columns together, in equal bins over their declared ranges. Rows and noise that the
         plan leads one to expect decide how many: n rows fill at most n/(4σ) cells with four times
         the noise σ of a cell, so there are no more than that, and at most 4,096.
         Where a grid of three bins a column would already have too many cells (many columns), each
         column is counted by itself with an even part, and points are spread over the product of
         what the columns show.
Landmarks the heavy cells are grouped around some 32 landmarks (or 4k), each cell with its nearest
         one, and a noisy round (queries/kmeans_sums.py) tells how many rows a group has and where
         its mean is. That is found from the cells of the same pass; where there is no grid, one
         more pass asks for the nearest landmark of every row. Where the plan leads one to expect
         fewer than 28 noise standard deviations of rows a landmark, and so fewer than 2k landmarks,
         they are left out and the cells themselves are the start.
Claim    the cells are counts of disjoint groups (`of_sum`): m in L1 and m² in squared L2 under
         add-remove, 2m and 2m² under replace-one, m rows a unit. The landmarks depend on them
         after noise alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.aggregate import MomentsRequest, NearestAxis, UniformAxis
from sudare.facts.events import PrivacyEvent
from sudare.facts.fetch import Fetch
from sudare.facts.grid import Grid
from sudare.facts.query import Predicate
from sudare.facts.release import NoiseFact
from sudare.queries.kmeans_cells import clustered, square_distances
from sudare.queries.kmeans_landmarks import (
    bins_for,
    edges_of,
    spread_points,
    weighted_points,
    with_spares,
)
from sudare.queries.kmeans_sums import Noisy, Sums, fact_of, noise_of, noisy
from sudare.queries.measurement import MechanismName
from sudare.queries.sensitivity import Setting, of_sum
from sudare.randomness.bits import RandomBits

Array = NDArray[np.float64]
MOST_CELLS = 4096
MOST_BINS = 64
# Bins a column where a grid is to be worth while, and where columns are counted apart.
_LEAST_BINS = 3
_APART_BINS = 16
_APART_POINTS = 2048
# Expected rows of a cell, in standard deviations of its noise, if all cells were alike.
_DEVIATIONS_A_CELL = 4
# A landmark's mean is worth its noise from this many standard deviations of rows on.
_ROWS_PER_DEVIATION = 28


@dataclass(frozen=True)
class Columns:
    """The columns that are clustered, as every stage of the question sees them."""

    names: tuple[str, ...]
    grids: tuple[Grid, ...]
    where: Predicate | None
    setting: Setting
    mechanism: MechanismName
    expected_rows: float

    def sums(self, groups: int, part: Fraction) -> Sums:
        return Sums(self.setting, self.grids, groups, self.mechanism, part)

    def nearest(self, centers: Array) -> MomentsRequest:
        """Rows and sums of every column by nearest centre (given in [0, 1]), each column in units
        of its span."""
        lows = np.array([float(grid.low) for grid in self.grids])
        spans = np.array([float(grid.span) for grid in self.grids])
        places = tuple(tuple(float(x) for x in row) for row in lows + centers * spans)
        weights = tuple(float(1 / span**2) for span in spans)
        axis = NearestAxis(self.names, places, weights)
        return MomentsRequest(self.where, (axis,), self.names, self.monomials)

    @property
    def monomials(self) -> tuple[tuple[int, ...], ...]:
        return tuple((j,) for j in range(len(self.names)))


class Start:
    """The private start of k clusters: `part` for the cells, `sketch` for the landmarks."""

    def __init__(self, columns: Columns, k: int, part: Fraction, sketch: Fraction) -> None:
        self.columns = columns
        self.k = k
        self.part = part
        self.sketch = sketch
        grids = columns.grids
        deviation = math.sqrt(noise_of(self._counting(MOST_CELLS, part)).variance)
        worth = columns.expected_rows / (_DEVIATIONS_A_CELL * max(1.0, deviation))
        self.bins = bins_for(grids, int(min(MOST_CELLS, worth)), MOST_BINS)
        self.is_grid = all(
            bins >= min(_LEAST_BINS, grid.span + 1)
            for bins, grid in zip(self.bins, grids, strict=True)
        )
        if not self.is_grid:
            self.bins = [min(_APART_BINS, grid.span + 1) for grid in grids]

    @staticmethod
    def landmarks(columns: Columns, k: int, sketch: Fraction) -> int:
        """How many landmarks the plan is good for; 0 where fewer than 2k."""
        deviation = math.sqrt(float(columns.sums(1, sketch).width(smooth=True).variances.max()))
        worth = columns.expected_rows / (_ROWS_PER_DEVIATION * deviation)
        found = int(min(max(32, 4 * k), worth))
        return found if found >= 2 * k else 0

    def counting(self) -> list[Noisy]:
        """The noise of the cells, one block or one a column."""
        if self.is_grid:
            return [self._counting(math.prod(self.bins), self.part)]
        return [self._counting(bins, self.part / len(self.bins)) for bins in self.bins]

    def events(self) -> list[PrivacyEvent]:
        found: list[PrivacyEvent] = [each.event() for each in self.counting()]
        return found + (self._sums().events() if self.sketch else [])

    def facts(self) -> list[NoiseFact]:
        return [
            *(fact_of(each) for each in self.counting()),
            *(self._sums().facts() if self.sketch else ()),
        ]

    def described(self) -> dict[str, Any]:
        """What the answer tells of the start."""
        names = self.columns.names
        marks = self._sums().groups if self.sketch else 0
        form = "grid" if self.is_grid else "columns"
        return {"form": form, "bins": dict(zip(names, self.bins, strict=True)), "landmarks": marks}

    def centers(self, fetch: Fetch, bits: RandomBits) -> Array:
        """k starting centres in [0, 1]."""
        points, weights = self._by_grid(fetch, bits) if self.is_grid else self._apart(fetch, bits)
        return clustered(*with_spares(points, weights, self.k), self.k, restarts=8)

    def _sums(self) -> Sums:
        marks = self.landmarks(self.columns, self.k, self.sketch)
        return self.columns.sums(marks, self.sketch)

    def _counting(self, cells: int, part: Fraction) -> Noisy:
        place = self.columns.setting
        setting = Setting(place.relation, place.rows_per_unit, cells)
        return noisy(setting, self.columns.mechanism, of_sum(setting, 1, 1), part, cells)

    def _by_grid(self, fetch: Fetch, bits: RandomBits) -> tuple[Array, Array]:
        columns = self.columns
        axes = tuple(map(_axis, columns.names, columns.grids, self.bins))
        monomials = columns.monomials if self.sketch else ()
        request = MomentsRequest(columns.where, axes, columns.names, monomials)
        rows = fetch.moments([request])[0].rows
        (counting,) = self.counting()
        cells = counting.apply_array(np.array([row[0] for row in rows], dtype=np.int64), bits)
        edges = [edges_of(g, bins) for g, bins in zip(columns.grids, self.bins, strict=True)]
        points, weights = weighted_points(cells.reshape(self.bins), edges, noise_of(counting))
        if not self.sketch:
            return points, weights
        middles = np.stack(np.meshgrid(*((a + b) / 2 for a, b in edges), indexing="ij"), axis=-1)
        marks = self._marks(points, weights)
        nearest = square_distances(middles.reshape(-1, len(edges)), marks).argmin(axis=1)
        return self._sketched(_added(rows, nearest, len(marks)), bits)

    def _apart(self, fetch: Fetch, bits: RandomBits) -> tuple[Array, Array]:
        columns = self.columns
        parts = list(zip(columns.names, columns.grids, self.bins, strict=True))
        requests = [
            MomentsRequest(columns.where, (_axis(name, grid, bins),), columns.names)
            for name, grid, bins in parts
        ]
        found = fetch.moments(requests)
        spread = spread_points(_APART_POINTS, len(parts))
        for j, (counting, moments) in enumerate(zip(self.counting(), found, strict=True)):
            cells = counting.apply([row[0] for row in moments.rows], bits)
            spread[:, j] = _drawn(cells, edges_of(*parts[j][1:]), spread[:, j], counting)
        weights = np.full(len(spread), columns.expected_rows / len(spread))
        if not self.sketch:
            return spread, weights
        marks = self._marks(spread, weights)
        return self._sketched(fetch.moments([columns.nearest(marks)])[0].rows, bits)

    def _marks(self, points: Array, weights: Array) -> Array:
        count = self._sums().groups
        return clustered(*with_spares(points, weights, count), count, restarts=1)

    def _sketched(self, rows: Sequence[Sequence[int]], bits: RandomBits) -> tuple[Array, Array]:
        found = self._sums().found(rows, bits)
        return found.means[found.told], found.sizes[found.told]


def _axis(name: str, grid: Grid, bins: int) -> UniformAxis:
    return UniformAxis(name, grid.low, grid.span + 1, bins)


def _added(
    rows: Sequence[Sequence[int]], nearest: NDArray[np.int64], groups: int
) -> list[list[int]]:
    """Exact counts and sums of cells, added up by group."""
    found = [[0] * len(rows[0]) for _ in range(groups)]
    for row, group in zip(rows, nearest, strict=True):
        held = found[group]
        for place, value in enumerate(row):
            held[place] += value
    return found


def _drawn(
    cells: Sequence[int], edges: tuple[Array, Array], places: Array, counting: Noisy
) -> Array:
    """Points of [0, 1) moved to where a column's noisy cells have their share of the rows."""
    held = np.maximum(np.array(cells, dtype=np.float64), 0.0)
    held[held <= 2 * math.sqrt(noise_of(counting).variance)] = 0.0
    if held.sum() == 0:
        return places
    heaped = np.cumsum(held) / held.sum()
    found = np.minimum(np.searchsorted(heaped, places, side="right"), len(held) - 1)
    moved: Array = (edges[0] + edges[1])[found] / 2
    return moved
