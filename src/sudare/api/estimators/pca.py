"""PCA in scikit-learn's manners: the question `pca`, with its components as attributes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sudare.api.estimators.base import Estimator, SchemaLike
from sudare.api.table import Amount
from sudare.facts.engine import EngineName
from sudare.facts.extras import needs
from sudare.facts.plan import Mechanism
from sudare.facts.release import Answer

with needs("learn"):
    from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
    from sklearn.utils.validation import check_is_fitted

Array = NDArray[np.float64]


class PCA(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    Estimator,
):
    """Private principal components.

    `scaled` says in what a column is measured: "range", its declared max − min (the default);
    True, its noisy standard deviation (the correlation matrix); False, its own units, as in
    scikit-learn's PCA.

    Fitted: `components_` (unit vectors of scaled columns, largest variance first),
    `explained_variance_`, `explained_variance_ratio_`, `explained_variance_error95_` (what noise
    moved them by at most, each with probability 95 %), `angle95_` (degrees that noise turned each
    component by at most), `mean_` in column units, `scale_`, `n_components_`.
    """

    components_: Array
    explained_variance_: Array
    explained_variance_ratio_: Array
    explained_variance_error95_: Array
    angle95_: Array
    mean_: Array
    scale_: Array
    n_components_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        scaled: bool | Literal["range"] = "range",
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
        self.n_components = n_components
        self.scaled = scaled

    def _question(self) -> str:
        scaled = str(self.scaled).lower()
        return f"pca({self._features()}; components={self.n_components}, scaled={scaled})"

    def _learn(self, answer: Answer) -> None:
        assert isinstance(answer.value, dict)
        assert answer.errors95 is not None
        assert answer.details is not None
        found, errors, told = list(answer.value.values()), answer.errors95, answer.details
        names = list(self.feature_names_in_)
        self.components_ = np.array([[each[name] for name in names] for each in found])
        self.explained_variance_ = np.array([each["variance"] for each in found])
        self.explained_variance_ratio_ = np.array([each["share"] for each in found])
        self.explained_variance_error95_ = np.array([e["variance"] for e in errors.values()])
        self.angle95_ = np.array(list(told["angle95"].values()))
        self.mean_ = np.array([told["means"][name] for name in names])
        self.scale_ = np.array([told["scales"][name] for name in names])
        self.n_components_ = self._n_features_out = len(found)

    def transform(self, X: object) -> Array:
        """Given rows in the components; costs nothing, and is as private as the rows."""
        check_is_fitted(self)
        found: Array = (self._rows(X) - self.mean_) / self.scale_ @ self.components_.T
        return found

    def inverse_transform(self, X: object) -> Array:
        """Rows in the components back in the columns' own units."""
        check_is_fitted(self)
        found: Array = np.asarray(X, dtype=np.float64) @ self.components_ * self.scale_ + self.mean_
        return found
