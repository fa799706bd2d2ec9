"""Comparisons at the edges; random predicates are in test_moments.py."""

from __future__ import annotations

import datetime as dt
import math
from fractions import Fraction

import pyarrow as pa
import pytest

from engines.tables import ask, one
from sudare.facts.aggregate import MomentsRequest
from sudare.facts.errors import InvalidPlan
from sudare.facts.query import All, Any_, Comparison, Literal_, Membership, Missing, Not, Operator
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
