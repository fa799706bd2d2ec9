"""What is demanded of every published class, and which classes meet it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sudare.facts.coded import Integers, Reals
from sudare.facts.errors import UsageError
from sudare.risk.anonymize.keys import sizes_of, spread_of
from sudare.risk.records.diversity import classes_of, distances

Flags = npt.NDArray[np.bool_]
# Distances are sums of floating point numbers; a difference this small is none.
SLACK = 1e-9


@dataclass(frozen=True)
class Demand:
    """At least k records a class, ℓ distinct values of every sensitive column, distance t at most;
    at most the share `suppress` of the records may be suppressed. Where people may have several
    records, people are meant."""

    k: int
    diversity: int = 1
    closeness: float | None = None
    suppress: float = 0.05

    def __post_init__(self) -> None:
        if self.k < 2:
            raise UsageError("k must be at least 2.", "k = 5 is a common choice: --k 5")
        if self.diversity < 1:
            raise UsageError("ℓ must be at least 1.", "ℓ = 2 leaves two values in every class.")
        if self.closeness is not None and not 0 <= self.closeness <= 1:
            raise UsageError("t lies between 0 and 1.", "Example: --t 0.3")
        if not 0 <= self.suppress < 1:
            raise UsageError(
                "The share of suppressed records is at least 0 and below 1.",
                "Example: --suppress 0.05, or --suppress 5%",
            )

    def limit(self, records: int) -> int:
        """How many records may be suppressed."""
        # A product such as 0.05 · 1000 may fall just short of the whole number it means.
        return int(self.suppress * records + SLACK)


@dataclass(frozen=True)
class Secret:
    """A sensitive column: a code a record, how many codes there are, and the shares of all
    records from which a class may not be farther than t."""

    codes: Integers
    size: int
    ordered: bool
    overall: Reals

    def part(self, chosen: Flags) -> Secret:
        """The same column for some of the records, against the same whole."""
        return Secret(self.codes[chosen], self.size, self.ordered, self.overall)


def met(
    ids: Integers, secrets: Sequence[Secret], demand: Demand, people: Integers | None = None
) -> Flags:
    """For each class, whether it meets the demand; `people` says whose record each is."""
    good = sizes_of(ids, people) >= demand.k
    for secret in secrets:
        spread = spread_of(ids, secret.codes, secret.size, secret.ordered, people)
        good &= classes_of(spread).distinct >= demand.diversity
        if demand.closeness is not None:
            good &= distances(spread, secret.overall) <= demand.closeness + SLACK
    return good
