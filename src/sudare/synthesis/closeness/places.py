"""Findings from the numbers of cells at each place, and how many people are where.

Where people have several rows, the people that share a cell were counted beside its rows; else
every row is somebody else's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.closeness import CloseFinding, CloseKind, Place, Verdict
from sudare.facts.statistics import Floats, Marginal, Statistics

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


def in_bins(statistics: Statistics, marginal: Marginal) -> Floats:
    """People by bin, and those of whom a value is missing."""
    if statistics.sharing is not None:
        return statistics.sharing.bins[marginal.name]
    return np.append(marginal.counts, marginal.missing)


def in_levels(statistics: Statistics, marginal: Marginal) -> Floats:
    """People by level."""
    if statistics.sharing is not None:
        return statistics.sharing.levels[marginal.name]
    return marginal.level_counts


def in_cells(statistics: Statistics, left: str, right: str) -> Floats:
    """People by cell of a two-way table."""
    if statistics.sharing is not None:
        return statistics.sharing.cells[left, right]
    return statistics.crosses[left, right]
