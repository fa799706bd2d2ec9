"""Values of numbers that histograms and sums state, and columns in which everyone is the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.closeness import CloseFinding, Verdict
from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.synthesis.closeness.places import Cells, finding, in_bins, in_levels, is_few, is_one


def values(statistics: Statistics) -> CloseFinding:
    """Bins of one person that state this person's value. A number of two values is a category."""
    cells: Cells = {
        (each.name,): int(
            (is_one(people := _people(statistics, each)) & _is_stated(each, people)).sum()
        )
        for each in statistics.numbers
        if each.high - each.low > 1
    }
    return finding("values", "high", cells)


def extremes(statistics: Statistics, minimum: int) -> CloseFinding:
    """Least and greatest values that the last filled bin states and that few people have: the
    richest and the oldest are known to their neighbours."""
    people = {each.name: _people(statistics, each) for each in statistics.numbers}
    few: Cells = {
        (each.name,): _ends(each, people[each.name], minimum) for each in statistics.numbers
    }
    lone = any(_ends(each, people[each.name], 2) for each in statistics.numbers)
    verdict: Verdict = "high" if lone else "look"
    return finding("extremes", verdict, few)


def sums(statistics: Statistics, minimum: int) -> CloseFinding:
    """Sums over few people; over one person it is this person's value."""
    cells: Cells = {}
    lone = False
    for number, category in statistics.shifts:
        people = in_levels(statistics, statistics.marginal(category))
        cells[number, category] = int(is_few(people, minimum).sum())
        lone = lone or bool(is_one(people).any())
    return finding("sums", "high" if lone else "look", cells)


def constants(statistics: Statistics) -> CloseFinding:
    """Columns in which everyone is the same: to be in the table is to have that value."""
    return finding(
        "constants", "look", {(each.name,): int(_is_same(each)) for each in statistics.marginals}
    )


def _people(statistics: Statistics, marginal: Marginal) -> Floats:
    """People by bin."""
    return in_bins(statistics, marginal)[:-1]


def _is_stated(marginal: Marginal, people: Floats) -> NDArray[np.bool_]:
    """Bins that hold one value only, or state the mean of one person."""
    narrow: NDArray[np.bool_] = np.equal(marginal.starts, marginal.ends)
    return narrow if marginal.means is None else narrow | is_one(people)


def _ends(marginal: Marginal, people: Floats, minimum: int) -> int:
    """How many ends are stated and few; a column of one or two values has none."""
    filled = np.flatnonzero(np.rint(marginal.counts) > 0)
    if len(filled) < 2 or marginal.high - marginal.low < 2:
        return 0
    ends = filled[[0, -1]]
    stated = _is_stated(marginal, people) | _is_at_an_edge(marginal)
    return int((stated & is_few(people, minimum))[ends].sum())


def _is_at_an_edge(marginal: Marginal) -> NDArray[np.bool_]:
    """Bins whose mean is their first or last value: then everyone in them has it."""
    if marginal.means is None:
        return np.zeros(marginal.bins, dtype=bool)
    starts, ends = np.array(marginal.starts), np.array(marginal.ends)
    return np.asarray(np.isclose(marginal.means, starts) | np.isclose(marginal.means, ends))


def _is_same(marginal: Marginal) -> bool:
    people = np.rint(np.append(marginal.counts, marginal.missing)) > 0
    if people.sum() != 1:
        return False
    place = int(np.argmax(people))
    if place == marginal.bins or not marginal.is_number:
        return True
    return marginal.starts[place] == marginal.ends[place]
