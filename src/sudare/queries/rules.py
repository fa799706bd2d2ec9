"""The schema's rules, read: their conditions as filters for engines and as tests on the grid.

Claim    `test` is true, false or unknown of a cleaned value exactly where the engines' filter by
         `violation` is (engines/sql/filters.py): both compare the integer index with the floor
         or ceiling of literal / step.
Gaps     none known; tests/synthesis/rules/test_against_duckdb.py compares the two.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable
from fractions import Fraction

from sudare.facts.errors import InvalidPlan, InvalidSchema
from sudare.facts.grid import Grid
from sudare.facts.query import (
    All,
    Any_,
    Comparison,
    Literal_,
    Membership,
    Missing,
    Not,
    Operator,
    Predicate,
)
from sudare.facts.rules import (
    Absent,
    CompiledRule,
    Every,
    OnGrid,
    OnLabels,
    Opposite,
    Rule,
    Some,
    Test,
)
from sudare.facts.schema import EPOCH, Schema
from sudare.queries.filters import checked
from sudare.queries.parse import parse_condition


def compiled_rules(schema: Schema) -> tuple[CompiledRule, ...]:
    """Every declared rule, in order, or the refusal of the first that the schema does not allow."""
    return tuple(_compiled(rule, schema) for rule in schema.rules)


def _compiled(rule: Rule, schema: Schema) -> CompiledRule:
    try:
        violation = checked(_violation(rule), schema)
    except InvalidPlan as error:
        refused = InvalidSchema(f"In rule '{rule.shown}': {error.what}", error.hint)
    else:
        return CompiledRule(rule.shown, rule.text, violation, _tested(violation, schema))
    raise refused


def _violation(rule: Rule) -> Predicate:
    if rule.never is not None:
        return parse_condition(rule.never)
    return All((parse_condition(rule.if_ or ""), Not(parse_condition(rule.then or ""))))


def _tested(predicate: Predicate, schema: Schema) -> Test:
    match predicate:
        case Not(part):
            return Opposite(_tested(part, schema))
        case All(parts):
            return Every(tuple(_tested(part, schema) for part in parts))
        case Any_(parts):
            return Some(tuple(_tested(part, schema) for part in parts))
        case Missing(column):
            return Absent(column)
        case Membership(column, values):
            return _member(column, values, schema)
        case Comparison(column, sign, value):
            return _compared(column, sign, value, schema)


def _member(column: str, values: tuple[Literal_, ...], schema: Schema) -> Test:
    if schema.column(column).type == "category":
        return OnLabels(column, frozenset(str(value) for value in values))
    grid = schema.grid(column)
    places = (_place(value, grid) for value in values)
    return _within(column, grid, ((int(p), int(p)) for p in places if p.denominator == 1))


def _compared(column: str, sign: Operator, value: Literal_, schema: Schema) -> Test:
    if sign in ("=", "!="):
        equal = _member(column, (value,), schema)
        return equal if sign == "=" else Opposite(equal)
    grid = schema.grid(column)
    place = _place(value, grid)
    # index < p is index <= ceil(p) − 1, and index > p is not (index <= floor(p)).
    last = math.floor(place) if sign in ("<=", ">") else math.ceil(place) - 1
    below = _within(column, grid, [(grid.low, last)])
    return below if sign in ("<", "<=") else Opposite(below)


def _place(value: Literal_, grid: Grid) -> Fraction:
    """A literal in grid steps."""
    if isinstance(value, str):
        return Fraction((dt.date.fromisoformat(value) - EPOCH).days)
    return Fraction(value) / Fraction(grid.step)


def _within(column: str, grid: Grid, spans: Iterable[tuple[int, int]]) -> OnGrid:
    """Whether the index lies in one of the spans (ends included), cut to the grid."""
    inside = [
        (max(first, grid.low), min(last, grid.high))
        for first, last in spans
        if first <= last and first <= grid.high and last >= grid.low
    ]
    ends: list[int] = []
    for first, last in sorted(set(inside)):
        # A span that touches the one before makes it longer instead of turning twice in one place.
        if ends and first <= ends[-1]:
            ends[-1] = max(ends[-1], last + 1)
        else:
            ends += [first, last + 1]
    turns = tuple(end for end in ends if grid.low < end <= grid.high)
    return OnGrid(column, bool(ends) and ends[0] == grid.low, turns)
