"""Microdata in memory: one array a column, as an engine hands rows to the jobs that need them.

Numbers are floats with NaN where a value is missing; dates are days since 1970-01-01 and booleans
0 and 1. Categories are codes of their labels with -1 where a value is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

NumberType = Literal["integer", "real", "date", "boolean"]
ColumnKind = Literal["integer", "real", "date", "boolean", "category"]
Floats = NDArray[np.float64]
Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """A column of numbers; NaN is missing."""

    name: str
    values: Floats
    type: NumberType = "real"

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        return np.isnan(self.values)

    def taken(self, rows: NDArray[np.int64]) -> NumberColumn:
        return NumberColumn(self.name, self.values[rows], self.type)

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """A column of labels by their codes; -1 is missing."""

    name: str
    codes: Codes
    labels: tuple[str, ...]
    type: Literal["category"] = "category"

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        return self.codes < 0

    def taken(self, rows: NDArray[np.int64]) -> LabelColumn:
        return LabelColumn(self.name, self.codes[rows], self.labels)

    def __len__(self) -> int:
        return len(self.codes)


MicroColumn = NumberColumn | LabelColumn


@dataclass(frozen=True, eq=False)
class Microdata:
    """Rows by columns of equal length, each name once. `people` has the number of the person of
    each row, and is None where every row is another person's."""

    columns: tuple[MicroColumn, ...]
    people: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        if len({column.name for column in self.columns}) != len(self.columns):
            raise ValueError("a column is named twice")
        if len({len(column) for column in self.columns}) > 1:
            raise ValueError("columns differ in length")

    @property
    def rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def __getitem__(self, name: str) -> MicroColumn:
        return next(column for column in self.columns if column.name == name)

    def taken(self, rows: NDArray[np.int64]) -> Microdata:
        """The rows at these places, in this order."""
        people = None if self.people is None else self.people[rows]
        return Microdata(tuple(column.taken(rows) for column in self.columns), people)

    def only(self, names: Iterable[str]) -> Microdata:
        """These columns, in this order."""
        return Microdata(tuple(self[name] for name in names), self.people)


def number_column(name: str, values: ArrayLike, type: NumberType = "real") -> NumberColumn:
    """A column from anything that numpy reads as floats; NaN is missing."""
    return NumberColumn(name, np.asarray(values, np.float64), type)


def label_column(
    name: str, values: Sequence[str | None] | NDArray[np.object_], labels: Sequence[str] = ()
) -> LabelColumn:
    """A column from texts; None is missing. Without `labels` they are those that occur, sorted."""
    known = tuple(labels) or tuple(sorted({text for text in values if text is not None}))
    places = {label: place for place, label in enumerate(known)}
    codes = np.fromiter((places.get(text, -1) for text in values), np.int32, len(values))  # type: ignore[arg-type]
    return LabelColumn(name, codes, known)
