"""A row as a vector of small integers: numbers around the middle of their bounds, labels one-hot.

Claim    a number's entry lies between −reach and reach, a label's entries are zeros and one 1. Both
         follow from the schema alone; a missing number is 0, which stands for the middle, and a
         missing label is the last of its domain, as in `sudare randomize`.
Symbols  y = (2·index − low − high)/coarsening, rounded: y·unit is the distance from the middle.
Needs    grid indices within their bounds, as engines give them.
Gaps     a column of more than 2^15 steps is rounded to that many, which moves a value by at most
         2^−16 of its half range. It keeps products far from 2^63.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sudare.facts.randomized import Domain, LabelDomain, NumberDomain
from sudare.facts.reported import Column

# A product of two numbers stays below 2^30, so that 2^30 rows stay below 2^60.
MOST_STEPS = 2**15


@dataclass(frozen=True)
class Number:
    """One entry of the vector."""

    name: str
    domain: NumberDomain

    @property
    def coarsening(self) -> int:
        return math.ceil((self.domain.high - self.domain.low) / MOST_STEPS)

    @property
    def reach(self) -> int:
        """The entry of the greatest value."""
        return round((self.domain.high - self.domain.low) / self.coarsening)

    def coded(self, indices: NDArray[np.int64]) -> NDArray[np.int64]:
        # The difference of two 64-bit numbers has 65 bits at most, and none below zero here.
        above = indices.view(np.uint64) - np.uint64(self.domain.low % 2**64)
        span = float(self.domain.high - self.domain.low)
        found = np.rint((2.0 * above.astype(np.float64) - span) / self.coarsening)
        return np.asarray(np.clip(found, -self.reach, self.reach).astype(np.int64))


@dataclass(frozen=True)
class Vector:
    """The columns of one organisation, by the names that they have in the result."""

    party: str
    columns: tuple[tuple[str, Domain], ...]

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        return tuple(Number(n, d) for n, d in self.columns if isinstance(d, NumberDomain))

    @cached_property
    def labels(self) -> tuple[tuple[str, LabelDomain], ...]:
        return tuple((n, d) for n, d in self.columns if isinstance(d, LabelDomain))

    @property
    def width(self) -> int:
        return len(self.numbers) + sum(len(domain.labels) for _, domain in self.labels)

    def coded(self, columns: Mapping[str, Column], rows: int) -> NDArray[np.int64]:
        """n × width integers, the numbers first; `columns` hold grid indices and codes."""
        found = np.zeros((rows, self.width), np.int64)
        for place, number in enumerate(self.numbers):
            indices, missing = columns[number.name]
            found[:, place] = number.coded(np.ascontiguousarray(indices, np.int64))
            if missing is not None:
                found[missing, place] = 0
        start = len(self.numbers)
        for name, domain in self.labels:
            codes, missing = columns[name]
            last = len(domain.labels) - 1
            own = codes if missing is None else np.where(missing, last, codes)
            found[np.arange(rows), start + own] = 1
            start += len(domain.labels)
        return found
