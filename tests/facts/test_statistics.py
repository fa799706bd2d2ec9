"""The statistics file: what goes in comes out, and what has another form is refused."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from sudare.facts.errors import InvalidStatistics
from sudare.facts.statistics import Marginal, NumberMoments, Statistics

AGE = Marginal(
    "age", "integer", np.array([3.0, 4.0, 1.0]), np.array([0, 0, 1]), 2.0, True, (), (0, 10, 20),
    99, 1.0, np.array([2.5, 11.0, 20.0]),
)  # fmt: skip
PAY = Marginal(
    "pay", "real", np.array([9.5, 0.5]), np.array([0, 1]), 0.0, False, (), (-3, 4), 7, 0.25,
    least=-0.7, greatest=1.7,
)  # fmt: skip
HOME = Marginal("簾", "category", np.array([4.0, 6.0]), np.array([1, 0]), labels=("a", "b"))
GIVEN = Statistics(
    "people",
    "private",
    10.25,
    (AGE, PAY, HOME),
    {("age", "pay"): np.arange(6.0).reshape(3, 2), ("age", "簾"): np.ones((3, 2))},
    NumberMoments(
        ("age", "pay"), np.array([5.0, 0.5]), np.array([[4.0, 0.0], [0.0, 1.0]]),
        np.array([[True, False], [False, True]]),
    ),
    {("age", "簾"): np.array([1.5, -2.0])},
    {("age", "pay"): 2.5, ("pay", "pay"): 0.5, ("age", "簾"): 0.0},
    ({"if": "age < 3", "then": "pay < 1"},),
    {"person": "who"},
    {"release": "x"},
    {("age", "pay"): 0.25},
)  # fmt: skip


def same(one: Statistics, two: Statistics) -> bool:
    return one.to_json() == two.to_json()


def test_a_file_is_read_as_it_was_written() -> None:
    again = Statistics.from_json(GIVEN.to_json())
    assert same(again, GIVEN)
    assert again.marginal("age").counts.tolist() == [3, 4, 1]
    assert (again.marginal("pay").least, again.marginal("pay").greatest) == (-0.7, 1.7)
    assert again.marginal("age").greatest == math.inf
    assert again.crosses["age", "pay"].tolist() == [[0, 1], [2, 3], [4, 5]]
    assert again.noise == GIVEN.noise
    assert again.errors == GIVEN.errors
    assert again.moments is not None
    assert again.moments.known.tolist() == [[True, False], [False, True]]
    assert again.shifts["age", "簾"].tolist() == [1.5, -2]
    assert (again.rules, again.panel) == (GIVEN.rules, GIVEN.panel)
    assert again.provenance == GIVEN.provenance
    assert again.names == ("age", "pay", "簾")


def test_levels() -> None:
    assert (AGE.levels, AGE.present_levels) == (3, 2)
    assert AGE.level_counts.tolist() == [7, 1, 2]
    assert AGE.level_starts() == (0, 20)
    assert AGE.ends == (9, 19, 99)
    assert HOME.level_counts.tolist() == [6, 4]
    assert not AGE.is_constant


def damaged(change: Any) -> str:
    values = GIVEN.to_dict()
    change(values)
    return json.dumps(values)


DAMAGES: dict[str, Any] = {
    "format": lambda v: v.update(format="other"),
    "origin": lambda v: v.update(origin="hearsay"),
    "no columns": lambda v: v.update(columns=[]),
    "same name": lambda v: v["columns"].append(v["columns"][0]),
    "a count that is no number": lambda v: v["columns"][0].update(counts=[1, "x", 2]),
    "an infinite count": lambda v: v["columns"][0].update(counts=[1, math.inf, 2]),
    "a count too large": lambda v: v["columns"][0].update(counts=[1, 10**400, 2]),
    "a level too large": lambda v: v["columns"][0].update(levels=[0, 0, 10**30]),
    "an infinite bound": lambda v: v["columns"][0].update(high=math.inf),
    "levels that jump": lambda v: v["columns"][0].update(levels=[0, 2, 2]),
    "starts that fall": lambda v: v["columns"][0].update(starts=[0, 20, 10]),
    "a high below": lambda v: v["columns"][0].update(high=19),
    "labels twice": lambda v: v["columns"][2].update(labels=["a", "a"]),
    "an unknown type": lambda v: v["columns"][2].update(type="text"),
    "an unknown column": lambda v: v["crosses"][0].update(columns=["age", "x"]),
    "a table of another shape": lambda v: v["crosses"][0].update(counts=[[1, 2]]),
    "sums of another shape": lambda v: v["shifts"][0].update(sums=[1]),
    "moments of a category": lambda v: v["moments"].update(columns=["age", "簾"]),
    "covariances of another shape": lambda v: v["moments"].update(covariance=[[1.0]]),
    "no rows": lambda v: v.pop("rows"),
    "a list": lambda v: v.update(columns="age"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_other_forms_are_refused(damage: str) -> None:
    with pytest.raises(InvalidStatistics):
        Statistics.from_json(damaged(DAMAGES[damage]))


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "{", "[" * 100_000])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(InvalidStatistics) as caught:
        Statistics.from_json(text)
    assert caught.value.__context__ is None
