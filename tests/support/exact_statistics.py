"""Exact statistics of a small table given as arrays, computed the plain way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from sudare.facts.statistics import Floats, Marginal, NumberMoments, Statistics

Column = Sequence[str | None] | Sequence[float | None]


def category(name: str, values: Sequence[str | None]) -> tuple[Marginal, np.ndarray]:
    labels = tuple(sorted({v for v in values if v is not None}))
    levels = np.array([len(labels) if v is None else labels.index(v) for v in values])
    counts = np.bincount(levels, minlength=len(labels))[: len(labels)].astype(float)
    missing = sum(v is None for v in values)
    made = Marginal(
        name, "category", counts, np.arange(len(labels)), missing, missing > 0, labels=labels
    )
    return made, levels


def number(
    name: str,
    values: Sequence[float | None],
    starts: Sequence[int],
    high: int,
    with_means: bool = False,
) -> tuple[Marginal, np.ndarray]:
    """Bins are levels too."""
    given = np.array([np.nan if v is None else v for v in values], dtype=float)
    levels = np.searchsorted(np.array(starts), given, side="right") - 1
    levels[np.isnan(given)] = len(starts)
    counts = np.bincount(levels, minlength=len(starts))[: len(starts)].astype(float)
    means = np.array(
        [given[levels == b].mean() if counts[b] else start for b, start in enumerate(starts)]
    )
    missing = int(np.isnan(given).sum())
    made = Marginal(
        name,
        "integer",
        counts,
        np.arange(len(starts)),
        missing,
        missing > 0,
        starts=tuple(starts),
        high=high,
        means=means if with_means else None,
    )
    return made, levels


def exact_statistics(
    columns: Mapping[str, Column],
    bins: Mapping[str, tuple[Sequence[int], int]],
    with_means: bool = False,
    with_tables: bool = True,
) -> Statistics:
    """All two-way tables (or, without them, those of categories), all sums, all moments."""
    made = {
        name: number(name, values, *bins[name], with_means=with_means)  # type: ignore[arg-type]
        if name in bins
        else category(name, values)  # type: ignore[arg-type]
        for name, values in columns.items()
    }
    marginals = tuple(marginal for marginal, _ in made.values())
    rows = len(next(iter(columns.values())))
    crosses: dict[tuple[str, str], Floats] = {}
    for (a, (left, mine)), (b, (right, yours)) in combinations(made.items(), 2):
        if with_tables or not {a, b} & set(bins):
            flat = np.bincount(mine * right.levels + yours, minlength=left.levels * right.levels)
            crosses[a, b] = flat.reshape(left.levels, right.levels).astype(float)
    given = {
        name: np.array([np.nan if v is None else v for v in columns[name]], dtype=float)
        for name in bins
    }
    shifts = {
        (a, b): np.array([np.nansum(given[a][made[b][1] == k]) for k in range(made[b][0].levels)])
        for a in bins
        for b in columns
        if b not in bins
    }
    return Statistics("made", "exact", float(rows), marginals, crosses, _moments(given), shifts)


def _moments(given: Mapping[str, Floats]) -> NumberMoments | None:
    if not given:
        return None
    mean = np.array([np.nanmean(v) for v in given.values()])
    filled = np.array(
        [np.where(np.isnan(v), m, v) for v, m in zip(given.values(), mean, strict=True)]
    )
    covariance = np.atleast_2d(np.cov(filled, ddof=0))
    return NumberMoments(tuple(given), mean, covariance, np.ones(covariance.shape, dtype=bool))
