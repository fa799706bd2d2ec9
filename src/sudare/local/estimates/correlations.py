"""Covariances and correlations: unbiased entries with errors, and a matrix that can be one.

Covariances are divided by standard deviations (deviations.py). The published correlations are those
to be expected after the raw ones have been seen (prior.py), moved to the nearest correlation
matrix, where an entry moves the more the less is known of it. Published covariances are these times
the standard deviations.

Source   nearest correlation matrix: Higham 2002; with weights for entries by alternating
         directions (Boyd et al. 2011, section 5).
Choice   among clipping, eigenvalue clipping, Higham's, shrinking to zero, to the mean and by a
         prior: benchmarks/last_step.py; docs/estimate.md has the figures.
Gaps     the published matrix is biased towards what is common, in exchange for a smaller error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sudare.facts.estimated import Reason
from sudare.local.estimates.channels import Scores
from sudare.local.estimates.deviations import deviations
from sudare.local.estimates.jackknife import spread
from sudare.local.estimates.moments import Moments
from sudare.local.estimates.prior import expected

_STEPS = 200
_CLOSE = 1e-6


@dataclass(frozen=True)
class Correlations:
    """Of the columns whose variance cannot be zero, with their standard deviations. `raw` and
    `published` are replicates, R × d × d; an entry that the file does not tell has an infinite
    error."""

    columns: tuple[str, ...]
    deviations: Scores
    raw: Scores
    errors: Scores
    published: Scores


def correlations(moments: Moments) -> Correlations:
    """Correlations of all columns for which there can be any."""
    found = deviations(moments)
    if len(found.columns) < 2:
        empty = np.ones((len(moments.means), len(found.columns), len(found.columns)))
        return Correlations(found.columns, found.values[0], empty, np.zeros_like(empty[0]), empty)
    scale = found.values[:, :, np.newaxis] * found.values[:, np.newaxis, :]
    raw = with_ones(moments.of(found.columns).covariances / scale)
    errors = np.where(np.isfinite(raw).all(axis=0), spread(np.nan_to_num(raw)), np.inf)
    raw = np.nan_to_num(raw)
    # What is not known of two deviations, in parts of them, is not known of the correlation.
    doubts = np.add.outer(found.doubts**2, found.doubts**2) * raw[0] ** 2
    errors = np.sqrt(errors**2 + doubts)
    published = nearest(*shrunk(raw, errors))
    return Correlations(found.columns, found.values[0], raw, errors, published)


def gaps(moments: Moments, found: Correlations) -> Iterator[tuple[tuple[str, ...], Reason]]:
    """The columns for which something is missing, by what it is."""
    is_told = moments.told()
    columns = moments.columns
    without = tuple(c for i, c in enumerate(columns) if not is_told[i, i])
    drowned = tuple(c for c in columns if c not in found.columns and c not in without)
    np.fill_diagonal(is_told, True)
    alone = tuple(c for i, c in enumerate(columns) if not is_told[i].all())
    reasons: tuple[Reason, ...] = ("no_square", "drowned", "no_pair")
    return ((c, r) for c, r in zip((without, drowned, alone), reasons, strict=True) if c)


def shrunk(raw: Scores, errors: Scores) -> tuple[Scores, Scores]:
    """Each entry as it is to be expected (prior.py); one that is not told becomes 0. Replicates
    move as the full estimate does where it is. Also how far the truth may be: the posterior
    variance, which is the slope of the expectation times the variance of the raw entry."""
    rows, columns = np.triu_indices(raw.shape[-1], 1)
    told = np.isfinite(errors[rows, columns])
    rows, columns = rows[told], columns[told]
    found, variances = np.zeros_like(raw), np.ones_like(errors)
    if len(rows):
        value, slope = expected(raw[0, rows, columns], errors[rows, columns])
        moved = value + slope * (raw[:, rows, columns] - raw[0, rows, columns])
        found[:, rows, columns] = found[:, columns, rows] = moved
        left = np.clip(slope, 0, None) * errors[rows, columns] ** 2
        variances[rows, columns] = variances[columns, rows] = left
    return with_ones(found), variances


def nearest(matrices: Scores, variances: Scores | None = None) -> Scores:
    """The nearest correlation matrices to symmetric ones with a diagonal of ones: the least sum of
    squared moves, each divided by its entry's variance."""
    pull = _pull(np.ones(matrices.shape[-2:]) if variances is None else variances)
    definite, dual = cut(matrices), np.zeros_like(matrices)
    for _ in range(_STEPS):
        found = with_ones((pull * matrices + definite - dual) / (pull + 1))
        before, definite = definite, cut(found + dual)
        dual += found - definite
        if max(np.abs(found - definite).max(), np.abs(definite - before).max()) < _CLOSE:
            break
    # What is left between the two is a hair; a definite matrix that is scaled stays definite.
    scale = np.sqrt(np.maximum(np.einsum("...ii->...i", definite), 1e-12))
    return with_ones(definite / (scale[..., :, np.newaxis] * scale[..., np.newaxis, :]))


def _pull(variances: Scores) -> Scores:
    """Weights of entries; those beyond a hundredfold only make the steps smaller."""
    weights = 1 / np.maximum(variances, 1e-12)
    middle = float(np.exp(np.mean(np.log(upper(weights))))) if weights.shape[-1] > 1 else 1.0
    found: Scores = np.clip(weights / middle, 0.01, 100)
    return found


def cut(matrices: Scores) -> Scores:
    """Symmetric matrices without their negative eigenvalues."""
    values, vectors = np.linalg.eigh(matrices)
    found: Scores = (vectors * np.maximum(values, 0)[..., np.newaxis, :]) @ np.swapaxes(
        vectors, -1, -2
    )
    return found


def with_ones(matrices: Scores) -> Scores:
    """The same with a diagonal of ones."""
    found = matrices.copy()
    places = np.arange(matrices.shape[-1])
    found[..., places, places] = 1.0
    return found


def upper(matrix: Scores) -> Scores:
    """The entries above the diagonal, row by row."""
    found: Scores = matrix[np.triu_indices(matrix.shape[-1], 1)]
    return found
