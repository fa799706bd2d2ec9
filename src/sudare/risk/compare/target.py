"""The column that models explain, as numbers or as an event."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidPlan
from sudare.facts.microdata import Floats, LabelColumn, Microdata, NumberColumn
from sudare.risk.compare.features import codes_of

# A category of more labels is no class that a model is trained for unless it is asked for.
_MOST_CLASSES = 20


def check_target(names: Sequence[str], named: str | None) -> None:
    """Refuse a target that cannot be compared."""
    if named is not None and named not in names:
        raise InvalidPlan(
            "The target is not among the columns that are compared.",
            f"Name one of: {', '.join(names[:12])}{', …' if len(names) > 12 else ''}.",
        )


def default_target(data: Microdata) -> str:
    """The last boolean or category of few labels; else the last column."""
    classes = [column.name for column in data.columns if _is_class(column)]
    return (classes or list(data.names))[-1]


def _is_class(column: NumberColumn | LabelColumn) -> bool:
    if isinstance(column, NumberColumn):
        return column.type == "boolean"
    return 2 <= len(column.labels) <= _MOST_CLASSES


def is_number(data: Microdata, name: str) -> bool:
    """Whether the target is a number to be estimated and not a class to be told."""
    return data[name].type not in ("boolean", "category")


def with_target(data: Microdata, name: str) -> Microdata:
    """The rows whose target is not missing."""
    missing = data[name].missing
    return data.taken(np.flatnonzero(~missing)) if missing.any() else data


def class_codes(
    tables: Sequence[Microdata], name: str
) -> tuple[tuple[str, ...], list[NDArray[np.int64]]]:
    """The classes of all tables together, and the class of each row; none is missing."""
    if isinstance(tables[0][name], NumberColumn):
        found = [(number_values(table, name) > 0.5).astype(np.int64) for table in tables]
        return ("false", "true"), found
    labels, codes = codes_of(tables, name)
    return labels, [each.astype(np.int64) for each in codes]


def number_values(table: Microdata, name: str) -> Floats:
    column = table[name]
    assert isinstance(column, NumberColumn)
    return column.values


def event_of(labels: Sequence[str], codes: NDArray[np.int64]) -> int:
    """The class that a logistic regression explains: true, the rarer of two labels, or the most
    frequent of more."""
    counts = np.bincount(codes, minlength=len(labels))
    if tuple(labels) == ("false", "true"):
        return 1
    present = np.flatnonzero(counts)
    if len(present) == 2:
        return int(present[np.argmin(counts[present])])
    return int(np.argmax(counts))
