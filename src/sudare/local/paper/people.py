"""The numbers of the people that the experiments are made with, scaled in two ways.

Paper mode scales by the least and greatest value in the data, as the paper does. That is no bound
which may be used for people's data, since it is read from them; corrected mode scales by the
declared bounds of the schema.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sudare.facts.reported import Column
from sudare.facts.schema import Schema

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class People:
    """Grid indices, one row a person and one column a number of the schema, none missing."""

    schema: Schema
    names: tuple[str, ...]
    indices: NDArray[np.int64]

    @property
    def count(self) -> int:
        return len(self.indices)

    @cached_property
    def half(self) -> Floats:
        """Half the range of each number in the data, in steps of its grid."""
        found: Floats = np.ptp(self.indices, axis=0) / 2
        return found

    @cached_property
    def scaled(self) -> Floats:
        """Paper mode: x in [−1, 1], one row a number."""
        low = self.indices.min(axis=0)
        found: Floats = np.ascontiguousarray(((self.indices - low) / self.half - 1).T)
        return found

    @cached_property
    def covariance(self) -> Floats:
        """Of x in paper mode."""
        return np.asarray(np.cov(self.scaled, bias=True))

    @cached_property
    def correlation(self) -> Floats:
        return np.asarray(np.corrcoef(self.scaled))

    def columns(self) -> dict[str, Column]:
        """As a randomizer takes them."""
        return {name: (self.indices[:, i], None) for i, name in enumerate(self.names)}


def error(found: Floats, true: Floats) -> float:
    """The mean over all entries of the absolute difference: the paper's (5)."""
    return float(np.abs(found - true).mean())


def off_diagonal(found: Floats, true: Floats) -> float:
    """The same without the diagonal."""
    apart = np.abs(found - true)
    count = len(apart)
    return float((apart.sum() - np.trace(apart)) / (count * (count - 1)))


def mean_and_error(values: list[float]) -> tuple[float, float | None]:
    """The mean over trials and its standard error."""
    if len(values) < 2:
        return float(np.mean(values)), None
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))
