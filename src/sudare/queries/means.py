"""mean(x): a ratio of two noisy sums, chosen so that they share one sensitivity.

Private n    Noising Σx and n with half the budget each wastes half of it. The pair
             (Σ(x − low), Σ(high − x)) is non-negative and adds up to high − low in every row, so
             its L1 sensitivity is that of *one* sum: both means and counts come out with half the
             variance at the same ε. n = (a + b)/(high − low), mean = low + (high − low)·a/(a + b).
             Under replace-one with one group the pair (Σy, (high−low)·n), y = 2x − low − high,
             is cheaper still (queries/sensitivity.py, of_centered_pair).
Public n     Under replace-one with a declared `public_rows`, no filter, and a column declared
             `complete`, n needs no budget: mean = middle + Σ(x − middle)/n. A missing value would
             count as the middle of the bounds, hence the declaration that there is none.
Error        Fieller's bound (queries/interval.py), from released cells only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.query import Query
from sudare.facts.relation import Relation
from sudare.facts.schema import Schema
from sudare.queries.interval import Noise, half_width95, ratio_error95
from sudare.queries.measurement import Additive, Block, Estimate
from sudare.queries.numbers import number_grid, shown, typical_size
from sudare.queries.sensitivity import of_centered_pair, of_shares, of_sum


class _MeanBase(Additive):
    """What the three ways to a mean have in common."""

    def __init__(self, query: Query, schema: Schema) -> None:
        super().__init__(query, schema)
        self.grid = number_grid(query.columns[0], schema, 1)
        self.request = MomentsRequest(query.where, self.group_axes, query.columns, ((0,),))

    def _in_units(self, places: list[float], errors: list[float]) -> Estimate:
        """From places in [0, 1] between the bounds to values."""
        grid = self.grid
        rounding = 0.0 if grid.is_exact else grid.step / 2
        return Estimate(
            [(grid.low + grid.span * place) * grid.step for place in places],
            [grid.span * grid.step * error + rounding for error in errors],
            [typical_size(grid)] * len(places),
        )

    def drowned(self, estimate: Estimate) -> tuple[str, ...]:
        """A mean says nothing once its error reaches half the declared range."""
        half = self.grid.span * self.grid.step / 2
        labels = self.labels if self.is_table else ("",)
        cells = zip(labels, estimate.errors, strict=True)
        return tuple(label for label, error in cells if error >= half)

    def present(self, cell: float | int) -> Any:
        return shown(self.query.columns[0], self.schema, cell)


class Mean(_MeanBase):
    """The mean by two sums that share one sensitivity."""

    def __init__(self, query: Query, schema: Schema) -> None:
        super().__init__(query, schema)
        sensitivity = of_shares(self.setting, self.grid.span)
        self.blocks = (Block(2 * self.groups, sensitivity),)

    def exact(self, moments: Moments) -> list[list[int]]:
        low, high = self.grid.low, self.grid.high
        return [[part for n, total in moments.rows for part in (total - low * n, high * n - total)]]

    def expected(self) -> list[list[float]]:
        return [[self.expected_rows * self.grid.span / 2] * 2]

    def estimate(self, cells: Sequence[Sequence[float | int]], noises: list[Noise]) -> Estimate:
        places, errors = [], []
        for group in range(len(cells[0]) // 2):
            above, below = cells[0][2 * group : 2 * group + 2]
            total = float(above + below)
            place = min(1.0, max(0.0, float(above) / total)) if total > 0 else 0.5
            places.append(place)
            errors.append(ratio_error95(total, place, lambda u: (1 - u, u), noises[0], 0.0, 1.0))
        return self._in_units(places, errors)


class CenteredMean(_MeanBase):
    """The mean of one group under replace-one."""

    def __init__(self, query: Query, schema: Schema) -> None:
        super().__init__(query, schema)
        self.blocks = (Block(2, of_centered_pair(self.setting, self.grid.span)),)

    def exact(self, moments: Moments) -> list[list[int]]:
        n, total = moments.rows[0]
        return [[2 * total - (self.grid.low + self.grid.high) * n, self.grid.span * n]]

    def expected(self) -> list[list[float]]:
        return [[0.0, self.expected_rows * self.grid.span]]

    def estimate(self, cells: Sequence[Sequence[float | int]], noises: list[Noise]) -> Estimate:
        offset, total = float(cells[0][0]), float(cells[0][1])
        ratio = min(1.0, max(-1.0, offset / total)) if total > 0 else 0.0
        error = ratio_error95(total, ratio, lambda u: (1.0, u), noises[0], -1.0, 1.0)
        return self._in_units([(1 + ratio) / 2], [error / 2])


class PublicMean(_MeanBase):
    """The mean over a public number of rows."""

    def __init__(self, query: Query, schema: Schema) -> None:
        super().__init__(query, schema)
        self.blocks = (Block(1, of_sum(self.setting, -self.grid.span, self.grid.span)),)
        assert schema.table.public_rows is not None
        self.rows = schema.table.public_rows

    def exact(self, moments: Moments) -> list[list[int]]:
        n, total = moments.rows[0]
        return [[2 * total - (self.grid.low + self.grid.high) * n]]

    def expected(self) -> list[list[float]]:
        return [[0.0]]

    def estimate(self, cells: Sequence[Sequence[float | int]], noises: list[Noise]) -> Estimate:
        whole = self.rows * self.grid.span
        ratio = min(1.0, max(-1.0, float(cells[0][0]) / whole))
        error = min(1.0, half_width95([(1.0, noises[0])]) / whole)
        return self._in_units([(1 + ratio) / 2], [error / 2])


def mean(query: Query, schema: Schema) -> Additive:
    """The cheapest right way to this mean."""
    counted = schema.table.public_rows is not None and query.where is None and not query.by
    if counted and schema.column(query.columns[0]).complete:
        return PublicMean(query, schema)
    if schema.table.neighbours is Relation.REPLACE_ONE and not query.by:
        return CenteredMean(query, schema)
    return Mean(query, schema)
