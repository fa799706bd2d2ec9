"""Covariances that no numbers have: against variances, among each other, against two-way tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from sudare.facts.statistics import Floats, NumberMoments, Statistics
from sudare.synthesis.contradictions.comparing import (
    LEFTOVER,
    exceeds,
    level_values,
    outside,
    size,
)
from sudare.synthesis.contradictions.definite import smallest_indefinite
from sudare.synthesis.contradictions.finding import Contradiction, of


def covaried(statistics: Statistics) -> Iterator[Contradiction]:
    moments = statistics.moments
    if moments is None:
        return
    sizes = np.array([size(statistics.marginal(name)) for name in moments.columns])
    pairs = list(_pairs(moments, sizes))
    yield from pairs
    # A matrix with an impossible pair is indefinite for that pair's sake.
    if not pairs:
        yield from _matrix(moments, sizes)
    yield from _tables(statistics, moments, sizes)


def _pairs(moments: NumberMoments, sizes: Floats) -> Iterator[Contradiction]:
    variances = np.diag(moments.covariance)
    stated = np.diag(moments.known) & (variances >= 0)
    for i, j in combinations(range(len(sizes)), 2):
        if not moments.known[i, j]:
            continue
        covariance = abs(moments.covariance[i, j])
        leftover = LEFTOVER * float(sizes[i] * sizes[j])
        without = [k for k in (i, j) if stated[k] and variances[k] == 0]
        names = (moments.columns[i], moments.columns[j])
        if without and covariance > leftover:
            yield of(
                "no_variance", ("variance", moments.columns[without[0]]), ("covariance", *names)
            )
        elif stated[i] and stated[j]:
            most = np.sqrt(variances[i] * variances[j])
            if exceeds(covariance, most, leftover):
                yield of("correlation", ("covariances", *names))


def _matrix(moments: NumberMoments, sizes: Floats) -> Iterator[Contradiction]:
    """Scaled to correlations first: raw variances may be fifteen powers of ten apart."""
    variances = np.diag(moments.covariance)
    kept = np.flatnonzero(np.diag(moments.known) & (variances > LEFTOVER * sizes**2))
    scale = np.sqrt(variances[kept])
    part = np.ix_(kept, kept)
    correlations = moments.covariance[part] / np.outer(scale, scale)
    found = smallest_indefinite(correlations, moments.known[part])
    if found is not None:
        names = (moments.columns[kept[place]] for place in found)
        yield of("indefinite", ("covariances", *names))


def _tables(
    statistics: Statistics, moments: NumberMoments, sizes: Floats
) -> Iterator[Contradiction]:
    """The product of two deviations, over a cell, lies between those of the cell's corners."""
    places = {name: place for place, name in enumerate(moments.columns)}
    for pair, table in statistics.crosses.items():
        if not {*pair} <= set(places) or np.any(table < 0):
            continue
        i, j = (places[name] for name in pair)
        if moments.known[i, j]:
            (left, mine), (right, yours) = (
                _deviations(statistics, name, float(moments.mean[places[name]])) for name in pair
            )
            corners = [np.outer(a, b) for a in (left, mine) for b in (right, yours)]
            inner = table[: len(left), : len(right)]
            low, high = (
                float((inner * f(corners, axis=0)).sum() / statistics.rows)
                for f in (np.min, np.max)
            )
            if outside(moments.covariance[i, j], low, high, LEFTOVER * float(sizes[i] * sizes[j])):
                yield of(
                    "covariance_table",
                    ("table", *pair),
                    ("mean", pair[0]),
                    ("mean", pair[1]),
                    ("covariance", *pair),
                )


def _deviations(statistics: Statistics, name: str, mean: float) -> tuple[Floats, Floats]:
    lows, highs = level_values(statistics.marginal(name))
    return lows - mean, highs - mean
