"""Distances between rows of mixed columns.

Symbols  Gower's distance: the mean over columns of |x − y| / range for numbers (range: from the
         least to the largest value of the real rows) and of 0 or 1 for labels and booleans. A
         missing value is at distance 1 from every value and 0 from another missing one.
Needs    tables of the same columns. Values beyond the range may be further than 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.microdata import Microdata, NumberColumn
from sudare.risk.compare.features import codes_of

Singles = NDArray[np.float32]
# So many rows are compared with all others at a time.
BLOCK = 256


@dataclass(frozen=True, eq=False)
class Points:
    """Rows of one table on common scales: one array a column, NaN where a value is missing."""

    columns: tuple[Singles, ...]
    are_labels: tuple[bool, ...]

    @property
    def rows(self) -> int:
        return len(self.columns[0])

    def part(self, first: int, last: int) -> Points:
        return Points(tuple(each[first:last] for each in self.columns), self.are_labels)


def points_of(tables: Sequence[Microdata]) -> list[Points]:
    """Every table on the scales of the first, which holds the real rows."""
    kinds, columns = [], []
    for name in tables[0].names:
        column = tables[0][name]
        kinds.append(column.type in ("category", "boolean"))
        columns.append(_scaled(tables, name))
    return [
        Points(tuple(parts[side] for parts in columns), tuple(kinds)) for side in range(len(tables))
    ]


def _scaled(tables: Sequence[Microdata], name: str) -> list[Singles]:
    column = tables[0][name]
    if not isinstance(column, NumberColumn):
        _, codes = codes_of(tables, name)
        return [each.astype(np.float32) for each in codes]
    present = column.values[~column.missing]
    low = float(present.min()) if len(present) else 0.0
    width = (float(present.max()) - low if len(present) else 0.0) or 1.0
    return [((table[name].values - low) / width).astype(np.float32) for table in tables]  # type: ignore[union-attr]


def column_distance(one: Points, two: Points, column: int) -> Singles:
    """A matrix of the distances in one column, between 0 and 1 for values within the range."""
    a, b = one.columns[column][:, None], two.columns[column][None, :]
    found: Singles = (a != b).astype(np.float32) if one.are_labels[column] else np.abs(a - b)
    lost, lost2 = np.isnan(a), np.isnan(b)
    if lost.any() or lost2.any():
        apart: Singles = (lost != lost2).astype(np.float32)
        found = np.where(lost | lost2, apart, found)
    return found


def distances(one: Points, two: Points, columns: Sequence[int]) -> Singles:
    """The matrix of the mean distance over these columns."""
    total = np.zeros((one.rows, two.rows), np.float32)
    for column in columns:
        total += column_distance(one, two, column)
    return total / np.float32(max(len(columns), 1))


def in_blocks(points: Points) -> Iterator[Points]:
    for first in range(0, points.rows, BLOCK):
        yield points.part(first, first + BLOCK)


def nearest_distances(one: Points, two: Points) -> Singles:
    """From each row of `one` to its nearest row of `two`."""
    every = range(len(one.columns))
    return np.concatenate([distances(block, two, every).min(axis=1) for block in in_blocks(one)])
