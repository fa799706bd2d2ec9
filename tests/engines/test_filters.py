"""Comparisons at the edges; random predicates are in test_moments.py."""

from __future__ import annotations

import datetime as dt
import math
import random
from fractions import Fraction

import pyarrow as pa
import pytest

from engines.reference import Row, moments
from engines.tables import ask, one, schema
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.errors import InvalidPlan
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
from sudare.facts.schema import Schema

AGE = one("integer", min=0, max=120)
AGES = pa.table({"v": pa.array([-5, 0, 64, 65, 66, 120, 500, None], pa.int64())})


def count(table: object, schema: Schema, predicate: object) -> int:
    return ask(table, schema, MomentsRequest(predicate))[0].rows[0][0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sign", "value", "expected"),
    [
        ("=", 65, 1),
        ("!=", 65, 6),
        ("<", 65, 3),
        ("<=", 65, 4),
        (">", 65, 3),
        (">=", 65, 4),
        ("=", 120, 2),
        ("=", 0, 2),
        ("<", 0, 0),
        (">", 120, 0),
        (">=", 0, 7),
        ("<=", 10**40, 7),
        (">", -(10**40), 7),
        ("=", Fraction(131, 2), 0),
        ("!=", Fraction(131, 2), 7),
        (">", Fraction(131, 2), 3),
        ("<", Fraction(131, 2), 4),
        ("=", 10**40, 0),
    ],
)
def test_integers(sign: Operator, value: int, expected: int) -> None:
    assert count(AGES, AGE, Comparison("v", sign, Fraction(value))) == expected


def test_membership_and_missing() -> None:
    assert count(AGES, AGE, Membership("v", (Fraction(65), Fraction(120), Fraction(1, 2)))) == 3
    assert count(AGES, AGE, Membership("v", (Fraction(1, 2),))) == 0
    assert count(AGES, AGE, Not(Membership("v", (Fraction(1, 2),)))) == 7
    assert count(AGES, AGE, Missing("v")) == 1
    assert count(AGES, AGE, Not(Missing("v"))) == 7


def test_missing_values_are_neither_true_nor_false() -> None:
    low = Comparison("v", "<", Fraction(65))
    assert count(AGES, AGE, Any_((low, Not(low)))) == 7
    assert count(AGES, AGE, Not(All((low, Not(low))))) == 7
    assert count(AGES, AGE, Any_((low, Not(low), Missing("v")))) == 8
    assert count(AGES, AGE, All(())) == 8
    assert count(AGES, AGE, Any_(())) == 0


def test_reals_compare_by_their_grid_value() -> None:
    """0.3 lies on no binary grid: the cleaned value is 3·0.1 as the grid has it, exactly."""
    tenths = one("real", min=0, max=1, step=0.1)
    table = pa.table({"v": [0.3, 0.31, 0.349, math.nan, math.inf]})
    exactly = Comparison("v", "=", 3 * Fraction(0.1))
    assert count(table, tenths, exactly) == 3
    assert count(table, tenths, Comparison("v", "=", Fraction(3, 10))) == 0
    assert count(table, tenths, Comparison("v", ">", Fraction(3, 10))) == 4
    assert count(table, tenths, Missing("v")) == 1


@pytest.mark.parametrize(("sign", "expected"), [("=", 1), ("<", 1), (">=", 2), ("!=", 2)])
def test_dates(sign: Operator, expected: int) -> None:
    days = one("date", min=dt.date(2000, 1, 1), max=dt.date(2030, 1, 1))
    table = pa.table({"v": [dt.date(2024, 4, d) for d in (1, 2, 3)]})
    assert count(table, days, Comparison("v", sign, "2024-04-02")) == expected


@pytest.mark.parametrize(("value", "expected"), [(True, 2), (False, 1)])
def test_booleans(value: bool, expected: int) -> None:
    table = pa.table({"v": [True, True, False, None]})
    assert count(table, one("boolean"), Comparison("v", "=", value)) == expected


def test_integers_beyond_doubles() -> None:
    wide = one("integer", min=-(2**62), max=2**62)
    table = pa.table({"v": [2**53, 2**53 + 1]})
    assert count(table, wide, Comparison("v", "=", Fraction(2**53 + 1))) == 1


@pytest.mark.parametrize("value", ["65", "2024-04-02"])
def test_a_number_is_not_compared_with_text(value: Literal_) -> None:
    with pytest.raises(InvalidPlan, match="compared with text"):
        count(AGES, AGE, Comparison("v", "=", value))


LONG = schema(
    {
        "s": {"type": "category", "values": ["c", "a", " a", *"defghijkl"], "other": "b"},
        "t": {"type": "category", "values": [*"kjihgfedcba"]},
        "n": {"type": "integer", "min": 0, "max": 9},
    }
)


def rows_of_long() -> list[Row]:
    texts = [*"abcdefghijklz", " a", "c ", "", None]
    return [
        {"s": texts[number % 17], "t": texts[number * 5 % 17], "n": number % 13 or None}
        for number in range(17 * 13)
    ]


def leaf(draw: random.Random) -> Predicate:
    column, sign = draw.choice("stn"), draw.choice(["=", "!=", "<", "<=", ">", ">="])
    values = [Fraction(n) for n in range(-1, 11)] if column == "n" else [*"abckz", " a"]
    kind = draw.randrange(4)
    if kind == 0:
        return Missing(column)
    if kind == 1:
        return Membership(column, tuple(draw.sample(values, 3)))  # type: ignore[arg-type]
    return Comparison(column, sign, draw.choice(values))  # type: ignore[arg-type]


@pytest.mark.parametrize("number", range(20))
def test_long_filters_say_what_short_ones_say(number: int) -> None:
    """Their columns are cleaned beforehand; the plain definition does not know that."""
    draw = random.Random(number)
    parts = tuple(Not(leaf(draw)) if draw.random() < 0.3 else leaf(draw) for _ in range(12))
    groups = tuple(All(parts[place : place + 2]) for place in range(0, 12, 2))
    request = MomentsRequest(
        Any_(groups), (ValuesAxis("t", LONG.columns["t"].values),), ("n",), ((0,),)
    )
    rows = rows_of_long()
    table = pa.Table.from_pylist(rows)
    assert ask(table, LONG, request) == [moments(rows, LONG, request)]


def test_a_filter_of_hundreds_of_comparisons_is_planned() -> None:
    """Cleaned in each comparison, a few hundred did not end."""
    parts = tuple(
        Comparison("s", "!=" if n % 2 else "=", "c" if n % 2 else "a") for n in range(2000)
    )
    rows = rows_of_long()
    request = MomentsRequest(All(parts))
    assert ask(pa.Table.from_pylist(rows), LONG, request) == [moments(rows, LONG, request)]


def test_a_long_filter_on_a_unit_table() -> None:
    bounded = schema(
        {**LONG.model_dump()["columns"], "p": {"type": "key"}}, unit="p", max_rows_per_unit=1
    )
    rows = [{**row, "p": str(number)} for number, row in enumerate(rows_of_long())]
    request = MomentsRequest(Any_(tuple(Comparison("s", "<", label) for label in "abcdefghij")))
    assert ask(pa.Table.from_pylist(rows), bounded, request) == [moments(rows, LONG, request)]
