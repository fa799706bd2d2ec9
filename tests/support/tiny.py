"""The smallest engine: exact moments of rows that are already clean, in plain Python.

A row maps a column to its grid index (numbers) or its label (categories); None is missing. Tests of
`queries` use it as the truth to compare with, and to enumerate neighbours.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from sudare.facts.aggregate import (
    Axis,
    CutsAxis,
    Moments,
    MomentsRequest,
    NearestAxis,
    ScoreAxis,
    UniformAxis,
)
from sudare.facts.schema import Schema, make_schema

Row = Mapping[str, Any]


def moments(request: MomentsRequest, rows: Sequence[Row]) -> Moments:
    """Unfiltered moments (the filters are the engines' own business)."""
    assert request.where is None
    sizes = [axis.size for axis in request.axes]
    sums = {
        key: [0] * len(request.measures)
        for key in itertools.product(*(range(size) for size in sizes))
    }
    for row in rows:
        codes = [code(axis, [row[name] for name in axis.columns]) for axis in request.axes]
        values = [row[column] for column in request.columns]
        if None in codes or None in values:
            continue
        cell = sums[tuple(codes)]
        for place, monomial in enumerate(request.measures):
            cell[place] += math.prod(values[i] for i in monomial)
    return Moments(tuple(tuple(cell) for cell in sums.values()))


def code(axis: Axis, found: Sequence[Any]) -> int | None:
    if None in found:
        return None
    value = found[0]
    match axis:
        case NearestAxis() | ScoreAxis():
            return axis.code(found)
        case UniformAxis(_, low, span, size):
            return min((value - low) * size // span, size - 1)
        case CutsAxis(_, cuts):
            return sum(cut <= value for cut in cuts)
        case _:
            if value in axis.values:
                return axis.values.index(value)
            return len(axis.values) if axis.has_other else None


def town(relation: str = "add-remove", rows_per_unit: int = 1, **table: Any) -> Schema:
    """A schema with one column of every kind that questions use."""
    unit = {} if rows_per_unit == 1 else {"unit": "id", "max_rows_per_unit": rows_per_unit}
    return make_schema(
        {
            "table": {"name": "town", "neighbours": relation, **unit, **table},
            "budget": {"epsilon": 3.0, "delta": 1e-6},
            "columns": {
                "id": {"type": "key"},
                "age": {"type": "integer", "min": 0, "max": 120},
                "debt": {"type": "integer", "min": -5, "max": 3},
                "hours": {"type": "real", "min": 0.0, "max": 80.0},
                "income": {"type": "integer", "min": 0, "max": 10_000_000},
                "sex": {"type": "category", "values": ["F", "M"]},
                "region": {"type": "category", "values": ["n", "s", "e"], "other": "?"},
                "works": {"type": "boolean"},
                "born": {"type": "date", "min": "1900-01-01", "max": "2020-12-31"},
                "memo": {"type": "text"},
                "height": {"type": "real"},
                "draft": {"type": "integer", "min": 0, "max": 9, "confirmed": False},
                "code": {"type": "category"},
            },
        }
    )
