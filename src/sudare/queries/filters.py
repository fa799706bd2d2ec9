"""Filters: refuse what the schema does not allow, and guess from it how much they let through.

The guess (every column uniform over its declared domain, columns independent) serves forecasts
only; it is public because the schema is.
"""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

from sudare.facts.errors import InvalidPlan
from sudare.facts.query import (
    All,
    Any_,
    Comparison,
    Literal_,
    Membership,
    Missing,
    Not,
    Predicate,
)
from sudare.facts.schema import EPOCH, Column, Schema

_EXPECTED = {
    "integer": "a number",
    "real": "a number",
    "date": "a date such as '2024-04-01'",
    "boolean": "true or false",
    "category": "one of its declared values in single quotes",
}


def checked(predicate: Predicate, schema: Schema) -> Predicate:
    """The filter with its literals in the form engines expect, or a refusal."""
    match predicate:
        case Not(part):
            return Not(checked(part, schema))
        case All(parts):
            return All(tuple(checked(part, schema) for part in parts))
        case Any_(parts):
            return Any_(tuple(checked(part, schema) for part in parts))
        case Missing(column):
            _usable(column, schema)
            return predicate
        case Membership(column, values):
            usable = _usable(column, schema)
            return Membership(column, tuple(_literal(column, usable, v, schema) for v in values))
        case Comparison(column, operator, value):
            usable = _usable(column, schema)
            if usable.type in ("category", "boolean") and operator not in ("=", "!="):
                raise InvalidPlan(
                    f"Column '{column}' has no order, so {operator} says nothing.",
                    "Use =, != or in (…).",
                )
            return Comparison(column, operator, _literal(column, usable, value, schema))


def _usable(name: str, schema: Schema) -> Column:
    column = schema.column(name)
    if column.type in ("text", "key"):
        raise InvalidPlan(
            f"Column '{name}' is {column.type}; a filter on it could single out a person.",
            "Filter on a column with declared bounds or values.",
        )
    # A filter compares cleaned values, so it needs the bounds or the domain like any other use.
    if column.type == "category":
        schema.domain(name)
    else:
        schema.grid(name)
    return column


def _literal(name: str, column: Column, value: Literal_, schema: Schema) -> Literal_:
    if column.type == "category":
        text = _code(value)
        if text not in schema.domain(name):
            raise InvalidPlan(
                f"Column '{name}' is compared with a value outside its declared values.",
                f"Declared: {', '.join(schema.domain(name)[:12])}.",
            )
        return text
    fits = {
        "integer": isinstance(value, Fraction),
        "real": isinstance(value, Fraction),
        "boolean": isinstance(value, bool),
        "date": isinstance(value, str) and _is_date(value),
    }[column.type]
    if not fits:
        raise InvalidPlan(
            f"Column '{name}' is {column.type}, but is compared with something else.",
            f"Compare it with {_EXPECTED[column.type]}.",
        )
    # Real values are compared as they are stored on the grid, so the literal is put there too.
    return schema.grid(name).on_grid(value) if column.type == "real" else value  # type: ignore[arg-type]


def _code(value: Literal_) -> str:
    """Category codes may be written as bare numbers: region = 3."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else str(float(value))
    return value


def _is_date(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def expected_share(predicate: Predicate | None, schema: Schema) -> float:
    """The share of rows that would pass if every column were uniform over its domain."""
    match predicate:
        case None:
            return 1.0
        case Not(part):
            return 1 - expected_share(part, schema)
        case All(parts):
            share = 1.0
            for part in parts:
                share *= expected_share(part, schema)
            return share
        case Any_(parts):
            refused = 1.0
            for part in parts:
                refused *= 1 - expected_share(part, schema)
            return 1 - refused
        case Missing(_):
            return 0.05
        case Membership(column, values):
            parts_ = tuple(Comparison(column, "=", value) for value in values)
            return min(1.0, sum(expected_share(part, schema) for part in parts_))
        case Comparison():
            return _comparison_share(predicate, schema)


def _comparison_share(test: Comparison, schema: Schema) -> float:
    column = schema.column(test.column)
    if column.type in ("category", "boolean"):
        equal = 1 / len(schema.domain(test.column))
        return equal if test.operator == "=" else 1 - equal
    grid = schema.grid(test.column)
    if isinstance(test.value, str):
        place = float((dt.date.fromisoformat(test.value) - EPOCH).days)
    else:
        place = float(test.value) / grid.step
    below = min(1.0, max(0.0, (place - grid.low) / (grid.span + 1)))
    equal = 1 / (grid.span + 1)
    return {
        "=": equal,
        "!=": 1 - equal,
        "<": below,
        "<=": min(1.0, below + equal),
        ">": max(0.0, 1 - below - equal),
        ">=": 1 - below,
    }[test.operator]
