"""TOML and JSON of others: read within limits, and only Unreadable leaves."""

from __future__ import annotations

import ast
import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sudare
from sudare.facts.reading import DEEPEST, MOST_PARTS, Unreadable, read_json, read_toml, shortened
from support.tiers import examples

SOURCE = Path(sudare.__file__).parent
# What passes between processes of one run, and what the program of a block answers, whose NaN are
# no numbers but spoil no other output.
OWN = {"engines/sandbox/child.py", "engines/sandbox/rooting.py", "engines/sandbox/columns.py"}
PROGRAMS = {"engines/sandbox/results.py"}


@pytest.mark.parametrize(
    "text",
    [
        "a=" + "[" * 100_000,
        "a=" + "[" * 100_000 + "]" * 100_000,
        "a=" + "{a=" * 100_000,
        "a" + ".a" * 50_000 + "=1",
        '"a"' + '."a"' * 50_000 + "=1",
        "[a" + " . a" * 50_000 + "]",
        "a=" + "9" * 5000,
        "a=1" + "_1" * 100_000,
        "a",
        "\0",
    ],
    ids=lambda text: text[:8],
)
def test_toml_beyond_all_use_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_toml(text)
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, "9" * 5000, "NaN", "-Infinity", "1e999", "", b"\xff"]
)  # fmt: skip
def test_json_beyond_all_use_is_unreadable(text: str | bytes) -> None:
    with pytest.raises(Unreadable):
        read_json(text)


def test_brackets_and_dots_within_texts_and_comments_count_for_nothing() -> None:
    inside = "[" * 100 + "." * 100
    text = f'# {inside}\na = "{inside}"\nb = \'{inside}\'\nc = """\n{inside}\n"""'
    assert read_toml(text) == tomllib.loads(text)


def test_the_limits_themselves_are_allowed() -> None:
    deep = "a = " + "[" * DEEPEST + "]" * DEEPEST
    dotted = ".".join(["a"] * MOST_PARTS) + " = 1"
    assert read_toml(deep) == tomllib.loads(deep)
    assert read_toml(dotted) == tomllib.loads(dotted)


@examples(200)
@given(st.text(alphabet="ab.=[]{}\"'#\n ,1-:T", max_size=80))
def test_what_is_read_is_what_the_library_reads(text: str) -> None:
    try:
        plain = tomllib.loads(text)
    except (ValueError, RecursionError):
        with pytest.raises(Unreadable):
            read_toml(text)
        return
    assert read_toml(text) == plain


@examples(100)
@given(st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner)))
def test_json_is_read_as_it_was_written(value: object) -> None:
    assert read_json(json.dumps(value)) == value


def test_long_names_are_shortened() -> None:
    assert shortened("a" * 10) == "a" * 10
    assert len(shortened("a" * 100_000)) < 250


def test_nothing_else_reads_toml_or_json() -> None:
    readers = {("json", "loads"), ("json", "load"), ("tomllib", "loads"), ("tomllib", "load")}
    found = [
        f"{name}:{node.lineno}"
        for path in sorted(SOURCE.rglob("*.py"))
        if (name := path.relative_to(SOURCE).as_posix())
        not in OWN | PROGRAMS | {"facts/reading.py"}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in readers
    ]
    assert found == []
