"""Iterative Bayes: the shares under which counted reports are most likely.

Claim    each step raises the likelihood; without smoothing the limit is the maximum.
Source   expectation maximisation for randomised response: Agrawal, Aggarwal 2001; with smoothing of
         neighbouring bins (EMS): Li et al. 2020, section 5.4.
Symbols  law -> P(report | label), cells × v; shares are rows, so that many histograms are fitted at
         once.
Gaps     smoothing has a bias of its own, which no standard error shows.
"""

from __future__ import annotations

import math

import numpy as np

from sudare.local.estimates.channels import Scores

_STEPS = 500
_CLOSE = 1e-4
_LONGEST = 1e4
_FOLDS = 8
# From none to that of the source, which is too much where there are few bins and little noise.
_SMOOTHINGS = (1.0, 0.3, 0.1, 0.03, 0.01, 0.001, 0.0)


def fitted(told: Scores, law: Scores, start: Scores, smoothing: float = 0.0) -> Scores:
    """Shares (rows × v) from shares of reports (rows × cells), below zero by chance where dummies
    were taken out."""
    shares, told = start, np.maximum(told, 0.0)
    for _ in range(_STEPS):
        before = shares
        first = _step(before, told, law, smoothing)
        second = _step(first, told, law, smoothing)
        shares = _step(_ahead(before, first, second), told, law, smoothing)
        if np.abs(shares - before).max() < _CLOSE / shares.shape[1]:
            break
    return shares


def _ahead(before: Scores, first: Scores, second: Scores) -> Scores:
    """A longer step in the direction of two steps (SQUAREM: Varadhan, Roland 2008)."""
    step = first - before
    turn = second - first - step
    sizes = [np.sqrt((each**2).sum(axis=1, keepdims=True)) for each in (step, turn)]
    length = np.clip(sizes[0] / np.maximum(sizes[1], 1e-30), 1.0, _LONGEST)
    far = before + 2 * length * step + length**2 * turn
    # A share that was driven to zero, or below, would never come back.
    found: Scores = np.maximum(far, second / 100)
    return found


def best_smoothing(counts: Scores, law: Scores) -> float:
    """The most smoothing under which reports that were left out of the fit are about as likely as
    under any; `counts` of reports by group (groups × cells)."""
    folds = counts.reshape(_FOLDS, -1, counts.shape[1]).sum(axis=1)
    rest = folds.sum(axis=0) - folds
    told = rest / np.maximum(rest.sum(axis=1, keepdims=True), 1)
    shares = np.full((_FOLDS, law.shape[1]), 1 / law.shape[1])
    found = []
    for smoothing in _SMOOTHINGS:
        shares = fitted(told, law, shares, smoothing)
        found.append((folds * np.log(np.maximum(shares @ law.T, 1e-300))).sum(axis=1))
    best = max(found, key=lambda fold: float(fold.sum()))
    for smoothing, fold in zip(_SMOOTHINGS, found, strict=True):
        lost = best - fold
        if lost.mean() <= lost.std() / math.sqrt(_FOLDS - 1):
            return smoothing
    return 0.0


def less(smoothing: float) -> float:
    """Clearly less smoothing, to see what it changes."""
    return _SMOOTHINGS[min(_SMOOTHINGS.index(smoothing) + 3, len(_SMOOTHINGS) - 1)]


def _step(shares: Scores, told: Scores, law: Scores, smoothing: float) -> Scores:
    expected = np.maximum(shares @ law.T, 1e-300)
    found: Scores = shares * ((told / expected) @ law)
    if smoothing:
        found = (1 - smoothing) * found + smoothing * _blurred(found)
    total: Scores = found / np.maximum(found.sum(axis=1, keepdims=True), 1e-300)
    return total


def _blurred(shares: Scores) -> Scores:
    """A quarter from either neighbour; the ends keep what has no neighbour."""
    padded = np.concatenate([shares[:, :1], shares, shares[:, -1:]], axis=1)
    found: Scores = padded[:, :-2] / 4 + padded[:, 1:-1] / 2 + padded[:, 2:] / 4
    return found
