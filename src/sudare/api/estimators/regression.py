"""Regressions in scikit-learn's manners: the questions `linear`, `ridge` and `logistic`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sudare.api.estimators.base import Estimator, SchemaLike, quoted
from sudare.api.table import Amount
from sudare.facts.engine import EngineName
from sudare.facts.errors import UsageError
from sudare.facts.extras import needs
from sudare.facts.plan import Mechanism
from sudare.facts.release import Answer

with needs("learn"):
    from sklearn.base import ClassifierMixin, RegressorMixin
    from sklearn.utils.validation import check_is_fitted

Array = NDArray[np.float64]


class _Coefficients(Estimator):
    """What the regressions keep: `coef_`, `intercept_`, and with probability 95 % what privacy
    noise and sampling moved them by at most: `coef_error95_`, `intercept_error95_`."""

    intercept_error95_: float
    coef_error95_: Array

    def _against(self) -> str:
        """Target and features as they stand in a question."""
        if self.target_ is None:
            raise UsageError(
                "A regression needs a target.", 'Give y="income", a column\'s name, or target=….'
            )
        return f"{quoted(self.target_)} ~ {self._features()}"

    def _read(self, answer: Answer) -> tuple[Array, float]:
        """Slopes and intercept."""
        assert isinstance(answer.value, dict)
        assert answer.errors95 is not None
        names = list(self.feature_names_in_)
        self.coef_error95_ = np.array([answer.errors95[name] for name in names])
        self.intercept_error95_ = answer.errors95["(intercept)"]
        slopes = np.array([answer.value[name] for name in names])
        return slopes, answer.value["(intercept)"]


class LinearRegression(RegressorMixin, _Coefficients):  # type: ignore[misc]
    """Private least squares. `fit(X, y)`: y is the name of a column of X, or an array whose column
    in the schema `target` names. Fitted: `coef_`, `intercept_`, `coef_error95_`,
    `intercept_error95_`, all in column units."""

    coef_: Array
    intercept_: float

    def __init__(
        self,
        *,
        epsilon: Amount,
        delta: Amount = 0,
        mechanism: Mechanism = "laplace",
        target: str | None = None,
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
        self.target = target

    def _question(self) -> str:
        return f"linear({self._against()})"

    def _learn(self, answer: Answer) -> None:
        self.coef_, self.intercept_ = self._read(answer)

    def predict(self, X: object) -> Array:
        """The expected target of given rows; costs nothing."""
        check_is_fitted(self)
        found: Array = self._rows(X) @ self.coef_ + self.intercept_
        return found


class Ridge(LinearRegression):
    """Private ridge regression; `alpha` is scikit-learn's, for columns scaled to [−1, 1] by their
    declared bounds."""

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        epsilon: Amount,
        delta: Amount = 0,
        mechanism: Mechanism = "laplace",
        target: str | None = None,
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
            target=target,
            schema=schema,
            ledger=ledger,
            columns=columns,
            key=key,
            analyst=analyst,
            engine=engine,
            master=master,
        )
        self.alpha = alpha

    def _question(self) -> str:
        return f"ridge({self._against()}; alpha={self.alpha})"


class LogisticRegression(ClassifierMixin, _Coefficients):  # type: ignore[misc]
    """Private logistic regression of two classes; `alpha` is scikit-learn's 1/C, for columns scaled
    to [−1, 1] by their declared bounds. Fitted: `coef_` (one row), `intercept_`, `classes_` (the
    second is the one whose chance rises with the score), `n_iter_`, `coef_error95_`,
    `intercept_error95_`."""

    coef_: Array
    intercept_: Array
    classes_: NDArray[np.generic]
    n_iter_: int

    def __init__(
        self,
        alpha: float = 1.0,
        rounds: int | None = None,
        *,
        epsilon: Amount,
        delta: Amount = 0,
        mechanism: Mechanism = "laplace",
        target: str | None = None,
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
        self.target = target
        self.alpha = alpha
        self.rounds = rounds

    def _question(self) -> str:
        rounds = "" if self.rounds is None else f", rounds={self.rounds}"
        return f"logistic({self._against()}; alpha={self.alpha}{rounds})"

    def _learn(self, answer: Answer) -> None:
        assert answer.details is not None
        slopes, start = self._read(answer)
        self.coef_, self.intercept_ = slopes[None, :], np.array([start])
        self.n_iter_ = answer.details["rounds"]
        labels, kind = answer.details["classes"], answer.details["target_type"]
        if kind == "boolean":
            self.classes_ = np.array([False, True])
        else:
            self.classes_ = np.array([int(x) for x in labels] if kind == "integer" else labels)

    def decision_function(self, X: object) -> Array:
        """The scores of given rows: the log of the odds of the second class."""
        check_is_fitted(self)
        found: Array = self._rows(X) @ self.coef_[0] + self.intercept_[0]
        return found

    def predict_proba(self, X: object) -> Array:
        """The chances of both classes; costs nothing."""
        chance = 0.5 * (1 + np.tanh(self.decision_function(X) / 2))
        return np.column_stack([1 - chance, chance])

    def predict(self, X: object) -> NDArray[np.generic]:
        """The likelier class of given rows."""
        likelier = (self.decision_function(X) > 0).astype(int)
        found: NDArray[np.generic] = self.classes_[likelier]
        return found
