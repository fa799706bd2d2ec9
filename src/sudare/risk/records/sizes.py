"""k-anonymity and uniqueness, from how many classes there are of each size.

Source   Samarati, Sweeney 1998: a table is k-anonymous if each record shares its quasi-identifiers
         with at least k − 1 others.
Symbols  k -> the smallest size; the average chance of naming a record is the mean of 1 over the
         size of its class, which is classes / records, because whoever knows the quasi-identifiers
         picks one of the class.
Units    where people may have several rows, a class has as many members as people with a row in it,
         and a person counts once, at the smallest of the classes that the person is in.
"""

from __future__ import annotations

from dataclasses import dataclass

from sudare.facts.coded import ClassSizes

# The lower ends of the ranges in which sizes are listed.
EDGES = (1, 2, 3, 5, 10, 20, 50, 100)
THRESHOLDS = (2, 3, 5, 10)


@dataclass(frozen=True)
class Range:
    """The classes of `low` to `high` units; `high` is None for the last range."""

    low: int
    high: int | None
    classes: int
    records: int


@dataclass(frozen=True)
class Anonymity:
    """k, the distribution of sizes, and the share of records in classes below each threshold."""

    records: int
    classes: int
    k: int
    average_risk: float
    ranges: tuple[Range, ...]
    below: tuple[tuple[int, int, float], ...]

    @property
    def uniques(self) -> int:
        return self.below[0][1]


def anonymity(found: ClassSizes) -> Anonymity:
    """The sizes of classes in numbers that people read."""
    ends = [*(edge - 1 for edge in EDGES[1:]), None]
    below = [(limit, found.records_below(limit)) for limit in THRESHOLDS]
    return Anonymity(
        records=found.records,
        classes=found.count,
        k=int(found.sizes[0]),
        average_risk=float((found.units / found.sizes).sum()) / found.records,
        ranges=tuple(_range(found, low, high) for low, high in zip(EDGES, ends, strict=True)),
        below=tuple((limit, records, records / found.records) for limit, records in below),
    )


def _range(found: ClassSizes, low: int, high: int | None) -> Range:
    inside = (found.sizes >= low) & (found.sizes <= (found.records if high is None else high))
    return Range(low, high, int(found.classes[inside].sum()), int(found.units[inside].sum()))
