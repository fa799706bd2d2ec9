"""quantile(x, q): a private choice on the declared grid, with a private interval around it.

Score    Let F(p) be the number of values below the place p, where the values of a grid cell are
         spread evenly over J sub-places, so that a crowd at one value does not make F jump. The
         score of p is −|F(p) − q·n − shift|; shift = 0 aims at the quantile itself.
Claim    one row in a cell at fraction f moves F(p) − q·n by f − q, f in [0, 1]: at most
         Δ = max(q, 1 − q). Replacing a row moves it by at most 1. k rows a unit multiply by k.
         Each choice is by permute-and-flip (mechanisms/permute_and_flip.py), pure ε.
Interval half of the budget chooses the answer, a quarter each chooses a place below and above.
         Permute-and-flip errs in score by more than t = (2Δ/ε)·ln(m/β) with probability at most β
         (McKenna and Sheldon 2020: never worse than the exponential mechanism; m candidates). The
         choice below aims at t + u under the quantile, u = (2Δ/ε)·ln(1/β), and has one candidate
         more: the end of the bounds, with the constant score −u. The score of a place p is the
         distance of the aim from the stretch [F(p), F(p + 1)], not from F(p) alone: in a crowd one
         place may hold many rows, and the aim lies between two of them. Both ends of the stretch
         move by at most Δ, so the distance does. A cell on the wrong side of the quantile's has
         its whole stretch on the wrong side, so it scores at most −(t + u), at least t worse than
         the end, and is chosen with probability at most β, whatever the data, even where there are
         too few rows to aim at. Where there are enough, a place scores 0 and the end is chosen
         with probability at most β. The choice above is its mirror image, so the interval holds
         with probability 1 − 2β; β = 2 % leaves 1 % to spare. The error that is reported follows
         from the released interval, never from the data.
Groups   disjoint groups are charged once under add-remove, since a unit's k rows move the scores
         of all groups together by at most k·Δ; under replace-one two groups may change, so each
         gets half.
Gaps     none known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.aggregate import Moments, MomentsRequest, UniformAxis
from sudare.facts.cost import NANO
from sudare.facts.events import PrivacyEvent
from sudare.facts.query import Query
from sudare.facts.relation import Relation
from sudare.facts.release import Answer, NoiseFact
from sudare.facts.schema import MAX_ROWS, Schema
from sudare.mechanisms.permute_and_flip import PermuteAndFlip
from sudare.queries.measurement import Forecast, Share, Single
from sudare.queries.numbers import number_grid, shown, typical_size
from sudare.randomness.bits import RandomBits

MOST_CELLS = 2**14
MOST_PLACES = 2**18
MOST_PLACES_IN_GROUPS = 2**21
BETA = 0.02
# The answer itself, the place below it and the place above it.
PARTS = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))


@dataclass(frozen=True)
class Place:
    """One group's answer and interval, in column units."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        return max(self.high - self.value, self.value - self.low)


class Quantile(Single):
    """The level-q quantile, a group each."""

    def __init__(
        self, query: Query, schema: Schema, level: Fraction | None = None, beta: float = BETA
    ) -> None:
        super().__init__(query, schema)
        chosen = query.level if level is None else level
        assert chosen is not None
        self.level = chosen
        self.beta = beta
        self.grid = number_grid(query.columns[0], schema, 1)
        self.cells = min(self.grid.span + 1, MOST_CELLS)
        places = min(MOST_PLACES, MOST_PLACES_IN_GROUPS // self.groups)
        self.sub_places = max(8, min(32, places // self.cells))
        axis = UniformAxis(query.columns[0], self.grid.low, self.grid.span + 1, self.cells)
        self.request = MomentsRequest(query.where, (*self.group_axes, axis), query.columns)

    @property
    def chosen_groups(self) -> int:
        return self.groups

    @property
    def score_sensitivity(self) -> Fraction:
        k = self.schema.table.rows_per_unit
        if self.relation is Relation.REPLACE_ONE:
            return Fraction(k)
        return k * max(self.level, 1 - self.level)

    def choices(self, share: Share) -> list[PermuteAndFlip]:
        """The three choices; under a ρ each gets the pure ε whose ε²/2 is its part of it."""
        split = 2 if self.relation is Relation.REPLACE_ONE and self.groups > 1 else 1
        return [
            PermuteAndFlip(self.relation, self.score_sensitivity, _pure(share, part) / split)
            for part in PARTS
        ]

    def events(self, share: Share) -> list[PrivacyEvent]:
        candidates = self.cells * self.sub_places
        split = 2 if self.relation is Relation.REPLACE_ONE and self.groups > 1 else 1
        # Under replace-one with groups, two groups each spend half: the event is the whole.
        return [
            PermuteAndFlip(self.relation, choice.score_sensitivity, choice.epsilon * split).event(
                candidates
            )
            for choice in self.choices(share)
        ]

    def forecast(self, share: Share) -> Forecast:
        """Assumes values spread evenly over the bounds. The interval holds for any data and is
        wide; the answer itself then misses by more than (2Δ/ε)·ln 20 rows in 5 % of cases."""
        choices = self.choices(share)
        per_row = self.grid.span * self.grid.step / max(1.0, self.expected_rows)
        widest = self.grid.span * self.grid.step
        aim = max(self._margin(choice) + self._reserve(choice) for choice in choices[1:])
        guaranteed = per_row * 2 * aim
        usual = per_row * self._reach(choices[0]) * math.log(20)
        error = min(widest, guaranteed + self._cell_width())
        size = typical_size(self.grid)
        return Forecast(error, error / size, min(widest, usual) / size)

    def answer(self, moments: Moments, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        found = self.found(moments, share, bits)
        width = self.grid.span * self.grid.step
        labels = self.labels if self.query.by else ("",)
        drowned = [label for label, f in zip(labels, found, strict=True) if f.error >= width / 2]
        return Answer(
            query=self.query.text,
            function=self.query.function,
            value=self._shape([self._show(f.value) for f in found]),
            error95=max(f.error for f in found),
            epsilon=epsilon,
            errors95=self._shape([f.error for f in found]) if self.query.by else None,
            interval=self._shape([(self._show(f.low), self._show(f.high)) for f in found]),
            drowned=tuple(drowned),
            clips=self.clips(),
            columns=self.query.columns,
            by=self.query.by,
            noise=self.facts(share),
        )

    def facts(self, share: Share) -> tuple[NoiseFact, ...]:
        """The three choices as the certificate states them."""
        return tuple(
            NoiseFact(
                "permute-and-flip",
                self.cells * self.sub_places,
                f"ε = {float(choice.epsilon):.9g}",
                f"Δ = {choice.score_sensitivity}",
            )
            for choice in self.choices(share)
        )

    def found(self, moments: Moments, share: Share, bits: RandomBits) -> list[Place]:
        """One place a group."""
        choices = self.choices(share)
        counts = np.array([row[0] for row in moments.rows], dtype=np.int64)
        return [self._choose(cells, choices, bits) for cells in counts.reshape(-1, self.cells)]

    def _choose(
        self, cells: NDArray[np.int64], choices: list[PermuteAndFlip], bits: RandomBits
    ) -> Place:
        edges, unit = self._signed_scores(cells)
        before, after = edges[:-1], edges[1:]
        middle = choices[0].apply(-np.abs(before), unit, bits) // self.sub_places
        low = self._bound((-after, -before), unit, choices[1], bits)
        high = self._bound((before, after), unit, choices[2], bits)
        value = self._value(middle, 0.5)
        lowest = self._value(0 if low is None else low, 0.0)
        highest = self._value(self.cells - 1 if high is None else high, 1.0)
        return Place(value, min(lowest, value), max(highest, value))

    def _bound(
        self,
        stretches: tuple[NDArray[np.int64], NDArray[np.int64]],
        unit: Fraction,
        choice: PermuteAndFlip,
        bits: RandomBits,
    ) -> int | None:
        """The cell of a bound on the side where the stretches grow, or None for the end itself."""
        aim = self._margin(choice) + self._reserve(choice)
        if aim >= MAX_ROWS:
            # Known from the plan alone: no table can reach the aim, so the bound is the end.
            return None
        target, end = math.ceil(Fraction(aim) / unit), math.ceil(self._reserve(choice) / unit)
        first, last = stretches
        away = np.maximum(np.maximum(first - target, target - last), 0)
        place = choice.apply(np.append(-away, np.int64(-end)), unit, bits)
        return None if place == away.size else place // self.sub_places

    def _signed_scores(self, cells: NDArray[np.int64]) -> tuple[NDArray[np.int64], Fraction]:
        """(F(p) − q·n)/unit at every place and behind the last one, as integers."""
        j, q, rows = self.sub_places, self.level, int(cells.sum())
        before = np.concatenate([[0], np.cumsum(cells)[:-1]])
        steps = np.arange(j, dtype=np.int64)
        counted = (before * j)[:, None] + cells[:, None] * steps[None, :]
        edges = np.append(counted.ravel(), np.int64(rows * j))
        return q.denominator * edges - q.numerator * j * rows, Fraction(1, j * q.denominator)

    def _margin(self, choice: PermuteAndFlip) -> float:
        """t of the docstring: how far a choice may miss its aim, in rows."""
        return self._reach(choice) * math.log(self.cells * self.sub_places / self.beta)

    def _reserve(self, choice: PermuteAndFlip) -> float:
        """u of the docstring."""
        return self._reach(choice) * math.log(1 / self.beta)

    def _reach(self, choice: PermuteAndFlip) -> float:
        return 2 * float(choice.score_sensitivity) / float(choice.epsilon)

    def _cell_width(self) -> float:
        return (self.grid.span + 1) / self.cells * self.grid.step

    def _value(self, cell: int, inside: float) -> float:
        """The value of a cell: its only index, or a place `inside` the indices it holds."""
        first = self.grid.low - (-cell * (self.grid.span + 1) // self.cells)
        last = self.grid.low - (-(cell + 1) * (self.grid.span + 1) // self.cells) - 1
        index = first if first == last else round(first + inside * (last - first))
        return index * self.grid.step

    def _show(self, value: float) -> Any:
        return shown(self.query.columns[0], self.schema, value)

    def _shape(self, cells: list[Any]) -> Any:
        return dict(zip(self.labels, cells, strict=True)) if self.query.by else cells[0]


def _pure(share: Share, part: Fraction) -> Fraction:
    amount = share.amount * part
    if share.mechanism != "gaussian":
        return amount
    # √(2ρ), rounded down to nano-ε.
    return Fraction(max(1, math.isqrt(int(2 * amount * NANO**2))), NANO)
