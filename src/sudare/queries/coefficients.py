"""Coefficients of a regression: from columns scaled to [−1, 1] to the columns' own units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sudare.facts.errors import InvalidPlan
from sudare.facts.grid import Grid
from sudare.facts.query import Query
from sudare.facts.schema import Schema
from sudare.queries.learning import centers, halves
from sudare.queries.numbers import number_grid
from sudare.queries.second_moments import Array

INTERCEPT = "(intercept)"


def predictor_grids(query: Query, schema: Schema) -> tuple[Grid, ...]:
    """The grids of the predictors; what is no number is refused with a way out."""
    for name in query.columns:
        if schema.column(name).type == "category":
            raise InvalidPlan(
                f"Column '{name}' is a category; predictors are numbers or booleans.",
                f"Ask once a value, with where: … where {name} = '…'.",
            )
        if name == INTERCEPT:
            raise InvalidPlan(f"No predictor may be called {INTERCEPT}.", "Rename that column.")
    return tuple(number_grid(name, schema, 2, dates=False) for name in query.columns)


@dataclass(frozen=True)
class Scales:
    """x = center + half·y for predictors; the target likewise, or as it is (half 1, center 0)."""

    centers: Array
    halves: Array
    target_center: float = 0.0
    target_half: float = 1.0

    @classmethod
    def of(cls, grids: tuple[Grid, ...], target: Grid | None = None) -> Scales:
        if target is None:
            return cls(centers(grids), halves(grids))
        middle, half = centers((target,)), halves((target,))
        return cls(centers(grids), halves(grids), float(middle[0]), float(half[0]))

    @property
    def steepest(self) -> float:
        """A slope of 1 between scaled columns, in units of the column where it is largest."""
        return float(self.target_half / self.halves.min())

    def in_units(self, level: Array, slopes: Array) -> Array:
        """(intercept, slopes…) of the columns as they are; the last axis holds the coefficients."""
        own = slopes * self.target_half / self.halves
        start = self.target_center + self.target_half * level - own @ self.centers
        return np.concatenate([np.asarray(start)[..., None], own], axis=-1)

    def of_coefficients(self, covariance: Array) -> Array:
        """The covariance of `in_units` from that of (level at y = 0, slopes)."""
        size = len(self.centers)
        change = np.zeros((size + 1, size + 1))
        change[0, 0] = self.target_half
        change[1:, 1:] = np.diag(self.target_half / self.halves)
        change[0, 1:] = -self.target_half * self.centers / self.halves
        found: Array = change @ covariance @ change.T
        return found

    def covariance(self, of_level: float, of_slopes: Array, means: Array) -> Array:
        """The covariance of `in_units` where the level at the means and the slopes have these and
        are independent."""
        size = len(means)
        inner = np.zeros((size + 1, size + 1))
        inner[0, 0] = of_level + float(means @ of_slopes @ means)
        inner[0, 1:] = inner[1:, 0] = -of_slopes @ means
        inner[1:, 1:] = of_slopes
        return self.of_coefficients(inner)


def intervals(keys: tuple[str, ...], found: Array, errors: Array) -> dict[str, Any]:
    ends = zip(keys, (found - errors).tolist(), (found + errors).tolist(), strict=True)
    return {key: [low, high] for key, low, high in ends}


def undecided(keys: tuple[str, ...], found: Array, errors: Array) -> tuple[str, ...]:
    """The names whose interval holds 0."""
    return tuple(key for key, b, e in zip(keys, found, errors, strict=True) if abs(b) <= e)
