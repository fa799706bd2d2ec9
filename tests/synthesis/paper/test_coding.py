"""Algorithm 3 and the moments of the coded columns, against the rows themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sudare.facts.errors import InvalidStatistics
from sudare.facts.statistics import Marginal
from sudare.synthesis.paper.coding import coded, layout_of
from sudare.synthesis.paper.target import target_of
from support.paper_statistics import coded_by_hand, people, statistics_of

VARYING = ("age", "school", "grade", "sex", "income")


def test_one_of_k_leaves_the_first_label_out() -> None:
    # The paper's own example, in the order of the labels: c_1 is zeros.
    jobs = ["civil servant", "employee", "none", "employee"]
    layout = layout_of(statistics_of({"job": jobs, "age": np.array([30, 40, 50, 60])}))
    levels, values = {"job": np.array([0, 1, 2, 1])}, {"age": np.array([30.0, 40, 50, 60])}
    found = coded(layout, values, levels, slice(1, 4))
    assert found.tolist() == [[40, 1, 0], [50, 0, 1], [60, 1, 0]]


def test_constants_and_labels_of_nobody_are_not_coded() -> None:
    statistics = statistics_of(people())
    layout = layout_of(statistics)
    assert layout.numbers == ("age", "grade", "income")
    assert [(each.name, each.width) for each in layout.categories] == [("school", 2), ("sex", 1)]
    nobody = Marginal(
        "sex", "category", np.array([5.0, 0.0, 2.0]), np.arange(3), labels=("f", "?", "m")
    )
    layout = layout_of(replace(statistics, marginals=(nobody,), moments=None))
    assert layout.categories[0].levels.tolist() == [0, 2]
    assert layout_of(statistics, with_categories=False).categories == ()


def test_statistics_hold_the_moments_of_the_coded_rows() -> None:
    columns = people()
    statistics = statistics_of(columns)
    target = target_of(statistics, layout_of(statistics))
    rows = coded_by_hand({name: columns[name] for name in VARYING})
    assert target.mean == pytest.approx(rows.mean(axis=0), rel=1e-12)
    expected = np.cov(rows.T, bias=True)
    scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    assert np.abs((target.covariance - expected) / scale).max() < 1e-12


def test_a_missing_number_counts_as_the_mean() -> None:
    income = np.array([1.0, np.nan, 3.0, 8.0, np.nan, 4.0])
    sex = ["f", "f", "m", "m", "f", "m"]
    statistics = statistics_of({"income": income, "sex": sex})
    # The table of who has the number within f (3 rows, 1 present) and m (3 rows, 3 present).
    table = np.zeros((statistics.marginals[0].levels, 2))
    table[0], table[-1] = (1, 3), (2, 0)
    known = replace(statistics, crosses={("income", "sex"): table})
    found = target_of(known, layout_of(known)).covariance[0, 1]
    filled = np.where(np.isnan(income), 4.0, income)
    assert found == pytest.approx(np.cov(filled, [0, 0, 1, 1, 0, 1], bias=True)[0, 1])


def test_tables_of_noisy_statistics_stand_in_for_sums_and_moments() -> None:
    columns = {"x": np.array([1, 1, 2, 2, 3, 3]), "c": ["a", "a", "a", "b", "b", "b"]}
    exact = statistics_of(columns)
    table = np.array([[2.0, 0], [1, 1], [0, 2]])
    bare = replace(exact, origin="private", moments=None, shifts={}, crosses={("x", "c"): table})
    one, two = (target_of(each, layout_of(each)) for each in (exact, bare))
    assert two.mean == pytest.approx(one.mean)
    assert two.covariance == pytest.approx(one.covariance)


def test_what_the_statistics_do_not_tell_is_refused() -> None:
    statistics = statistics_of(people())
    noisy = replace(statistics, origin="private")
    for given, says in (
        (replace(statistics, crosses={}), "do not tell how"),
        (replace(noisy, shifts={}), "do not tell how"),
        (replace(statistics, shifts={}), "lack the sums of 'age' within"),
    ):
        with pytest.raises(InvalidStatistics, match=says):
            target_of(given, layout_of(given))
