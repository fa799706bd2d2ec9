"""The schema: what it accepts, what it refuses, and the grid it fixes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.facts.errors import InvalidSchema
from sudare.facts.grid import grid_index, real_grid
from sudare.facts.relation import Relation
from sudare.facts.schema import Schema, make_schema, parse_schema

ISSUE = """
[table]
name = "people"
unit = "row"
neighbours = "add-remove"
[budget]
epsilon = 3.0
delta = 1e-9
[columns.age]
type = "integer"
min = 0
max = 120
[columns.sex]
type = "category"
values = ["F", "M"]
"""


def test_the_schema_of_the_documentation() -> None:
    schema = parse_schema(ISSUE, "people.schema.toml")
    assert schema.table.neighbours is Relation.ADD_REMOVE
    assert schema.grid("age").high == 120
    assert schema.domain("sex") == ("F", "M")


def with_column(**column: Any) -> Schema:
    return make_schema({"table": {"name": "t"}, "columns": {"x": column}})


@pytest.mark.parametrize(
    "column",
    [
        {"type": "integer", "min": 5, "max": 5},
        {"type": "integer", "min": 6, "max": 5},
        {"type": "integer", "min": 0},
        {"type": "integer", "min": 0.5, "max": 2},
        {"type": "integer", "min": 0, "max": 2**63},
        {"type": "integer", "min": "0", "max": "5"},
        {"type": "integer", "min": True, "max": 5},
        {"type": "integer", "min": 0, "max": 9, "step": 0.5},
        {"type": "real", "min": 0.0, "max": float("inf")},
        {"type": "real", "min": float("nan"), "max": 1.0},
        {"type": "real", "min": 0.0, "max": 1.0, "step": 0},
        {"type": "real", "min": 0.0, "max": 1.0, "step": 5.0},
        {"type": "category", "values": ["a", "a"]},
        {"type": "category", "values": ["a"], "other": "a"},
        {"type": "category", "min": 0, "max": 1},
        {"type": "integer", "values": ["1"]},
        {"type": "number"},
        {"type": "integer", "minimum": 0},
        {"type": "date", "min": 0, "max": 1},
        {},
    ],
)
def test_contradictions_are_refused(column: dict[str, Any]) -> None:
    with pytest.raises(InvalidSchema) as refused:
        with_column(**column)
    assert refused.value.exit_code == 4
    assert refused.value.hint


@pytest.mark.parametrize(
    "table",
    [
        {"name": ""},
        {"name": "t", "unit": "nobody", "max_rows_per_unit": 3},
        {"name": "t", "unit": "x"},
        {"name": "t", "max_rows_per_unit": 2},
        {"name": "t", "public_rows": 10},
        {"name": "t", "neighbours": "replace"},
        {"name": "t", "expected_rows": 0},
    ],
)
def test_contradicting_tables_are_refused(table: dict[str, Any]) -> None:
    with pytest.raises(InvalidSchema):
        make_schema({"table": table, "columns": {"x": {"type": "key"}}})


@pytest.mark.parametrize(
    "budget",
    [{"epsilon": 0}, {"epsilon": -1}, {"epsilon": float("nan")}, {"epsilon": 1, "delta": 1}],
)
def test_bad_budgets_are_refused(budget: dict[str, Any]) -> None:
    with pytest.raises(InvalidSchema):
        make_schema({"table": {"name": "t"}, "budget": budget, "columns": {"x": {"type": "key"}}})


def test_broken_toml_names_the_file() -> None:
    with pytest.raises(InvalidSchema, match=r"people\.schema\.toml"):
        parse_schema("[table\n", "people.schema.toml")


def test_codes_may_be_numbers() -> None:
    assert with_column(type="category", values=[1, 2, 3.0]).domain("x") == ("1", "2", "3")


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.floats(0, 1))
def test_clamped_values_stay_on_the_grid(low: float, width: float, place: float) -> None:
    high = low + width
    if not low < high:
        return
    grid = real_grid(low, high, None)
    value = min(high, max(low, low + place * width))
    assert grid.low <= grid_index(value, grid.step) <= grid.high
    assert abs(grid_index(value, grid.step) * grid.step - value) <= grid.step / 2
    assert grid.span >= 2**20 - 1
