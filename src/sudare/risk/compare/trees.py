"""Gradient-boosted trees of scikit-learn, which is imported when a model is fitted.

They run on one thread: several threads wait for each other busily, so that on a machine with other
work they take many times as long as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.extras import needs
from sudare.facts.microdata import Floats

_ROUNDS = 100


def class_chances(
    are_labels: Sequence[bool],
    state: int,
    features: Floats,
    classes: NDArray[Any],
    others: Floats,
    count: int,
) -> Floats:
    """Trained on rows of classes 0 … count − 1: the chance of each class for each other row."""
    with needs("synthesis"):
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

    found = np.zeros((len(others), count))
    present = np.unique(classes)
    if len(present) == 1:
        found[:, present[0]] = 1.0
        return found
    model = HistGradientBoostingClassifier(**_settings(are_labels, state))
    with threadpool_limits(1, "openmp"):
        model.fit(features, classes)
        found[:, model.classes_] = model.predict_proba(others)
    return found


def numbers(
    are_labels: Sequence[bool], state: int, features: Floats, target: Floats, others: Floats
) -> Floats:
    """Trained on rows with a number: the number of each other row."""
    with needs("synthesis"):
        from sklearn.ensemble import HistGradientBoostingRegressor
        from threadpoolctl import threadpool_limits

    model = HistGradientBoostingRegressor(**_settings(are_labels, state))
    with threadpool_limits(1, "openmp"):
        return np.asarray(model.fit(features, target).predict(others), np.float64)


def _settings(are_labels: Sequence[bool], state: int) -> dict[str, Any]:
    return {
        "max_iter": _ROUNDS,
        "categorical_features": np.array(are_labels, bool),
        "early_stopping": False,
        "random_state": state,
    }
