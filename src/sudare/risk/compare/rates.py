"""Intervals of 95 % for shares, areas under the curve and risks.

Source   Wilson 1927 for a share; Hanley and McNeil 1982 for an area under the curve; risk as the
         share of what the control leaves, (success − control) / (1 − control), as anonymeter
         (Giomi et al. 2023) defines it, with the errors of both shares carried through.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.compared import Estimate

Z95 = 1.959963984540054


def share(successes: int, trials: int) -> Estimate:
    """The share of successes, with Wilson's interval; anything is possible without trials."""
    if trials == 0:
        return Estimate(0.0, 0.0, 1.0)
    rate, square = successes / trials, Z95**2 / trials
    middle = (rate + square / 2) / (1 + square)
    half = Z95 / (1 + square) * math.sqrt(rate * (1 - rate) / trials + square / (4 * trials))
    # At the ends the interval reaches the rate itself, which rounding must not miss.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    return Estimate(rate, low, 1.0 if successes == trials else min(1.0, middle + half))


def risk(success: Estimate, control: Estimate) -> Estimate:
    """How much of what the control leaves the attack wins; 0 where it wins less."""
    left = 1 - control.value
    if left <= 0:
        return Estimate(0.0, 0.0, 1.0)
    value = (success.value - control.value) / left
    errors = [(each.high - each.low) / 2 for each in (success, control)]
    half = math.hypot(errors[0] / left, errors[1] * (1 - success.value) / left**2)
    return Estimate(*(min(1.0, max(0.0, each)) for each in (value, value - half, value + half)))


def auc(scores: NDArray[Any], is_positive: NDArray[np.bool_]) -> Estimate:
    """The chance that a positive scores above a negative, ties counting half."""
    positives = int(is_positive.sum())
    negatives = len(scores) - positives
    if positives == 0 or negatives == 0:
        return Estimate(0.5, 0.0, 1.0)
    _, codes, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    above = float(ranks[codes[is_positive]].sum()) - positives * (positives + 1) / 2
    area = above / (positives * negatives)
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    spread = area * (1 - area) + (positives - 1) * (first - area**2)
    spread += (negatives - 1) * (second - area**2)
    half = Z95 * math.sqrt(max(spread, 0.0) / (positives * negatives))
    return Estimate(area, max(0.0, area - half), min(1.0, area + half))
