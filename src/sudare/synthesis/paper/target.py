"""μ_D and Σ_D over the coded columns, put together from statistics.

The mean and the covariance of 1-of-K columns are the two-way tables of the categories; those of a
number with them are its sums within labels. So they need no row: `crosses`, `shifts` and `moments`
hold them. All are divided by the number of rows (ddof 0). A missing number counts as the mean.
Noisy statistics that state a two-way table of levels in place of a sum or a moment are read through
the means of the levels; of exact ones the sums are asked for, because levels would blur them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sudare.facts.errors import InvalidStatistics
from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.synthesis.paper.coding import CodedCategory, Layout


@dataclass(frozen=True, eq=False)
class Target:
    """μ_D and Σ_D."""

    mean: Floats
    covariance: Floats


def check_sums(statistics: Statistics, layout: Layout) -> None:
    """Refuse exact statistics that lack a sum which Σ_D is made of."""
    if statistics.origin != "exact":
        return
    for name in layout.numbers:
        for each in layout.categories:
            if (name, each.name) not in statistics.shifts:
                raise InvalidStatistics(
                    f"The exact statistics lack the sums of '{name}' within '{each.name}'.",
                    "Paper mode needs them: make the statistics with --mode paper, or from Python "
                    "with with_sums=True.",
                )


def target_of(statistics: Statistics, layout: Layout) -> Target:
    """Mean and covariance of the coded columns of `layout`."""
    check_sums(statistics, layout)
    mean, covariance = np.zeros(layout.width), np.zeros((layout.width, layout.width))
    for i, name in enumerate(layout.numbers):
        mean[i] = number_mean(statistics, name)
        for j, other in enumerate(layout.numbers[: i + 1]):
            covariance[i, j] = covariance[j, i] = _of_numbers(statistics, name, other)
    for each in layout.categories:
        share = _shares(statistics, each.name)[each.levels[1:]]
        mean[each.places] = share
        covariance[each.places, each.places] = np.diag(share) - np.outer(share, share)
        for i, name in enumerate(layout.numbers):
            block = _of_number_and_category(statistics, name, each.name)[each.levels[1:]]
            covariance[i, each.places] = covariance[each.places, i] = block
    _fill_categories(statistics, layout, covariance)
    return Target(mean, covariance)


def _fill_categories(statistics: Statistics, layout: Layout, covariance: Floats) -> None:
    for place, one in enumerate(layout.categories):
        for two in layout.categories[:place]:
            block = _of_categories(statistics, one, two)
            covariance[one.places, two.places] = block
            covariance[two.places, one.places] = block.T


def _shares(statistics: Statistics, name: str) -> Floats:
    counts = np.maximum(statistics.marginal(name).level_counts, 0.0)
    found: Floats = counts / counts.sum()
    return found


def _cross(statistics: Statistics, one: str, two: str) -> Floats | None:
    """The shares of a two-way table, `one` in its rows."""
    found = statistics.crosses.get((one, two))
    if found is None:
        turned = statistics.crosses.get((two, one))
        found = None if turned is None else turned.T
    return None if found is None else found / found.sum()


def _of_categories(statistics: Statistics, one: CodedCategory, two: CodedCategory) -> Floats:
    table = _cross(statistics, one.name, two.name)
    if table is None:
        raise _untold(one.name, two.name)
    apart = table - np.outer(table.sum(axis=1), table.sum(axis=0))
    found: Floats = apart[np.ix_(one.levels[1:], two.levels[1:])]
    return found


def _of_number_and_category(statistics: Statistics, number: str, category: str) -> Floats:
    """Covariance of a number with every level of a category."""
    table, sums = _cross(statistics, number, category), statistics.shifts.get((number, category))
    marginal = statistics.marginal(number)
    if sums is None:
        if table is None:
            raise _untold(number, category)
        found: Floats = _level_offsets(marginal) @ table
        return found
    counts = np.maximum(statistics.marginal(category).level_counts, 0.0)
    if marginal.may_miss:
        # Only the rows that have the number are in its sums.
        present = 1 - marginal.missing / statistics.rows
        counts = counts * present if table is None else table[:-1].sum(axis=0) * statistics.rows
    within: Floats = (sums - number_mean(statistics, number) * counts) / statistics.rows
    return within


def _of_numbers(statistics: Statistics, one: str, two: str) -> float:
    moments = statistics.moments
    if moments is not None and one in moments.columns and two in moments.columns:
        i, j = moments.columns.index(one), moments.columns.index(two)
        if moments.known[i, j]:
            return float(moments.covariance[i, j])
    if one == two:
        marginal = statistics.marginal(one)
        offsets, counts = _level_offsets(marginal), np.maximum(marginal.level_counts, 0.0)
        return float(offsets**2 @ counts / counts.sum())
    table = _cross(statistics, one, two)
    if table is None:
        raise _untold(one, two)
    left, right = (_level_offsets(statistics.marginal(name)) for name in (one, two))
    return float(left @ table @ right)


def number_mean(statistics: Statistics, name: str) -> float:
    """The mean of the values present."""
    moments = statistics.moments
    if moments is not None and name in moments.columns:
        return float(moments.mean[moments.columns.index(name)])
    return _binned_mean(statistics.marginal(name))


def bin_values(each: Marginal) -> Floats:
    """The mean value inside every bin, in the units of the data."""
    if each.means is not None:
        return each.means * each.step
    middle: Floats = (np.array(each.starts) + np.array(each.ends)) / 2 * each.step
    return middle


def _binned_mean(each: Marginal) -> float:
    counts = np.maximum(each.counts, 0.0)
    return float(bin_values(each) @ counts / counts.sum())


def _level_offsets(each: Marginal) -> Floats:
    """How far the mean of every level lies from the mean; 0 where a number is missing."""
    counts = np.maximum(each.counts, 0.0)
    held = np.bincount(each.level_of, counts, each.present_levels)
    sums = np.bincount(each.level_of, counts * bin_values(each), each.present_levels)
    mean = _binned_mean(each)
    found: Floats = np.where(held > 0, sums / np.where(held > 0, held, 1.0) - mean, 0.0)
    return np.append(found, 0.0) if each.may_miss else found


def _untold(one: str, two: str) -> InvalidStatistics:
    return InvalidStatistics(
        f"The statistics do not tell how '{one}' and '{two}' go together.",
        "Paper mode needs all covariances over 1-of-K columns; see docs/synthesis-paper.md.",
    )
