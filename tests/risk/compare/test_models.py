"""Regressions, propensities and learning: by hand on tiny tables, and on people whose columns
depend on each other against people whose columns do not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from risk.compare.people import people, scrambled
from sudare.facts.errors import InvalidPlan
from sudare.facts.microdata import Microdata, label_column, number_column
from sudare.risk.compare.discriminator import discriminator, propensity
from sudare.risk.compare.features import dense, for_trees
from sudare.risk.compare.learning import learning, r_squared
from sudare.risk.compare.linear import independent, logit, ols, with_constant
from sudare.risk.compare.regression import overlap, regression
from sudare.risk.compare.target import check_target, default_target, event_of
from support.bits import CountedBits

REAL = people(1500)
LIKE = people(1500, "others")
UNLIKE = scrambled(REAL)


def test_least_squares_by_hand() -> None:
    features = with_constant(np.array([[0.0], [1.0], [2.0]]))
    found, errors = ols(features, np.array([1.0, 2.0, 4.0]))
    # The residuals are 1/6, -1/3, 1/6: s² = 1/6 on one degree of freedom.
    assert found == pytest.approx([5 / 6, 3 / 2])
    assert errors == pytest.approx([math.sqrt(1 / 6 * 5 / 6), math.sqrt(1 / 6 / 2)])


def test_logit_by_hand() -> None:
    group = np.repeat([0.0, 1.0], 4)
    event = np.array([1, 0, 0, 0, 1, 1, 1, 0], float)
    found, errors = logit(with_constant(group[:, None]), event)
    # Odds of 1/3 and 3; the error of a log odds ratio is that of the four counts.
    assert found == pytest.approx([-math.log(3), 2 * math.log(3)], abs=1e-4)
    assert errors[1] == pytest.approx(math.sqrt(1 + 1 / 3 + 1 / 3 + 1), abs=1e-4)


def test_separated_classes_stay_finite() -> None:
    group = np.repeat([0.0, 1.0], 20)
    found, errors = logit(with_constant(group[:, None]), group)
    assert np.isfinite(found).all()
    assert errors[1] > 10


def test_features_that_others_determine_are_found() -> None:
    x = np.arange(6.0)
    table = with_constant(np.column_stack([x, 2 * x - 1, x**2, np.zeros(6)]))
    assert independent(table) == [0, 1, 3]
    other = with_constant(np.column_stack([x, x**3, x, x]))
    # What is determined in either table is left out.
    assert independent(table, other) == [0, 1]


def test_overlap_by_hand() -> None:
    z = 1.959963984540054
    assert overlap((0, 1), (1, 1)) == pytest.approx((2 * z - 1) / (2 * z))
    assert overlap((0, 100), (1, 1)) == 0
    assert overlap((0, 0), (1, 2)) == pytest.approx((1 + 1 / 2) / 2)


def test_propensity_by_hand() -> None:
    group = with_constant(np.repeat([0.0, 1.0], 4)[:, None])
    is_synthetic = np.array([1, 0, 0, 0, 1, 1, 1, 0], bool)
    pmse, expected = propensity(group, is_synthetic)
    # Propensities of 1/4 and 3/4; one parameter beside the constant, eight rows.
    assert pmse == pytest.approx(1 / 16, abs=1e-5)
    assert expected == pytest.approx(1 / 4 * 1 / 2 / 8)


def test_r_squared_by_hand() -> None:
    found = r_squared(np.array([0.0, 2.0]), np.array([0.0, 1.0]))
    assert found.value == pytest.approx(1 / 2)
    assert found.high - found.value == pytest.approx(1.959963984540054 * 0.5 / math.sqrt(2))


def test_indicators_leave_the_most_frequent_label_out() -> None:
    data = Microdata(
        (label_column("c", ["b", "b", "a", None, "c"]), number_column("n", [1, 3, math.nan, 1, 3]))
    )
    terms, (matrix,) = dense([data], data.names)
    assert [(term.label, term.is_missing) for term in terms] == [
        ("a", False), ("c", False), (None, True), (None, False), (None, True)
    ]  # fmt: skip
    assert matrix[:, 0].tolist() == [0, 0, 1, 0, 0]
    assert matrix[:, 3].tolist() == [-1, 1, 0, -1, 1]
    rare, (few,) = dense([data], ["c"], most=2)
    assert [term.label for term in rare] == ["a", "…", None]
    assert few[:, 1].tolist() == [0, 0, 0, 0, 1]
    are_labels, (codes,) = for_trees([data], data.names)
    assert are_labels == [True, False]
    assert np.isnan(codes[3, 0])
    assert np.isnan(codes[2, 1])


def test_a_model_tells_scrambled_rows_and_not_like_ones() -> None:
    like = discriminator(REAL, LIKE, CountedBits("like"))
    unlike = discriminator(REAL, UNLIKE, CountedBits("unlike"))
    # Six standard errors of an area are about 0.06: a false alarm in 1e8.
    assert abs(like.auc_boosting.value - 0.5) < 0.07
    assert abs(unlike.auc_logistic.value - 0.5) < 0.07
    assert unlike.auc_boosting.value > 0.9
    assert like.rows == 1500
    # Rows drawn apart give twice the mean of a fitted synthesis, times a χ² of 5 degrees over 5:
    # above 15 once in a million.
    assert like.pmse < 15 * like.pmse_expected


def test_pmse_sees_a_shifted_mean() -> None:
    shifted = Microdata((number_column("x", np.arange(1500.0)),))
    other = Microdata((number_column("x", np.arange(1500.0) + 300),))
    found = discriminator(shifted, other, CountedBits("shifted"))
    assert found.pmse > 100 * found.pmse_expected


def test_a_regression_on_both() -> None:
    like = regression(REAL, LIKE, "rich", CountedBits("r"))
    unlike = regression(REAL, UNLIKE, "rich", CountedBits("r"))
    assert like is not None
    assert unlike is not None
    assert (like.kind, like.event) == ("logistic", "true")
    assert like.mean_overlap > 0.3
    hours = [next(c for c in each.coefficients if c.column == "hours") for each in (like, unlike)]
    assert hours[0].values[1] > 1
    assert abs(hours[1].values[1]) < 1
    assert hours[1].overlap == 0


def test_errors_of_a_longer_table_are_those_of_the_real_rows() -> None:
    longer = LIKE.taken(np.tile(np.arange(LIKE.rows), 4))
    short = regression(REAL, LIKE, "age", CountedBits("r"))
    long = regression(REAL, longer, "age", CountedBits("r"))
    assert short is not None
    assert long is not None
    assert (short.kind, short.event) == ("linear", None)
    assert long.coefficients[0].errors[1] == pytest.approx(
        short.coefficients[0].errors[1], rel=0.01
    )


def test_no_regression_of_a_constant() -> None:
    constant = Microdata((*REAL.columns, number_column("year", np.full(REAL.rows, 94.0))))
    assert regression(constant, constant, "year", CountedBits("r")) is None
    assert regression(REAL.only(["rich"]), LIKE.only(["rich"]), "rich", CountedBits("r")) is None


def test_training_on_scrambled_rows_teaches_nothing() -> None:
    unlike = learning(REAL, UNLIKE, None, "rich", CountedBits("l"))
    like = learning(REAL, LIKE, None, "rich", CountedBits("l"))
    assert unlike is not None
    assert like is not None
    assert [each.name for each in like.scores] == ["accuracy", "auc"]
    assert like.test_rows == 500
    assert like.scores[0].real.value > 0.95
    assert like.scores[0].synthetic.value > 0.95
    assert unlike.scores[0].synthetic.value < 0.75
    assert abs(unlike.scores[1].synthetic.value - 0.5) < 0.2


def test_learning_of_numbers_of_more_classes_and_with_a_holdout() -> None:
    holdout = people(300, "held")
    number = learning(REAL, LIKE, holdout, "hours", CountedBits("n"))
    assert number is not None
    assert (number.held_out, number.test_rows) == (True, 300)
    assert number.scores[0].name == "r2"
    assert number.scores[0].synthetic.value > 0.8
    classes = learning(REAL, LIKE, None, "work", CountedBits("c"))
    assert classes is not None
    assert classes.scores[0].blind == pytest.approx(1 / 3, abs=0.1)
    assert classes.scores[1].real.value > 0.6


def test_a_synthetic_table_of_one_class_is_no_crash() -> None:
    rich = LIKE["rich"]
    only = LIKE.taken(np.flatnonzero(rich.values > 0.5))  # type: ignore[union-attr]
    found = learning(REAL, only, None, "rich", CountedBits("o"))
    assert found is not None
    assert found.scores[1].synthetic.value == 0.5


def test_the_target() -> None:
    assert default_target(REAL) == "rich"
    assert default_target(REAL.only(["rich", "work"])) == "work"
    assert default_target(REAL.only(["age", "hours"])) == "hours"
    check_target(["a"], "a")
    with pytest.raises(InvalidPlan, match="not among"):
        check_target(["a"], "b")
    assert event_of(("false", "true"), np.array([0, 1, 1])) == 1
    assert event_of(("a", "b", "unused"), np.array([0, 1, 1])) == 0
    assert event_of(("a", "b", "c"), np.array([0, 1, 2, 2])) == 2
