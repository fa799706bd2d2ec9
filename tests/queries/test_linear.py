"""linear and ridge: least squares without noise, intervals with it, refusals, and bad data."""

from __future__ import annotations

import json
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import Ridge

from sudare.facts.errors import SudareError
from sudare.facts.release import Answer
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share, Single
from support.bits import CountedBits
from support.learning import answered
from support.tiny import moments, town

QUESTION = "linear(income ~ age, debt, works)"
TRUTH = (2_000_000.0, 30_000.0, -100_000.0, 400_000.0)


def people(count: int, label: int) -> dict[str, NDArray[np.int64]]:
    generator = np.random.default_rng(label)
    age, debt = generator.integers(0, 121, count), generator.integers(-5, 4, count)
    works = generator.integers(0, 2, count)
    start, *slopes = TRUTH
    line = start + slopes[0] * age + slopes[1] * debt + slopes[2] * works
    income = np.round(line + generator.normal(0, 600_000, count)).astype(np.int64)
    return {"age": age, "debt": debt, "works": works, "income": income}


def coefficients(answer: Answer) -> NDArray[np.float64]:
    assert isinstance(answer.value, dict)
    return np.array([answer.value[name] for name in ("(intercept)", "age", "debt", "works")])


def design(columns: dict[str, NDArray[np.int64]]) -> NDArray[np.float64]:
    named = [columns[name].astype(float) for name in ("age", "debt", "works")]
    return np.stack([np.ones(len(named[0])), *named], axis=1)


def test_without_noise_it_is_least_squares() -> None:
    columns = people(2000, 1)
    answer = answered(QUESTION, town(), columns)
    wide = design(columns)
    found, rest, *_ = np.linalg.lstsq(wide, columns["income"], rcond=None)
    np.testing.assert_allclose(coefficients(answer), found, rtol=1e-5)
    assert answer.details is not None
    total = ((columns["income"] - columns["income"].mean()) ** 2).sum()
    assert answer.details["r2"] == pytest.approx(1 - float(rest[0]) / total, rel=1e-5)
    assert answer.details["lifted"] is False
    # What is left of the errors is sampling alone: the textbook's standard errors.
    classical = np.linalg.inv(wide.T @ wide) * float(rest[0]) / len(wide)
    errors = np.array(list((answer.errors95 or {}).values()))
    np.testing.assert_allclose(errors, 1.96 * np.sqrt(np.diagonal(classical)), rtol=1e-3)
    told = np.array([list(row.values()) for row in answer.details["covariance"].values()])
    np.testing.assert_allclose(told, classical, rtol=0.01)


def test_ridge_is_that_of_scikit_learn_on_scaled_columns() -> None:
    columns = people(300, 2)
    answer = answered("ridge(income ~ age, debt, works; alpha=40)", town(), columns)
    halves, centers = np.array([60.0, 4.0, 0.5]), np.array([60.0, -1.0, 0.5])
    wide = (design(columns)[:, 1:] - centers) / halves
    model = Ridge(alpha=40).fit(wide, columns["income"])
    np.testing.assert_allclose(coefficients(answer)[1:], model.coef_ / halves, rtol=1e-5)
    start = model.intercept_ - (model.coef_ / halves) @ centers
    assert coefficients(answer)[0] == pytest.approx(start, rel=1e-5)
    usual = answered("ridge(income ~ age, debt, works)", town(), columns)
    assert usual.details is not None
    assert usual.details["alpha"] == 1


@pytest.mark.integration
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_intervals_hold_the_truth(mechanism: Any) -> None:
    """Fresh samples and fresh noise; nominally 95 %. 300 runs of a right interval fall below
    88 % with probability < 1e-6."""
    bits = CountedBits(f"linear {mechanism}")
    share = Fraction(2) if mechanism == "laplace" else Fraction(1, 10)
    held = []
    for label in range(300):
        answer = answered(QUESTION, town(), people(4000, label), share, mechanism, bits)
        assert isinstance(answer.interval, dict)
        ends = list(answer.interval.values())
        held.append([low <= b <= high for (low, high), b in zip(ends, TRUTH, strict=True)])
    covered = np.mean(held, axis=0)
    assert covered.min() > 0.88
    assert covered.min() < 0.995


def test_noise_only_errors_hold_the_noise() -> None:
    """As above, against the same sample without noise."""
    columns, bits = people(4000, 5), CountedBits("linear noise only")
    exact = coefficients(answered(QUESTION, town(), columns))
    held = []
    for _ in range(300):
        answer = answered(QUESTION, town(), columns, 1, bits=bits)
        assert answer.details is not None
        alone = np.array(list(answer.details["noise_only_errors95"].values()))
        held.append(np.abs(coefficients(answer) - exact) <= alone)
        assert np.all(alone <= np.array(list((answer.errors95 or {}).values())))
    assert np.mean(held, axis=0).min() > 0.88


def test_names_whose_interval_holds_zero_are_drowned() -> None:
    columns = people(4000, 6)
    columns["debt"] = np.random.default_rng(7).permutation(columns["debt"])
    answer = answered("linear(income ~ age, debt)", town(), columns, 10)
    assert isinstance(answer.interval, dict)
    holds = tuple(name for name, (low, high) in answer.interval.items() if low <= 0 <= high)
    assert answer.drowned == holds
    assert "age" not in holds


def test_a_matrix_drowned_in_noise_is_lifted() -> None:
    answer = answered(QUESTION, town(), people(30, 8), Fraction(1, 10))
    assert answer.details is not None
    assert answer.details["lifted"] is True


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("linear(age ~ sex)", "is a category; predictors are"),
        ("linear(sex ~ age)", "cannot be used as a number"),
        ("linear(born ~ age)", "cannot be used as a number"),
        ("linear(age ~ height)", "no bounds"),
        ("linear(age ~ debt) by (sex)", "not asked by groups"),
        ("linear(age, debt)", "takes"),
        ("ridge(age ~ debt; alpha=-1)", "alpha must be"),
        ("ridge(age ~ debt; alpha=some)", "alpha must be"),
        ("linear(age ~ debt; alpha=1)", "takes"),
    ],
)
def test_refusals_come_from_the_schema(question: str, said: str) -> None:
    with pytest.raises(SudareError, match=said):
        compile_question(question, town())


@pytest.mark.parametrize("rows", [
    [], [{"age": 3, "debt": -1, "works": 1}], [{"age": None, "debt": None, "works": None}] * 5,
    [{"age": 7, "debt": 2, "works": 0}] * 50,
])  # fmt: skip
@pytest.mark.parametrize("question", ["linear(age ~ debt, works)", "ridge(works ~ age, debt)"])
@pytest.mark.parametrize("amount", [Fraction(1, 100), Fraction(1), Fraction(10**6)])
def test_bad_data_is_answered(rows: list[Any], question: str, amount: Fraction) -> None:
    job = compile_question(question, town())
    assert isinstance(job, Single)
    answer = job.answer(
        moments(job.request, rows), Share("laplace", amount), 1.0, CountedBits("bad")
    )
    json.dumps(asdict(answer), allow_nan=False)
    assert answer.noise


def test_forecasts_shrink_with_the_budget() -> None:
    job = compile_question(QUESTION, town(expected_rows=5000))
    little, much = (job.forecast(Share("laplace", Fraction(amount))) for amount in (1, 10))
    assert much.typical < little.typical / 5
    assert much.error95 < little.error95
