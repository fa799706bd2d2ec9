"""Keys of files that are not known: the nearest one is named, and every fault has its code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sudare.facts.errors import InvalidPlan, InvalidSchema, InvalidTables, SudareError
from sudare.facts.keys import known_keys, nearest_hint
from sudare.facts.link_file import LinkFile, read_link_file
from sudare.facts.schema import Schema, make_schema, parse_schema
from sudare.publish.files import load_plan
from sudare.risk.tables.background import parse_background

LINK = """
session = "s"
collector = { name = "c" }
[[parties]]
name = "a"
schema = "a.toml"
key = [{ column = "id" }]
columns = "x"
[[parties]]
name = "b"
schema = "b.toml"
key = [{ column = "id" }]
columns = "y"
"""


@pytest.mark.parametrize(
    ("text", "key", "near"),
    [
        ("[table]\nname = 't'\n[colums.a]\ntype = 'key'\n", "colums", "columns"),
        ("[table]\nname = 't'\nunits = 'row'\n[columns.a]\ntype = 'key'\n", "table.units", "unit"),
        ("[table]\nname = 't'\n[columns.a]\ntyp = 'key'\n", "columns.a.typ", "type"),
        ("[table]\nname = 't'\n[columns.a]\ntype = 'key'\n[[rules]]\nif = 'a'\nThen = 'b'\n",
         "rules.0.Then", "then"),
        ("[table]\nname='t'\n[columns.a]\ntype='key'\n[levels.b]\nof='a'\nwidht=3\n",
         "levels.b.widht", "width"),
        ("[table]\nname='t'\n[columns.a]\ntype='key'\n[panel]\nperson='a'\ntimes='b'\n",
         "panel.times", "time"),
        ("[table]\nname='t'\n[columns.a]\ntype='key'\n[budget]\neps=3\n",
         "budget.eps", "epsilon"),
    ],
)  # fmt: skip
def test_a_key_of_a_schema(text: str, key: str, near: str) -> None:
    with pytest.raises(InvalidSchema) as caught:
        parse_schema(text, "t.schema.toml")
    assert caught.value.what == f"t.schema.toml: '{key}' is no key."
    assert f"Did you mean '{near}'?" in caught.value.hint
    assert caught.value.code == "schema-no-key"


def test_a_key_of_link_toml() -> None:
    read_link_file(LINK)
    for text, key, near in (
        ("sesion = 's'\n" + LINK, "sesion", "session"),
        (LINK.replace("column = ", "colum = ", 1), "parties.0.key.0.colum", "column"),
        (LINK.replace("schema = ", "shema = ", 1), "parties.0.shema", "schema"),
    ):
        with pytest.raises(InvalidPlan) as caught:
            read_link_file(text)
        assert caught.value.what == f"link.toml: '{key}' is no key."
        assert f"Did you mean '{near}'?" in caught.value.hint
        assert caught.value.code == "link-toml-no-key"


@pytest.mark.parametrize(
    ("line", "near"),
    [("queries = ['count()']", "questions"), ("question = ['count()']", "questions"),
     ("questions = ['count()']\nepsilom = 1", "epsilon"),
     ("[[questions]]\nask = 'count()'\nepsilo = 1", "epsilon")],
)  # fmt: skip
def test_a_key_of_a_plan(tmp_path: Path, line: str, near: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(f"data = 'p.csv'\n{line}\n", encoding="utf-8")
    with pytest.raises(InvalidPlan, match="unknown key") as caught:
        load_plan(path)
    assert f"Did you mean '{near}'?" in caught.value.hint


def test_a_key_of_the_facts_of_tables() -> None:
    with pytest.raises(InvalidTables, match="unknown key 'populations'") as caught:
        parse_background({"populations": 3}, "facts.toml")
    assert "Did you mean 'population'?" in caught.value.hint


def test_nothing_is_guessed_from_afar() -> None:
    assert nearest_hint("zzz", ("min", "max")) == "Known here: min, max."


def test_keys_are_those_of_the_place() -> None:
    assert known_keys(Schema, ("columns", "a"))[:3] == ("type", "min", "max")
    assert known_keys(Schema, ("rules", 0)) == ("if", "then", "never", "name", "why")
    assert known_keys(LinkFile, ("parties", 0, "key", 1)) == ("column", "rule")
    assert known_keys(Schema, ("budget", "analysts")) == ()
    assert known_keys(Schema, ("table", "nothing", "below")) == ()


A: dict[str, Any] = {"type": "integer", "min": 0, "max": 9}


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"columns": {"a": A}}, "schema-key-missing"),
        ({"table": {"name": "t"}, "columns": {"a": {**A, "type": "text"}}},
         "schema-column-takes-no-min"),
        ({"table": {"name": "t"}, "columns": {"a": {**A, "max": 0}}}, "schema-min-must-below-max"),
        ({"table": {"name": "t"}, "columns": {"a": {"type": "integer", "min": 1}}},
         "schema-min-max-go-together"),
        ({"table": {"name": "t"}, "columns": {"a": {"type": "text", "confirmed": 3}}},
         "schema-wrong-type"),
        ({"table": {"name": "t"}, "columns": {"a": {"type": "int"}}}, "schema-not-a-choice"),
        ({"table": {"name": "t"}, "columns": {}}, "schema-out-of-range"),
        ({"table": {"name": "t"}, "columns": {"a": A}, "budget": {"epsilon": 0}},
         "schema-out-of-range"),
        ({"table": {"name": "t", "unit": "b", "max_rows_per_unit": 2}, "columns": {"a": A}},
         "schema-unit-names-column-not"),
        ({"table": {"name": "t"}, "columns": {"a": A}, "levels": {"l": {"of": "a"}}},
         "schema-level-either-width-cuts"),
        ({"table": {"name": "t"}, "columns": {"a": A}, "rules": [{"if": "a = 1"}]},
         "schema-rule-either-if-then"),
    ],
)  # fmt: skip
def test_every_fault_of_a_schema_has_a_code(values: dict[str, Any], code: str) -> None:
    with pytest.raises(SudareError) as caught:
        make_schema(values)
    assert caught.value.code == code
