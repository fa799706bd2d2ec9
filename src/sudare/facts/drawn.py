"""Synthetic rows in memory: what a synthesiser hands on before they are checked and written.

Numbers are in the units of the data (a date is days since 1970-01-01, a boolean 0 or 1);
categories are the places of their labels in the statistics' marginal. Where `missing` is true a
value or a code means nothing. Only the default method promises values on the grid and inside the
bounds; paper mode leaves both, as its paper does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Drawn:
    """`rows` synthetic rows; every column is in `values` or in `codes`, and in `missing` only if
    it can miss."""

    rows: int
    values: Mapping[str, NDArray[np.float64]]
    codes: Mapping[str, NDArray[np.int64]]
    missing: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        arrays = (*self.values.values(), *self.codes.values(), *self.missing.values())
        if any(array.shape != (self.rows,) for array in arrays):
            raise ValueError("a drawn column does not have the drawn number of rows")
        if set(self.values) & set(self.codes):
            raise ValueError("a column is drawn both as a number and as a category")
        if not set(self.missing) <= {*self.values, *self.codes}:
            raise ValueError("a column that was not drawn is said to be missing")

    def is_missing(self, name: str) -> NDArray[np.bool_]:
        """Where a column's value is missing; nowhere, if it cannot be."""
        found = self.missing.get(name)
        return np.zeros(self.rows, np.bool_) if found is None else found
