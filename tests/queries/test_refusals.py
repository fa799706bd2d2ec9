"""Every refusal follows from plan and schema alone, with a hint, before anything is charged."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sudare.facts.errors import (
    BoundsMissing,
    DomainMissing,
    InvalidPlan,
    Unconfirmed,
    UnknownColumn,
)
from sudare.facts.schema import make_schema
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from support.tiny import town

CASES = {
    "sum(nope)": UnknownColumn,
    "sum(age) by (nope)": UnknownColumn,
    "count() where nope = 1": UnknownColumn,
    "mean(height)": BoundsMissing,
    "histogram(height, bins=3)": BoundsMissing,
    "count() where height > 1": BoundsMissing,
    "histogram(code)": DomainMissing,
    "count() where code = 'a'": DomainMissing,
    "mean(draft)": Unconfirmed,
    "count() where draft = 1": Unconfirmed,
    "sum(sex)": InvalidPlan,
    "mean(memo)": InvalidPlan,
    "sum(born)": InvalidPlan,
    "sum(id)": InvalidPlan,
    "count() where id = 'x'": InvalidPlan,
    "count() where memo = 'x'": InvalidPlan,
    "count() where sex = 'X'": InvalidPlan,
    "count() where sex < 'M'": InvalidPlan,
    "count() where age = 'old'": InvalidPlan,
    "count() where born > '2000-13-01'": InvalidPlan,
    "count() where works = 1": InvalidPlan,
    "count() by (income)": InvalidPlan,
    "count() by (born)": InvalidPlan,
    "histogram(hours)": InvalidPlan,
    "histogram(sex, bins=2)": InvalidPlan,
    "histogram(age, bins=500)": InvalidPlan,
    "histogram(age, edges=(65, 15))": InvalidPlan,
    "histogram(age, edges=(15, 500))": InvalidPlan,
}


@pytest.mark.parametrize("question", CASES)
def test_refused_with_a_hint(question: str) -> None:
    with pytest.raises(CASES[question]) as refused:
        compile_question(question, town())
    assert refused.value.exit_code == 4
    assert "\n" not in refused.value.what
    assert refused.value.hint


def test_a_sum_that_could_overflow() -> None:
    wide = {"type": "integer", "min": 0, "max": 2**62}
    schema = make_schema({"table": {"name": "t"}, "columns": {"x": wide}})
    compile_question("sum(x)", schema)
    with pytest.raises(InvalidPlan, match="overflow"):
        compile_question("variance(x)", schema)


def test_too_many_cells() -> None:
    columns = {f"c{i}": {"type": "category", "values": list("abcdefghij")} for i in range(7)}
    schema = make_schema({"table": {"name": "t"}, "columns": columns})
    with pytest.raises(InvalidPlan, match="cells"):
        compile_question(f"count() by ({', '.join(columns)})", schema)


def test_labels_of_joined_groups_do_not_collide() -> None:
    schema = make_schema(
        {
            "table": {"name": "t"},
            "columns": {
                "a": {"type": "category", "values": ["x, y", "x"]},
                "b": {"type": "category", "values": ["z", "y, z"]},
            },
        }
    )
    labels = compile_question("count() by (a, b)", schema).labels
    assert len(set(labels)) == 4
    assert compile_question("histogram(a)", schema).labels == ("x, y", "x")


def test_histogram_labels_and_cuts() -> None:
    job = compile_question("histogram(age, bins=10)", town())
    assert job.labels[0] == "[0, 12)"
    assert job.labels[-1] == "[108, 120]"
    assert compile_question("histogram(age, edges=(15, 65))", town()).labels == (
        "[0, 15)",
        "[15, 65)",
        "[65, 120]",
    )
    assert len(compile_question("histogram(age)", town()).labels) == 121


def test_labels_tell_edges_apart() -> None:
    wide = {"type": "integer", "min": 10**15, "max": 10**15 + 100}
    thin = {"type": "real", "min": 1.0, "max": 1.000000001}
    schema = make_schema({"table": {"name": "t"}, "columns": {"x": wide, "y": thin}})
    assert len(set(compile_question("histogram(x, bins=100)", schema).labels)) == 100
    assert len(set(compile_question("histogram(y, bins=10)", schema).labels)) == 10


@pytest.mark.parametrize("filter_", ["(" * 900 + "age = 1" + ")" * 900, "not " * 2000 + "age = 1"])
def test_deep_filters(filter_: str) -> None:
    with pytest.raises(InvalidPlan):
        compile_question(f"count() where {filter_}", town())


def test_a_step_of_one_still_rounds_reals() -> None:
    column = {"type": "real", "min": 0.0, "max": 100.0, "step": 1.0}
    schema = make_schema({"table": {"name": "t"}, "columns": {"x": column}})
    job = compile_question("mean(x)", schema)
    assert job.forecast(Share("laplace", Fraction(900))).error95 >= 0.5
