"""Means and covariances of a randomised file as statistics: possible, in the data's units."""

from __future__ import annotations

import numpy as np

from sudare.facts.randomized import NumberDomain, Randomized
from sudare.facts.statistics import Floats, NumberMoments
from sudare.local.estimates.jackknife import spread
from sudare.local.estimates.moments import Moments
from sudare.synthesis.largest_entropy import largest_entropy

_BINS = 32


def number_moments(
    facts: Randomized, told: Moments
) -> tuple[NumberMoments | None, dict[tuple[str, str], float]]:
    """Moments that can be, and the standard errors of the covariances."""
    if not told.columns or not np.isfinite(told.means).all():
        return None, {}
    domains = [facts.domains[name] for name in told.columns]
    numbers = [each for each in domains if isinstance(each, NumberDomain)]
    middle = np.array([each.middle for each in numbers])
    half = np.array([each.half for each in numbers])
    mean = np.clip(told.means[0], -1.0, 1.0)
    covariance, known = _possible(told, mean)
    errors = spread(np.nan_to_num(told.covariances)) * np.outer(half, half)
    found = {
        (told.columns[i], told.columns[j]): float(errors[i, j])
        for i in range(len(numbers))
        for j in range(i, len(numbers))
        if known[i, j]
    }
    scaled = covariance * np.outer(half, half)
    return NumberMoments(told.columns, middle + half * mean, scaled, known), found


def _possible(
    told: Moments, mean: Floats
) -> tuple[Floats, np.ndarray[tuple[int, ...], np.dtype[np.bool_]]]:
    """Variances between nothing and all at both ends, and correlations without a negative
    eigenvalue; a covariance with a column whose variance is drowned is not known."""
    raw, known = np.nan_to_num(told.covariances[0]), told.told()
    spreads = np.clip(np.diagonal(raw), 0.0, 1.0 - mean**2)
    known = known & np.logical_and.outer(spreads > 0, spreads > 0)
    deviations = np.sqrt(spreads)
    scale = np.outer(deviations, deviations)
    correlations = np.where(known, raw / np.where(scale > 0, scale, 1.0), 0.0)
    np.fill_diagonal(correlations, 1.0)
    values, vectors = np.linalg.eigh(np.clip(correlations, -1.0, 1.0))
    nearest = (vectors * np.maximum(values, 0.0)) @ vectors.T
    size = np.sqrt(np.diagonal(nearest))
    return np.where(known, nearest / np.outer(size, size) * scale, 0.0), known


def histogram_of(
    told: Moments, name: str, domain: NumberDomain
) -> tuple[tuple[int, ...], Floats, float]:
    """Where equal bins start, the shares of largest entropy with the estimated mean and variance,
    and how much these move, a bin, when the mean does by its standard error."""
    at = told.columns.index(name)
    half = (domain.high - domain.low) / 2
    count = min(_BINS, domain.high - domain.low + 1)
    starts = tuple(
        domain.low + part * (domain.high - domain.low + 1) // count for part in range(count)
    )
    ends = np.array([*(start - 1 for start in starts[1:]), domain.high], np.float64)
    widths = ends - np.array(starts) + 1
    places = (np.array(starts) + ends) / 2
    mean = (domain.high + domain.low) / 2 + half * np.nan_to_num(told.means[:, at])
    variance = float(told.covariances[0, at, at]) * half**2
    inside = float(np.mean((widths**2 - 1) / 12))
    wanted = variance - inside if np.isfinite(variance) else None
    shares = largest_entropy(places, float(mean[0]), wanted)
    moved = largest_entropy(places, float(mean[0] + spread(mean)), wanted)
    return starts, shares, float(np.sqrt(np.mean((moved - shares) ** 2)))
