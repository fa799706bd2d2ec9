"""sq(within=τ, beta=β) where p: which share of the rows satisfies p, as exactly as was asked.

A statistical query (Kearns 1998; paper 003, page 22) states how exact the answer has to be, and
the question finds the ε for it (queries/tolerance.py) from the declared number of rows: it fixes
its own share as `@ ε` would, whatever else the plan asks.

Private n  the pair (rows with p, rows without) is noised as one. A row is in exactly one of the
           two, so both together have the sensitivity of a count (`of_shares`, total 1): k under
           add-remove, 2k under replace-one. The share is the first over their sum.
Public n   under replace-one with a declared `public_rows` the first count over it.
Missing    a row for which p is not true, because a value is missing, is without.
Fewer rows the promise is for a table of at least the declared rows (`rows_assumed` in the
           details). With fewer the noise is the same and weighs more; `error95` comes from the
           released cells and shows it. A refusal or another ε would tell the number of rows.
Noise      discrete Laplace in every plan; its pure ε is a ρ of ε²/2 where the plan is Gaussian.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sudare.facts.aggregate import MomentsRequest
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import PrivacyEvent
from sudare.facts.fetch import Fetch
from sudare.facts.query import OptionValue, Query, predicate_columns
from sudare.facts.release import Answer, NoiseFact
from sudare.facts.schema import Schema
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.queries.filters import expected_share
from sudare.queries.interval import Noise, half_width95, ratio_error95
from sudare.queries.measurement import Forecast, Iterative, Share
from sudare.queries.sensitivity import of_shares, of_sum
from sudare.queries.tolerance import (
    MOST_EPSILON,
    Tolerance,
    least_epsilon_for,
    miss_of_count,
    miss_of_pair,
)
from sudare.randomness.bits import RandomBits

EXAMPLE = "Example: sq(within=0.01, beta=0.05) where age >= 65."
_BETA = Fraction(1, 20)
_LEAST_BETA = Fraction(1, 10**12)
# Half the range, as for the mean of a boolean.
_SIZE = 0.5


class StatisticalQuery(Iterative):
    """The share of rows that satisfy the filter."""

    def __init__(self, query: Query, schema: Schema) -> None:
        super().__init__(query, schema)
        _check(query)
        self.is_public = schema.table.public_rows is not None
        rows = schema.table.public_rows or schema.table.expected_rows
        if rows is None:
            raise InvalidPlan(
                "sq() needs to know about how many rows there are, and the schema does not say.",
                "Declare expected_rows (or public_rows) under [table].",
            )
        self.tolerance = Tolerance(*_promised(query), rows)
        self.own_epsilon: Fraction = self._needed()

    def _needed(self) -> Fraction:
        miss = miss_of_count if self.is_public else miss_of_pair
        found = least_epsilon_for(self.tolerance, self._sensitivity, miss)
        if found is None:
            raise InvalidPlan(
                f"No ε up to {MOST_EPSILON} answers {self.query.text} so exactly.",
                "Ask for a wider within= or a larger beta=.",
            )
        return found

    @property
    def _sensitivity(self) -> int:
        return of_sum(self.setting, 1, 1).l1 if self.is_public else of_shares(self.setting, 1).l1

    @property
    def mechanism(self) -> DiscreteLaplace:
        cells = 1 if self.is_public else 2
        return DiscreteLaplace.for_epsilon(
            self.relation, self._sensitivity, self.own_epsilon, cells
        )

    def used_columns(self) -> frozenset[str]:
        return predicate_columns(self.query.where)

    def events(self, share: Share) -> list[PrivacyEvent]:
        return [self.mechanism.event()]

    def forecast(self, share: Share) -> Forecast:
        expected = expected_share(self.query.where, self.schema)
        error = self._error(expected, self.tolerance.rows)
        return Forecast(error, error / _SIZE, error / _SIZE)

    def exact(self, fetch: Fetch) -> list[int]:
        """Rows with p and, unless their number is public, rows without."""
        requests = [MomentsRequest(self.query.where), MomentsRequest()]
        satisfied, everything = (moments.rows[0][0] for moments in fetch.moments(requests))
        return [satisfied] if self.is_public else [satisfied, everything - satisfied]

    def measure(self, fetch: Fetch, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        cells = self.mechanism.apply(self.exact(fetch), bits)
        return self._answer(
            cells[0], self.tolerance.rows if self.is_public else sum(cells), epsilon
        )

    def _answer(self, satisfied: int, rows: int, epsilon: float) -> Answer:
        """From released numbers alone."""
        value = min(1.0, max(0.0, satisfied / rows)) if rows > 0 else 0.5
        error = self._error(value, rows)
        mechanism = self.mechanism
        scale, sensitivity = f"s = {mechanism.scale}", f"L1 = {mechanism.l1_sensitivity}"
        return Answer(
            query=self.query.text,
            function="sq",
            value=value,
            error95=error,
            epsilon=epsilon,
            interval=(max(0.0, value - error), min(1.0, value + error)),
            drowned=("",) if error >= _SIZE else (),
            noise=(NoiseFact("discrete Laplace", mechanism.cells, scale, sensitivity),),
            details=self._details(rows),
        )

    def _details(self, rows: int) -> dict[str, Any]:
        return {
            "within": float(self.tolerance.within),
            "beta": float(self.tolerance.beta),
            "epsilon_needed": float(self.own_epsilon),
            "rows_assumed": self.tolerance.rows,
            "rows_released": rows,
        }

    def _error(self, value: float, rows: int) -> float:
        noise = Noise("laplace", float(self.mechanism.scale))
        if self.is_public:
            widest = max(value, 1 - value)
            return min(widest, half_width95([(1.0, noise)]) / rows)
        return ratio_error95(float(rows), value, lambda u: (1 - u, u), noise, 0.0, 1.0)


def _check(query: Query) -> None:
    if query.where is None or query.by:
        raise InvalidPlan("sq() takes a condition after where, and no groups.", EXAMPLE)
    if query.epsilon is not None or query.error is not None:
        raise InvalidPlan("sq() finds its own ε, so it takes no @ and no ±.", EXAMPLE)


def _promised(query: Query) -> tuple[Fraction, Fraction]:
    """τ and β as the question states them."""
    within = _number(query.option("within"))
    if within is None or not 0 < within < Fraction(1, 2):
        raise InvalidPlan("within must be a number above 0 and below 0.5.", EXAMPLE)
    beta = _number(query.option("beta")) if query.option("beta") is not None else _BETA
    if beta is None or not _LEAST_BETA <= beta <= Fraction(1, 2):
        raise InvalidPlan("beta must be a number from 1e-12 to 0.5.", EXAMPLE)
    return within, beta


def _number(given: OptionValue | None) -> Fraction | None:
    return given[0] if isinstance(given, tuple) and len(given) == 1 else None
