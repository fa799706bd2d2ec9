"""Counts that contradict each other: histograms, two-way tables and the number of rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.synthesis.contradictions.comparing import RELATIVE, differ
from sudare.synthesis.contradictions.finding import Contradiction, of


def counted(statistics: Statistics) -> Iterator[Contradiction]:
    for marginal in statistics.marginals:
        yield from _histogram(marginal, statistics.rows)
    seen: dict[str, tuple[tuple[str, str], Floats]] = {}
    for pair, table in statistics.crosses.items():
        if np.any(table < 0):
            yield of("negative", ("table", *pair))
        if differ(table.sum(), statistics.rows):
            yield of("total", ("rows",), ("table", *pair))
        for axis, name in enumerate(pair):
            margin = table.sum(1 - axis)
            if differ(margin, statistics.marginal(name).level_counts, RELATIVE):
                yield of("margin", ("histogram", name), ("table", *pair))
            # Comparing with one table is enough: of two that disagree, one disagrees with it.
            first, expected = seen.setdefault(name, (pair, margin))
            if differ(margin, expected, RELATIVE):
                yield of("margins", ("table", *first), ("table", *pair))


def _histogram(marginal: Marginal, rows: float) -> Iterator[Contradiction]:
    if np.any(marginal.counts < 0) or marginal.missing < 0:
        yield of("negative", ("histogram", marginal.name))
    if differ(marginal.counts.sum() + marginal.missing, rows):
        yield of("total", ("rows",), ("histogram", marginal.name))
    if marginal.means is not None:
        low, high = np.array(marginal.starts), np.array(marginal.ends)
        # Half an index for reals, whose means may be those of values before they were rounded.
        slack = RELATIVE * np.maximum(np.abs(low), np.abs(high)) + RELATIVE
        slack = slack + (0.5 if marginal.type == "real" else 0.0)
        beside = (marginal.means < low - slack) | (marginal.means > high + slack)
        if np.any(beside & (marginal.counts > 0)):
            yield of("bin_means", ("histogram", marginal.name))
