"""Levels in a schema: what is refused, and what stays as it was."""

from __future__ import annotations

from typing import Any

import pytest

from sudare.facts.errors import InvalidSchema
from sudare.facts.schema import Schema, make_schema

CITIES = {"type": "category", "values": ["a", "b", "c"], "other": "?"}


def described(**levels: Any) -> Schema:
    return make_schema(
        {
            "table": {"name": "t"},
            "columns": {
                "city": CITIES,
                "age": {"type": "integer", "min": 0, "max": 99},
                "memo": {"type": "text"},
                "height": {"type": "real"},
            },
            "levels": levels,
        }
    )


def test_other_stays_a_group_of_its_own_unless_it_is_listed() -> None:
    found = described(
        half={"of": "city", "groups": {"x": ["a", "b"], "y": ["c"]}},
        all={"of": "half", "groups": {"z": ["x", "y"]}},
        mixed={"of": "city", "groups": {"x": ["a", "?"], "y": ["b", "c"]}},
    )
    assert found.groups("half") == {"x": ("a", "b"), "y": ("c",), "?": ("?",)}
    assert found.groups("all") == {"z": ("x", "y"), "?": ("?",)}
    assert found.members("mixed") == ("x", "y")


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ({"of": "city"}, "either width, cuts or groups"),
        ({"of": "age", "width": 5, "cuts": [3]}, "either width, cuts or groups"),
        ({"of": "age", "cuts": [5, 3]}, "ascend"),
        ({"of": "city", "width": 5}, "categories take groups"),
        ({"of": "age", "groups": {"x": ["1"]}}, "categories take groups"),
        ({"of": "memo", "groups": {"x": ["1"]}}, "categories take groups"),
        ({"of": "height", "width": 1}, "without min and max"),
        ({"of": "nowhere", "width": 5}, "not declared"),
        ({"of": "level", "width": 5}, "built on itself"),
        ({"of": "city", "groups": {"x": ["a", "b"]}}, "without a group"),
        ({"of": "city", "groups": {"x": ["a", "b"], "y": ["b", "c"]}}, "two groups"),
        ({"of": "city", "groups": {"x": ["a", "b", "c"], "y": []}}, "empty group"),
        ({"of": "city", "groups": {"x": ["a", "b", "c", "d"]}}, "does not declare"),
        ({"of": "city", "groups": {"?": ["a", "b", "c"]}}, "called like other"),
    ],
)
def test_levels_that_do_not_fit_are_refused(level: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSchema, match=said):
        described(level=level)


def test_a_level_is_not_called_like_a_column() -> None:
    with pytest.raises(InvalidSchema, match="column and a level"):
        described(age={"of": "city", "groups": {"x": ["a", "b", "c"]}})


def test_a_schema_without_levels_keeps_its_digest() -> None:
    """Plans that were paid for before levels existed keep their idempotency keys."""
    plain = make_schema({"table": {"name": "t"}, "columns": {"city": CITIES}})
    assert plain.digest() == "3880d1c0d3630090336289c98b40d8237967d09ad1c2d5e47c211d3578e65fd5"
    leveled = described(band={"of": "age", "width": 5})
    assert leveled.digest() != described().digest()
    assert described(band={"of": "age", "width": 5, "label": "Band"}).digest() == leveled.digest()
