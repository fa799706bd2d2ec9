"""k-means in scikit-learn's manners: the question `kmeans`, with its centres as attributes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.api.estimators.base import Estimator, SchemaLike
from sudare.api.table import Amount
from sudare.facts.engine import EngineName
from sudare.facts.extras import needs
from sudare.facts.plan import Mechanism
from sudare.facts.release import Answer

with needs("learn"):
    from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
    from sklearn.utils.validation import check_is_fitted


class KMeans(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    ClusterMixin,  # type: ignore[misc]
    Estimator,
):
    """Private k-means. Distances count each column in units of its declared range.

    Fitted: `cluster_centers_` (one row a cluster, largest first, in column units), `sizes_` (noisy
    numbers of rows), `centers_error95_` and `sizes_error95_` (what the last round's noise moved
    them by at most, each with probability 95 %), `bounds_` (the declared ranges), `n_iter_`.
    There is no `labels_`: they would be one exact statement a person. `predict` gives them for
    rows that one has.
    """

    cluster_centers_: NDArray[np.float64]
    sizes_: NDArray[np.float64]
    centers_error95_: NDArray[np.float64]
    sizes_error95_: NDArray[np.float64]
    bounds_: NDArray[np.float64]
    n_iter_: int

    def __init__(
        self,
        n_clusters: int = 8,
        rounds: int | None = None,
        *,
        epsilon: Amount,
        delta: Amount = 0,
        mechanism: Mechanism = "laplace",
        schema: SchemaLike = None,
        ledger: str | Path | None = None,
        columns: Sequence[str] | None = None,
        key: str | None = None,
        analyst: str | None = None,
        engine: EngineName = "auto",
        master: str | None = None,
    ) -> None:
        super().__init__(
            epsilon=epsilon,
            delta=delta,
            mechanism=mechanism,
            schema=schema,
            ledger=ledger,
            columns=columns,
            key=key,
            analyst=analyst,
            engine=engine,
            master=master,
        )
        self.n_clusters = n_clusters
        self.rounds = rounds

    def _question(self) -> str:
        rounds = "" if self.rounds is None else f", rounds={self.rounds}"
        return f"kmeans({self._features()}; k={self.n_clusters}{rounds})"

    def _learn(self, answer: Answer) -> None:
        assert isinstance(answer.value, dict)
        assert answer.errors95 is not None
        assert answer.details is not None
        self.cluster_centers_ = self._matrix(answer.value)
        self.centers_error95_ = self._matrix(answer.errors95)
        self.sizes_ = np.array([each["size"] for each in answer.value.values()])
        self.sizes_error95_ = np.array([each["size"] for each in answer.errors95.values()])
        self.bounds_ = np.array([answer.details["bounds"][n] for n in self.feature_names_in_])
        self.n_iter_ = answer.details["rounds"]
        self._n_features_out = len(self.cluster_centers_)

    def predict(self, X: object) -> NDArray[np.int64]:
        """The nearest centre of each given row; 0 is the largest cluster."""
        found: NDArray[np.int64] = self._distances(X).argmin(axis=1)
        return found

    def fit_predict(self, X: object, y: object = None, **_: Any) -> NDArray[np.int64]:
        """Fit, then predict the same rows; X is an array or a dataframe. The labels are as
        private as the rows: keep them with the rows."""
        return self.fit(X).predict(X)

    def transform(self, X: object) -> NDArray[np.float64]:
        """The distance of each given row from each centre, in units of the declared ranges.
        Values beyond a bound count as the bound, as they did in the fit."""
        return self._distances(X)

    def score(self, X: object, y: object = None) -> float:
        """Minus the inertia of given rows: the sum of the squared distances from their centres."""
        return -float((self._distances(X).min(axis=1) ** 2).sum())

    def _distances(self, X: object) -> NDArray[np.float64]:
        check_is_fitted(self)
        rows = self._scaled(np.clip(self._rows(X), self.bounds_[:, 0], self.bounds_[:, 1]))
        centers = self._scaled(self.cluster_centers_)
        squares = [((rows - center) ** 2).sum(axis=1) for center in centers]
        found: NDArray[np.float64] = np.sqrt(np.column_stack(squares))
        return found

    def _scaled(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        low, high = self.bounds_[:, 0], self.bounds_[:, 1]
        return (values - low) / (high - low)

    def _matrix(self, nested: dict[str, Any]) -> NDArray[np.float64]:
        return np.array(
            [[each[name] for name in self.feature_names_in_] for each in nested.values()]
        )
