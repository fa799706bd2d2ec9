"""What questions answered by smooth sensitivity have in common.

A dense histogram of the column (one cell a value, or at most 2^20 cells of a coarser public grid)
comes from the engine; order statistics, the statistic as a whole number of cells and its smooth
bound follow from it (queries/smooth_windows.py), whatever the number of rows.

Missing  a row without a value does not count; but where the number of values is public and the
         same for all neighbours (`is_fixed`), it counts in the middle of the bounds, as it does
         in a mean (queries/means.py): what is proved for a fixed number then needs no promise.
Groups   disjoint groups are charged once under add-remove, since a unit's row stands in one of
         them; under replace-one two groups change by a row each, so each gets half of the ε and δ.
         A unit with several rows could change many groups at once: refused.
Error    `Found.low` and `Found.high` hold with probability 95 % whatever the data, from released
         numbers alone.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.aggregate import MomentsRequest, UniformAxis
from sudare.facts.cost import NANO
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import PrivacyEvent
from sudare.facts.fetch import Fetch
from sudare.facts.query import Query
from sudare.facts.relation import Relation
from sudare.facts.release import Answer
from sudare.facts.schema import Schema
from sudare.mechanisms.laplace_smooth import require_proved
from sudare.queries.measurement import Forecast, Iterative, Share
from sudare.queries.numbers import number_grid, typical_size
from sudare.queries.smooth_noise import Method, SmoothNoise, smooth_noise
from sudare.queries.smooth_windows import Ranks, ranks_of
from sudare.randomness.bits import RandomBits

MOST_CELLS = 2**20
MOST_CELLS_IN_GROUPS = 2**22
_FEWEST_CELLS = 2**8
# Beyond this decay a window of two rows weighs less than one of a single row.
LARGEST_DECAY = Fraction(7, 10)


@dataclass(frozen=True)
class Found:
    """One group's answer and interval, in column units."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        return max(self.high - self.value, self.value - self.low)


class Smooth(Iterative):
    """A statistic of one column with noise in proportion to its smooth sensitivity."""

    largest_decay: Fraction = LARGEST_DECAY
    counts_rows: bool = False

    def __init__(self, query: Query, schema: Schema, method: Method) -> None:
        super().__init__(query, schema)
        self.method = method
        self.needs_delta = method == "smooth-laplace"
        self.rows_per_unit = schema.table.rows_per_unit
        if query.by and self.rows_per_unit > 1:
            raise InvalidPlan(
                "Smooth sensitivity in groups needs units of one row.",
                "Write method=exponential, take out by, or declare max_rows_per_unit = 1.",
            )
        column = query.columns[0]
        self.grid = number_grid(column, schema, 1)
        most = max(_FEWEST_CELLS, min(MOST_CELLS, MOST_CELLS_IN_GROUPS // self.groups))
        self.cells = min(self.grid.span + 1, most)
        axis = UniformAxis(column, self.grid.low, self.grid.span + 1, self.cells)
        self.request = MomentsRequest(query.where, (*self.group_axes, axis), query.columns)

    @abstractmethod
    def find(self, ranks: Ranks, share: Share, bits: RandomBits) -> Found:
        """One group's noisy answer."""

    @abstractmethod
    def expected(self, share: Share) -> tuple[float, float]:
        """The guaranteed and the usual error, in cells, of values spread evenly."""

    @property
    def is_fixed(self) -> bool:
        """Whether the number of values is public and the same for all neighbours, which `counted`
        sees to: a declaration alone would not hold where a value is missing all the same."""
        table, query = self.schema.table, self.query
        counted = table.public_rows is not None and query.where is None and not query.by
        return counted and self.schema.column(query.columns[0]).complete

    @property
    def split(self) -> int:
        """How many groups one unit can change."""
        return 2 if self.relation is Relation.REPLACE_ONE and self.groups > 1 else 1

    def epsilon(self, share: Share) -> Fraction:
        """The pure ε that one group's answer may spend."""
        return pure(share) / self.split

    def noise(self, share: Share) -> SmoothNoise:
        if self.needs_delta and share.mechanism == "gaussian":
            raise InvalidPlan(
                "Laplace noise scaled by smooth sensitivity has no ρ.",
                "Write method=smooth, or ask with --mechanism laplace.",
            )
        epsilon = self.epsilon(share) - self.count_epsilon(share)
        return smooth_noise(
            self.relation, self.method, epsilon, share.delta / self.split, self.largest_decay
        )

    def count_epsilon(self, share: Share) -> Fraction:
        """What a noisy number of rows may spend, where one is needed."""
        return self.epsilon(share) / 10 if self.counts_rows else Fraction(0)

    def require(self, share: Share) -> None:
        if self.needs_delta:
            require_proved(pure(share))

    @property
    def chosen_groups(self) -> int:
        return self.groups

    def used_columns(self) -> frozenset[str]:
        return self.request.used_columns()

    def events(self, share: Share) -> list[PrivacyEvent]:
        return self.noise(share).events() * self.split

    def forecast(self, share: Share) -> Forecast:
        """Assumes values spread evenly over the bounds."""
        width, size = self.grid.span * self.grid.step, typical_size(self.grid)
        error, usual = (
            min(width, cells * self.cell_width * self.grid.step) for cells in self.expected(share)
        )
        return Forecast(error, error / size, usual / size)

    def measure(self, fetch: Fetch, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        found = [self.find(ranks_of(row), share, bits) for row in self.counted(fetch)]
        labels = self.labels if self.query.by else ("",)
        drowned = [label for label, f in zip(labels, found, strict=True) if self.is_drowned(f)]
        return Answer(
            query=self.query.text,
            function=self.query.function,
            value=self._shape([self.present(f.value) for f in found]),
            error95=max(f.error for f in found),
            epsilon=epsilon,
            errors95=self._shape([f.error for f in found]) if self.query.by else None,
            interval=self._shape([(self.present(f.low), self.present(f.high)) for f in found]),
            drowned=tuple(drowned),
            clips=self.clips(),
            columns=self.query.columns,
            by=self.query.by,
            noise=self.noise(share).facts(self.groups),
            details={"method": self.method, "why": "asked for"},
        )

    def counted(self, fetch: Fetch) -> NDArray[np.int64]:
        """How many values stand in each cell, a row for every group. Where their number is public,
        a row without a value counts in the middle cell, so that every row is one value."""
        counts = fetch.counts(self.request).reshape(self.groups, self.cells)
        if self.is_fixed:
            (everything,) = fetch.moments([MomentsRequest()])
            counts = counts.copy()
            counts[0, self.cells // 2] += everything.rows[0][0] - counts.sum()
        return counts

    def is_drowned(self, found: Found) -> bool:
        """Whether anything in the declared range is possible."""
        return found.error >= self.grid.span * self.grid.step / 2

    def present(self, value: float) -> Any:
        """A value as it is shown; dates override it."""
        return value

    def spread(self, noise: SmoothNoise) -> float:
        """The smooth bound of one quantile, in cells, of values spread evenly: with g cells
        between two rows the largest g·w·e^(-β(w/k - 1)), at w = k/β or at w = k."""
        gap = (self.cells - 1) / max(1.0, self.expected_rows)
        decay = float(noise.decay)
        peak = math.exp(decay - 1) / decay if decay < 1 else 1.0
        return min(self.cells - 1.0, gap * self.rows_per_unit * peak)

    @property
    def cell_width(self) -> float:
        """Grid indices a cell."""
        return (self.grid.span + 1) / self.cells

    @property
    def rounding(self) -> float:
        """What the grids add to an error, in column units."""
        coarse = (self.cell_width - 1) / 2 * self.grid.step
        return coarse + (0.0 if self.grid.is_exact else self.grid.step / 2)

    def index(self, cell: float) -> float:
        """The grid index in the middle of a cell, or between cells."""
        return self.grid.low + (cell + 0.5) * self.cell_width - 0.5

    def _shape(self, cells: list[Any]) -> Any:
        return dict(zip(self.labels, cells, strict=True)) if self.query.by else cells[0]


def pure(share: Share) -> Fraction:
    """The share as a pure ε: √(2ρ), rounded down to nano-ε, where it is a ρ. Parts that add up to
    it have squares that add up to less."""
    if share.mechanism != "gaussian":
        return share.amount
    return Fraction(max(1, math.isqrt(int(2 * share.amount * NANO**2))), NANO)
