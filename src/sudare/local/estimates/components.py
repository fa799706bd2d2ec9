"""Principal components of the published correlations.

An eigenvalue of a noisy matrix strays from 1 even where nothing is correlated: that of symmetric
noise of deviation s reaches 2·s·√d (Wigner 1958). Only what lies beyond this and its own standard
error is told from an even spread.
"""

from __future__ import annotations

import math

import numpy as np

from sudare.facts.estimated import Component, Components, Figure
from sudare.local.estimates.channels import Scores
from sudare.local.estimates.correlations import Correlations, upper
from sudare.local.estimates.figures import figure
from sudare.local.estimates.jackknife import spread


def components(found: Correlations) -> Components:
    """Eigenvalues from the largest on, their shares of all variance, and loadings, which are
    correlations of columns and components; the largest of each component is positive."""
    count = len(found.columns)
    values, vectors = np.linalg.eigh(found.published)
    values, vectors = np.maximum(values[:, ::-1], 0), vectors[:, :, ::-1]
    loadings = _turned(vectors * np.sqrt(values)[:, np.newaxis, :])
    # An eigenvalue that was cut off at zero stays there in every replicate; the raw one does not.
    raw = np.linalg.eigvalsh(found.raw)[:, ::-1].astype(np.float64, copy=False)
    errors = np.maximum(spread(values), spread(raw))
    noise = np.minimum(upper(found.errors), 1.0)
    edge = 2 * math.sqrt(count) * float(np.sqrt(np.mean(noise**2)))
    return Components(
        found.columns,
        tuple(
            _component(values[:, i], loadings[:, :, i], float(errors[i]), edge)
            for i in range(count)
        ),
    )


def _turned(loadings: Scores) -> Scores:
    """Signs of eigenvectors are arbitrary: those of replicates follow the first."""
    largest = np.abs(loadings[0]).argmax(axis=0)
    first = np.where(np.take_along_axis(loadings[0], largest[np.newaxis], axis=0) < 0, -1.0, 1.0)
    whole = loadings[:1] * first
    agree = np.where((loadings * whole).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    found: Scores = loadings * agree
    return found


def _component(values: Scores, loadings: Scores, error: float, edge: float) -> Component:
    count = loadings.shape[1]
    own = figure(values, trivial=1.0, low=0, high=count, slack=edge, error=error)
    shares = figure(
        values / count,
        trivial=1 / count,
        low=0,
        high=1,
        slack=edge / count,
        error=error / count,
    )
    # A direction in which columns hardly vary is told; what it consists of is not worth a word.
    is_told = own.distinguishable and float(values[0]) > 1
    return Component(own, shares, tuple(_loading(loadings[:, i], is_told) for i in range(count)))


def _loading(values: Scores, is_told: bool) -> Figure:
    found = figure(values, low=-1, high=1)
    if is_told:
        return found
    return Figure(found.value, found.raw, found.standard_error, found.interval95, found.trivial)
