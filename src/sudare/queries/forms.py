"""How many columns, numbers and options each function takes."""

from __future__ import annotations

from dataclasses import dataclass

from sudare.facts.errors import InvalidPlan
from sudare.facts.query import Function, Query

EXAMPLE = "Example: \"mean(age) by (sex) where region = 'north' @ 0.2\"; see docs/queries.md."


@dataclass(frozen=True)
class Form:
    """What may stand between the brackets; `takes` says it in words."""

    takes: str
    least_columns: int = 1
    most_columns: int = 1
    numbers: tuple[int, ...] = (0,)
    options: frozenset[str] = frozenset()
    has_target: bool = False
    example: str = EXAMPLE


_MANY = 100
_METHOD = frozenset({"method"})
FORMS: dict[Function, Form] = {
    "count": Form("no column", 0, 0),
    "sum": Form("one column"),
    "mean": Form("one column"),
    "variance": Form("one column"),
    "covariance": Form("two or more columns", 2, _MANY),
    "histogram": Form("one column and bins= or edges=", options=frozenset({"bins", "edges"})),
    "quantile": Form(
        "one column, a level and perhaps method=",
        numbers=(1,), options=_METHOD, example="Example: quantile(age, 0.5).",
    ),
    "median": Form(
        "one column and perhaps method=", options=_METHOD, example="Example: median(age)."
    ),
    "iqr": Form(
        "one column, perhaps two levels, and perhaps method=",
        numbers=(0, 2), options=_METHOD, example="Example: iqr(age, 0.1, 0.9).",
    ),
    "trimmed_mean": Form(
        "one column, the share cut off at each end, and perhaps method=",
        numbers=(1,), options=_METHOD, example="Example: trimmed_mean(age, 0.1).",
    ),
    "mst": Form(
        "two columns of nodes, one of weights, and perhaps method=",
        3, 3, options=_METHOD, example="Example: mst(from_stop, to_stop, minutes).",
    ),
    "kmeans": Form(
        "one or more columns, k= and perhaps rounds=",
        1, _MANY, options=frozenset({"k", "rounds"}), example="Example: kmeans(age, income; k=5).",
    ),
    "pca": Form(
        "two or more columns and perhaps components= and scaled=",
        2, _MANY, options=frozenset({"components", "scaled"}),
        example="Example: pca(age, income, hours; components=2).",
    ),
    "linear": Form(
        "a target, ~ and one or more columns",
        1, _MANY, has_target=True, example="Example: linear(income ~ age, hours).",
    ),
    "ridge": Form(
        "a target, ~, one or more columns and perhaps alpha=",
        1, _MANY, options=frozenset({"alpha"}), has_target=True,
        example="Example: ridge(income ~ age, hours; alpha=1).",
    ),
    "logistic": Form(
        "a target, ~, one or more columns and perhaps rounds= and alpha=",
        1, _MANY, options=frozenset({"rounds", "alpha"}), has_target=True,
        example="Example: logistic(employed ~ age, hours).",
    ),
    "sq": Form(
        "no column, within= and perhaps beta=",
        0, 0, options=frozenset({"within", "beta"}),
        example="Example: sq(within=0.01) where age >= 65.",
    ),
}  # fmt: skip


def check_form(query: Query) -> None:
    """Refuse what the function does not take."""
    form = FORMS[query.function]
    options = [name for name, _ in query.options]
    fits = (
        form.least_columns <= len(query.columns) <= form.most_columns
        and len(query.numbers) in form.numbers
        and set(options) <= form.options
        and len(set(options)) == len(options)
        and (query.target is not None) == form.has_target
        and not {"bins", "edges"} <= set(options)
    )
    if not fits:
        raise InvalidPlan(f"{query.function}() takes {form.takes}.", form.example)
    named = [*query.columns, *([] if query.target is None else [query.target])]
    if len(set(named)) != len(named):
        raise InvalidPlan("A column is named twice.", "Name each column once.")
