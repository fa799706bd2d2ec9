"""Findings from the numbers of cells at each place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.closeness import CloseFinding, CloseKind, Place, Verdict
from sudare.facts.statistics import Floats

# How many cells were found at each column or pair of columns.
Cells = dict[tuple[str, ...], int]
MOST_PLACES = 5


def finding(kind: CloseKind, verdict: Verdict, cells: Cells) -> CloseFinding:
    """`verdict` where anything was found, else fine; places by how much was found there."""
    worst = sorted(cells.items(), key=lambda each: -each[1])
    places = tuple(Place(columns, many) for columns, many in worst[:MOST_PLACES] if many)
    found = sum(cells.values())
    return CloseFinding(kind, verdict if found else "fine", found, places)


def is_few(counts: Floats, minimum: int) -> NDArray[np.bool_]:
    """Somebody, but fewer than the minimum."""
    people = np.rint(counts)
    return np.asarray((people > 0) & (people < minimum))


def is_one(counts: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.rint(counts) == 1)
