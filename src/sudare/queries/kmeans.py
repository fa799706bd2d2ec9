"""kmeans(x, y, …; k=5): k centres and the sizes of their clusters, by noisy rounds.

Source   paper 003, page 19: each round releases noisy counts and sums of the clusters around the
         last centres. The paper leaves the start, the number of rounds and the sums' sensitivity
         open; queries/kmeans_start.py and queries/kmeans_sums.py settle them.
Claim    the question is charged the sum of its events: the cells of the start, the landmarks, and
         one block a column and round. Every stage is fixed by the plan and by what was released
         before it; whatever that was, its sensitivity is the same, so adaptive composition holds
         (basic, zCDP and PLD alike).
Distance each column counts in units of its declared range; centres stay within it. Rows that lack
         one of the columns are left out.
Shares   three tenths for the cells of the start, as much for the landmarks, the rest for the
         rounds, the later ones more (3 : 5 : 7 …); without landmarks four tenths and six. One
         cluster needs no start and one round.
Empty    a cluster whose noisy size cannot be told from zero keeps its centre, and is named in
         `drowned`; it starts at a heavy noisy cell, or where there is none at a spare place.
Error    errors95 is what the noise of the last round moved the means and the sizes by of the
         clusters around that round's centres. That other centres might fit better is no part of it.
Gaps     none known.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidPlan
from sudare.facts.events import PrivacyEvent
from sudare.facts.fetch import Fetch
from sudare.facts.query import Query, predicate_columns
from sudare.facts.release import Answer
from sudare.facts.schema import Schema
from sudare.queries.kmeans_start import Columns, Start
from sudare.queries.kmeans_sums import Found, Sums
from sudare.queries.measurement import Forecast, Iterative, Share
from sudare.queries.numbers import number_grid, typical_size
from sudare.randomness.bits import RandomBits

Array = NDArray[np.float64]
MOST_CLUSTERS = 1000
MOST_ROUNDS = 20
ROUNDS = 2
EXAMPLE = "Example: kmeans(age, income; k=5, rounds=2)."


class KMeans(Iterative):
    """k centres of numeric columns."""

    def __init__(self, query: Query, schema: Schema) -> None:
        super().__init__(query, schema)
        if query.by:
            raise InvalidPlan(
                "kmeans() takes no by.", "Ask once for each group, with where; each costs its ε."
            )
        if "size" in query.columns:
            raise InvalidPlan(
                "A column named 'size' cannot be clustered: each cluster has a size of its own.",
                "Give the column another name.",
            )
        self.k = _whole(query, "k", None, MOST_CLUSTERS)
        rounds = _whole(query, "rounds", ROUNDS, MOST_ROUNDS)
        self.rounds = 1 if self.k == 1 else rounds
        self.grids = tuple(number_grid(name, schema, 1, dates=False) for name in query.columns)

    @property
    def numbers(self) -> int:
        return self.k * (1 + len(self.grids)) * self.rounds

    def used_columns(self) -> frozenset[str]:
        return predicate_columns(self.query.where) | set(self.query.columns)

    def events(self, share: Share) -> list[PrivacyEvent]:
        start = self._start(share)
        found = [] if start is None else start.events()
        return found + [event for each in self._rounds(share) for event in each.events()]

    def forecast(self, share: Share) -> Forecast:
        """The error of a centre if the clusters are of one size and in the middle."""
        last = self._rounds(share)[-1]
        means = np.full((1, len(self.grids)), 0.5)
        sizes = np.array([self.expected_rows / self.k])
        errors = self._in_units(last.width().of_means(means, sizes))[0]
        typical = self._in_units(last.width(smooth=True).of_means(means, sizes))[0]
        against = np.array([typical_size(grid) for grid in self.grids])
        return Forecast(
            float(errors.max()), float((errors / against).mean()), float((typical / against).mean())
        )

    def measure(self, fetch: Fetch, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        columns, start = self._columns(share), self._start(share)
        middle = np.full((1, len(self.grids)), 0.5)
        centers = middle if start is None else start.centers(fetch, bits)
        rounds = self._rounds(share)
        for each in rounds:
            found = each.found(fetch.moments([columns.nearest(centers)])[0].rows, bits)
            centers = np.where(found.told[:, None], found.means, centers)
        return self._answer(share, epsilon, centers, found, rounds)

    def _answer(
        self, share: Share, epsilon: float, centers: Array, found: Found, rounds: list[Sums]
    ) -> Answer:
        order = np.argsort(-found.sizes, kind="stable")
        centers, sizes, told = centers[order], found.sizes[order], found.told[order]
        width = rounds[-1].width()
        steps = np.array([0.0 if grid.is_exact else grid.step / 2 for grid in self.grids])
        errors = steps + self._in_units(width.of_means(centers, np.where(told, sizes, 0.0)))
        size_errors = np.full(self.k, width.of_sizes())
        start = self._start(share)
        facts = [] if start is None else start.facts()
        return Answer(
            query=self.query.text,
            function="kmeans",
            value=self._nested(self._lows() + self._in_units(centers), sizes),
            error95=float(max(errors.max(), width.of_sizes())),
            epsilon=epsilon,
            errors95=self._nested(errors, size_errors),
            drowned=tuple(str(place + 1) for place in np.flatnonzero(~told)),
            clips=self.clips(),
            columns=self.query.columns,
            noise=(*facts, *(fact for each in rounds for fact in each.facts())),
            details=self._details(share, start),
        )

    def _details(self, share: Share, start: Start | None) -> dict[str, Any]:
        lows, widths = self._lows(), self._in_units(np.ones((1, len(self.grids))))[0]
        bounds = {
            name: [float(low), float(low + width)]
            for name, low, width in zip(self.query.columns, lows, widths, strict=True)
        }
        return {
            "k": self.k,
            "rounds": self.rounds,
            "shares": [float(part) for part in self._parts(share)],
            "columns": list(self.query.columns),
            "bounds": bounds,
            "start": {} if start is None else start.described(),
        }

    def _columns(self, share: Share) -> Columns:
        rows = self.expected_rows
        query = self.query
        return Columns(query.columns, self.grids, query.where, self.setting, share.mechanism, rows)

    def _parts(self, share: Share) -> list[Fraction]:
        """The parts of the share: cells, landmarks (0 where there are none), rounds."""
        if self.k == 1:
            return [Fraction(0), Fraction(0), Fraction(1)]
        tenth = Fraction(1, 10)
        has_marks = Start.landmarks(self._columns(share), self.k, share.amount * 3 * tenth) > 0
        cells, marks = (3 * tenth, 3 * tenth) if has_marks else (4 * tenth, Fraction(0))
        weights = [3 + 2 * turn for turn in range(self.rounds)]
        rest = (1 - cells - marks) / sum(weights)
        return [cells, marks, *(rest * weight for weight in weights)]

    def _start(self, share: Share) -> Start | None:
        cells, marks, *_ = (part * share.amount for part in self._parts(share))
        return None if self.k == 1 else Start(self._columns(share), self.k, cells, marks)

    def _rounds(self, share: Share) -> list[Sums]:
        _, _, *rounds = (part * share.amount for part in self._parts(share))
        return [self._columns(share).sums(self.k, part) for part in rounds]

    def _lows(self) -> Array:
        return np.array([grid.low * grid.step for grid in self.grids])

    def _in_units(self, scaled: Array) -> Array:
        found: Array = scaled * np.array([grid.span * grid.step for grid in self.grids])
        return found

    def _nested(self, columns: Array, sizes: Array) -> dict[str, Any]:
        return {
            str(place + 1): {
                **{n: float(x) for n, x in zip(self.query.columns, row, strict=True)},
                "size": float(sizes[place]),
            }
            for place, row in enumerate(columns)
        }


def _whole(query: Query, name: str, default: int | None, most: int) -> int:
    given = query.option(name)
    if given is None and default is not None:
        return default
    is_one = isinstance(given, tuple) and len(given) == 1 and given[0].denominator == 1
    if not is_one or not 1 <= given[0] <= most:  # type: ignore[index,operator]
        raise InvalidPlan(f"{name} must be one whole number from 1 to {most}.", EXAMPLE)
    return int(given[0])  # type: ignore[index]
