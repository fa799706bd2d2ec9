"""count() and histogram(): one count a declared group, all groups noised as one vector.

Sensitivity  docs/sensitivity.md, "Counts": k under add-remove; under replace-one k for a single
             count and 2k for several groups (two of them change).
Public count under replace-one the number of rows is public; where the schema declares it
             (`public_rows`), an unfiltered, ungrouped count answers it, free of charge.
"""

from __future__ import annotations

from collections.abc import Sequence

from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.events import PrivacyEvent, PublicEvent
from sudare.facts.query import Query
from sudare.facts.release import Answer
from sudare.facts.schema import Schema
from sudare.queries.axes import combined, group_axis, histogram_axis
from sudare.queries.interval import Noise, half_width95
from sudare.queries.measurement import (
    Additive,
    Block,
    Estimate,
    Forecast,
    Share,
    Single,
)
from sudare.queries.sensitivity import of_sum
from sudare.randomness.bits import RandomBits


class Count(Additive):
    """Rows that pass the filter, a group each."""

    def __init__(self, query: Query, schema: Schema) -> None:
        super().__init__(query, schema)
        if query.function == "histogram":
            parts = [group_axis(name, schema) for name in query.by]
            own = histogram_axis(query, schema)
            self.group_axes, self.labels = combined([*parts, own])
        self.request = MomentsRequest(where=query.where, axes=self.group_axes)
        self.blocks = (Block(self.groups, of_sum(self.setting, 1, 1), is_count=True),)

    @property
    def is_table(self) -> bool:
        return bool(self.group_axes)

    def exact(self, moments: Moments) -> list[list[int]]:
        return [[row[0] for row in moments.rows]]

    def expected(self) -> list[list[float]]:
        return [[self.expected_rows]]

    def estimate(self, cells: Sequence[Sequence[float | int]], noises: list[Noise]) -> Estimate:
        error = float(half_width95([(1, noises[0])]))
        counts = cells[0]
        return Estimate(counts, [error] * len(counts), [max(1.0, self.expected_rows)] * len(counts))


class PublicCount(Single):
    """The declared number of rows: public under replace-one, so it costs nothing."""

    request = MomentsRequest()

    @property
    def is_free(self) -> bool:
        return True

    def events(self, share: Share) -> list[PrivacyEvent]:
        return [PublicEvent(self.relation)]

    def forecast(self, share: Share) -> Forecast:
        return Forecast(0.0, 0.0, 0.0)

    def answer(self, moments: Moments, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        rows = self.schema.table.public_rows
        assert rows is not None
        return Answer(self.query.text, "count", rows, 0.0, 0.0, public=True)


def count(query: Query, schema: Schema) -> Count | PublicCount:
    """The cheapest right way to a count."""
    is_public = schema.table.public_rows is not None and query.where is None and not query.by
    return PublicCount(query, schema) if is_public else Count(query, schema)
