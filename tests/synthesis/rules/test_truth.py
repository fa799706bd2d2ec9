"""Which records break which rules, against a slow three-valued reading of every record."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sudare.facts.schema import make_schema
from sudare.queries.rules import compiled_rules
from sudare.synthesis.rules.cutting import cuts_of, label_atoms
from sudare.synthesis.rules.levels import LabelLevels, NumberLevels
from sudare.synthesis.rules.rules import Rules
from synthesis.rules.worlds import (
    COLUMNS,
    broken_slowly,
    levels_of,
    records,
    rows_behind,
    schema_with,
    world,
)


@pytest.mark.parametrize("case", range(60))
def test_truth_tables(case: int) -> None:
    rng = random.Random(case)
    schema, rules = world(rng, rng.sample(list(COLUMNS), 3), 4)
    codes = records(rules)
    masks = np.array(list(rules.breaks(codes)))
    assert np.array_equal(rules.broken(codes), masks.any(axis=0))
    assert rules.broken_by_rule(codes).tolist() == masks.sum(axis=1).tolist()
    for place in rng.sample(range(masks.shape[1]), min(40, masks.shape[1])):
        record = {name: int(column[place]) for name, column in codes.items()}
        for row in rows_behind(rules, record):
            assert broken_slowly(rules, schema, row) == masks[:, place].tolist()


@pytest.mark.parametrize("case", range(20))
def test_zero_cells_are_what_rules_on_two_columns_exclude(case: int) -> None:
    rng = random.Random(1000 + case)
    schema, rules = world(rng, rng.sample(list(COLUMNS), 3), 8)
    a, b, c = rules.levels
    within = [rule.columns <= {a, b} for rule in rules.compiled]
    found = rules.zero_cells(a, b)
    assert found.shape == (rules.levels[a].size, rules.levels[b].size)
    for i, j in np.ndindex(*found.shape):
        row = next(rows_behind(rules, {a: i, b: j, c: 0}))
        broken = broken_slowly(rules, schema, row)
        assert found[i, j] == any(x and y for x, y in zip(broken, within, strict=True))
    assert np.array_equal(rules.zero_cells(b, a), found.T)
    assert not (rules.zero_levels(a)[:, None] & ~found).any()


def test_missing_values_break_no_comparison() -> None:
    written = [
        {"if": "続柄 = '夫'", "then": "age >= 3"},
        {"never": "age is null and employed = true"},
    ]
    schema = schema_with(written, ["age", "続柄", "employed"])
    compiled = compiled_rules(schema)
    grid = schema.grid("age")
    levels = {
        "age": NumberLevels((0, 3), grid, "integer", has_missing=True),
        "続柄": LabelLevels((("夫",), ("妻", "子ども")), has_missing=True),
        "employed": NumberLevels((0, 1), schema.grid("employed"), "boolean", has_missing=True),
    }
    rules = Rules(compiled, levels)
    assert rules.zero_cells("続柄", "age").tolist() == [
        [True, False, False],
        [False, False, False],
        [False, False, False],
    ]
    assert rules.zero_cells("age", "employed").tolist() == [
        [False, False, False],
        [False, False, False],
        [False, True, False],
    ]
    assert rules.broken(
        {"age": np.array([0, 2]), "続柄": np.array([0, 0]), "employed": np.array([1, 1])}
    ).all()


def test_cuts_and_atoms() -> None:
    written = [
        {"never": "age < 2 and home_ in ('a', 'b')"},
        {"if": "age between 4 and 5", "then": "home_ <> 'c'"},
        {"never": "age > 9 or age = 3.5 or age < 0"},
    ]
    columns = {
        "age": COLUMNS["age"],
        "home_": {"type": "category", "values": ["a", "b", "c", "d", "e"]},
    }
    schema = make_schema({"table": {"name": "t"}, "columns": columns, "rules": written})
    compiled = compiled_rules(schema)
    assert cuts_of(compiled) == {"age": frozenset({2, 4, 6})}
    assert label_atoms(compiled, "home_", schema.domain("home_")) == (
        ("a", "b"),
        ("c",),
        ("d", "e"),
    )
    straddling = NumberLevels((0, 1, 4, 6), schema.grid("age"), "integer")
    home = LabelLevels((("a", "b"), ("c",), ("d", "e")))
    with pytest.raises(ValueError, match="straddles"):
        Rules(compiled, {"age": straddling, "home_": home})
    fitting = NumberLevels((0, 2, 4, 6), schema.grid("age"), "integer")
    with pytest.raises(ValueError, match="straddles"):
        Rules(
            compiled, {"age": fitting, "home_": LabelLevels((("a", "d"), ("b",), ("c",), ("e",)))}
        )
    assert len(Rules(compiled, {"age": fitting, "home_": home}).compiled) == 3


def test_no_rules_break_nothing() -> None:
    schema = schema_with([], ["age"])
    rules = Rules((), levels_of(schema, (), random.Random(1)))
    assert rules.broken({"age": np.zeros(5, dtype=np.int16)}).tolist() == [False] * 5
    assert rules.broken_by_rule({"age": np.zeros(5, dtype=np.int16)}).tolist() == []
    assert not rules.zero_levels("age").any()
