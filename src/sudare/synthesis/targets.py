"""The two-way tables of a statistics as one matrix of shares, unknown ones completed."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.panel import PanelFacts
from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.synthesis.completion import with_means, with_product
from sudare.synthesis.denoising import agreed_shares, cleaned
from sudare.synthesis.gating import kept_covariance, kept_shift
from sudare.synthesis.rules.rules import Rules


def offsets_of(statistics: Statistics) -> NDArray[np.int64]:
    """Where each column's levels begin in the matrix."""
    return np.cumsum([0, *(each.levels for each in statistics.marginals)], dtype=np.int64)


def targets_of(statistics: Statistics, rules: Rules, preserve: str) -> NDArray[np.float32]:
    """Off-diagonal blocks: two-way tables of shares; diagonal: shares of single levels. Cells that
    a rule excludes are 0."""
    offsets = offsets_of(statistics)
    found = np.zeros((offsets[-1], offsets[-1]), np.float32)
    if statistics.origin == "exact":
        shares, clean = [_shares(each) for each in statistics.marginals], None
    else:
        agreed = agreed_shares(statistics)
        shares = [agreed[name] for name in statistics.names]
        clean, _ = cleaned(statistics, agreed)
    for place, share in enumerate(shares):
        levels = np.arange(offsets[place], offsets[place + 1])
        found[levels, levels] = share
    facts = None if statistics.panel is None else PanelFacts.from_dict(statistics.panel)
    for a, b in combinations(range(len(shares)), 2):
        pair = (statistics.names[a], statistics.names[b])
        # Of periods that are far apart nothing is known, which is not to be independent.
        if facts is not None and not facts.near(*pair):
            continue
        known = None if clean is None else clean.get(pair)
        table = _table(statistics, a, b, shares, preserve) if known is None else known
        table = np.where(_excluded(statistics, rules, a, b), 0.0, table)
        rows, columns = slice(*offsets[a : a + 2]), slice(*offsets[b : b + 2])
        found[rows, columns] = table
        found[columns, rows] = table.T
    return found


def _shares(marginal: Marginal) -> Floats:
    counts = np.maximum(marginal.level_counts, 0.0)
    total = float(counts.sum())
    found: Floats = counts / total if total > 0 else np.full(len(counts), 1.0 / len(counts))
    return found


def _excluded(statistics: Statistics, rules: Rules, a: int, b: int) -> NDArray[np.bool_]:
    left, right = statistics.marginals[a], statistics.marginals[b]
    if not {left.name, right.name} & rules.columns:
        return np.zeros((left.levels, right.levels), np.bool_)
    return rules.zero_cells(left.name, right.name)


def _table(statistics: Statistics, a: int, b: int, shares: list[Floats], preserve: str) -> Floats:
    left, right = statistics.marginals[a], statistics.marginals[b]
    known = statistics.crosses.get((left.name, right.name))
    moments_only = preserve == "moments" and (left.is_number or right.is_number)
    if known is not None and not moments_only:
        positive = np.maximum(known, 0.0)
        total = float(positive.sum())
        return positive / total if total > 0 else np.outer(shares[a], shares[b])
    if left.is_number and right.is_number:
        return _of_numbers(statistics, left, right, shares[a], shares[b])
    if left.is_number:
        return _of_shift(statistics, left, right, shares[a], shares[b])
    if right.is_number:
        return _of_shift(statistics, right, left, shares[b], shares[a]).T
    return np.outer(shares[a], shares[b])


def level_means(marginal: Marginal) -> Floats:
    """The mean value of every level of a number; a missing one stands at the column's mean."""
    starts, ends = np.array(marginal.starts, float), np.array(marginal.ends, float)
    middle = (starts + ends) / 2 if marginal.means is None else marginal.means
    counts = np.maximum(marginal.counts, 0.0) + 1e-9
    sums = np.bincount(marginal.level_of, counts * middle, marginal.present_levels)
    found = sums / np.bincount(marginal.level_of, counts, marginal.present_levels)
    if marginal.may_miss:
        found = np.append(found, float(counts @ middle) / float(counts.sum()))
    return found * marginal.step


def _of_numbers(
    statistics: Statistics, left: Marginal, right: Marginal, rows: Floats, columns: Floats
) -> Floats:
    moments = statistics.moments
    if moments is None or left.is_constant or right.is_constant:
        return np.outer(rows, columns)
    i, j = moments.columns.index(left.name), moments.columns.index(right.name)
    if not moments.known[i, j]:
        return np.outer(rows, columns)
    x, y = level_means(left), level_means(right)
    kept = kept_covariance(statistics, left.name, right.name)
    product = kept * float(moments.covariance[i, j]) + float(rows @ x) * float(columns @ y)
    return with_product(rows, columns, x, y, product)


def _of_shift(
    statistics: Statistics, number: Marginal, other: Marginal, rows: Floats, columns: Floats
) -> Floats:
    sums = statistics.shifts.get((number.name, other.name))
    if sums is None or number.is_constant:
        return np.outer(rows, columns)
    counts = np.maximum(other.level_counts, 0.0) * (
        1.0 - number.missing / max(statistics.rows, 1.0)
    )
    x = level_means(number)
    mean = float(rows @ x)
    means = np.where(counts > 0, sums / np.maximum(counts, 1e-9), mean)
    means = mean + kept_shift(statistics, number.name, other.name, mean) * (means - mean)
    return with_means(rows, columns, x, means)


def pairs_matrix(statistics: Statistics) -> Floats:
    """The stated two-way tables as one matrix of counts, histograms on its diagonal."""
    offsets = offsets_of(statistics)
    found = np.zeros((offsets[-1], offsets[-1]))
    places = {name: place for place, name in enumerate(statistics.names)}
    for place, each in enumerate(statistics.marginals):
        levels = np.arange(offsets[place], offsets[place + 1])
        found[levels, levels] = each.level_counts
    for (a, b), table in statistics.crosses.items():
        rows = slice(*offsets[places[a] : places[a] + 2])
        columns = slice(*offsets[places[b] : places[b] + 2])
        found[rows, columns], found[columns, rows] = table, table.T
    return found
