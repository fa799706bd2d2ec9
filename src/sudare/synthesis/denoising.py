"""Noisy two-way tables made ready for the mixture: margins agree, noise is shrunk away.

Claim    post-processing only: noisy numbers and their public noise level go in.
Method   (1) every column's shares are the average of what all its tables say, each weighted by its
         precision; (2) a table is shifted to these margins; (3) of what is left over independence
         only singular values above the noise are kept, shrunk as is best in squared error (Gavish
         and Donoho 2017): a pair of columns that cannot be told from independence becomes
         independent; (4) negative cells are raised to a trace and the table raked to its margins.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sudare.facts.statistics import Floats, Statistics

_TRACE = 1e-7
_RAKES = 20


def agreed_shares(statistics: Statistics) -> dict[str, Floats]:
    """The shares of every column's levels, from its histogram and all its tables."""
    found = {}
    for each in statistics.marginals:
        noise = max(statistics.noise.get((each.name, each.name), 0.0), 1e-6)
        bins = np.bincount(each.level_of, minlength=each.present_levels).astype(np.float64)
        bins = np.append(bins, 1.0) if each.may_miss else bins
        weight = 1.0 / (noise**2 * bins)
        total = each.level_counts / max(statistics.rows, 1.0) * weight
        for (a, b), table in statistics.crosses.items():
            if each.name not in (a, b):
                continue
            margin = table.sum(axis=1 if each.name == a else 0)
            other = table.shape[1 if each.name == a else 0]
            precision = 1.0 / (max(statistics.noise.get((a, b), 0.0), 1e-6) ** 2 * other)
            total = total + margin / max(statistics.rows, 1.0) * precision
            weight = weight + precision
        found[each.name] = simplex(total / weight)
    return found


def simplex(values: Floats) -> Floats:
    """The nearest shares: not negative, adding up to one."""
    ordered = np.sort(values)[::-1]
    sums = np.cumsum(ordered) - 1.0
    last = np.flatnonzero(ordered - sums / np.arange(1, len(values) + 1) > 0)[-1]
    found: Floats = np.maximum(values - sums[last] / (last + 1), 0.0)
    return found


def clean_table(table: Floats, rows: Floats, columns: Floats, noise: float) -> tuple[Floats, int]:
    """A table of shares with these margins, from one with noise of this standard deviation, both in
    shares; and how many singular values stood above the noise."""
    independent = np.outer(rows, columns)
    shifted = with_margins(table, rows, columns)
    rest, kept = shrunk(shifted - independent, noise)
    return _raked(np.maximum(independent + rest, _TRACE * independent), rows, columns), kept


def shrunk(matrix: Floats, noise: float) -> tuple[Floats, int]:
    """A noisy matrix with its singular values shrunk; degrees of freedom are one less each way,
    because margins are fixed."""
    short, long = sorted((matrix.shape[0] - 1, matrix.shape[1] - 1))
    if short < 1:
        return np.zeros_like(matrix), 0
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    if noise <= 0:
        return matrix, int(np.count_nonzero(values > 1e-12))
    scale, shape = long * noise**2, short / long
    relative = values**2 / scale
    above = relative > (1 + np.sqrt(shape)) ** 2
    inner = np.maximum((relative - shape - 1) ** 2 - 4 * shape, 0.0)
    new = np.where(above, np.sqrt(inner / np.maximum(relative, 1e-300) * scale), 0.0)
    found: Floats = (left * new) @ right
    return found, int(np.count_nonzero(above))


def cleaned(
    statistics: Statistics, shares: Mapping[str, Floats]
) -> tuple[dict[tuple[str, str], Floats], dict[tuple[str, str], int]]:
    """Every table of noisy statistics as shares, and how much of each stood above the noise."""
    tables, kept = {}, {}
    whole = max(statistics.rows, 1.0)
    for (a, b), table in statistics.crosses.items():
        noise = statistics.noise.get((a, b), 0.0) / whole
        tables[a, b], kept[a, b] = clean_table(table / whole, shares[a], shares[b], noise)
    return tables, kept


def with_margins(table: Floats, rows: Floats, columns: Floats) -> Floats:
    """The nearest table with these margins; cells may be negative."""
    down, across = rows - table.sum(axis=1), columns - table.sum(axis=0)
    height, width = table.shape
    found: Floats = (
        table + down[:, None] / width + across[None, :] / height - down.sum() / (height * width)
    )
    return found


def _raked(table: Floats, rows: Floats, columns: Floats) -> Floats:
    for _ in range(_RAKES):
        table = table * _ratio(rows, table.sum(axis=1))[:, None]
        table = table * _ratio(columns, table.sum(axis=0))[None, :]
    return table


def _ratio(wanted: NDArray[np.float64], found: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(found > 0, wanted / np.maximum(found, 1e-300), 0.0)
