"""Statistics of a table pass; twins with one figure changed are refused with the smallest set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudare.facts.errors import InvalidStatistics
from sudare.facts.statistics import Marginal, NumberMoments, Statistics
from sudare.synthesis.contradictions import check_statistics, contradictions
from sudare.synthesis.contradictions.definite import smallest_indefinite
from sudare.synthesis.contradictions.finding import WHY, listed
from sudare.synthesis.contradictions.ranges import (
    sum_range,
    variance_range,
    variance_range_at,
    variance_range_of,
)
from support.exact_statistics import exact_statistics

BINS = {"age": ((0, 10, 20, 40), 60), "pay": ((0, 1, 50), 100)}


def town(seed: int = 1, rows: int = 60, **how: bool) -> Statistics:
    """Two numbers and two categories, with missing values in one of each."""
    draw = np.random.default_rng(seed)
    age = draw.integers(0, 61, rows).tolist()
    pay = [None if v % 7 == 0 else float(max(v, 0)) for v in draw.integers(-30, 101, rows)]
    sex = draw.choice(["f", "m"], rows).tolist()
    home = [None if v == "x" else str(v) for v in draw.choice(["a", "b", "c", "x"], rows)]
    return exact_statistics({"age": age, "pay": pay, "sex": sex, "home": home}, BINS, **how)


def with_marginal(given: Statistics, name: str, **changed: Any) -> Statistics:
    marginals = tuple(replace(m, **changed) if m.name == name else m for m in given.marginals)
    return replace(given, marginals=marginals)


def with_moments(given: Statistics, **changed: Any) -> Statistics:
    assert given.moments is not None
    return replace(given, moments=replace(given.moments, **changed))


def with_covariance(given: Statistics, *entries: tuple[int, int, float]) -> Statistics:
    assert given.moments is not None
    covariance = given.moments.covariance.copy()
    for i, j, value in entries:
        covariance[i, j] = value
    return with_moments(given, covariance=covariance)


def with_mean(given: Statistics, place: int, value: float) -> Statistics:
    assert given.moments is not None
    mean = given.moments.mean.copy()
    mean[place] = value
    return with_moments(given, mean=mean)


def moved(table: np.ndarray, by: float, *cells: tuple[tuple[int, ...], int]) -> np.ndarray:
    made = table.copy()
    for cell, sign in cells:
        made[cell] += sign * by
    return made


def smallest(given: Statistics) -> str:
    first = contradictions(given)[0]
    return f"{first.reason}: {listed(first.statistics)}"


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("with_means", [False, True])
@pytest.mark.parametrize("with_tables", [False, True])
def test_statistics_of_a_table_pass(seed: int, with_means: bool, with_tables: bool) -> None:
    given = town(seed, 5 + 10 * seed, with_means=with_means, with_tables=with_tables)
    assert contradictions(given) == ()
    check_statistics(given)
    assert contradictions(Statistics.from_json(given.to_json())) == ()


def test_rounding_to_seven_digits_passes() -> None:
    given = town(rows=300)
    assert given.moments is not None

    def seven(values: np.ndarray) -> np.ndarray:
        return np.array([float(f"{v:.6e}") for v in values.ravel()]).reshape(values.shape)

    rounded = with_moments(
        given, mean=seven(given.moments.mean), covariance=seven(given.moments.covariance)
    )
    sums = {pair: seven(each) for pair, each in given.shifts.items()}
    assert contradictions(replace(rounded, shifts=sums)) == ()
    assert contradictions(with_mean(given, 0, float(given.moments.mean[0]) * (1 + 1e-4)))


def _pair_beyond_one(given: Statistics) -> Statistics:
    assert given.moments is not None
    most = 1.01 * np.sqrt(np.prod(np.diag(given.moments.covariance)))
    return replace(with_covariance(given, (0, 1, most), (1, 0, most)), crosses={})


WRONG: dict[str, Callable[[Statistics], Statistics]] = {
    "infinite: the number of rows": lambda s: replace(s, rows=float("nan")),
    "no_rows: the number of rows": lambda s: replace(s, rows=0.0),
    "form: the histogram of 'age'": lambda s: with_marginal(s, "age", step=0.0),
    "form: the two-way table of 'pay' and 'age'": lambda s: replace(
        s, crosses={**s.crosses, ("pay", "age"): s.crosses["age", "pay"].T}
    ),
    "form: the sums of 'sex' within 'age'": lambda s: replace(
        s, shifts={("sex", "age"): np.zeros(4)}
    ),
    "asymmetric: the covariance of 'age' and 'pay'": lambda s: with_covariance(s, (0, 1, 5.0)),
    "negative: the histogram of 'sex'": lambda s: with_marginal(
        s, "sex", counts=np.array([-1.0, 61.0])
    ),
    "negative: the two-way table of 'sex' and 'home'": lambda s: replace(
        s,
        crosses={
            **s.crosses,
            ("sex", "home"): moved(
                s.crosses["sex", "home"], 50, ((0, 0), -1), ((0, 1), 1), ((1, 0), 1), ((1, 1), -1)
            ),
        },
    ),
    "total: the number of rows and the histogram of 'home'": lambda s: with_marginal(
        s, "home", counts=s.marginal("home").counts + 1
    ),
    "margin: the histogram of 'sex' and the two-way table of 'age' and 'sex'": lambda s: (
        with_marginal(s, "sex", counts=moved(s.marginal("sex").counts, 1, ((0,), 1), ((1,), -1)))
    ),
    "mean_bounds: the bounds of 'age' and the mean of 'age'": lambda s: with_mean(s, 0, 61.0),
    "negative_variance: the variance of 'age'": lambda s: with_covariance(s, (0, 0, -1.0)),
    "variance_bounds: the bounds of 'age' and the variance of 'age'": lambda s: with_covariance(
        s, (0, 0, 901.0)
    ),
    "variance_bins: the histogram of 'age' and the variance of 'age'": lambda s: with_covariance(
        replace(s, shifts={}), (0, 0, 1.0)
    ),
    "no_variance: the variance of 'age' and the covariance of 'age' and 'pay'": lambda s: (
        with_covariance(replace(s, crosses={}, shifts={}), (0, 0, 0.0))
    ),
    "correlation: the variances and covariances of 'age' and 'pay'": _pair_beyond_one,
    "sums_sums: the sums of 'age' within 'sex' and the sums of 'age' within 'home'": lambda s: (
        replace(s, shifts={**s.shifts, ("age", "home"): s.shifts["age", "home"] + 1}, moments=None)
    ),
}


@pytest.mark.parametrize("expected", WRONG)
def test_a_changed_figure_is_refused_with_the_smallest_set(expected: str) -> None:
    assert contradictions(town()) == ()
    found = contradictions(WRONG[expected](town()))
    named = [f"{each.reason}: {listed(each.statistics)}" for each in found]
    assert expected in named
    assert found[named.index(expected)].size == found[0].size


def lone(counts: list[float], mean: float, variance: float, **more: Any) -> Statistics:
    """One number in three bins, 0-9, 10-19, 20-30."""
    marginal = Marginal(
        "x", "integer", np.array(counts), np.arange(3), starts=(0, 10, 20), high=30, **more
    )
    moments = NumberMoments(
        ("x",), np.array([mean]), np.array([[variance]]), np.ones((1, 1), dtype=bool)
    )
    rows = sum(counts) + more.get("missing", 0)
    return Statistics("t", "exact", rows, (marginal,), {}, moments)


def test_a_mean_or_variance_that_the_bins_forbid() -> None:
    assert contradictions(lone([2, 0, 2], 15.0, 150.0)) == ()
    assert smallest(lone([2, 0, 2], 9.0, 150.0)) == (
        "mean_bins: the histogram of 'x' and the mean of 'x'"
    )
    # Two values of at most 9 and two of at least 20: the least variance is (11 / 2)².
    assert contradictions(lone([2, 0, 2], 14.5, 30.25)) == ()
    assert smallest(lone([2, 0, 2], 14.5, 30.2)) == (
        "variance_bins: the histogram of 'x' and the variance of 'x'"
    )
    # At mean 10 the upper two are at 20 and the lower two at 0.
    assert contradictions(lone([2, 0, 2], 10.0, 100.0)) == ()
    assert smallest(lone([2, 0, 2], 10.0, 101.0)) == (
        "variance_bins_mean: the histogram of 'x', the mean of 'x' and the variance of 'x'"
    )
    assert smallest(lone([4, 0, 0], 0.5, 5.0)).startswith("variance_bins_mean")
    assert smallest(lone([2, 1, 1], 2.0, 80.0)).startswith("mean_bins")


def test_means_of_bins_are_used() -> None:
    means = np.array([4.0, 10.0, 25.0])
    assert contradictions(lone([2, 0, 2], 14.5, 120.0, means=means)) == ()
    assert smallest(lone([2, 0, 2], 14.6, 120.0, means=means)).startswith("mean_bins")
    # Between the bins 110.25; inside them at most (5·4 + 5·5) / 2 more.
    assert contradictions(lone([2, 0, 2], 14.5, 132.7, means=means)) == ()
    assert smallest(lone([2, 0, 2], 14.5, 132.8, means=means)).startswith("variance_bins:")
    wrong = np.array([4.0, 10.0, 31.0])
    assert smallest(lone([2, 0, 2], 17.5, 190.0, means=wrong)).startswith("bin_means")


def test_missing_values_stand_at_the_mean() -> None:
    # Half of the rows are missing, so what is stated is half the variance of the others.
    assert contradictions(lone([2, 0, 2], 15.0, 112.5, missing=4.0, may_miss=True)) == ()
    assert smallest(lone([2, 0, 2], 15.0, 113.0, missing=4.0, may_miss=True)).startswith("variance")


def test_the_sums_within_levels() -> None:
    given = exact_statistics(
        {"x": [0.0, 5, 10, 60], "g": ["a", "a", "b", "b"]}, {"x": ((0, 20), 60)}, with_tables=False
    )
    sums = given.shifts["x", "g"]
    assert contradictions(given) == ()

    def changed(values: list[float], tables: bool = False) -> Statistics:
        table = {("x", "g"): np.array([[2.0, 1], [0, 1]])} if tables else {}
        made = replace(given, shifts={("x", "g"): np.array(values)}, crosses=table)
        return with_mean(made, 0, sum(values) / 4)

    assert sums.tolist() == [5, 70]
    assert smallest(changed([-1, 70])) == (
        "sums_bounds: the bounds of 'x', the histogram of 'g' and the sums of 'x' within 'g'"
    )
    # Three of the four are below 20, so no two add up to more than 19 + 60.
    assert contradictions(with_covariance(changed([0, 79]), (0, 0, 450.0))) == ()
    assert smallest(with_covariance(changed([0, 80]), (0, 0, 450.0))) == (
        "sums_bins: the histogram of 'x', the histogram of 'g' and the sums of 'x' within 'g'"
    )
    assert smallest(with_covariance(changed([70, 5], tables=True), (0, 0, 450.0))) == (
        "sums_table: the two-way table of 'x' and 'g' and the sums of 'x' within 'g'"
    )
    assert smallest(replace(given, shifts={("x", "g"): sums + 1})) == (
        "sums_mean: the histogram of 'x', the mean of 'x' and the sums of 'x' within 'g'"
    )


def test_a_covariance_that_the_table_forbids() -> None:
    x = [0.0, 1, 30, 31]
    given = exact_statistics({"x": x, "y": x}, {"x": ((0, 20), 40), "y": ((0, 20), 40)})
    assert given.moments is not None
    assert contradictions(given) == ()
    turned = -float(given.moments.covariance[0, 1])
    assert smallest(with_covariance(given, (0, 1, turned), (1, 0, turned))) == (
        "covariance_table: the two-way table of 'x' and 'y', the mean of 'x', the mean of 'y' "
        "and the covariance of 'x' and 'y'"
    )


def test_two_tables_that_disagree() -> None:
    given = town()
    wrong = moved(given.crosses["sex", "home"], 1, ((0, 0), 1), ((1, 0), -1))
    found = contradictions(replace(given, crosses={**given.crosses, ("sex", "home"): wrong}))
    assert {(each.reason, each.size) for each in found} == {("margin", 2), ("margins", 2)}
    assert any("'age' and 'sex'" in listed(each.statistics) for each in found)


def numbers(correlations: np.ndarray, scales: np.ndarray, known: Any = None) -> Statistics:
    names = tuple(f"n{place}" for place in range(len(scales)))
    marginals = tuple(
        Marginal(name, "integer", np.array([100.0]), np.array([0]), starts=(-(10**8),), high=10**8)
        for name in names
    )
    covariance = correlations * np.outer(scales, scales)
    stated = np.ones(covariance.shape, dtype=bool) if known is None else known
    moments = NumberMoments(names, np.zeros(len(names)), covariance, stated)
    return Statistics("t", "exact", 100.0, marginals, {}, moments)


def test_the_smallest_part_that_is_not_positive_semidefinite() -> None:
    scales = np.array([1e5, 1e3, 2e2, 7e3, 3e4])
    correlations = np.eye(5)
    for i, j, rho in ((1, 3, 0.9), (3, 4, 0.9), (1, 4, -0.9), (0, 2, 0.5)):
        correlations[i, j] = correlations[j, i] = rho
    assert smallest(numbers(correlations, scales)) == (
        "indefinite: the variances and covariances of 'n1', 'n3' and 'n4'"
    )
    correlations[1, 4] = correlations[4, 1] = 0.63
    assert contradictions(numbers(correlations, scales)) == ()
    unknown = np.ones((5, 5), dtype=bool)
    correlations[1, 4] = correlations[4, 1] = -0.9
    unknown[1, 4] = unknown[4, 1] = False
    assert contradictions(numbers(correlations, scales, unknown)) == ()


@pytest.mark.parametrize("size", [4, 5])
def test_larger_parts_are_found_where_all_smaller_ones_are_possible(size: int) -> None:
    # Equal correlations r are possible for k columns just as long as r >= -1 / (k - 1).
    matrix = np.eye(9)
    inside = np.ix_(range(2, 2 + size), range(2, 2 + size))
    matrix[inside] = -1.05 / (size - 1)
    np.fill_diagonal(matrix, 1)
    everything = np.ones(matrix.shape, dtype=bool)
    assert smallest_indefinite(matrix, everything) == tuple(range(2, 2 + size))
    matrix[inside] = -0.999 / (size - 1)
    np.fill_diagonal(matrix, 1)
    assert smallest_indefinite(matrix, everything) is None


def test_columns_are_left_out_one_by_one_where_the_search_would_be_long() -> None:
    matrix = np.eye(120)
    inside = np.ix_(range(50, 58), range(50, 58))
    matrix[inside] = -1.05 / 7
    np.fill_diagonal(matrix, 1)
    everything = np.ones(matrix.shape, dtype=bool)
    assert smallest_indefinite(matrix, everything) == tuple(range(50, 58))


def test_ranges_hold_for_all_values_and_are_attained() -> None:
    draw = np.random.default_rng(5)
    counts, lows, highs = np.array([2.0, 1, 2]), np.array([0.0, 4, 8]), np.array([3.0, 6, 10])
    free = variance_range(counts, lows, highs)
    found = []
    for _ in range(800):
        ends = draw.random(5) < 0.7
        share = np.where(ends, draw.integers(0, 2, 5), draw.random(5))
        values = np.repeat(lows, [2, 1, 2]) + share * np.repeat(highs - lows, [2, 1, 2])
        low, high = variance_range_at(counts, lows, highs, float(values.mean()))
        assert low - 1e-9 <= values.var() <= high + 1e-9
        means = np.array([values[:2].mean(), values[2], values[3:].mean()])
        known = variance_range_of(counts, lows, highs, means)
        assert known[0] - 1e-9 <= values.var() <= known[1] + 1e-9
        sums = sum_range(counts, lows, highs, np.array([3.0]))
        assert sums[0][0] <= values[[0, 2, 4]].sum() <= sums[1][0]
        found.append(values.var())
    assert free[0] - 1e-9 <= min(found) <= free[0] + 0.3
    assert free[1] - 0.3 <= max(found) <= free[1] + 1e-9
    assert sum_range(counts, lows, highs, np.array([3.0]))[1][0] == 26


@pytest.mark.parametrize("origin", ["private", "randomized"])
def test_noise_may_disagree_but_not_lose_its_form(origin: Any) -> None:
    noisy = replace(with_covariance(town(), (0, 0, -1.0)), origin=origin, rows=-3.0)
    assert contradictions(noisy) == ()
    broken = replace(noisy, crosses={("age", "sex"): np.zeros((2, 2))})
    assert smallest(broken) == "form: the two-way table of 'age' and 'sex'"


def test_the_refusal_names_statistics_and_no_values() -> None:
    with pytest.raises(InvalidStatistics) as caught:
        check_statistics(with_mean(replace(town(), shifts={}, crosses={}), 0, 61.0))
    assert caught.value.exit_code == 4
    assert caught.value.what == (
        "No table has these statistics: the bounds of 'age' and the mean of 'age'. "
        "The mean lies outside the bounds."
    )
    assert not any(sign.isdigit() for sign in str(caught.value))


def test_every_reason_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs/errors.md").read_text(encoding="utf-8")
    assert not [sentence for sentence in WHY.values() if sentence not in page]


def test_the_documented_file_is_possible() -> None:
    page = (Path(__file__).parents[2] / "docs/statistics.md").read_text(encoding="utf-8")
    text = page.partition("```json sudare-statistics\n")[2].partition("```")[0]
    given = Statistics.from_json(text)
    assert contradictions(given) == ()
    assert contradictions(with_mean(given, 0, 38.0))[0].reason == "mean_bins"
