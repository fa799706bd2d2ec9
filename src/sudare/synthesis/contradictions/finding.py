"""A contradiction: the statistics that make it, by name, and the reason. Never their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "rows", "bounds", "histogram", "table", "sums", "mean", "variance", "covariance", "covariances"
]

# Every sentence stands in docs/errors.md too.
WHY: dict[str, str] = {
    "form": "It does not have the form that docs/statistics.md describes.",
    "infinite": "It is not a finite number.",
    "no_rows": "A table without rows has no statistics.",
    "negative": "A count is negative.",
    "total": "The counts do not add up to the number of rows.",
    "bin_means": "The mean inside a bin lies outside the bin.",
    "margin": "The table's margin is not the histogram, gathered into its levels.",
    "margins": "The two tables have different margins.",
    "mean_bounds": "The mean lies outside the bounds.",
    "mean_bins": "The bins allow no such mean.",
    "negative_variance": "A variance is never negative.",
    "variance_bounds": "Values within the bounds have no such variance.",
    "variance_mean": "Values within the bounds that have this mean have no such variance.",
    "variance_bins": "The bins allow no such variance.",
    "variance_bins_mean": "The bins allow no such variance beside this mean.",
    "asymmetric": "The covariance differs from itself with the columns exchanged.",
    "no_variance": "A column without variance has no covariance with any other.",
    "correlation": "The correlation would lie outside -1 to 1.",
    "indefinite": "The matrix is not positive semidefinite: some weighted sum of these columns "
    "would have a negative variance. None of them can be left out.",
    "covariance_table": "The table's levels allow no such covariance beside these means.",
    "sums_bounds": "Values within the bounds do not add up to such a sum in some level.",
    "sums_bins": "So many people of the histogram do not add up to such a sum in some level.",
    "sums_table": "The table's levels do not add up to such a sum in some level.",
    "sums_mean": "The sums do not add up to the mean times the number of values.",
    "sums_sums": "The sums of the same column have different totals.",
}

_NAMES: dict[str, str] = {
    "bounds": "the bounds of {}",
    "histogram": "the histogram of {}",
    "table": "the two-way table of {} and {}",
    "sums": "the sums of {} within {}",
    "mean": "the mean of {}",
    "variance": "the variance of {}",
    "covariance": "the covariance of {} and {}",
}


@dataclass(frozen=True)
class Statistic:
    """One statistic by its kind and columns; `covariances` is a whole matrix of them."""

    kind: Kind
    columns: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many statistics it stands for."""
        many = len(self.columns)
        return many * (many + 1) // 2 if self.kind == "covariances" else 1

    def __str__(self) -> str:
        quoted = [f"'{name}'" for name in self.columns]
        if self.kind == "rows":
            return "the number of rows"
        if self.kind == "covariances":
            return f"the variances and covariances of {_joined(quoted)}"
        return _NAMES[self.kind].format(*quoted)


@dataclass(frozen=True)
class Contradiction:
    """Statistics that no table has together; `reason` is a key of WHY."""

    statistics: tuple[Statistic, ...]
    reason: str

    @property
    def size(self) -> int:
        return sum(each.size for each in self.statistics)


Named = tuple[Kind, *tuple[str, ...]]


def of(reason: str, *statistics: Named) -> Contradiction:
    """A contradiction from (kind, column, …) each."""
    return Contradiction(tuple(Statistic(each[0], each[1:]) for each in statistics), reason)


def listed(statistics: Sequence[Statistic]) -> str:
    return _joined([str(each) for each in statistics])


def _joined(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
