"""Columns and reports as arrays, on their way between engines and jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Integers, and which of them are missing (None: none).
Column = tuple[NDArray[np.int64], NDArray[np.bool_] | None]
# Item → the rows that report it (None: all), and their reports, one row each.
Reports = dict[str, tuple[NDArray[np.int64] | None, NDArray[Any]]]


@dataclass(frozen=True)
class Batch:
    """Some rows of a randomised file."""

    rows: int
    reports: Reports
