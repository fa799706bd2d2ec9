"""Cells of few people: in histograms, in two-way tables, alone, and all of one kind."""

from __future__ import annotations

import numpy as np

from sudare.facts.closeness import CloseFinding
from sudare.facts.statistics import Floats, Statistics
from sudare.synthesis.closeness.places import Cells, finding, is_few, is_one


def small_bins(statistics: Statistics, minimum: int) -> CloseFinding:
    """Bins, and missing values, of fewer than the minimum."""
    cells: Cells = {
        (each.name,): int(is_few(np.append(each.counts, each.missing), minimum).sum())
        for each in statistics.marginals
    }
    return finding("small_bins", "look", cells)


def small_cells(statistics: Statistics, minimum: int) -> CloseFinding:
    cells: Cells = {
        pair: int(is_few(table, minimum).sum()) for pair, table in statistics.crosses.items()
    }
    return finding("small_cells", "look", cells)


def alone(statistics: Statistics) -> CloseFinding:
    """Cells of one person: who knows both levels has singled somebody out."""
    cells: Cells = {pair: int(is_one(table).sum()) for pair, table in statistics.crosses.items()}
    return finding("alone", "high", cells)


def groups(statistics: Statistics, minimum: int) -> CloseFinding:
    """Levels of few people who all share one level of another column: who knows that somebody is
    one of them learns the other column. (Above the minimum it is taken for a rule of the world.)"""
    cells: Cells = {}
    for (left, right), table in statistics.crosses.items():
        cells[left, right] = _shared(table, minimum)
        cells[right, left] = _shared(table.T, minimum)
    return finding("groups", "high", cells)


def _shared(table: Floats, minimum: int) -> int:
    """Rows of a table with few people, all in one cell, where the columns differ at all."""
    people = np.rint(table) > 0
    if people.any(0).sum() < 2:
        return 0
    return int((is_few(table.sum(1), minimum) & (people.sum(1) == 1)).sum())
