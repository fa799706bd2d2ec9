"""The base of the estimators: one `fit` is one question, paid into the ledger.

    model = sudare.KMeans(5, epsilon=1, schema="people.schema.toml", columns=["age", "income"])
    model.fit("people.csv").cluster_centers_
    model.release_                             # the release, as `Table.ask` gives it
    model.forecast("people.csv")               # cost and error of a fit, before it is paid for
    model.predict(dataframe)                   # costs nothing: it uses the released centres alone

An estimator says what it asks and what it keeps of the answer, nothing else:

    class Ridge(RegressorMixin, Estimator):
        def __init__(self, alpha=1.0, *, epsilon, delta=0, mechanism="laplace", target=None,
                     schema=None, ledger=None, columns=None, key=None, analyst=None,
                     engine="auto", master=None):
            super().__init__(epsilon=epsilon, delta=delta, mechanism=mechanism, schema=schema,
                             ledger=ledger, columns=columns, key=key, analyst=analyst,
                             engine=engine, master=master)
            self.alpha, self.target = alpha, target

        def _question(self):                   # feature_names_in_ and target_ are set by then
            return f"ridge({quoted(self.target_)} ~ {self._features()}; alpha={self.alpha})"

        def _learn(self, answer):
            self.intercept_ = answer.value["(intercept)"]
            self.coef_ = np.array([answer.value[name] for name in self.feature_names_in_])

        def predict(self, X):
            check_is_fitted(self)
            return self._rows(X) @ self.coef_ + self.intercept_

scikit-learn reads parameters off the signature of `__init__`, so each estimator writes them out.
Fitting the same estimator again is another question and is paid again, unless `key` names the
first one. A Spark session cannot be copied, as `clone` would, so it is no parameter; a Spark
DataFrame brings its own.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sudare.api.results import Forecasts
from sudare.api.table import Amount, Table, open_table
from sudare.facts.engine import EngineName
from sudare.facts.errors import UsageError
from sudare.facts.extras import needs
from sudare.facts.plan import Mechanism
from sudare.facts.release import Answer, Release
from sudare.facts.schema import NUMERIC, Schema
from sudare.publish.arrays import as_numbers, as_table

with needs("learn"):
    from sklearn.base import BaseEstimator, clone

SchemaLike = Schema | Mapping[str, Any] | str | Path | None


class Estimator(BaseEstimator):  # type: ignore[misc]
    """See the module's docstring. Fitted attributes of all: `release_`, `answer_`, `question_`,
    `feature_names_in_`, `n_features_in_`."""

    release_: Release
    answer_: Answer
    question_: str
    target_: str | None
    feature_names_in_: NDArray[np.object_]
    n_features_in_: int

    def __init__(
        self,
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
        self.epsilon = epsilon
        self.delta = delta
        self.mechanism = mechanism
        self.schema = schema
        self.ledger = ledger
        self.columns = columns
        self.key = key
        self.analyst = analyst
        self.engine = engine
        self.master = master

    @abstractmethod
    def _question(self) -> str:
        """The text of the question."""

    @abstractmethod
    def _learn(self, answer: Answer) -> None:
        """Keep what the answer says, under scikit-learn's names."""

    def fit(self, X: object, y: object = None) -> Self:
        """Ask the question of X: anything `sudare.open` takes, or an array whose columns
        `columns` names. For a regression y is the name of a column of X, or an array, whose
        column in the schema `target` names."""
        result = self._prepared(X, y).ask(
            self.question_,
            epsilon=self.epsilon,
            delta=self.delta,
            mechanism=self.mechanism,
            analyst=self.analyst,
            key=self.key,
        )
        self.release_ = result.release
        self.answer_ = result[0]
        self._learn(self.answer_)
        return self

    def forecast(self, X: object, y: object = None) -> Forecasts:
        """What `fit` would cost and how far its answer would be off, from the schema alone: it
        reads no row and spends nothing."""
        forgetful: Estimator = clone(self)
        return forgetful._prepared(X, y).forecast(
            forgetful.question_, epsilon=self.epsilon, delta=self.delta, mechanism=self.mechanism
        )

    def _prepared(self, X: object, y: object) -> Table:
        """The table to ask, once features and question are settled."""
        self.target_ = self._target(y)
        table = open_table(
            self._data(X, y),
            schema=self.schema,
            ledger=self.ledger,
            engine=self.engine,
            master=self.master,
        )
        names = self._names(table.schema)
        self.feature_names_in_ = np.array(names, dtype=object)
        self.n_features_in_ = len(names)
        self.question_ = self._question()
        return table

    def _features(self) -> str:
        """The features as they stand in a question."""
        return ", ".join(quoted(name) for name in self.feature_names_in_)

    def _rows(self, X: object) -> NDArray[np.float64]:
        """Given rows as an array of the fitted features; no file is read for them."""
        if hasattr(X, "__arrow_c_stream__"):
            rows = as_numbers(X, list(self.feature_names_in_))
        else:
            rows = _numbers(X)
        if rows.ndim != 2 or rows.shape[1] != self.n_features_in_:
            raise UsageError(
                f"Rows need {self.n_features_in_} numbers each, one a column that was fitted.",
                f"In this order: {', '.join(self.feature_names_in_)}.",
            )
        if not np.isfinite(rows).all():
            raise UsageError("A row lacks a number.", "Fill or leave out rows that lack one.")
        return rows

    def _target(self, y: object) -> str | None:
        named: str | None = getattr(self, "target", None)
        if isinstance(y, str):
            return y
        if y is not None and named is None and hasattr(self, "target"):
            raise UsageError(
                "y is an array and has no name.", "Name its column in the schema: target=…."
            )
        return named

    def _data(self, X: object, y: object) -> object:
        """What `open_table` is given; arrays become a table."""
        is_apart = y is not None and not isinstance(y, str) and self.target_ is not None
        beside = {str(self.target_): np.asarray(y)} if is_apart else {}
        if not isinstance(X, (np.ndarray, list, tuple)):
            if beside and not hasattr(X, "__arrow_c_stream__"):
                raise UsageError(
                    "y is an array, but X is no array and no dataframe.",
                    "Give y as the name of a column of X.",
                )
            return as_table(beside, X) if beside else X
        array = np.asarray(X)
        names = [name for name in self.columns or () if not (beside and name == self.target_)]
        if array.ndim != 2 or array.shape[1] != len(names):
            raise UsageError(
                "An array needs two dimensions and a name for each of its columns.",
                'Give columns=["age", …], in the order of the array.',
            )
        columns = {name: array[:, place] for place, name in enumerate(names)}
        return as_table(columns | beside)

    def _names(self, schema: Schema) -> list[str]:
        """The features: what `columns` names, or every number that the schema declares."""
        named = self.columns
        if named is None:
            named = [
                name
                for name, column in schema.columns.items()
                if column.type in NUMERIC - {"date"} and name != schema.table.unit
            ]
        listed = [named] if isinstance(named, str) else list(named)
        return [name for name in listed if name != self.target_]


def quoted(name: str) -> str:
    """A column's name as a question takes any name."""
    return '"' + name.replace('"', '""') + '"'


def _numbers(rows: object) -> NDArray[np.float64]:
    try:
        return np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise UsageError("The rows are no array of numbers.", "Give an array or a dataframe.")
