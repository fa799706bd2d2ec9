"""What a plan makes every person report: items, shares of ε, and the choice between ways."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sudare.accounting.compose import plan_cost
from sudare.facts.errors import InvalidPlan
from sudare.facts.local_plan import LocalPlan, read_statistics, read_wishes
from sudare.facts.randomized import LabelDomain, Randomized
from sudare.facts.relation import Relation
from sudare.facts.schema import Schema, make_schema
from sudare.local.compile import compile_local, row_epsilon

NUMBERS = {f"x{i}": {"type": "real", "min": -1, "max": 1} for i in range(6)}
MIXED: dict[str, Any] = {
    "age": {"type": "integer", "min": 0, "max": 100},
    "born": {"type": "date", "min": "1920-01-01", "max": "2020-01-01"},
    "sex": {"type": "category", "values": ["m", "f"], "other": "?"},
    "県": {"type": "category", "values": [str(i) for i in range(47)]},
    "name": {"type": "text"},
}


def schema(columns: dict[str, Any], **table: Any) -> Schema:
    import datetime as dt

    read = {
        name: {
            key: dt.date.fromisoformat(value)
            if key in ("min", "max") and column["type"] == "date"
            else value
            for key, value in column.items()
        }
        for name, column in columns.items()
    }
    return make_schema(
        {"table": {"name": "t", "neighbours": "replace-one"} | table, "columns": read}
    )


def plan(epsilon: str = "4", *mechanisms: str, statistics: str = "", **more: Any) -> LocalPlan:
    return LocalPlan(
        Fraction(epsilon),
        wishes=read_wishes(mechanisms),
        statistics=read_statistics(statistics),
        **more,
    )


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2", "4", "8"])
@pytest.mark.parametrize("budget", ["auto", "split", "sample", "statistic"])
def test_all_that_is_reported_costs_the_total(epsilon: str, budget: Any) -> None:
    job = compile_local(plan(epsilon, budget=budget), schema(MIXED))
    assert row_epsilon(job.facts) == Fraction(epsilon)
    cost = plan_cost([job.event()], Fraction(0))
    assert cost.epsilon == float(epsilon)
    assert cost.relation is Relation.REPLACE_ONE


def test_a_person_has_one_row() -> None:
    """The file shows the number of rows, so it must not depend on what a person's rows are."""
    columns = MIXED | {"id": {"type": "key"}}
    job = compile_local(plan("6"), schema(columns, unit="id", max_rows_per_unit=1))
    assert job.event().epsilon == 6
    with pytest.raises(InvalidPlan, match="share of them"):
        compile_local(plan("6"), schema(columns, unit="id", max_rows_per_unit=3))


def test_names_of_items_do_not_collide() -> None:
    numbers = dict.fromkeys(("a", "b"), MIXED["age"])
    for column, wished in (({"a×b": MIXED["age"]}, ["hybrid"]), ({"a+b": MIXED["sex"]}, [])):
        with pytest.raises(InvalidPlan, match="has the name"):
            compile_local(plan("4", *wished, budget="statistic"), schema(numbers | column))


def test_retention_alone() -> None:
    job = compile_local(plan("4", "sex=pram:0.5"), schema({"sex": MIXED["sex"]}))
    assert float(job.event().epsilon) == pytest.approx(1.386294361)


@pytest.mark.parametrize(
    ("epsilon", "budget", "asked", "items"),
    [
        ("1", "statistic", 1, 21),
        ("2", "statistic", 1, 15),
        ("8", "statistic", 1, 6),
    ],
)
def test_auto_takes_what_benchmarks_found_best(
    epsilon: str, budget: str, asked: int, items: int
) -> None:
    """At a small ε pairs of two places and squares, then pairs of three places, and at a large one
    five numbers at once."""
    job = compile_local(plan(epsilon), schema(NUMBERS))
    assert (job.way.budget, job.way.asked, len(job.way.items)) == (budget, asked, items)
    scores = [each.score for each in job.considered]
    assert scores == sorted(scores)
    assert len(job.reasons()) > 3


def test_squares_are_reported_where_a_bit_does_not_tell_them() -> None:
    two = compile_local(plan("4", "two-point", budget="split"), schema(NUMBERS))
    assert {item.kind for item in two.facts.items} == {"value", "square"}
    wave = compile_local(plan("4", "piecewise", budget="split"), schema(NUMBERS))
    assert {item.kind for item in wave.facts.items} == {"value"}
    means = compile_local(
        plan("4", "two-point", budget="split", statistics="mean"), schema(NUMBERS)
    )
    assert {item.kind for item in means.facts.items} == {"value"}


def test_columns_of_all_kinds_together() -> None:
    job = compile_local(plan("4", "age=laplace", "県=olh", budget="split"), schema(MIXED))
    named = {item.name: item for item in job.facts.items}
    assert set(named) == {"age", "born", "sex", "県"}
    assert named["age"].mechanism == "laplace"
    assert named["県"].mechanism == "olh"
    assert job.facts.domains["sex"] == LabelDomain(("m", "f", "?"))
    # Without a label for other values, what is missing has one of its own.
    assert job.facts.domains["県"].labels[-1] is None  # type: ignore[union-attr]


def test_retention_fixes_its_share() -> None:
    job = compile_local(plan("4", "sex=pram:0.5", budget="split"), schema(MIXED))
    shares = {item.name: item.exact_epsilon for item in job.facts.items}
    # (1 + 2ρ)/(1 − ρ) = 4 for three labels kept with probability 1/2.
    assert float(shares["sex"]) == pytest.approx(1.386294361)
    assert sum(shares.values()) == 4
    # What a row costs is what its items cost, not what it was allowed.
    alone = compile_local(plan("4", "sex=pram:0.5", columns=("sex",)), schema(MIXED))
    assert alone.facts.epsilon == pytest.approx(1.386294361)
    with pytest.raises(InvalidPlan, match="cost more than the total"):
        compile_local(plan("1", "sex=pram:0.5"), schema(MIXED))
    with pytest.raises(InvalidPlan, match="PRAM keeps the ε"):
        compile_local(plan("4", "sex=pram:0.5", budget="sample", report=1), schema(MIXED))


def test_paper_mode_charges_every_bit() -> None:
    columns = {"x": MIXED["age"], "sex": MIXED["sex"]}
    job = compile_local(plan("4", paper=True), schema(columns))
    shares = {item.name: (item.mechanism, item.exact_epsilon) for item in job.facts.items}
    assert shares == {"x": ("two-point", 1), "sex": ("one-hot", 3)}


def test_tables_and_distributions() -> None:
    columns = {name: MIXED[name] for name in ("age", "sex", "県")}
    tables = compile_local(
        plan("1", statistics="table", budget="statistic"), schema(columns | {"b": MIXED["sex"]})
    )
    pairs = {item.columns for item in tables.facts.items if item.kind == "labels"}
    assert pairs == {("sex", "県"), ("sex", "b"), ("県", "b")}
    shape = compile_local(plan("1", statistics="distribution", bins=10), schema(columns))
    bins = next(item for item in shape.facts.items if item.kind == "bins")
    assert bins.parameters["values"] == 10


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (lambda: plan("4", "sex=piecewise"), "cannot take the mechanism"),
        (lambda: plan("4", "nosuch=grr"), "not randomised, or twice"),
        (lambda: plan("4", "age=laplace", "age=hybrid"), "not randomised, or twice"),
        (lambda: plan(columns=("name",)), "cannot be randomised"),
        (lambda: plan(columns=("age", "age")), "one twice"),
        (lambda: plan(budget="sample", report=4), "not more columns"),
        (lambda: plan("40"), "between"),
        (lambda: plan(columns=("sex",), statistics="mean", budget="statistic"), "no way"),
        (lambda: plan("4", "nonsense"), "not known"),
        (lambda: plan("4", "sex=pram"), "wrong numbers"),
        (lambda: plan("4", "sex=pram:1.5"), "between 0 and 1"),
        (lambda: plan(statistics="mode"), "not known"),
        (lambda: plan(delta=Fraction(1, 10**9)), "needs no δ"),
        (lambda: plan("4", "grr", paper=True), "its own mechanism"),
        (lambda: plan(budget="split", report=2), "goes with"),
        (lambda: plan(bins=1), "Bins"),
    ],
)
def test_refusals(wrong: Any, what: str) -> None:
    with pytest.raises(InvalidPlan, match=what):
        compile_local(wrong(), schema(MIXED))


def test_add_remove_is_refused() -> None:
    with pytest.raises(InvalidPlan, match="how many rows there are"):
        compile_local(plan(), schema(MIXED, neighbours="add-remove"))


def test_facts_survive_json() -> None:
    import json

    facts = compile_local(plan("4", "県=oue"), schema(MIXED)).facts
    assert Randomized.from_dict(json.loads(json.dumps(facts.to_dict()))) == facts


def test_plans_that_differ_have_other_digests() -> None:
    plans = [plan(), plan("3"), plan("4", "grr"), plan(shuffle=True), plan(bins=4)]
    assert len({each.digest("s") for each in plans}) == len(plans)
