"""Can a model tell synthetic rows from real ones?

Source   Snoke, Raab, Nowok, Dibben, Slavkovic 2018: pMSE = Σ (p_i − c)² / N with c the share of
         synthetic rows, p_i the fitted propensity of a logistic regression of main effects. Its
         mean is (k − 1)(1 − c)² c / N, k parameters, if a right model was fitted to the real rows
         and the synthetic ones were drawn from it; for two tables drawn apart from one population
         it is (k − 1)(1 − c) c / N, twice as much.
         The areas under the curve come from two-fold cross-validation: logistic regression, and
         gradient-boosted trees, which see interactions too.
Needs    as many rows of either table (c = 1/2), drawn at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sudare.facts.compared import Discriminator
from sudare.facts.microdata import Floats, Microdata
from sudare.randomness.bits import RandomBits
from sudare.risk.compare.features import dense, for_trees
from sudare.risk.compare.linear import chances, independent, logit, with_constant
from sudare.risk.compare.rates import auc
from sudare.risk.compare.sampling import fold_of, fresh_state, some
from sudare.risk.compare.trees import class_chances

MOST_ROWS = 10_000
_FOLDS = 2

Fit = Callable[[Floats, NDArray[np.bool_], Floats], Floats]


def discriminator(real: Microdata, synthetic: Microdata, bits: RandomBits) -> Discriminator:
    """pMSE and areas under the curve over at most `MOST_ROWS` rows of each table."""
    rows = min(real.rows, synthetic.rows, MOST_ROWS)
    tables = some(real, rows, bits), some(synthetic, rows, bits)
    is_synthetic = np.repeat([False, True], rows)
    _, found = dense(tables, real.names)
    features = with_constant(np.concatenate(found))
    features = features[:, independent(features)]
    pmse, expected = propensity(features, is_synthetic)
    folds = fold_of(2 * rows, _FOLDS, bits)
    by_logit = _out_of_sample(features, is_synthetic, folds, _fit_logit)
    are_labels, trees = for_trees(tables, real.names)
    fit = partial(_fit_trees, are_labels, fresh_state(bits))
    by_trees = _out_of_sample(np.concatenate(trees), is_synthetic, folds, fit)
    return Discriminator(
        rows,
        features.shape[1],
        pmse,
        expected,
        auc(by_logit, is_synthetic),
        auc(by_trees, is_synthetic),
    )


def propensity(features: Floats, is_synthetic: NDArray[np.bool_]) -> tuple[float, float]:
    """pMSE, and its mean if the rows were drawn from a right model of the real ones."""
    rows, share = len(is_synthetic), float(is_synthetic.mean())
    found, _ = logit(features, is_synthetic.astype(float))
    pmse = float(((chances(features, found) - share) ** 2).mean())
    return pmse, (features.shape[1] - 1) * (1 - share) ** 2 * share / rows


def _fit_logit(features: Floats, event: NDArray[np.bool_], others: Floats) -> Floats:
    found, _ = logit(features, event.astype(float))
    return chances(others, found)


def _fit_trees(
    are_labels: Sequence[bool],
    state: int,
    features: Floats,
    event: NDArray[np.bool_],
    others: Floats,
) -> Floats:
    classes = event.astype(np.int64)
    return class_chances(are_labels, state, features, classes, others, 2)[:, 1]


def _out_of_sample(
    features: Floats, event: NDArray[np.bool_], folds: NDArray[np.int64], fit: Fit
) -> Floats:
    scores = np.empty(len(event))
    for fold in range(_FOLDS):
        own = folds == fold
        scores[own] = fit(features[~own], event[~own], features[own])
    return scores
