"""iqr(x) by two private choices: the distance between two quantiles of half the share each.

Each quantile comes with an interval that fails with probability 2β (queries/quantiles.py). With
β = 1 % for both, the distance lies between those of the inner and of the outer ends with
probability 96 %.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from sudare.facts.events import PrivacyEvent
from sudare.facts.fetch import Fetch
from sudare.facts.query import Query
from sudare.facts.release import Answer
from sudare.facts.schema import Schema
from sudare.queries.measurement import Forecast, Iterative, Share
from sudare.queries.quantiles import Place, Quantile
from sudare.randomness.bits import RandomBits

_BETA = 0.01


class ChosenRange(Iterative):
    """The distance between two chosen quantiles, a group each."""

    def __init__(self, query: Query, schema: Schema, levels: tuple[Fraction, Fraction]) -> None:
        super().__init__(query, schema)
        self.ends = [Quantile(query, schema, level, _BETA) for level in levels]

    @property
    def chosen_groups(self) -> int:
        return self.groups

    def used_columns(self) -> frozenset[str]:
        return self.ends[0].used_columns()

    def events(self, share: Share) -> list[PrivacyEvent]:
        return [event for end in self.ends for event in end.events(_half(share))]

    def forecast(self, share: Share) -> Forecast:
        parts = [end.forecast(_half(share)) for end in self.ends]
        return Forecast(
            sum(part.error95 for part in parts),
            sum(part.relative for part in parts),
            sum(part.typical for part in parts),
        )

    def measure(self, fetch: Fetch, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        # Both look at the same histogram.
        (moments,) = fetch.moments([self.ends[0].request])
        lower, upper = (end.found(moments, _half(share), bits) for end in self.ends)
        found = [_between(one, other) for one, other in zip(lower, upper, strict=True)]
        labels = self.labels if self.query.by else ("",)
        drowned = [label for label, f in zip(labels, found, strict=True) if f.low <= 0]
        return Answer(
            query=self.query.text,
            function=self.query.function,
            value=self._shape([f.value for f in found]),
            error95=max(f.error for f in found),
            epsilon=epsilon,
            errors95=self._shape([f.error for f in found]) if self.query.by else None,
            interval=self._shape([(f.low, f.high) for f in found]),
            drowned=tuple(drowned),
            clips=self.clips(),
            columns=self.query.columns,
            by=self.query.by,
            noise=tuple(fact for end in self.ends for fact in end.facts(_half(share))),
        )

    def _shape(self, cells: list[Any]) -> Any:
        return dict(zip(self.labels, cells, strict=True)) if self.query.by else cells[0]


def _between(lower: Place, upper: Place) -> Place:
    value = max(0, upper.value - lower.value)
    low = max(0, upper.low - lower.high)
    return Place(value, min(low, value), max(upper.high - lower.low, value))


def _half(share: Share) -> Share:
    return replace(share, amount=share.amount / 2)
