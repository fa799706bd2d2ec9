"""Small schemas with random rules, and the truth about them by looking at every record."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from engines.reference import holds
from sudare.facts.rules import CompiledRule
from sudare.facts.schema import Schema, make_schema
from sudare.queries.rules import compiled_rules
from sudare.synthesis.rules.cutting import cuts_of, label_atoms
from sudare.synthesis.rules.levels import ColumnLevels, LabelLevels, NumberLevels
from sudare.synthesis.rules.rules import Rules

COLUMNS: dict[str, dict[str, Any]] = {
    "age": {"type": "integer", "min": 0, "max": 6},
    "height": {"type": "real", "min": -0.5, "max": 1.0, "step": 0.5},
    "born": {"type": "date", "min": "2024-02-27", "max": "2024-03-01"},
    "employed": {"type": "boolean"},
    "続柄": {"type": "category", "values": ["夫", "妻", "子ども"]},
    "home town": {"type": "category", "values": ["it's", "B"], "other": "else"},
}
LITERALS: dict[str, list[str]] = {
    "age": ["-1", "0", "2", "3.5", "5", "6", "9"],
    "height": ["-2", "-0.5", "0", "0.3", "1.0", "7"],
    "born": ["'2024-02-01'", "'2024-02-27'", "'2024-02-29'", "'2024-03-01'", "'2025-01-01'"],
    "employed": ["true", "false"],
    "続柄": ["'夫'", "'妻'", "'子ども'"],
    "home town": ["'it''s'", "'B'", "'else'"],
}
ORDERED = ("age", "height", "born")


def schema_with(rules: list[dict[str, str]], columns: list[str]) -> Schema:
    declared = {name: COLUMNS[name] for name in columns}
    return make_schema({"table": {"name": "t"}, "columns": declared, "rules": rules})


def condition(rng: random.Random, columns: list[str], depth: int = 2) -> str:
    if depth and rng.random() < 0.5:
        one, two = (condition(rng, columns, depth - 1) for _ in range(2))
        return rng.choice([f"({one} and {two})", f"({one} or {two})", f"not ({one})"])
    column = rng.choice(columns)
    name = f'"{column}"' if " " in column else column
    literals = LITERALS[column]
    signs = ["=", "!="] + ["<", "<=", ">", ">="] * (column in ORDERED)
    return rng.choice(
        [
            f"{name} {rng.choice(signs)} {rng.choice(literals)}",
            f"{name} {rng.choice(signs)} {rng.choice(literals)}",
            f"{name} in ({', '.join(rng.sample(literals, 2))})",
            f"{name} is {rng.choice(['', 'not '])}null",
        ]
    )


def random_rules(rng: random.Random, columns: list[str], count: int) -> list[dict[str, str]]:
    rules = []
    for place in range(count):
        texts = {"never": condition(rng, columns)}
        if rng.random() < 0.5:
            texts = {"if": condition(rng, columns), "then": condition(rng, columns)}
        rules.append({**texts, "name": f"rule {place}"})
    return rules


def levels_of(
    schema: Schema, rules: tuple[CompiledRule, ...], rng: random.Random
) -> dict[str, ColumnLevels]:
    """The coarsest levels that the rules allow, some of them cut further, some with missing."""
    cuts = cuts_of(rules)
    found: dict[str, ColumnLevels] = {}
    for name, column in schema.columns.items():
        has_missing = rng.random() < 0.7
        if column.type == "category":
            groups = label_atoms(rules, name, schema.domain(name))
            found[name] = LabelLevels(groups, has_missing)
            continue
        grid = schema.grid(name)
        more = {i for i in range(grid.low, grid.high + 1) if rng.random() < 0.3}
        starts = sorted({grid.low, *more, *cuts.get(name, ())})
        found[name] = NumberLevels(tuple(starts), grid, column.type, has_missing)
    return found


def world(rng: random.Random, columns: list[str], count: int) -> tuple[Schema, Rules]:
    schema = schema_with(random_rules(rng, columns, count), columns)
    compiled = compiled_rules(schema)
    return schema, Rules(compiled, levels_of(schema, compiled, rng))


def values_of(levels: ColumnLevels, code: int) -> list[Any]:
    """Every cleaned value behind a code."""
    if code == levels.present:
        return [None]
    if isinstance(levels, LabelLevels):
        return list(levels.groups[code])
    return list(range(levels.starts[code], levels.last(code) + 1))


def records(rules: Rules) -> dict[str, np.ndarray]:
    """Every record of codes, one array a column."""
    sizes = [levels.size for levels in rules.levels.values()]
    table = np.array(list(itertools.product(*map(range, sizes))), dtype=np.int16)
    return {name: table[:, n] for n, name in enumerate(rules.levels)}


def rows_behind(rules: Rules, codes: dict[str, int]) -> Iterator[dict[str, Any]]:
    """Every cleaned row that a record of codes may stand for."""
    choices = [values_of(rules.levels[name], code) for name, code in codes.items()]
    for values in itertools.product(*choices):
        yield dict(zip(codes, values, strict=True))


def broken_slowly(rules: Rules, schema: Schema, row: dict[str, Any]) -> list[bool]:
    return [holds(rule.violation, row, schema) is True for rule in rules.compiled]
