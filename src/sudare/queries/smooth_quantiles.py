"""median(x), quantile(x, q) and iqr(x) by smooth sensitivity.

Quantile f(x) = x_r with r = ⌈q·n⌉. One row that comes, goes or changes moves it no further than to
         a neighbouring order statistic, so windows around r bound what any number of units can do
         (queries/smooth_windows.py with A = B = r; docs/smooth.md proves it).
Range    f(x) = x_(r₂) - x_(r₁). Both move by at most their own bound, so the sum of the two bounds
         is one. Where n is public and the same for all neighbours and a unit is one row, a row
         that grows moves both quantiles up, and one that shrinks moves both down: then the larger
         of the two will do. For that a row without a value has to be one: queries/smooth.py.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from sudare.facts.query import Query
from sudare.facts.schema import Schema
from sudare.queries.measurement import Share
from sudare.queries.numbers import shown
from sudare.queries.smooth import Found, Smooth
from sudare.queries.smooth_noise import CHANCE_FAR, Method
from sudare.queries.smooth_windows import Ranks, log_window
from sudare.randomness.bits import RandomBits


class SmoothQuantile(Smooth):
    """The level-q quantile, a group each."""

    def __init__(self, query: Query, schema: Schema, method: Method, level: Fraction) -> None:
        super().__init__(query, schema, method)
        self.level = level

    def find(self, ranks: Ranks, share: Share, bits: RandomBits) -> Found:
        noise = self.noise(share)
        rank = math.ceil(self.level * ranks.rows)
        log = log_window(ranks, rank, rank, noise.decay, self.rows_per_unit)
        noisy = noise.apply(ranks.value(rank), log, bits, CHANCE_FAR)
        reach = math.floor(noisy.reach)
        low, value, high = (self._held(noisy.value + step) for step in (-reach, 0, reach))
        coarse = (self.cell_width - 1) / 2
        half = 0 if self.grid.is_exact else self.grid.step / 2
        return Found(
            round(self.index(value)) * self.grid.step,
            math.ceil(self.index(low) - coarse) * self.grid.step - half,
            math.ceil(self.index(high) + coarse) * self.grid.step + half,
        )

    def expected(self, share: Share) -> tuple[float, float]:
        noise = self.noise(share)
        size = self.spread(noise)
        sure = noise.value.reach(CHANCE_FAR) * size * noise.size.excess
        return sure, noise.value.reach(0.05) * size

    def present(self, value: float) -> Any:
        return shown(self.query.columns[0], self.schema, value)

    def _held(self, cell: int) -> int:
        return max(0, min(cell, self.cells - 1))


class SmoothRange(Smooth):
    """The distance between two quantiles, a group each."""

    def __init__(
        self, query: Query, schema: Schema, method: Method, levels: tuple[Fraction, Fraction]
    ) -> None:
        super().__init__(query, schema, method)
        self.levels = levels

    def find(self, ranks: Ranks, share: Share, bits: RandomBits) -> Found:
        noise = self.noise(share)
        places = [math.ceil(level * ranks.rows) for level in self.levels]
        exact = ranks.value(places[1]) - ranks.value(places[0])
        log = self.log_bound(ranks, noise.decay)
        noisy = noise.apply(exact, log, bits, CHANCE_FAR)
        reach = math.floor(noisy.reach)
        ends = (noisy.value - reach, noisy.value, noisy.value + reach)
        low, value, high = (
            min(max(end, 0), self.cells - 1) * self.cell_width * self.grid.step for end in ends
        )
        return Found(value, max(0.0, low - 2 * self.rounding), high + 2 * self.rounding)

    def is_drowned(self, found: Found) -> bool:
        return found.low <= 0

    def present(self, value: float) -> Any:
        """Steps of the column, also for dates, where it is a number of days."""
        return round(value) if self.grid.is_exact and self.cell_width == 1 else value

    def log_bound(self, ranks: Ranks, decay: Fraction) -> float:
        """ln of the smooth bound of the range."""
        places = [math.ceil(level * ranks.rows) for level in self.levels]
        first, second = (log_window(ranks, r, r, decay, self.rows_per_unit) for r in places)
        if self.is_fixed and self.rows_per_unit == 1:
            return max(first, second)
        return float(np.logaddexp(first, second))

    def expected(self, share: Share) -> tuple[float, float]:
        noise = self.noise(share)
        size = self.spread(noise) * (1 if self.is_fixed and self.rows_per_unit == 1 else 2)
        sure = noise.value.reach(CHANCE_FAR) * size * noise.size.excess
        return sure, noise.value.reach(0.05) * size
