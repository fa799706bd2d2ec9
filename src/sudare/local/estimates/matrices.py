"""Covariance and correlation matrices as facts, with a score beside that of no correlation."""

from __future__ import annotations

import math

import numpy as np

from sudare.facts.estimated import Figure, Matrix
from sudare.facts.randomized import NumberDomain, Randomized
from sudare.local.estimates.correlations import Correlations, upper
from sudare.local.estimates.figures import UNTOLD, figure, score
from sudare.local.estimates.jackknife import spread
from sudare.local.estimates.means import variance_figure
from sudare.local.estimates.moments import Moments

_ONE = Figure(1.0, 1.0, 0.0, (1.0, 1.0), 1.0, True)


def correlation_matrix(moments: Moments, found: Correlations) -> Matrix:
    """Entries of columns without a sure variance are left open."""
    entries = tuple(
        tuple(_correlation(found, a, b) for b in moments.columns) for a in moments.columns
    )
    told = np.isfinite(upper(found.errors))
    if not told.any():
        return Matrix(moments.columns, entries, None)
    parts = (upper(found.published[0])[told], upper(found.raw[0])[told], upper(found.errors)[told])
    untold = math.comb(len(moments.columns), 2) - int(told.sum())
    return Matrix(moments.columns, entries, score(*parts, 0.0, untold))


def _correlation(found: Correlations, a: str, b: str) -> Figure:
    if a not in found.columns or b not in found.columns:
        return UNTOLD
    if a == b:
        return _ONE
    i, j = found.columns.index(a), found.columns.index(b)
    published, error = float(found.published[0, i, j]), float(found.errors[i, j])
    return figure(found.raw[:, i, j], published=published, low=-1, high=1, error=error)


def covariance_matrix(facts: Randomized, moments: Moments, found: Correlations) -> Matrix:
    """In the columns' own units; the score is in units of half their declared ranges. Columns
    without a sure variance are no part of what is made positive semidefinite."""
    entries = tuple(
        tuple(_covariance(facts, moments, found, a, b) for b in moments.columns)
        for a in moments.columns
    )
    told = np.isfinite(upper(found.errors))
    if not told.any():
        return Matrix(moments.columns, entries, None)
    sure = moments.of(found.columns).covariances
    published = upper(found.published[0] * np.outer(found.deviations, found.deviations))
    parts = (published[told], upper(sure[0])[told], upper(spread(sure))[told])
    untold = math.comb(len(moments.columns), 2) - int(told.sum())
    return Matrix(moments.columns, entries, score(*parts, 0.0, untold))


def _covariance(facts: Randomized, moments: Moments, found: Correlations, a: str, b: str) -> Figure:
    i, j = moments.columns.index(a), moments.columns.index(b)
    one, two = facts.domains[a], facts.domains[b]
    assert isinstance(one, NumberDomain)
    assert isinstance(two, NumberDomain)
    values = moments.covariances[:, i, j]
    if a == b and a not in found.columns:
        return variance_figure(values, one)
    if a == b:
        return variance_figure(values, one, float(found.deviations[found.columns.index(a)]))
    scale = one.half * two.half
    if a not in found.columns or b not in found.columns:
        # Two columns reported apart tell their product, also where neither tells its square.
        return figure(values * scale, low=-scale, high=scale)
    i, j = found.columns.index(a), found.columns.index(b)
    sizes = found.deviations[i] * found.deviations[j]
    return figure(values * scale, published=float(found.published[0, i, j] * sizes * scale))
