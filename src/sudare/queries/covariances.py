"""covariance(x, y, …): the matrix from one Bernstein block a column and one sum a pair.

Each column gives n, its mean and variance as in queries/variances.py; each pair adds Σ y_i·y_j with
y = 2x − low − high in [−range, range]. That is d + d(d−1)/2 blocks with an even share each, where
noising n, all sums and all products apart would take 1 + d + d(d+1)/2. Rows with a missing value
in any of the columns are left out. The matrix is made positive semidefinite (in units of the
ranges) by cutting negative eigenvalues off, which is post-processing and never moves it further
from the truth in the Frobenius norm.

Sensitivity  docs/sensitivity.md, "Covariance". Paper 003's 8γ²/n needs a public n and an L1 norm.
Error    the pair's own noise and the noise of means and n, added; see `_pair`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.query import Query
from sudare.facts.release import Value
from sudare.facts.schema import Schema
from sudare.queries.interval import Noise, half_width95
from sudare.queries.measurement import Additive, Block, Estimate
from sudare.queries.numbers import number_grid
from sudare.queries.sensitivity import of_shares, of_sum
from sudare.queries.variances import LARGEST, Moment, bernstein, uniform_bernstein

Matrix = NDArray[np.float64]


class Covariance(Additive):
    """The population covariance matrix, a group each."""

    def __init__(self, query: Query, schema: Schema) -> None:
        super().__init__(query, schema)
        self.grids = [number_grid(name, schema, 2) for name in query.columns]
        self.size = len(self.grids)
        self.pairs = list(itertools.combinations(range(self.size), 2))
        singles = [(i,) for i in range(self.size)]
        squares = [(i, i) for i in range(self.size)]
        monomials = (*singles, *squares, *self.pairs)
        self.request = MomentsRequest(query.where, self.group_axes, query.columns, monomials)
        spans = [grid.span for grid in self.grids]
        own = [Block(3 * self.groups, of_shares(self.setting, span**2)) for span in spans]
        mixed = [
            Block(self.groups, of_sum(self.setting, -spans[i] * spans[j], spans[i] * spans[j]))
            for i, j in self.pairs
        ]
        self.blocks = (*own, *mixed)

    def exact(self, moments: Moments) -> list[list[int]]:
        d = self.size
        own: list[list[int]] = [[] for _ in range(d)]
        mixed: list[list[int]] = [[] for _ in self.pairs]
        for n, *sums in moments.rows:
            for i, grid in enumerate(self.grids):
                own[i].extend(bernstein(grid.low, grid.high, n, sums[i], sums[d + i]))
            for place, (i, j) in enumerate(self.pairs):
                a, b = (grid.low + grid.high for grid in (self.grids[i], self.grids[j]))
                product = sums[2 * d + place]
                mixed[place].append(4 * product - 2 * b * sums[i] - 2 * a * sums[j] + a * b * n)
        return [*own, *mixed]

    def expected(self) -> list[list[float]]:
        rows = self.expected_rows
        own = [uniform_bernstein(rows, grid.span) for grid in self.grids]
        return [*own, *([0.0] for _ in self.pairs)]

    def estimate(self, cells: Sequence[Sequence[float | int]], noises: list[Noise]) -> Estimate:
        values: list[float] = []
        errors: list[float] = []
        widths = np.array([grid.span * grid.step for grid in self.grids])
        units = np.outer(widths, widths)
        groups = len(cells[0]) // 3
        for group in range(groups):
            matrix, error = self._matrix(cells, noises, group)
            values.extend((_semidefinite(matrix) * units).ravel().tolist())
            errors.extend((error * units + self._rounding()).ravel().tolist())
        return Estimate(values, errors, (units / 12).ravel().tolist() * groups)

    def _matrix(
        self, cells: Sequence[Sequence[float | int]], noises: list[Noise], group: int
    ) -> tuple[Matrix, Matrix]:
        """Covariances of t in [0, 1] and their errors."""
        found = [Moment(cells[i][3 * group : 3 * group + 3], noises[i]) for i in range(self.size)]
        matrix = np.diag([moment.variance for moment in found])
        error = np.diag([moment.variance_error for moment in found])
        for place, (i, j) in enumerate(self.pairs, start=self.size):
            span = float(self.grids[i].span * self.grids[j].span)
            product, noise = float(cells[place][group]) / span, noises[place]
            width = half_width95([(1.0, noise)]) / span
            matrix[i, j], error[i, j] = self._pair(found, i, j, product, width)
            matrix[j, i], error[j, i] = matrix[i, j], error[i, j]
        return matrix, error

    def _pair(
        self, found: list[Moment], i: int, j: int, product: float, width: float
    ) -> tuple[float, float]:
        """One covariance of t: (E[y_i y_j] − E[y_i]E[y_j])/4 with y in [−1, 1].

        The pair's own noise is independent of the rest, so the two are added as a root of squares;
        the noise of the means and of n may pull the same way, so their shares are added.
        """
        if any(moment.swamped for moment in found):
            return 0.0, LARGEST
        counts = [
            moment.total / grid.span**2 for moment, grid in zip(found, self.grids, strict=True)
        ]
        count_errors = [
            moment.total_error / grid.span**2
            for moment, grid in zip(found, self.grids, strict=True)
        ]
        n = sum(counts) / self.size
        n_error = math.sqrt(sum(e * e for e in count_errors)) / self.size
        least = n - n_error
        u, v = 2 * found[i].mean - 1, 2 * found[j].mean - 1
        u_error, v_error = 2 * found[i].mean_error, 2 * found[j].mean_error
        together = abs(v) * u_error + abs(u) * v_error + abs(product) / least * n_error / least
        error = math.hypot(width / least, together) + u_error * v_error
        value = (product / n - u * v) / 4
        return min(LARGEST, max(-LARGEST, value)), min(2 * LARGEST, error / 4)

    def _rounding(self) -> Matrix:
        """Half a step of one column against the whole range of the other, and the reverse."""
        halves = np.array([0.0 if grid.is_exact else grid.step / 2 for grid in self.grids])
        widths = np.array([grid.span * grid.step for grid in self.grids])
        return np.outer(widths, halves) + np.outer(halves, widths)

    def shape(self, cells: Sequence[Any]) -> Value:
        whole = self.size**2
        matrices = [
            self._nested(cells[whole * group : whole * (group + 1)]) for group in range(self.groups)
        ]
        return dict(zip(self.labels, matrices, strict=True)) if self.is_table else matrices[0]

    def _nested(self, cells: Sequence[Any]) -> dict[str, Any]:
        names, size = self.query.columns, self.size
        return {
            name: dict(zip(names, cells[size * i : size * (i + 1)], strict=True))
            for i, name in enumerate(names)
        }

    def drowned(self, estimate: Estimate) -> tuple[str, ...]:
        groups = self.labels if self.is_table else ("",)
        names = self.query.columns
        labels = [
            ", ".join(part for part in (group, a, b) if part)
            for group in groups
            for a in names
            for b in names
        ]
        cells = zip(labels, estimate.values, estimate.errors, strict=True)
        return tuple(label for label, value, error in cells if error >= abs(value))


def _semidefinite(matrix: Matrix) -> Matrix:
    """The nearest positive semidefinite matrix in the Frobenius norm (Higham 1988)."""
    values, vectors = np.linalg.eigh(matrix)
    if values.min() >= 0:
        return matrix
    cut: Matrix = (vectors * np.maximum(values, 0)) @ vectors.T
    return (cut + cut.T) / 2
