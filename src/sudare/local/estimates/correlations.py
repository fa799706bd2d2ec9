"""Covariances and correlations: unbiased entries with errors, and a matrix that can be one.

The published correlations are those to be expected after the raw ones have been seen (prior.py),
moved to the nearest correlation matrix. Published covariances are these times the standard
deviations.

Source   nearest correlation matrix: Higham 2002 (alternating projections with Dykstra's
         correction).
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
from sudare.local.estimates.jackknife import REACH, spread
from sudare.local.estimates.moments import Moments
from sudare.local.estimates.prior import expected

_STEPS = 60
_CLOSE = 1e-7


@dataclass(frozen=True)
class Correlations:
    """Of the columns whose variance can be told from zero. `raw` and `published` are replicates,
    R × d × d; an entry that the file does not tell has an infinite error."""

    columns: tuple[str, ...]
    raw: Scores
    errors: Scores
    published: Scores


def correlations(moments: Moments) -> Correlations:
    """Correlations of all columns for which there can be any."""
    variances = np.einsum("rii->ri", moments.covariances)
    with np.errstate(invalid="ignore"):
        is_sure = variances[0] > REACH * spread(variances)
    sure = moments.of(tuple(c for c, ok in zip(moments.columns, is_sure, strict=True) if ok))
    if len(sure.columns) < 2:
        empty = np.ones((len(variances), len(sure.columns), len(sure.columns)))
        return Correlations(sure.columns, empty, np.zeros_like(empty[0]), empty)
    # A replicate leaves out one group in 128; one whose variance falls to zero by that would not
    # have been sure.
    deviations = np.sqrt(np.maximum(np.einsum("rii->ri", sure.covariances), 1e-12))
    raw = sure.covariances / (deviations[:, :, np.newaxis] * deviations[:, np.newaxis, :])
    errors = np.where(np.isfinite(raw).all(axis=0), spread(np.nan_to_num(raw)), np.inf)
    raw = np.nan_to_num(raw)
    return Correlations(sure.columns, raw, errors, nearest(shrunk(raw, errors)))


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


def shrunk(raw: Scores, errors: Scores) -> Scores:
    """Each entry as it is to be expected (prior.py); one that is not told becomes 0. Replicates
    move as the full estimate does where it is."""
    rows, columns = np.triu_indices(raw.shape[-1], 1)
    told = np.isfinite(errors[rows, columns])
    rows, columns = rows[told], columns[told]
    found = np.zeros_like(raw)
    if len(rows):
        value, slope = expected(raw[0, rows, columns], errors[rows, columns])
        moved = value + slope * (raw[:, rows, columns] - raw[0, rows, columns])
        found[:, rows, columns] = found[:, columns, rows] = moved
    return with_ones(found)


def nearest(matrices: Scores) -> Scores:
    """The nearest correlation matrices to symmetric ones with a diagonal of ones."""
    found, moved = matrices.copy(), np.zeros_like(matrices)
    for _ in range(_STEPS):
        wanted = found - moved
        definite = cut(wanted)
        moved = definite - wanted
        before, found = found, with_ones(definite)
        if np.abs(found - before).max() < _CLOSE:
            break
    # The last step leaves eigenvalues a hair below zero; a matrix that is scaled has none.
    definite = cut(found)
    scale = np.sqrt(np.maximum(np.einsum("...ii->...i", definite), 1e-12))
    return with_ones(definite / (scale[..., :, np.newaxis] * scale[..., np.newaxis, :]))


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
