"""Proposals find what was planted, hold without exception, and find nothing where nothing is."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from sudare.facts.schema import EPOCH, Schema, make_schema, parse_schema
from sudare.queries.rules import compiled_rules
from sudare.synthesis.rules.levels import ColumnLevels, LabelLevels, NumberLevels
from sudare.synthesis.rules.proposing import proposed
from sudare.synthesis.rules.rules import Rules

ROWS = 20_000
SCHEMA = """
[table]
name = "people"

[columns.age]
type = "integer"
min = 0
max = 89

[columns.relationship]
type = "category"
values = ["Husband", "Wife", "Child", "Other's"]

[columns.sex]
type = "category"
values = ["Male", "Female"]

[columns."since when"]
type = "date"
min = 2000-01-01
max = 2000-04-09

[columns.wage]
type = "real"
min = 0
max = 100
step = 0.5

[columns.student]
type = "boolean"
"""


def codes_of(planted: bool) -> dict[str, np.ndarray]:
    """Levels: ten years of age, labels, ten days, ten of wage (missing last), two truths."""
    rng = np.random.default_rng(5)
    codes = {
        "age": rng.integers(0, 9, ROWS),
        "relationship": rng.choice(4, ROWS, p=[0.4, 0.2, 0.3, 0.1]),
        "sex": rng.integers(0, 2, ROWS),
        "since when": rng.integers(0, 10, ROWS),
        "wage": rng.integers(0, 11, ROWS),
        "student": rng.integers(0, 2, ROWS),
    }
    if planted:
        codes["sex"][codes["relationship"] == 0] = 0
        codes["relationship"][codes["age"] < 2] = 2
        codes["wage"][codes["age"] < 1] = 10
        codes["student"][codes["since when"] >= 7] = 1
    return codes


def levels_of(schema: Schema) -> dict[str, ColumnLevels]:
    starts = {"age": range(0, 90, 10), "wage": range(0, 200, 20), "student": range(2)}
    first = (dt.date(2000, 1, 1) - EPOCH).days
    starts["since when"] = range(first, first + 100, 10)
    found: dict[str, ColumnLevels] = {}
    for name, column in schema.columns.items():
        if column.type == "category":
            found[name] = LabelLevels(tuple((label,) for label in schema.domain(name)))
        else:
            missing = name == "wage"
            found[name] = NumberLevels(tuple(starts[name]), schema.grid(name), column.type, missing)
    return found


def pairs_of(codes: dict[str, np.ndarray], levels: dict[str, ColumnLevels]) -> np.ndarray:
    shown = [np.eye(levels[name].size)[codes[name]] for name in levels]
    whole = np.concatenate(shown, axis=1)
    return whole.T @ whole


def test_planted_rules_are_found_and_hold() -> None:
    schema = parse_schema(SCHEMA, "test")
    levels, codes = levels_of(schema), codes_of(planted=True)
    found = proposed(pairs_of(codes, levels), levels)
    texts = [(proposal.if_, proposal.then) for proposal in found]
    assert texts == [
        ("age < 20", "relationship = 'Child'"),
        ("\"since when\" >= '2000-03-11'", "student = true"),
        ("age < 10", "wage is null"),
        ("relationship = 'Husband'", "sex = 'Male'"),
    ]
    assert [proposal.expected for proposal in found] == sorted(
        (proposal.expected for proposal in found), reverse=True
    )
    # What is proposed can be pasted, is allowed by the schema, and no row breaks it.
    pasted = SCHEMA + "".join(proposal.toml() for proposal in found)
    rules = Rules(compiled_rules(parse_schema(pasted, "test")), levels)
    assert rules.broken_by_rule(codes).tolist() == [0, 0, 0, 0]
    # In data without the rules, as many rows break each as was expected, give or take.
    free = rules.broken_by_rule(codes_of(planted=False))
    assert (free > 1000).all()


def test_independent_columns_suggest_nothing() -> None:
    levels = levels_of(parse_schema(SCHEMA, "test"))
    pairs = pairs_of(codes_of(planted=False), levels)
    assert proposed(pairs, levels) == ()


def test_many_rare_labels_do_not_add_up_to_a_find() -> None:
    """Each cell expects 1 row, so a third are empty, and together they would expect hundreds."""
    rng = np.random.default_rng(3)
    labels = tuple((f"v{n}",) for n in range(60))
    levels: dict[str, ColumnLevels] = {"a": LabelLevels(labels), "b": LabelLevels(labels)}
    codes = {name: rng.integers(0, 60, 3600) for name in levels}
    pairs = pairs_of(codes, levels)
    assert np.count_nonzero(pairs[:60, 60:] == 0) > 1000
    assert proposed(pairs, levels) == ()


def test_one_exception_is_enough_to_propose_nothing() -> None:
    schema = parse_schema(SCHEMA, "test")
    levels, codes = levels_of(schema), codes_of(planted=True)
    husband = int(np.flatnonzero(codes["relationship"] == 0)[0])
    codes["sex"][husband] = 1
    found = proposed(pairs_of(codes, levels), levels)
    assert not [each for each in found if set(each.columns) == {"relationship", "sex"}]


def test_present_only_where_seen() -> None:
    """Missing in one column, never missing in a group of another: "is not null" both ways."""
    rng = np.random.default_rng(9)
    levels: dict[str, ColumnLevels] = {
        "kind": LabelLevels((("x",), ("y",))),
        "日付": LabelLevels((("一",), ("二",)), has_missing=True),
    }
    codes = {"kind": rng.integers(0, 2, 5000), "日付": rng.integers(0, 3, 5000)}
    codes["日付"][(codes["kind"] == 0) & (codes["日付"] == 2)] = 0
    found = proposed(pairs_of(codes, levels), levels)
    assert [(each.if_, each.then) for each in found] == [("日付 is null", "kind = 'y'")]


def test_codes_of_each_other_do_not_fill_the_list() -> None:
    rng = np.random.default_rng(2)
    labels = tuple((f"v{n}",) for n in range(30))
    levels: dict[str, ColumnLevels] = {"a": LabelLevels(labels), "b": LabelLevels(labels)}
    drawn = rng.integers(0, 30, 60_000)
    found = proposed(pairs_of({"a": drawn, "b": drawn}, levels), levels)
    assert 1 <= len(found) <= 4
    schema = {name: {"type": "category", "values": [x for (x,) in labels]} for name in levels}
    rules = [{"if": each.if_, "then": each.then} for each in found]
    made = make_schema({"table": {"name": "t"}, "columns": schema, "rules": rules})
    assert not Rules(compiled_rules(made), levels).broken({"a": drawn, "b": drawn}).any()


def test_constant_and_single_level_columns_are_ordinary() -> None:
    schema = parse_schema(SCHEMA, "test")
    levels: dict[str, ColumnLevels] = {
        "age": NumberLevels((0,), schema.grid("age"), "integer"),
        "sex": LabelLevels((("Male",), ("Female",))),
        "wage": NumberLevels((0,), schema.grid("wage"), "real", has_missing=True),
    }
    codes = {name: np.zeros(1000, dtype=np.int64) for name in levels}
    assert proposed(pairs_of(codes, levels), levels) == ()


def test_pairs_of_another_size_are_a_fault() -> None:
    levels = levels_of(parse_schema(SCHEMA, "test"))
    with pytest.raises(ValueError, match="another size"):
        proposed(np.zeros((3, 3)), levels)
