"""sum(x): one sum a group of clamped grid indices (paper 003's sum and subset sum).

Sensitivity  docs/sensitivity.md, "Sums": contributions lie in [low, high] ∪ {0}.
"""

from __future__ import annotations

from collections.abc import Sequence

from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.query import Query
from sudare.facts.schema import Schema
from sudare.queries.interval import Noise, half_width95
from sudare.queries.measurement import Additive, Block, Estimate
from sudare.queries.numbers import number_grid, typical_size
from sudare.queries.sensitivity import of_sum


class Sum(Additive):
    """Σx over rows that pass the filter, a group each; missing values add nothing."""

    def __init__(self, query: Query, schema: Schema) -> None:
        super().__init__(query, schema)
        self.grid = number_grid(query.columns[0], schema, 1, dates=False)
        self.request = MomentsRequest(
            query.where, self.group_axes, query.columns, ((0,),), counted=False
        )
        sensitivity = of_sum(self.setting, self.grid.low, self.grid.high)
        self.blocks = (Block(self.groups, sensitivity),)

    def exact(self, moments: Moments) -> list[list[int]]:
        return [[total for (total,) in moments.rows]]

    def expected(self) -> list[list[float]]:
        middle = (self.grid.low + self.grid.high) / 2
        return [[self.expected_rows * middle]]

    def estimate(self, cells: Sequence[Sequence[float | int]], noises: list[Noise]) -> Estimate:
        step = self.grid.step
        # Rounding to the grid moves each value by at most half a step, up or down.
        rounding = 0.0 if self.grid.is_exact else self.expected_rows * step / 2
        error = half_width95([(1, noises[0])]) * step + rounding
        values = [cell if self.grid.is_exact else float(cell * step) for cell in cells[0]]
        size = max(1.0, self.expected_rows) * typical_size(self.grid)
        return Estimate(values, [float(error)] * len(values), [size] * len(values))
