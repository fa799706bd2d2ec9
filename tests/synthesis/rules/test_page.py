"""docs/rules.md against the code: its keys, its schema and the refusal that it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sudare.facts.errors import ImpossibleRules
from sudare.facts.rules import Rule
from sudare.facts.schema import Schema, parse_schema
from sudare.queries.rules import compiled_rules
from sudare.synthesis.rules.cutting import cuts_of, label_atoms
from sudare.synthesis.rules.levels import ColumnLevels, LabelLevels, NumberLevels
from sudare.synthesis.rules.possible import check
from sudare.synthesis.rules.rules import Rules

PAGE = (Path(__file__).parents[3] / "docs/rules.md").read_text(encoding="utf-8")


def block(mark: str) -> str:
    found = re.search(rf"^```\w+ {mark}\n(.*?)^```$", PAGE, re.M | re.S)
    assert found
    return found.group(1)


def rules_of(schema: Schema) -> Rules:
    compiled = compiled_rules(schema)
    cuts, levels = cuts_of(compiled), dict[str, ColumnLevels]()
    for name, column in schema.columns.items():
        if column.type == "category":
            levels[name] = LabelLevels(label_atoms(compiled, name, schema.domain(name)), True)
        else:
            starts = sorted({schema.grid(name).low, *cuts.get(name, ())})
            levels[name] = NumberLevels(tuple(starts), schema.grid(name), column.type, True)
    return Rules(compiled, levels)


def test_every_key_is_in_the_table() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", PAGE, re.M)
    shown = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    assert shown == {field.alias or name for name, field in Rule.model_fields.items()}


def test_the_rules_shown_are_allowed() -> None:
    assert check(rules_of(parse_schema(block("sudare-schema"), "page"))) == ()


def test_the_refusal_shown_is_the_one_given() -> None:
    schema = parse_schema(block("sudare-schema") + block("sudare-more"), "page")
    with pytest.raises(ImpossibleRules) as refused:
        check(rules_of(schema))
    assert refused.value.what == block("sudare-refusal").strip()
