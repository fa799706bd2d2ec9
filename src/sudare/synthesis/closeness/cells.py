"""Cells of few people: in histograms, in two-way tables, alone, and all of one kind."""

from __future__ import annotations

import numpy as np

from sudare.facts.closeness import CloseFinding
from sudare.facts.statistics import Floats, Statistics
from sudare.synthesis.closeness.places import (
    Cells,
    finding,
    in_bins,
    in_cells,
    in_levels,
    is_few,
    is_one,
)


def small_bins(statistics: Statistics, minimum: int) -> CloseFinding:
    """Bins, and missing values, of fewer than the minimum."""
    cells: Cells = {
        (each.name,): int(is_few(in_bins(statistics, each), minimum).sum())
        for each in statistics.marginals
    }
    return finding("small_bins", "look", cells)


def small_cells(statistics: Statistics, minimum: int) -> CloseFinding:
    cells: Cells = {
        pair: int(is_few(in_cells(statistics, *pair), minimum).sum()) for pair in statistics.crosses
    }
    return finding("small_cells", "look", cells)


def alone(statistics: Statistics) -> CloseFinding:
    """Cells of one person: who knows both levels has singled somebody out."""
    cells: Cells = {
        pair: int(is_one(in_cells(statistics, *pair)).sum()) for pair in statistics.crosses
    }
    return finding("alone", "high", cells)


def groups(statistics: Statistics, minimum: int) -> CloseFinding:
    """Levels of few people who all share one level of another column: who knows that somebody is
    one of them learns the other column. (Above the minimum it is taken for a rule of the world.)"""
    cells: Cells = {}
    for left, right in statistics.crosses:
        table = in_cells(statistics, left, right)
        rows, columns = (in_levels(statistics, statistics.marginal(name)) for name in (left, right))
        cells[left, right] = _shared(table, rows, minimum)
        cells[right, left] = _shared(table.T, columns, minimum)
    return finding("groups", "high", cells)


def _shared(table: Floats, people: Floats, minimum: int) -> int:
    """Rows of a table with few `people`, all in one cell, where the columns differ at all."""
    filled = np.rint(table) > 0
    if filled.any(0).sum() < 2:
        return 0
    return int((is_few(people, minimum) & (filled.sum(1) == 1)).sum())
