"""What an analyst may ask: a function of declared columns, groups, a filter, a share of ε."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Function = Literal[
    "count", "sum", "mean", "variance", "covariance", "histogram", "quantile",
    "median", "iqr", "trimmed_mean", "mst",
    "kmeans", "pca", "linear", "ridge", "logistic", "sq",
]  # fmt: skip
Operator = Literal["=", "!=", "<", "<=", ">", ">="]
Literal_ = str | Fraction | bool
# What stands after the = of an option: one or several numbers, or a word.
OptionValue = tuple[Fraction, ...] | str


@dataclass(frozen=True)
class Comparison:
    """column op literal; a missing value satisfies no comparison."""

    column: str
    operator: Operator
    value: Literal_


@dataclass(frozen=True)
class Membership:
    """column in (literals)."""

    column: str
    values: tuple[Literal_, ...]


@dataclass(frozen=True)
class Missing:
    """column is null: the value is absent, unreadable or, for a category, outside its domain."""

    column: str


@dataclass(frozen=True)
class Not:
    part: Predicate


@dataclass(frozen=True)
class All:
    parts: tuple[Predicate, ...]


@dataclass(frozen=True)
class Any_:
    parts: tuple[Predicate, ...]


Predicate = Comparison | Membership | Missing | Not | All | Any_


@dataclass(frozen=True)
class Query:
    """One parsed question. `text` is what the analyst wrote; `target` stands before a ~, `numbers`
    and `options` are what the function takes beside columns (queries/forms.py)."""

    text: str
    function: Function
    columns: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    where: Predicate | None = None
    epsilon: Fraction | None = None
    error: Fraction | None = None
    error_is_relative: bool = False
    bins: int | None = None
    edges: tuple[Fraction, ...] = ()
    level: Fraction | None = None
    target: str | None = None
    numbers: tuple[Fraction, ...] = ()
    options: tuple[tuple[str, OptionValue], ...] = ()

    def option(self, name: str) -> OptionValue | None:
        """An option's value, or None where it was not given."""
        return dict(self.options).get(name)


def predicate_columns(predicate: Predicate | None) -> frozenset[str]:
    """Every column that a filter looks at."""
    match predicate:
        case None:
            return frozenset()
        case Not(part):
            return predicate_columns(part)
        case All(parts) | Any_(parts):
            return frozenset().union(*(predicate_columns(part) for part in parts))
        case _:
            return frozenset({predicate.column})
