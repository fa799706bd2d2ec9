"""Bins and levels split where rules turn: what is added up again is what it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudare.facts.errors import InvalidPlan
from sudare.facts.rules import CompiledRule
from sudare.facts.schema import make_schema
from sudare.facts.statistics import Marginal, NumberMoments, Statistics
from sudare.queries.rules import compiled_rules
from sudare.synthesis.ruled import bound_rules
from sudare.synthesis.splitting import split_at

COLUMNS: dict[str, Any] = {
    "age": {"type": "integer", "min": 0, "max": 99},
    "town": {"type": "category", "values": ["a", "b", "c", "d"]},
    "sex": {"type": "category", "values": ["f", "m"]},
}


def rules(*texts: str) -> tuple[CompiledRule, ...]:
    made = {"table": {"name": "t"}, "columns": COLUMNS, "rules": [{"never": t} for t in texts]}
    return compiled_rules(make_schema(made))


def statistics(age: tuple[float, ...] = (400.0, 200.0, 300.0, 100.0)) -> Statistics:
    """Four bins of age in three levels, the second of two bins; c and d share a level."""
    number = Marginal(
        "age", "integer", np.array(age), np.array([0, 1, 1, 2]), 50.0, True,
        starts=(0, 20, 40, 80), high=99,
    )  # fmt: skip
    town = Marginal(
        "town", "category", np.array([500.0, 450.0, 75.0, 25.0]), np.array([0, 1, 2, 2]),
        labels=("a", "b", "c", "d"),
    )  # fmt: skip
    sex = Marginal("sex", "category", np.array([600.0, 450.0]), np.arange(2), labels=("f", "m"))
    crosses = {
        ("age", "town"): np.arange(12.0).reshape(4, 3) * 10,
        ("age", "sex"): np.arange(8.0).reshape(4, 2) * 10,
    }
    return Statistics(
        "t", "randomized", 1050.0, (number, town, sex), crosses,
        NumberMoments(("age",), np.array([35.0]), np.array([[400.0]]), np.ones((1, 1), bool)),
        {("age", "town"): np.array([9e3, 8e3, 4e3])},
        {("age", "age"): 8.0, ("age", "town"): 4.0, ("age", "sex"): 4.0, ("sex", "sex"): 2.0},
        errors={("age", "town"): 30.0},
    )  # fmt: skip


def test_a_bin_is_split_by_its_widths_and_its_level_by_counts() -> None:
    found = split_at(statistics(), rules("age < 15", "age >= 50 and sex = 'm'"))
    age = found.marginal("age")
    assert age.starts == (0, 15, 20, 40, 50, 80)
    # 15 of 20 years; 10 of 40.
    assert age.counts.tolist() == [300, 100, 200, 75, 225, 100]
    assert age.level_of.tolist() == [0, 1, 2, 2, 3, 4]
    assert (age.missing, age.levels) == (50.0, 6)
    table, before = found.crosses["age", "town"], statistics().crosses["age", "town"]
    assert table[:2] == pytest.approx(np.outer([0.75, 0.25], before[0]))
    assert table[2:4] == pytest.approx(np.outer([0.55, 0.45], before[1]))
    assert np.array_equal(table[4:], before[2:])
    # Three levels of towns stay, so that the shares of ages alone make the noise less.
    shares = np.array([0.75, 0.25, 0.55, 0.45, 1, 1])
    assert found.noise["age", "town"] == pytest.approx(4 * np.sqrt(np.mean(shares**2)))
    assert found.noise["sex", "sex"] == 2.0
    assert found.shifts["age", "town"].tolist() == [9e3, 8e3, 4e3]
    assert found.errors["age", "town"] == 30.0


def test_labels_that_share_a_level_are_split_by_their_counts() -> None:
    found = split_at(statistics(), rules("town = 'c' and age < 20"))
    assert found.marginal("town").level_of.tolist() == [0, 1, 2, 3]
    table, before = found.crosses["age", "town"], statistics().crosses["age", "town"]
    assert table[:, 2:] == pytest.approx(np.outer(before[:, 2], [0.75, 0.25]))
    assert found.shifts["age", "town"].tolist() == [9e3, 8e3, 3e3, 1e3]
    size = np.sqrt((2 + 0.75**2 + 0.25**2) / 4)
    assert found.errors["age", "town"] == pytest.approx(30 * size)
    # The cut at 20 was an edge already.
    assert found.marginal("age").starts == (0, 20, 40, 80)
    assert np.array_equal(found.crosses["age", "sex"], statistics().crosses["age", "sex"])


def test_parts_of_a_level_that_holds_nobody_are_as_wide_as_they_are() -> None:
    found = split_at(statistics((400.0, -5.0, -15.0, 100.0)), rules("age >= 70"))
    assert found.marginal("age").starts == (0, 20, 40, 70, 80)
    table, before = found.crosses["age", "sex"], statistics().crosses["age", "sex"]
    assert table[1:3] == pytest.approx(np.outer([50 / 60, 10 / 60], before[1]))


def test_what_was_refused_can_be_bound() -> None:
    asked = rules("age < 15 and sex = 'm'", "town = 'd' and age > 90")
    given = statistics()
    with pytest.raises(InvalidPlan, match="the statistics hold together"):
        bound_rules(given.marginals, asked)
    bound_rules(split_at(given, asked).marginals, asked)


def test_nothing_changes_where_no_rule_turns() -> None:
    for asked in (rules(), rules("age is null and sex = 'm'", "age >= 80 and town = 'a'")):
        assert split_at(statistics(), asked).to_dict() == statistics().to_dict()
