"""What questions that are answered from noisy second moments have in common."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import PrivacyEvent
from sudare.facts.grid import Grid
from sudare.facts.query import Query
from sudare.facts.release import Clip
from sudare.facts.schema import Schema
from sudare.queries.interval import Noise
from sudare.queries.measurement import Measurement, Share, Single
from sudare.queries.noising import Noising
from sudare.queries.second_moments import Array, SecondMoments
from sudare.queries.spread import least_rows
from sudare.randomness.bits import RandomBits


class MomentsQuestion(Single):
    """A question whose blocks are second moments of `named` columns."""

    def __init__(
        self, query: Query, schema: Schema, named: tuple[str, ...], grids: tuple[Grid, ...]
    ) -> None:
        refuse_groups(query)
        super().__init__(query, schema)
        self.named = named
        self.moments = SecondMoments(grids, self.setting, public_rows(query, schema, named))
        self.request = MomentsRequest(query.where, (), named, self.moments.monomials)

    def noising(self, share: Share) -> Noising:
        blocks = self.moments.blocks
        return Noising.of(self.relation, blocks, share.mechanism, share.amount)

    def events(self, share: Share) -> list[PrivacyEvent]:
        return self.noising(share).events()

    def released(self, moments: Moments, noising: Noising, bits: RandomBits) -> Array:
        """The noisy cells, in units of the moments of y in [−1, 1]."""
        exact = self.moments.exact(moments.rows[0])
        return np.array(noising.apply(exact, bits)) / self.moments.units()

    def least_rows(self, noises: list[Noise]) -> float:
        return least_rows(self.moments.count_deviation(noises))

    def clips(self) -> tuple[Clip, ...]:
        return clips_of(self, self.named)


def clips_of(measurement: Measurement, named: tuple[str, ...]) -> tuple[Clip, ...]:
    """The bounds of all columns that are used as numbers, a target among them."""
    columns = [(name, measurement.schema.columns[name]) for name in named]
    return tuple(Clip(n, str(c.min), str(c.max)) for n, c in columns if c.min is not None)


def refuse_groups(query: Query) -> None:
    if query.by:
        raise InvalidPlan(
            f"{query.function}() is not asked by groups.",
            "Ask once a group, with where: … where region = 'north'.",
        )


def public_rows(query: Query, schema: Schema, named: tuple[str, ...]) -> int | None:
    """The number of rows that count, where the schema alone tells it."""
    complete = all(schema.columns[name].complete for name in named)
    return schema.table.public_rows if query.where is None and complete else None


def halves(grids: tuple[Grid, ...]) -> Array:
    """Half the declared ranges: one unit of y."""
    return np.array([grid.span * grid.step / 2 for grid in grids])


def centers(grids: tuple[Grid, ...]) -> Array:
    """The middles of the declared ranges: y = 0."""
    return np.array([(grid.low + grid.high) * grid.step / 2 for grid in grids])


def bounds_of(named: tuple[str, ...], grids: tuple[Grid, ...]) -> dict[str, list[float]]:
    pairs = zip(named, grids, strict=True)
    return {name: [grid.low * grid.step, grid.high * grid.step] for name, grid in pairs}


def named_numbers(named: tuple[str, ...], numbers: Array) -> dict[str, Any]:
    return dict(zip(named, numbers.tolist(), strict=True))


def nested_numbers(named: tuple[str, ...], matrix: Array) -> dict[str, Any]:
    return {name: named_numbers(named, row) for name, row in zip(named, matrix, strict=True)}


def whole_option(query: Query, name: str, usual: int, least: int, most: int) -> int:
    """An option that is a whole number in a range."""
    given = query.option(name)
    if given is None:
        return min(usual, most)
    if isinstance(given, str) or len(given) != 1 or given[0].denominator != 1:
        raise _not_whole(name, least, most)
    if not least <= given[0] <= most:
        raise _not_whole(name, least, most)
    return int(given[0])


def _not_whole(name: str, least: int, most: int) -> InvalidPlan:
    return InvalidPlan(
        f"{name} must be one whole number from {least} to {most}.", f"Example: {name}={most}."
    )


def penalty_option(query: Query, usual: Fraction) -> float:
    """alpha: how strongly slopes are drawn to 0, at least 0."""
    given = query.option("alpha")
    if given is None:
        return float(usual)
    if isinstance(given, str) or len(given) != 1 or not 0 <= given[0] <= 10**12:
        raise InvalidPlan("alpha must be one number from 0 to 1e12.", "Example: alpha=1.")
    return float(given[0])
