"""What of an estimated covariance or shift is fitted: nothing that noise alone could have made.

Claim    post-processing only. An estimate that cannot be told from independence at 95 % becomes
         independence; any other is shrunk by 1 − noise²/estimate², what is left of it on average
         when its noise is taken off.
Source   James, Stein 1961, positive part.
Needs    standard errors (`Statistics.errors`); without one an estimate is taken as it is.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.statistics import Floats, Statistics

# 95 % of a standard normal variable lie within; below, 95 % of one lie.
_WITHIN = 1.96
_BELOW = 1.645


def kept_covariance(statistics: Statistics, one: str, two: str) -> float:
    """The part of a covariance of two numbers that is fitted, between 0 and 1."""
    error, moments = _error(statistics, one, two), statistics.moments
    if moments is None or not {one, two} <= set(moments.columns):
        return 0.0
    i, j = moments.columns.index(one), moments.columns.index(two)
    if not moments.known[i, j]:
        return 0.0
    return _kept(np.array([moments.covariance[i, j]]), error)


def kept_shift(statistics: Statistics, number: str, other: str, mean: float) -> float:
    """The part of a number's shifts over a category, away from `mean`, that is fitted."""
    sums = statistics.shifts.get((number, other))
    if sums is None:
        return 0.0
    away = sums - mean * np.maximum(statistics.marginal(other).level_counts, 0.0)
    return _kept(away, _error(statistics, number, other))


def _error(statistics: Statistics, one: str, two: str) -> float:
    found = statistics.errors.get((one, two), statistics.errors.get((two, one), 0.0))
    return 0.0 if statistics.origin == "exact" else found


def _kept(away: Floats, error: float) -> float:
    if error <= 0:
        return 1.0
    ratio = float((away**2).sum()) / error**2
    # Deviations from independence over all levels add up to nothing, which takes one of them.
    freedom = max(len(away) - 1, 1)
    return 0.0 if ratio <= _limit(freedom) else 1.0 - freedom / ratio


def _limit(freedom: int) -> float:
    """The 95 % quantile of χ² (Wilson, Hilferty 1931)."""
    if freedom == 1:
        return _WITHIN**2
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + _BELOW * np.sqrt(part)) ** 3)
