"""median(x), quantile(x, q), iqr(x) and trimmed_mean(x, p): which way they are answered.

A choice (`exponential`, queries/quantiles.py) and noise in proportion to the smooth sensitivity
(`smooth`, `smooth_laplace`) answer the same question. `auto` takes the one whose forecast of the
usual error is smaller. The forecast knows plan and schema alone: choosing by the smooth sensitivity
of the data would tell something of it. Laplace noise is left out of `auto`: where it is allowed
(ε < 1) its decay is so small that its forecast is never the best (docs/smooth.md), and asking for a
δ that is not used would take it from other questions.

Local sensitivity is refused: noise in proportion to it is not private (docs/smooth.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from sudare.facts.errors import InvalidPlan
from sudare.facts.events import PrivacyEvent
from sudare.facts.fetch import Fetch
from sudare.facts.query import Query
from sudare.facts.release import Answer
from sudare.facts.schema import Schema
from sudare.queries.measurement import Forecast, Iterative, Measurement, Share, Single
from sudare.queries.quantiles import Quantile
from sudare.queries.ranges import ChosenRange
from sudare.queries.smooth import Smooth
from sudare.queries.smooth_noise import Method
from sudare.queries.smooth_quantiles import SmoothQuantile, SmoothRange
from sudare.queries.smooth_trimmed import TrimmedMean
from sudare.randomness.bits import RandomBits

_QUARTILES = (Fraction(1, 4), Fraction(3, 4))
_METHODS: dict[str, Method] = {"smooth": "smooth", "smooth_laplace": "smooth-laplace"}
_SAYS = {"exponential": "a private choice", "smooth": "smooth sensitivity"}


def robust(query: Query, schema: Schema) -> Measurement:
    """The way that the question asks for, or the one that `auto` will choose."""
    method = _method(query)
    if method is None and query.function == "quantile":
        return Quantile(query, schema)
    if method == "exponential":
        return Chosen(query, schema, [_exponential(query, schema)], "asked for")
    if method in _METHODS:
        return _smooth(query, schema, _METHODS[method])
    if query.function == "trimmed_mean":
        only = "there is no private choice for a trimmed mean"
        return Chosen(query, schema, [_smooth(query, schema, "smooth")], only)
    options: list[Quantile | ChosenRange | Smooth] = [_exponential(query, schema)]
    if not (query.by and schema.table.rows_per_unit > 1):
        options.append(_smooth(query, schema, "smooth"))
    return Chosen(query, schema, options)


def _method(query: Query) -> str | None:
    method = query.option("method")
    if method is None:
        return None
    if method == "local":
        raise InvalidPlan(
            "Local sensitivity is not private.",
            "Write method=smooth, which is; docs/smooth.md shows how the other gives a row away.",
        )
    known = ["auto", "exponential", *_METHODS]
    if query.function == "trimmed_mean":
        known.remove("exponential")
    if not isinstance(method, str) or method not in known:
        raise InvalidPlan(f"{query.function}() has no such method.", f"Known: {', '.join(known)}.")
    return method


def _exponential(query: Query, schema: Schema) -> Quantile | ChosenRange:
    if query.function == "iqr":
        return ChosenRange(query, schema, _levels(query))
    return Quantile(query, schema, _level(query))


def _smooth(query: Query, schema: Schema, method: Method) -> Smooth:
    if query.function == "iqr":
        return SmoothRange(query, schema, method, _levels(query))
    if query.function == "trimmed_mean":
        return TrimmedMean(query, schema, method, _cut(query))
    return SmoothQuantile(query, schema, method, _level(query))


def _level(query: Query) -> Fraction:
    return Fraction(1, 2) if query.level is None else query.level


def _levels(query: Query) -> tuple[Fraction, Fraction]:
    if not query.numbers:
        return _QUARTILES
    low, high = query.numbers
    if not 0 < low < high < 1 or max(low.denominator, high.denominator) > 10_000:
        raise InvalidPlan(
            "The levels of a range are two numbers between 0 and 1 of at most four decimals, the"
            " lower first.",
            "Example: iqr(age, 0.1, 0.9).",
        )
    return low, high


def _cut(query: Query) -> Fraction:
    (cut,) = query.numbers
    if not 0 < cut < Fraction(1, 2) or cut.denominator > 10_000:
        raise InvalidPlan(
            "What a trimmed mean cuts off at each end lies between 0 and 0.5 and has at most four"
            " decimals.",
            "Example: trimmed_mean(age, 0.1) leaves the middle 80 %.",
        )
    return cut


class Chosen(Iterative):
    """One of several ways, chosen by forecast once the share is known."""

    def __init__(
        self,
        query: Query,
        schema: Schema,
        options: Sequence[Quantile | ChosenRange | Smooth],
        why: str | None = None,
    ) -> None:
        super().__init__(query, schema)
        self.options = options
        self._why = why

    def chosen(self, share: Share) -> Quantile | ChosenRange | Smooth:
        """The least usual error; of equal ones the first."""
        return min(self.options, key=lambda option: option.forecast(share).typical)

    def why(self, share: Share) -> str:
        if self._why is not None:
            return self._why
        parts = [
            f"±{100 * option.forecast(share).typical:.3g} % by {_SAYS[_name(option)]}"
            for option in self.options
        ]
        rows = f"{self.expected_rows:,.0f} rows spread evenly over the bounds"
        return f"usual error forecast for {rows}: {', '.join(parts)}"

    @property
    def chosen_groups(self) -> int:
        return self.groups

    def used_columns(self) -> frozenset[str]:
        return self.options[0].used_columns()

    def events(self, share: Share) -> list[PrivacyEvent]:
        return self.chosen(share).events(share)

    def forecast(self, share: Share) -> Forecast:
        return self.chosen(share).forecast(share)

    def measure(self, fetch: Fetch, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        way = self.chosen(share)
        if isinstance(way, Single):
            (moments,) = fetch.moments([way.request])
            found = way.answer(moments, share, epsilon, bits)
        else:
            found = way.measure(fetch, share, epsilon, bits)
        return replace(found, details={"method": _name(way), "why": self.why(share)})


def _name(way: Quantile | ChosenRange | Smooth) -> str:
    return way.method if isinstance(way, Smooth) else "exponential"
