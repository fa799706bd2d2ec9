"""Synthetic rows beside the statistics that they were made of: what a certificate states."""

from __future__ import annotations

import datetime as dt

import numpy as np
from numpy.typing import NDArray

from sudare.facts.drawn import Drawn
from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.facts.synthesized import Correlations, Kept, MomentGap
from sudare.synthesis.drawing import Ints
from sudare.synthesis.matching.goal import Gap

_MOST_BARS = 40


def level_codes(marginal: Marginal, drawn: Drawn) -> Ints:
    """The level of every synthetic value, read off the finished values again."""
    if marginal.is_number:
        starts = np.array(marginal.level_starts()) * marginal.step
        values = drawn.values[marginal.name] + 1e-9 * marginal.step
        found = np.clip(np.searchsorted(starts, values, side="right") - 1, 0, len(starts) - 1)
    else:
        found = marginal.level_of[np.maximum(drawn.codes[marginal.name], 0)]
    missing = drawn.is_missing(marginal.name)
    return np.where(missing, marginal.levels - 1, found)


def kept_marginal(marginal: Marginal, drawn: Drawn) -> Kept:
    """Shares of levels, the largest of them where there are many."""
    codes = level_codes(marginal, drawn)
    synthetic = np.bincount(codes, minlength=marginal.levels) / max(drawn.rows, 1)
    stated = np.maximum(marginal.level_counts, 0)
    stated = stated / max(float(stated.sum()), 1e-300)
    names = np.array(level_names(marginal), dtype=object)
    shown = np.arange(len(names))
    if len(names) > _MOST_BARS:
        largest = np.argsort(-stated, kind="stable")[:_MOST_BARS]
        shown = np.sort(largest)
    return Kept(
        marginal.name,
        tuple(names[shown].tolist()),
        tuple(stated[shown].tolist()),
        tuple(synthetic[shown].tolist()),
    )


def level_names(marginal: Marginal) -> list[str]:
    """What people read for every level."""
    if marginal.is_number:
        starts = marginal.level_starts()
        ends = [*(start - 1 for start in starts[1:]), marginal.high]
        names = [_interval(marginal, a, b) for a, b in zip(starts, ends, strict=True)]
    else:
        groups: list[list[str]] = [[] for _ in range(marginal.present_levels)]
        for label, level in zip(marginal.labels, marginal.level_of.tolist(), strict=True):
            groups[level].append(label)
        names = [g[0] if len(g) == 1 else f"{g[0]} … ({len(g)})" for g in groups]
    return [*names, "—"] if marginal.may_miss else names


def _interval(marginal: Marginal, first: int, last: int) -> str:
    shown = [_number(marginal, index) for index in (first, last)]
    return shown[0] if first == last else f"{shown[0]} – {shown[1]}"


def _number(marginal: Marginal, index: int) -> str:
    if marginal.type == "date":
        return (dt.date(1970, 1, 1) + dt.timedelta(days=index)).isoformat()
    if marginal.type == "boolean":
        return "true" if index else "false"
    return f"{index * marginal.step:.10g}"


def two_way_distance(statistics: Statistics, drawn: Drawn) -> float | None:
    """The mean total variation between the stated two-way tables and the synthetic ones."""
    if not statistics.crosses:
        return None
    codes = {each.name: level_codes(each, drawn) for each in statistics.marginals}
    distances = []
    for (a, b), table in statistics.crosses.items():
        size = table.shape[1]
        found = np.bincount(codes[a] * size + codes[b], minlength=table.size).reshape(table.shape)
        stated = np.maximum(table, 0)
        stated = stated / max(float(stated.sum()), 1e-300)
        distances.append(0.5 * float(np.abs(found / max(drawn.rows, 1) - stated).sum()))
    return float(np.mean(distances))


def correlations(statistics: Statistics, drawn: Drawn) -> Correlations | None:
    """Of the numbers that vary; None where there are fewer than two, or no moments."""
    moments = statistics.moments
    if moments is None:
        return None
    spread = np.sqrt(np.maximum(np.diagonal(moments.covariance), 0))
    places = [place for place in range(len(spread)) if spread[place] > 0]
    if len(places) < 2:
        return None
    names = [moments.columns[place] for place in places]
    matrix = standard(statistics, drawn, names)
    own = np.cov(matrix.T, ddof=0) if drawn.rows else np.zeros((len(names), len(names)))
    sizes = np.sqrt(np.maximum(np.diagonal(own), 1e-300))
    units = np.where(spread > 0, spread, 1.0)
    stated = moments.covariance / np.outer(units, units)
    rows = [
        tuple(float(stated[i, j]) if moments.known[i, j] else None for j in places) for i in places
    ]
    found = own / np.outer(sizes, sizes)
    return Correlations(tuple(names), tuple(rows), tuple(map(tuple, found.tolist())))


def standard(statistics: Statistics, drawn: Drawn, names: list[str]) -> Floats:
    """Values with missing ones at their mean, a column a name."""
    columns = []
    for name in names:
        missing = drawn.is_missing(name)
        values = drawn.values[name]
        present = values[~missing]
        mean = float(present.mean()) if len(present) else 0.0
        columns.append(np.where(missing, mean, values))
    return np.array(columns).T


def moment_gap(statistics: Statistics, drawn: Drawn) -> MomentGap | None:
    """The gap of finished rows, in the paper's measures too."""
    moments = statistics.moments
    if moments is None or not drawn.rows:
        return None
    names = list(moments.columns)
    matrix = standard(statistics, drawn, names)
    mean = matrix.mean(axis=0)
    centred = matrix - mean
    covariance = centred.T @ centred / drawn.rows
    return _gap(
        mean - moments.mean,
        np.where(moments.known, covariance - moments.covariance, 0.0),
        moments.mean,
        np.where(moments.known, moments.covariance, 0.0),
    )


def _gap(mean: Floats, covariance: Floats, wanted: Floats, stated: Floats) -> MomentGap:
    spread = np.sqrt(np.maximum(np.diagonal(stated), 0))
    live = spread > 0
    units = np.where(live, spread, 1.0)
    pairs = np.outer(units, units)
    return MomentGap(
        float(np.max(np.abs(mean / units), initial=0.0)),
        float(np.max(np.abs(covariance / pairs), initial=0.0)),
        float(np.mean(np.abs(mean))),
        float(np.mean(np.abs(covariance))),
        _ratio(np.abs(mean).sum(), np.abs(wanted).sum()),
        _ratio(np.abs(covariance).sum(), np.abs(stated).sum()),
    )


def standard_gap(gap: Gap, deviation: Floats, mean: Floats, wanted: Floats) -> MomentGap:
    """A gap in standard units, in the units of the data."""
    covariance = gap.products * np.outer(deviation, deviation)
    stated: NDArray[np.float64] = wanted * np.outer(deviation, deviation)
    return _gap(gap.sums * deviation, covariance, mean, stated)


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0
