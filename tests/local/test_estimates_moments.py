"""Means, variances and covariances: unbiased, with errors that are neither too small nor too large.

Coverage is checked by z = (estimate − truth)/error of independent estimates: the sum of K squares
follows χ² with K degrees of freedom, up to the errors' own noise (they have 127 degrees). For K =
400 it lies in 400·[0.68, 1.42] but for one label in a million; errors that are off by 30 % make it
about 400·0.59 or 400·1.69, and must fall outside.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.estimated import Figure, Wanted
from sudare.facts.randomized import Item, NumberDomain, Randomized
from sudare.local.estimates.estimate import estimate
from support.randomized import item, numbers, one_statistic, randomized, reports

NAMES = ["a", "b"]
WANTED = Wanted(frozenset({"mean", "covariance"}))
# x uniform on {−0.75, −0.25, 0.25, 0.75}; the second is the first in 4 of 5 people, else drawn
# anew, so that their correlation is 0.8.
VARIANCE = (0.75**2 + 0.25**2) / 2
TIMES, ROWS = 400, 800


def pair(label: str) -> dict[str, NDArray[np.float64]]:
    made = np.random.default_rng(list(label.encode()))
    draw = made.integers(0, 4, (2, ROWS)) / 2 - 0.75
    return {"a": draw[0], "b": np.where(made.random(ROWS) < 0.8, draw[0], draw[1])}


def split(mechanism: str) -> list[Item]:
    return [item("value", [name], mechanism, 3) for name in NAMES]


WAYS: dict[str, tuple[list[Item], int | None]] = {
    "two-point split": (split("two-point"), None),
    "piecewise split": (split("piecewise"), None),
    "hybrid split": (split("hybrid"), None),
    "laplace split": (split("laplace"), None),
    "one statistic": (one_statistic(NAMES, "hybrid", 3), 1),
    "sampled": ([*split("piecewise"), item("value", ["c"], "piecewise", 3)], 2),
}


def facts_of(way: str) -> Randomized:
    items, asked = WAYS[way]
    return randomized(items, numbers(["a", "b", "c"], half=1), asked)


def figures(facts: Randomized, label: str) -> dict[str, Figure]:
    data = pair(label)
    found = estimate(facts, reports(facts, {**data, "c": data["a"]}, label), WANTED)
    told = {f"mean {each.column}": each.mean for each in found.means}
    assert found.covariance is not None
    for i, a in enumerate(found.covariance.columns):
        for j, b in enumerate(found.covariance.columns):
            told[f"{a} {b}"] = found.covariance.entries[i][j]
    return told


def squares(facts: Randomized, truths: dict[str, float]) -> dict[str, float]:
    """The mean of z² over independent tables, for each figure."""
    z: dict[str, list[float]] = {name: [] for name in truths}
    for time in range(TIMES):
        found = figures(facts, f"table {time}")
        for name, truth in truths.items():
            told = found[name]
            assert told.raw is not None
            assert told.standard_error is not None
            z[name].append((told.raw - truth) / told.standard_error)
    return {name: float(np.mean(np.square(values))) for name, values in z.items()}


def is_right(mean_square: float) -> bool:
    return 0.68 < mean_square < 1.42


@pytest.mark.integration
@pytest.mark.parametrize("way", ["two-point split", "one statistic", "sampled"])
def test_errors_cover(way: str) -> None:
    truths = {"mean a": 0.0, "a b": 0.8 * VARIANCE}
    if way != "two-point split":
        truths["b b"] = VARIANCE
    for name, found in squares(facts_of(way), truths).items():
        assert is_right(found), name
        assert not is_right(found / 1.3**2), name
        assert not is_right(found * 1.3**2), name


@pytest.mark.slow
@pytest.mark.parametrize("way", ["piecewise split", "hybrid split", "laplace split"])
def test_errors_cover_for_every_mechanism(way: str) -> None:
    truths = {"mean a": 0.0, "a b": 0.8 * VARIANCE, "b b": VARIANCE}
    assert all(is_right(found) for found in squares(facts_of(way), truths).values())


def test_a_two_point_bit_tells_no_variance() -> None:
    found = estimate(
        facts_of("two-point split"), reports(facts_of("two-point split"), pair("x"), "x"), WANTED
    )
    assert [each.variance and each.variance.value for each in found.means] == [None, None]
    assert [(each.statistic, each.reason) for each in found.untold] == [("covariance", "no_square")]
    assert found.covariance is not None
    between = found.covariance.entries[0][1]
    # Two attributes are reported independently, so their product is told (paper 000, theorem 2).
    assert between.value == between.raw
    assert between.raw == pytest.approx(0.8 * VARIANCE, abs=5 * (between.standard_error or 0))
    assert between.distinguishable


def test_a_square_item_tells_the_variance() -> None:
    items = [*split("two-point"), item("square", ["a"], "two-point", 3)]
    facts = randomized(items, numbers(NAMES, half=1))
    found = estimate(facts, reports(facts, pair("x"), "x"), WANTED)
    variance = found.means[0].variance
    assert variance is not None
    assert variance.raw == pytest.approx(VARIANCE, abs=4 * (variance.standard_error or 0))
    assert variance.distinguishable
    assert variance.trivial == pytest.approx(1 / 3)


def test_sources_of_one_number_are_weighted_by_precision() -> None:
    both = [item("value", ["a"], "piecewise", 2), item("square", ["a"], "piecewise", 2)]
    alone = both[:1]
    errors = []
    for items in (both, alone):
        facts = randomized(items, numbers(["a"], half=1))
        found = estimate(facts, reports(facts, {"a": pair("w")["a"]}, "w"), WANTED)
        variance = found.means[0].variance
        assert variance is not None
        errors.append(variance.standard_error or 0.0)
    assert errors[0] < 0.9 * errors[1]


def test_two_values_need_no_square() -> None:
    domains = {"a": NumberDomain("boolean", 0, 1, 1.0, True)}
    facts = randomized([item("value", ["a"], "two-point", 2)], domains)
    data = {"a": np.where(np.arange(4000) % 4 == 0, 1.0, -1.0)}
    mean = estimate(facts, reports(facts, data, "x"), WANTED).means[0]
    assert mean.mean.value == pytest.approx(0.25, abs=4 * (mean.mean.standard_error or 0))
    assert mean.variance is not None
    assert mean.variance.value == pytest.approx(0.1875, abs=0.02)


def test_dates_are_dates_and_bounds_hold() -> None:
    domains = {"day": NumberDomain("date", 0, 30, 1.0, False)}
    facts = randomized([item("value", ["day"], "two-point", 0.02)], domains)
    data = {"day": np.full(200, 1.0)}
    found = estimate(facts, reports(facts, data, "late"), WANTED).means[0]
    assert found.type == "date"
    assert found.missing_as_middle
    assert found.mean.trivial == "1970-01-16"
    assert "1970-01-01" <= str(found.mean.value) <= "1970-01-31"
    assert not found.mean.distinguishable
    assert found.bounds == ("1970-01-01", "1970-01-31")


def test_nobody_reports_anything() -> None:
    facts = facts_of("sampled")
    found = estimate(facts, [], Wanted())
    assert found.rows == 0
    assert {each.mean.value for each in found.means} == {None}
    assert found.untold
