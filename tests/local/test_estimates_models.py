"""Regression, logistic regression and SVM from moments: near what the true rows give, with errors
that cover it, and modest where there is nothing to explain."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.errors import InvalidPlan, UsageError
from sudare.facts.estimated import Estimated, Model, Wanted, read_statistics
from sudare.facts.randomized import Item, LabelDomain, NumberDomain, Randomized
from sudare.local.estimates.estimate import estimate
from sudare.local.estimates.jackknife import GROUPS
from sudare.local.estimates.problem import _ridge
from support.randomized import (
    autoregressive,
    item,
    numbers,
    one_statistic,
    randomized,
    reports,
)

NAMES = list("abc")
ROWS = 12_000
BOOLEAN = NumberDomain("boolean", 0, 1, 1.0, True)


def people(signal: float = 1.0) -> dict[str, NDArray[np.float64]]:
    x = autoregressive(ROWS, 3, 0.5, "models")
    made = np.random.default_rng(11)
    y = np.where(signal * (x[:, 0] - 0.5 * x[:, 1]) + 0.3 * made.standard_normal(ROWS) > 0.1, 1, -1)
    return {**{name: x[:, i] for i, name in enumerate(NAMES)}, "y": y.astype(np.float64)}


def split(epsilon: float) -> list[Item]:
    return [item("value", [name], "piecewise", epsilon) for name in [*NAMES, "y"]]


def facts_of(items: list[Item], asked: int | None = None) -> Randomized:
    return randomized(items, {**numbers(NAMES), "y": BOOLEAN}, asked)


def models(facts: Randomized, data: dict[str, NDArray[np.float64]], label: str) -> dict[str, Model]:
    found = estimate(facts, reports(facts, data, label), Wanted(target="y"))
    return {model.kind: model for model in found.models}


def truth(data: dict[str, NDArray[np.float64]]) -> tuple[NDArray[np.float64], float]:
    """Least squares of y in 0, 1 on the columns in their own units (±100)."""
    rows = np.column_stack([np.ones(ROWS), *(100 * data[name] for name in NAMES)])
    y = (data["y"] + 1) / 2
    found = np.linalg.lstsq(rows, y, rcond=None)[0]
    return found, float(1 - (y - rows @ found).var() / y.var())


def test_with_little_noise_all_three_are_near() -> None:
    data = people()
    found = models(facts_of(split(14)), data, "little")
    exact, explained = truth(data)
    told = [found["regression"].intercept, *found["regression"].coefficients]
    np.testing.assert_allclose([float(f.value or 0) for f in told], exact, atol=1e-3)
    assert found["regression"].score.value == pytest.approx(explained, abs=0.02)
    right = np.mean((np.column_stack([data[n] for n in NAMES]) @ exact[1:] * 100 + exact[0] > 0.5)
                    == (data["y"] > 0))  # fmt: skip
    for kind in ("logistic", "svm"):
        assert found[kind].score.value == pytest.approx(right, abs=0.02)
        assert found[kind].approximate
        assert found[kind].score.distinguishable
        assert found[kind].classes == ("false", "true")
    # Twice the slope of 0/1 is that of ±1, and the log odds have the same direction.
    svm = np.array([float(f.value or 0) for f in found["svm"].coefficients])
    np.testing.assert_allclose(svm, 2 * exact[1:], atol=2e-3)
    odds = np.array([float(f.value or 0) for f in found["logistic"].coefficients])
    np.testing.assert_allclose(odds / odds[0], exact[1:] / exact[1], atol=0.05)
    assert found["regression"].ridge == 0


def test_errors_cover_with_and_without_a_ridge() -> None:
    """About 95 % of 2 × 40 × 4 intervals; below 87 % would be a chance of 1e-6 if independent."""
    data = people()
    exact, _ = truth(data)
    held, ridges = [], []
    for epsilon in (1, 6):
        facts = facts_of(one_statistic([*NAMES, "y"], "hybrid", epsilon), 1)
        for time in range(40):
            model = models(facts, data, f"cover {epsilon} {time}")["regression"]
            ridges.append(model.ridge)
            for figure, value in zip([model.intercept, *model.coefficients], exact, strict=True):
                low, high = figure.interval95 or (0, 0)
                held.append(float(low) <= value <= float(high))
    assert np.mean(held) > 0.87
    assert np.mean([ridge > 0 for ridge in ridges]) > 0.1


def test_what_half_the_ridge_changes_tells_all_of_its_bias() -> None:
    """Exactly so for coefficients along the least eigenvector; twice the change would be too little
    wherever the ridge is large."""
    least, noise = 0.3, 0.2
    shift = np.concatenate(
        [[0.0], noise * np.where(np.arange(GROUPS) % 2, 1, -1) / np.sqrt(GROUPS)]
    )
    covariances = np.ones((GROUPS + 1, 2, 2))
    covariances[:, 0, 1] = covariances[:, 1, 0] = 1 - least + shift
    ridge, pull = _ridge(covariances)
    assert ridge > least / 10
    ends = np.array([1.0, -1.0])
    full, half = (
        np.linalg.solve(covariances[0] + size * np.eye(2), least * ends)
        for size in (ridge, ridge / 2)
    )
    np.testing.assert_allclose(full + pull * (half - full), ends, rtol=1e-9)
    assert pull > 2.1


def test_where_there_is_nothing_to_explain_nothing_is_claimed() -> None:
    """Of 30 tables at most a few claim an R² or a better guess; 8 would be a chance of 1e-4."""
    data = people(signal=0)
    facts, claimed, better = facts_of(split(2)), 0, 0
    for time in range(30):
        found = models(facts, data, f"nothing {time}")
        claimed += found["regression"].score.distinguishable
        better += found["logistic"].score.distinguishable
    assert claimed < 8
    assert better < 8


def test_an_accuracy_at_its_limit_has_an_error_that_covers() -> None:
    """Noise often leaves no spread within the classes. 84 % are named right; of 30 tables more than
    26 intervals hold that, and none is a point."""
    made, held = np.random.default_rng(5), []
    facts = facts_of(one_statistic([*NAMES, "y"], "hybrid", 1.5), 1)
    for time in range(30):
        y = np.where(made.random(ROWS) < 0.5, 1.0, -1.0)
        data = {name: made.uniform(-1, 1, ROWS) for name in NAMES} | {"y": y}
        data["a"] = np.clip(0.25 * y + made.normal(0, 0.25, ROWS), -1, 1)
        for kind, model in models(facts, data, f"limit {time}").items():
            if kind != "regression":
                low, high = (float(end) for end in model.score.interval95 or (1, 1))
                held.append(low <= 0.8413 <= high)
                assert high - low > 1e-3
    assert np.mean(held) > 26 / 30


def test_a_category_of_two_labels_is_a_target() -> None:
    data: dict[str, NDArray[np.float64]] = people()
    exact, _ = truth(data)
    coded = {**data, "y": (data["y"] > 0).astype(np.int64)}
    items = [*split(14)[:3], item("label", ["y"], "grr", 6, 3)]
    facts = randomized(items, {**numbers(NAMES), "y": LabelDomain(("no", "yes", None))})
    found = models(facts, coded, "labels")
    assert found["logistic"].classes == ("no", "yes")
    told = [float(figure.value or 0) for figure in found["regression"].coefficients]
    np.testing.assert_allclose(told, exact[1:], atol=1e-3)


def told(facts: Randomized, wanted: Wanted) -> Estimated:
    return estimate(facts, reports(facts, people(), "why"), wanted)


def test_what_cannot_be_fitted_is_named_with_its_reason() -> None:
    alone = told(facts_of(split(2), 1), Wanted(frozenset({"regression"}), "y"))
    assert [each.reason for each in alone.untold] == ["no_pair"]
    number = told(facts_of(split(2)), Wanted(frozenset({"svm"}), "a"))
    assert [each.reason for each in number.untold] == ["not_two"]
    quiet = told(facts_of(split(2)), Wanted(target="a"))
    assert [model.kind for model in quiet.models] == ["regression"]
    assert quiet.untold == ()


def test_unknown_columns_and_missing_words_are_refused() -> None:
    with pytest.raises(InvalidPlan, match="'z' is not in the file"):
        told(facts_of(split(2)), Wanted(target="z"))
    with pytest.raises(UsageError, match="needs a target"):
        Wanted(frozenset({"svm"}))
    with pytest.raises(UsageError, match="needs two columns"):
        told(facts_of(split(2)), Wanted(frozenset({"table"})))
    with pytest.raises(UsageError, match="is not known"):
        read_statistics("mean,mode")
    assert read_statistics("mean, svm") == {"mean", "svm"}
    assert read_statistics("variance,distribution") == {"mean", "histogram"}


def test_facts_survive_json() -> None:
    import json

    found = told(facts_of(split(2)), Wanted(target="y"))
    assert Estimated.from_dict(json.loads(json.dumps(found.to_dict(), allow_nan=False))) == found
