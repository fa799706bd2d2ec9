"""Algorithm 1, and the two methods that the paper compares it with.

A is Algorithm 2 alone: every column right by itself, nothing between them. B does Algorithm 4 to
the numbers and leaves the categories as Algorithm 2 gave them. Numbers come out as the algorithms
leave them: fractions, and outside their bounds. Rows are coded, mapped and decoded block by block,
so that memory does not grow with rows times labels.

The paper has no missing values. A missing label is a label here; a missing number stays missing
where Algorithm 2 put it, so the moments of a number that can be missing are close and not exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudare.facts.drawn import Drawn
from sudare.facts.errors import InvalidPlan
from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.randomness.bits import RandomBits
from sudare.randomness.floats import uniforms
from sudare.synthesis.paper.coding import Ints, Layout, coded, layout_of
from sudare.synthesis.paper.decoding import Decoding, decoded, decoded_flag, thresholds
from sudare.synthesis.paper.histogram import Histogrammed, fix_histogram, inverse
from sudare.synthesis.paper.moments import FixMeanCov, Roots, fix_mean_cov, moments_of
from sudare.synthesis.paper.spare import spare_noise
from sudare.synthesis.paper.target import number_mean, target_of

Method = Literal["paper", "a", "b"]
BLOCK = 16_384


def paper_rows(
    statistics: Statistics,
    rows: int,
    bits: RandomBits,
    method: Method = "paper",
    *,
    roots: Roots = "symmetric",
    decoding: Decoding = "threshold",
) -> Drawn:
    """`rows` synthetic rows from statistics alone."""
    if rows < 1:
        raise InvalidPlan("Synthetic data need at least one row.", "Example: --rows 10000")
    layout = layout_of(statistics, with_categories=method == "paper")
    if method != "a" and rows <= layout.width:
        raise InvalidPlan(
            f"Paper mode needs more than {layout.width} rows, one for each coded column.",
            "Fewer rows cannot have that mean and covariance. Add --rows, or use --method a.",
        )
    drawn = fix_histogram(statistics, rows, bits)
    levels = {name: _levels(statistics.marginal(name), x) for name, x in drawn.labels.items()}
    if method != "a" and layout.width:
        values = _at_the_mean(statistics, drawn)
        spare = spare_noise(layout, values, levels, rows, bits)
        run = _Run(layout, values, levels, spare, rows)
        fix = fix_mean_cov(moments_of(run.blocks), target_of(statistics, layout), roots)
        numbers, found = run.mapped(fix, decoding)
        drawn.values.update(numbers)
        for name in found:
            drawn.labels[name] = _labels(statistics.marginal(name), found[name], bits)
    return _finished(statistics, drawn, rows)


def _levels(each: Marginal, labels: Ints) -> Ints:
    """The level of every drawn label, that of missing ones the last."""
    return np.append(each.level_of, each.present_levels)[labels]


def _labels(each: Marginal, levels: Ints, bits: RandomBits) -> Ints:
    """A label of every level; where rare labels share one, by their own counts."""
    found = np.full(len(levels), each.bins, np.int64)
    for level in range(each.present_levels):
        own, rows = np.flatnonzero(each.level_of == level), np.flatnonzero(levels == level)
        if len(own) == 1:
            found[rows] = own[0]
        elif len(rows):
            counts = np.maximum(each.counts[own], 0.0)
            found[rows] = own[inverse(counts, uniforms(bits, len(rows)))[0]]
    return found


def _at_the_mean(statistics: Statistics, drawn: Histogrammed) -> dict[str, Floats]:
    """The numbers with missing ones at the mean, as Σ_D has them."""
    return {
        name: np.where(drawn.missing[name], number_mean(statistics, name), values)
        if name in drawn.missing
        else values
        for name, values in drawn.values.items()
    }


@dataclass(frozen=True, eq=False)
class _Run:
    """Lines 2 to 4 of Algorithm 1, in blocks."""

    layout: Layout
    values: dict[str, Floats]
    levels: dict[str, Ints]
    spare: dict[int, Floats]
    rows: int

    def blocks(self) -> Iterator[Floats]:
        """Y."""
        for part in self.slices():
            block = coded(self.layout, self.values, self.levels, part)
            for place, noise in self.spare.items():
                block[:, place] += noise[part]
            yield block

    def slices(self) -> Iterator[slice]:
        for start in range(0, self.rows, BLOCK):
            yield slice(start, min(start + BLOCK, self.rows))

    def mapped(self, fix: FixMeanCov, how: Decoding) -> tuple[dict[str, Floats], dict[str, Ints]]:
        """The numbers of Z, and the levels that its categories are decoded to."""
        values = {name: np.empty(self.rows) for name in self.layout.numbers}
        found = {each.name: np.empty(self.rows, np.int64) for each in self.layout.categories}
        least = thresholds(self.layout, fix.mean)
        for part, block in zip(self.slices(), self.blocks(), strict=True):
            rows = fix.apply(block)
            for place, name in enumerate(self.layout.numbers):
                column = rows[:, place]
                if name in self.layout.flags:
                    column = decoded_flag(column, float(fix.mean[place]), how)
                values[name][part] = column
            for each in self.layout.categories:
                found[each.name][part] = decoded(each, rows, least[each.name], how)
        return values, found


def _finished(statistics: Statistics, drawn: Histogrammed, rows: int) -> Drawn:
    """Labels as codes; missing ones are marked and no longer a label."""
    codes = {
        name: np.minimum(labels, statistics.marginal(name).bins - 1)
        for name, labels in drawn.labels.items()
    }
    missing = dict(drawn.missing)
    for name in missing.keys() & codes.keys():
        missing[name] = drawn.labels[name] == statistics.marginal(name).bins
    return Drawn(rows, drawn.values, codes, missing)
