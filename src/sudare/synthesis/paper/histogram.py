"""Algorithm 2, FixHistogram: every column by itself, through the inverse of its histogram.

w ~ UniRand(0, 1), x = f⁻¹(w). The inverse runs straight through a bin from its first to its last
value, so a number is continuous inside a bin; a bin of one value gives that value, and where all
bins are such the histogram is that of the exact values. Missing is one more bin, after the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.randomness.bits import RandomBits
from sudare.randomness.floats import uniforms
from sudare.synthesis.paper.coding import Ints


@dataclass(frozen=True, eq=False)
class Histogrammed:
    """X: numbers in the units of the data, the bins of categories (missing: one after the last
    label), and where a column is missing."""

    values: dict[str, Floats]
    labels: dict[str, Ints]
    missing: dict[str, NDArray[np.bool_]]


def fix_histogram(statistics: Statistics, rows: int, bits: RandomBits) -> Histogrammed:
    """N' = `rows` independent draws from every histogram of F_D."""
    values, labels, missing = {}, {}, {}
    for each in statistics.marginals:
        chosen, part = inverse(_filled(each), uniforms(bits, rows))
        if each.may_miss:
            missing[each.name] = chosen == each.bins
        if each.is_number:
            values[each.name] = _inside(each, np.minimum(chosen, each.bins - 1), part)
        else:
            labels[each.name] = chosen
    return Histogrammed(values, labels, missing)


def inverse(counts: Floats, uniform: Floats) -> tuple[Ints, Floats]:
    """The bin in which f⁻¹(w) lies, and which part of it is below f⁻¹(w)."""
    edges = np.concatenate([[0.0], np.cumsum(counts)])
    edges /= edges[-1]
    chosen = np.searchsorted(edges, uniform, side="right") - 1
    # Rounding could put the last edge below a draw; nothing lies behind the last held bin.
    chosen = np.minimum(chosen, int(np.flatnonzero(counts > 0)[-1]))
    widths = np.diff(edges)[chosen]
    return chosen, np.clip((uniform - edges[chosen]) / widths, 0.0, 1.0)


def _filled(each: Marginal) -> Floats:
    counts = np.append(each.counts, each.missing) if each.may_miss else each.counts
    return np.maximum(counts, 0.0)


def _inside(each: Marginal, chosen: Ints, part: Floats) -> Floats:
    starts, ends = np.array(each.starts, np.float64), np.array(each.ends, np.float64)
    found: Floats = (starts[chosen] + part * (ends - starts)[chosen]) * each.step
    return found
