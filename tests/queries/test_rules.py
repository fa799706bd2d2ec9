"""Rules of a schema: their form, their refusals, and the digest of schemas that have none."""

from __future__ import annotations

import pytest

from sudare.facts.errors import InvalidSchema
from sudare.facts.query import All, Comparison, Not
from sudare.facts.schema import parse_schema
from sudare.queries.rules import compiled_rules

BASE = """
[table]
name = "people"

[columns.age]
type = "integer"
min = 0
max = 99

[columns.sex]
type = "category"
values = ["Male", "Female"]

[columns.relationship]
type = "category"
values = ["Husband", "Wife", "Child"]

[columns.income]
type = "integer"

[columns.drafted]
type = "integer"
min = 0
max = 5
confirmed = false

[columns.note]
type = "text"
"""
HUSBAND = """
[[rules]]
name = "husbands"
why = "as the register defines it"
if = "relationship = 'Husband'"
then = "sex = 'Male'"
"""


def test_a_rule_is_compiled() -> None:
    (rule,) = compiled_rules(parse_schema(BASE + HUSBAND, "t"))
    husband = Comparison("relationship", "=", "Husband")
    assert rule.violation == All((husband, Not(Comparison("sex", "=", "Male"))))
    assert rule.shown == "husbands"
    assert rule.text == "if relationship = 'Husband' then sex = 'Male'"
    assert rule.columns == {"relationship", "sex"}


@pytest.mark.parametrize(
    ("keys", "what"),
    [
        ('if = "sexx = \'Male\'"\nthen = "age > 3"', "Column 'sexx' is not declared"),
        ('never = "drafted > 3"', "drafted, not confirmed"),
        ('never = "income > 3"', "has no bounds"),
        ("never = \"sex = 'male'\"", "outside its declared values"),
        ("never = \"age = 'old'\"", "is compared with something else"),
        ("never = \"sex < 'Male'\"", "has no order"),
        ("never = \"note = 'x'\"", "could single out a person"),
        ('never = "age <"', "The condition cannot be read from character 5 on"),
        ('never = "age < 3 by sex"', "The condition cannot be read from character 9 on"),
        ('never = " "', "A condition is empty"),
    ],
)
def test_what_a_rule_may_not_say(keys: str, what: str) -> None:
    schema = parse_schema(f"{BASE}\n[[rules]]\nname = 'this one'\n{keys}\n", "t")
    with pytest.raises(InvalidSchema) as refused:
        compiled_rules(schema)
    assert refused.value.what.startswith("In rule 'this one': ")
    assert what in refused.value.what
    assert refused.value.__context__ is None


@pytest.mark.parametrize(
    "keys",
    [
        "if = 'age < 3'",
        "then = 'age < 3'",
        "never = 'age < 3'\nthen = 'age > 3'",
        "never = 'age < 3'\nif = 'age > 3'\nthen = 'age > 3'",
        "why = 'nothing said'",
        "never = ''",
        "never = 'age < 3'\nwhenever = 'age'",
    ],
)
def test_a_rule_has_one_form(keys: str) -> None:
    with pytest.raises(InvalidSchema, match=r"rules\.0"):
        parse_schema(f"{BASE}\n[[rules]]\n{keys}\n", "t")


def test_rules_are_told_apart() -> None:
    with pytest.raises(InvalidSchema, match="two rules are the same"):
        parse_schema(BASE + HUSBAND + HUSBAND, "t")


def test_digest() -> None:
    """A schema without rules has the digest it always had; names and reasons do not count."""
    none = parse_schema(BASE, "t").digest()
    assert none == "e414862f85bc2853399224217ef6e8f80dbe2193d7199c50f79db4ed193f8867"
    with_rule = parse_schema(BASE + HUSBAND, "t").digest()
    renamed = HUSBAND.replace("husbands", "men").replace("as the", "since the")
    assert parse_schema(BASE + renamed, "t").digest() == with_rule != none
    other = HUSBAND.replace("'Husband'", "'Wife'")
    assert parse_schema(BASE + other, "t").digest() != with_rule
