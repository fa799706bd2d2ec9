"""Covariance and correlation matrices as facts, with a score beside that of no correlation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from sudare.facts.estimated import Figure, Matrix, Score
from sudare.facts.randomized import NumberDomain, Randomized
from sudare.local.estimates.channels import Scores
from sudare.local.estimates.correlations import Correlations
from sudare.local.estimates.figures import UNTOLD, figure, score
from sudare.local.estimates.means import variance_figure
from sudare.local.estimates.moments import Moments

Entries = Sequence[Sequence[Figure]]
_ONE = Figure(1.0, 1.0, 0.0, (1.0, 1.0), 1.0, True)


def scored(entries: Entries, units: Scores | float) -> Score | None:
    """All pairs of a symmetric matrix against no relation at all, in `units`."""
    size_of = np.broadcast_to(units, (len(entries), len(entries)))
    places = combinations(range(len(entries)), 2)
    pairs = [(entries[i][j], float(size_of[i, j])) for i, j in places]
    told = [
        (figure.value / size, figure.raw / size, figure.standard_error / size)
        for figure, size in pairs
        if isinstance(figure.value, float)
        and figure.raw is not None
        and figure.standard_error is not None
    ]
    if not told:
        return None
    published, raw, errors = np.array(told).T
    return score(published, raw, errors, 0.0, len(pairs) - len(told))


def correlation_matrix(moments: Moments, found: Correlations) -> Matrix:
    """Entries of columns without a sure variance are left open."""
    entries = tuple(
        tuple(_correlation(found, a, b) for b in moments.columns) for a in moments.columns
    )
    return Matrix(moments.columns, entries, scored(entries, 1.0))


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
    halves = np.array([_half(facts, name) for name in moments.columns])
    return Matrix(moments.columns, entries, scored(entries, np.outer(halves, halves)))


def _covariance(facts: Randomized, moments: Moments, found: Correlations, a: str, b: str) -> Figure:
    i, j = moments.columns.index(a), moments.columns.index(b)
    values, domain = moments.covariances[:, i, j], facts.domains[a]
    assert isinstance(domain, NumberDomain)
    if a == b and a not in found.columns:
        return variance_figure(values, domain)
    if a == b:
        return variance_figure(values, domain, float(found.deviations[found.columns.index(a)]))
    scale = _half(facts, a) * _half(facts, b)
    if a not in found.columns or b not in found.columns:
        # Two columns reported apart tell their product, also where neither tells its square.
        return figure(values * scale, low=-scale, high=scale)
    i, j = found.columns.index(a), found.columns.index(b)
    sizes = found.deviations[i] * found.deviations[j]
    return figure(values * scale, published=float(found.published[0, i, j] * sizes * scale))


def _half(facts: Randomized, column: str) -> float:
    domain = facts.domains[column]
    assert isinstance(domain, NumberDomain)
    return domain.half
