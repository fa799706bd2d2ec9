"""Sums of a number within the levels of a category that other statistics do not allow."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.synthesis.contradictions.comparing import (
    LEFTOVER,
    RELATIVE,
    bin_values,
    bounds,
    differ,
    level_values,
    outside,
    size,
)
from sudare.synthesis.contradictions.finding import Contradiction, of
from sudare.synthesis.contradictions.ranges import sum_range


def summed(statistics: Statistics) -> Iterator[Contradiction]:
    """Histograms with counts below zero have been found already and are passed over."""
    firsts: dict[str, tuple[str, float]] = {}
    for (number, category), sums in statistics.shifts.items():
        mine, other = statistics.marginal(number), statistics.marginal(category)
        if min(mine.counts.min(), other.counts.min(), mine.missing, other.missing) < 0:
            continue
        first, total = firsts.setdefault(number, (category, float(sums.sum())))
        if differ(sums.sum(), total, _rounding(sums)):
            yield of("sums_sums", ("sums", number, first), ("sums", number, category))
        yield from _mean(statistics, mine, category, sums)
        yield from _levels(statistics, mine, other, sums)


def _mean(
    statistics: Statistics, marginal: Marginal, category: str, sums: Floats
) -> Iterator[Contradiction]:
    moments, name = statistics.moments, marginal.name
    if moments is None or name not in moments.columns:
        return
    present = float(marginal.counts.sum())
    mean = float(moments.mean[moments.columns.index(name)])
    if present and differ(sums.sum(), mean * present, _rounding(sums)):
        yield of("sums_mean", ("histogram", name), ("mean", name), ("sums", name, category))


def _rounding(sums: Floats) -> float:
    """What rounded sums may be off by in total, where they cancel."""
    return RELATIVE * float(np.abs(sums).sum())


def _levels(
    statistics: Statistics, mine: Marginal, other: Marginal, sums: Floats
) -> Iterator[Contradiction]:
    """Against the bounds, the histogram and the two-way table, whichever is smallest."""
    names, people = (mine.name, other.name), other.level_counts
    leftover = LEFTOVER * size(mine) * statistics.rows
    table = statistics.crosses.get(names)
    if table is None and names[::-1] in statistics.crosses:
        table = statistics.crosses[names[::-1]].T
    if table is not None and not np.any(table < 0):
        lows, highs = level_values(mine)
        inner = table[: len(lows)]
        if outside(sums, lows @ inner, highs @ inner, leftover):
            pair = names if names in statistics.crosses else names[::-1]
            yield of("sums_table", ("table", *pair), ("sums", *names))
    elif outside(sums, *_by_bounds(mine, people), leftover):
        yield of("sums_bounds", ("bounds", mine.name), ("histogram", other.name), ("sums", *names))
    elif not mine.missing and outside(sums, *_by_bins(mine, people), leftover):
        yield of("sums_bins", ("histogram", mine.name), ("histogram", other.name), ("sums", *names))


def _by_bounds(marginal: Marginal, people: Floats) -> tuple[Floats, Floats]:
    """Some of the people may have no value: then the sum may be nearer to zero."""
    low, high = bounds(marginal)
    fewest = np.maximum(people - marginal.missing, 0)
    return np.minimum(people * low, fewest * low), np.maximum(people * high, fewest * high)


def _by_bins(marginal: Marginal, people: Floats) -> tuple[Floats, Floats]:
    return sum_range(marginal.counts, *bin_values(marginal), people)
