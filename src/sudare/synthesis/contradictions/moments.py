"""Means and variances that their bounds or their histogram do not allow."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.synthesis.contradictions.comparing import (
    LEFTOVER,
    RELATIVE,
    bin_values,
    bounds,
    exceeds,
    outside,
    size,
)
from sudare.synthesis.contradictions.finding import Contradiction, of
from sudare.synthesis.contradictions.ranges import (
    mean_range,
    variance_range,
    variance_range_at,
    variance_range_of,
)


def averaged(statistics: Statistics) -> Iterator[Contradiction]:
    """One column at a time. Counts below zero have been found already and are passed over."""
    moments = statistics.moments
    if moments is None:
        return
    for place, name in enumerate(moments.columns):
        marginal = statistics.marginal(name)
        present = float(marginal.counts.sum())
        if present <= 0 or np.any(marginal.counts < 0) or marginal.missing < 0:
            continue
        mean = float(moments.mean[place])
        is_allowed = True
        for found in _mean(marginal, mean):
            is_allowed = False
            yield found
        if moments.known[place, place]:
            # Missing values stand at the mean, so those present vary by more than is stated.
            share = present / (present + marginal.missing)
            variance = float(moments.covariance[place, place]) / share
            yield from _variance(marginal, mean if is_allowed else None, variance)


def _mean(marginal: Marginal, mean: float) -> Iterator[Contradiction]:
    name, leftover = marginal.name, LEFTOVER * size(marginal)
    if outside(mean, *bounds(marginal), leftover):
        yield of("mean_bounds", ("bounds", name), ("mean", name))
    else:
        counts, lows, highs = _bins(marginal)
        if marginal.means is not None:
            lows, highs = _at_means(marginal)
        # What rounded means of bins may be off by together, where they cancel.
        leftover += RELATIVE * mean_range(counts, lows, np.maximum(np.abs(lows), np.abs(highs)))[1]
        if outside(mean, *mean_range(counts, lows, highs), leftover):
            yield of("mean_bins", ("histogram", name), ("mean", name))


def _variance(marginal: Marginal, mean: float | None, variance: float) -> Iterator[Contradiction]:
    """The smallest sets first: a finding makes those that contain it superfluous."""
    name, leftover = marginal.name, LEFTOVER * size(marginal) ** 2
    low, high = bounds(marginal)
    counts, lows, highs = _bins(marginal)
    if variance < -leftover:
        yield of("negative_variance", ("variance", name))
    elif exceeds(variance, (high - low) ** 2 / 4, leftover):
        yield of("variance_bounds", ("bounds", name), ("variance", name))
    elif outside(variance, *_range(marginal), leftover):
        yield of("variance_bins", ("histogram", name), ("variance", name))
    elif mean is None:
        return
    elif exceeds(variance, (high - mean) * (mean - low), leftover):
        yield of("variance_mean", ("bounds", name), ("mean", name), ("variance", name))
    elif outside(variance, *variance_range_at(counts, lows, highs, mean), leftover):
        yield of("variance_bins_mean", ("histogram", name), ("mean", name), ("variance", name))


def _range(marginal: Marginal) -> tuple[float, float]:
    counts, lows, highs = _bins(marginal)
    if marginal.means is None:
        return variance_range(counts, lows, highs)
    low, high = _at_means(marginal)
    # Means of rounded values may be half a step off, which the bins without them allow for.
    if np.any(high > low):
        return variance_range(counts, lows, highs)
    return variance_range_of(counts, lows, highs, low)


def _bins(marginal: Marginal) -> tuple[Floats, Floats, Floats]:
    filled = marginal.counts > 0
    lows, highs = bin_values(marginal)
    return marginal.counts[filled], lows[filled], highs[filled]


def _at_means(marginal: Marginal) -> tuple[Floats, Floats]:
    """Bins that have shrunk to their means; half a step around them for reals."""
    assert marginal.means is not None
    half = 0.5 if marginal.type == "real" else 0.0
    means = marginal.means[marginal.counts > 0]
    return (means - half) * marginal.step, (means + half) * marginal.step
