"""Estimators in scikit-learn's manners: whatever holds the rows, one fit is one paid question."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone, is_classifier, is_clusterer, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils import estimator_checks

import sudare
from sudare.facts.errors import BudgetRefused, InvalidPlan, SudareError, UsageError

COUNT = 4000
SCHEMA: dict[str, Any] = {
    "table": {"name": "people", "expected_rows": COUNT},
    "budget": {"epsilon": 500.0, "delta": 1e-6},
    "columns": {
        "年齢": {"type": "integer", "min": 0, "max": 100},
        "pay": {"type": "real", "min": 0, "max": 500, "step": 0.5},
        "works": {"type": "boolean"},
        "sex": {"type": "category", "values": ["F", "M"]},
        "born": {"type": "date", "min": "1900-01-01", "max": "2020-12-31"},
    },
}
FEATURES = ["年齢", "pay"]
Make = Callable[..., Any]


def rows() -> dict[str, Any]:
    generator = np.random.default_rng(6)
    age = generator.integers(0, 101, COUNT)
    pay = np.clip(np.rint((3 * age + generator.normal(100, 30, COUNT)) * 2) / 2, 0, 500)
    works = generator.random(COUNT) < 1 / (1 + np.exp(-(age - 50) / 10))
    return {"年齢": age, "pay": pay, "works": works, "sex": np.where(works, "M", "F")}


ROWS = rows()
X = np.column_stack([ROWS[name] for name in FEATURES])
MAKES: dict[str, Make] = {
    "kmeans": lambda **g: sudare.KMeans(3, columns=FEATURES, **g),
    "pca": lambda **g: sudare.PCA(1, columns=FEATURES, **g),
    "linear": lambda **g: sudare.LinearRegression(target="pay", columns=["年齢"], **g),
    "ridge": lambda **g: sudare.Ridge(0.5, target="pay", columns=["年齢"], **g),
    "logistic": lambda **g: sudare.LogisticRegression(0.1, target="works", columns=FEATURES, **g),
}
FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": lambda given: pa.table({name: pa.array(each) for name, each in given.items()}),
}


@pytest.fixture
def given(tmp_path: Path) -> dict[str, Any]:
    return {"epsilon": 50, "schema": SCHEMA, "ledger": tmp_path / "people.ledger"}


def check(model: Any, inputs: Any) -> None:
    """What every estimator found of the same people, at an ε that leaves little noise."""
    if isinstance(model, sudare.KMeans):
        assert abs(model.sizes_.sum() - COUNT) < 3 * model.sizes_error95_.sum()
        assert model.predict(inputs).shape == (COUNT,)
        assert model.transform(inputs).shape == (COUNT, 3)
        assert -model.score(inputs) / COUNT < 0.02
    elif isinstance(model, sudare.PCA):
        assert model.transform(inputs).shape == (COUNT, 1)
        assert model.explained_variance_ratio_[0] > 0.9
    elif isinstance(model, sudare.LogisticRegression):
        assert (model.predict(inputs) == ROWS["works"]).mean() > 0.85
    else:
        assert model.coef_[0] == pytest.approx(3, abs=0.2)
        assert model.predict(inputs).shape == (COUNT,)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", MAKES)
def test_any_dataframe(name: str, frame: str, given: dict[str, Any]) -> None:
    rows = FRAMES[frame](ROWS)
    model = MAKES[name](**given)
    assert model.fit(rows) is model
    check(model, rows)
    assert model.release_.answers[0] == model.answer_
    assert model.feature_names_in_.tolist() == model.columns
    assert model.n_features_in_ == len(model.columns)


@pytest.mark.parametrize("name", MAKES)
def test_arrays_with_named_columns(name: str, given: dict[str, Any]) -> None:
    model = MAKES[name](**given)
    if name in ("linear", "ridge"):
        check(model.fit(X[:, :1], X[:, 1]), X[:, :1])
    elif name == "logistic":
        check(model.fit(X.tolist(), ROWS["works"]), X)
    else:
        check(model.fit(X), X)


def test_a_file_and_the_columns_of_the_schema(given: dict[str, Any], tmp_path: Path) -> None:
    """Without `columns` every declared number and boolean is a feature but the target; dates and
    categories are none."""
    path = tmp_path / "people.csv"
    pd.DataFrame(ROWS | {"born": "2000-01-01"}).to_csv(path, index=False)
    model = sudare.LinearRegression(**given).fit(path, "pay")
    assert model.feature_names_in_.tolist() == ["年齢", "works"]
    clusters = sudare.KMeans(2, **given).fit(path)
    assert clusters.feature_names_in_.tolist() == [*FEATURES, "works"]


def test_a_target_beside_a_dataframe(given: dict[str, Any]) -> None:
    rows = pl.DataFrame({name: ROWS[name] for name in FEATURES})
    model = sudare.LogisticRegression(target="sex", columns=FEATURES, **given)
    model.fit(rows, ROWS["sex"])
    assert model.classes_.tolist() == ["F", "M"]
    assert (model.predict(rows) == ROWS["sex"]).mean() > 0.85
    chances = model.predict_proba(rows)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    np.testing.assert_array_equal(chances[:, 1] > 0.5, model.decision_function(rows) > 0)


def test_components_there_and_back(given: dict[str, Any]) -> None:
    model = sudare.PCA(2, columns=FEATURES, scaled=False, **given).fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-9)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(2), atol=1e-9)
    variances = np.linalg.eigvalsh(np.cov(X.T))[::-1]
    assert (
        np.abs(model.explained_variance_ - variances)[0] <= 3 * model.explained_variance_error95_[0]
    )


def test_rows_beyond_the_bounds_count_as_the_bounds(given: dict[str, Any]) -> None:
    model = sudare.KMeans(3, columns=FEATURES, **given).fit(X)
    beyond, bound = [[-50.0, 1e9]], [[0.0, 500.0]]
    np.testing.assert_array_equal(model.transform(beyond), model.transform(bound))
    low, high = model.bounds_.T
    assert np.all((low <= model.cluster_centers_) & (model.cluster_centers_ <= high))


@pytest.mark.parametrize("name", MAKES)
def test_parameters_are_scikit_learns(name: str, given: dict[str, Any]) -> None:
    """Read off the signature, set, copied, and unchanged by a fit."""
    model = MAKES[name](**given)
    names = set(inspect.signature(type(model).__init__).parameters) - {"self"}
    assert set(model.get_params()) == names
    copy = clone(model)
    assert copy is not model
    assert copy.get_params() == model.get_params()
    before = dict(model.get_params())
    model.fit(pd.DataFrame(ROWS))
    assert model.get_params() == before
    assert not hasattr(clone(model), "release_")
    assert model.set_params(epsilon=2) is model
    assert model.epsilon == 2
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(gamma=1)


# Those of scikit-learn's own checks that fit nothing; the others fit rows without a schema.
CHECKS = (
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_get_params_invariance",
    "check_set_params",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_mixin_order",
)


@pytest.mark.parametrize("asked", CHECKS)
@pytest.mark.parametrize("name", MAKES)
def test_scikit_learns_own_checks(name: str, asked: str) -> None:
    model = MAKES[name](epsilon=1)
    getattr(estimator_checks, asked)(type(model).__name__, model)


def test_kinds() -> None:
    assert is_clusterer(MAKES["kmeans"](epsilon=1))
    assert is_regressor(MAKES["ridge"](epsilon=1))
    assert is_classifier(MAKES["logistic"](epsilon=1))


@pytest.mark.parametrize("name", MAKES)
def test_what_is_not_fitted_says_so(name: str) -> None:
    model = MAKES[name](epsilon=1)
    for method in ("predict", "transform", "predict_proba"):
        if hasattr(model, method):
            with pytest.raises(NotFittedError):
                getattr(model, method)(X)


def test_a_pipeline_clusters_components(given: dict[str, Any]) -> None:
    """Only the first step may be private: what follows sees its output, not the schema's rows."""
    names = Pipeline([("pca", sudare.PCA(2, columns=FEATURES, **given))])
    found = names.fit_transform(X)
    assert found.shape == (COUNT, 2)
    assert names.get_feature_names_out().tolist() == ["pca0", "pca1"]


def test_every_fit_pays_into_one_ledger(given: dict[str, Any]) -> None:
    table = sudare.open(pd.DataFrame(ROWS), schema=SCHEMA, ledger=given["ledger"])
    sudare.KMeans(3, columns=FEATURES, **given).fit(X)
    sudare.PCA(1, columns=FEATURES, **given).fit(X)
    table.ask("mean(pay)", epsilon=1)
    assert table.left()["epsilon"] == pytest.approx(399)
    model = sudare.KMeans(3, columns=FEATURES, **(given | {"epsilon": 400}))
    with pytest.raises(BudgetRefused):
        model.fit(X)
    assert not hasattr(model, "cluster_centers_")
    assert table.left()["epsilon"] == pytest.approx(399)


def test_a_key_is_paid_once(given: dict[str, Any]) -> None:
    first = sudare.KMeans(3, columns=FEATURES, key="spring", **given).fit(X)
    again = clone(first).fit(X)
    np.testing.assert_array_equal(first.cluster_centers_, again.cluster_centers_)
    table = sudare.open(pd.DataFrame(ROWS), schema=SCHEMA, ledger=given["ledger"])
    assert table.left()["epsilon"] == pytest.approx(450)


@pytest.mark.parametrize("name", MAKES)
def test_a_forecast_spends_nothing_and_reads_no_row(name: str, given: dict[str, Any]) -> None:
    model = MAKES[name](**given)
    nobody = pd.DataFrame({column: ROWS[column][:0] for column in ROWS})
    told = [model.forecast(rows)._repr_html_() for rows in (pd.DataFrame(ROWS), nobody)]
    assert told[0] == told[1]
    assert not hasattr(model, "question_")
    table = sudare.open(nobody, schema=SCHEMA, ledger=given["ledger"])
    assert table.left()["epsilon"] == 500


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("name", MAKES)
def test_hardly_any_rows_are_answered(name: str, count: int, given: dict[str, Any]) -> None:
    rows = pd.DataFrame({column: values[:count] for column, values in ROWS.items()})
    model = MAKES[name](**(given | {"epsilon": 1})).fit(rows)
    found = model.predict if hasattr(model, "predict") else model.transform
    assert len(found(pd.DataFrame(ROWS))) == COUNT


def refused(model: Any, *inputs: Any) -> str:
    with pytest.raises(SudareError) as caught:
        model.fit(*inputs)
    assert isinstance(caught.value, (UsageError, InvalidPlan))
    return str(caught.value)


def test_refusals(given: dict[str, Any]) -> None:
    assert "name for each" in refused(sudare.KMeans(2, **given), X)
    assert "name for each" in refused(sudare.KMeans(2, columns=["年齢"], **given), X)
    assert "needs a target" in refused(sudare.Ridge(columns=["年齢"], **given), pd.DataFrame(ROWS))
    assert "no name" in refused(sudare.Ridge(columns=["年齢"], **given), X[:, :1], X[:, 1])
    assert "k must be" in refused(sudare.KMeans(0, columns=FEATURES, **given), X)
    assert "components must be" in refused(sudare.PCA(3, columns=FEATURES, **given), X)
    text = refused(sudare.LogisticRegression(target="年齢", columns=["pay"], **given), ROWS_FRAME)
    assert "exactly two values" in text
    uneven = sudare.Ridge(target="pay", columns=["年齢"], **given)
    assert "differ in length" in refused(uneven, X[:, :1], X[:9, 1])


ROWS_FRAME = pd.DataFrame(ROWS)


def test_rows_to_predict_are_checked(given: dict[str, Any]) -> None:
    model = sudare.KMeans(2, columns=FEATURES, **given).fit(X)
    for rows in (X[:, :1], X[0], [["a", "b"]], [[np.nan, 1.0]]):
        with pytest.raises(UsageError):
            model.predict(rows)
    shuffled = pd.DataFrame({"pay": ROWS["pay"], "年齢": ROWS["年齢"]})
    np.testing.assert_array_equal(model.predict(shuffled), model.predict(X))


@pytest.mark.parametrize("alpha", [1e-5, 0, np.float64(2.5), 1e6])
def test_any_penalty_can_be_written_in_a_question(alpha: float, given: dict[str, Any]) -> None:
    model = sudare.Ridge(alpha, target="pay", columns=["年齢"], **given).fit(X[:, :1], X[:, 1])
    assert model.answer_.details["alpha"] == alpha
