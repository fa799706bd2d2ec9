"""Columns used as numbers: their grid, refusals, and how an index is shown again."""

from __future__ import annotations

import datetime as dt

from sudare.facts.errors import InvalidPlan, toml_key
from sudare.facts.grid import Grid
from sudare.facts.schema import EPOCH, MAX_ROWS, NUMERIC, Schema

_LARGEST_SUM = 2**127


def number_grid(name: str, schema: Schema, power: int, *, dates: bool = True) -> Grid:
    """The grid of a numeric column whose values are summed to the given power.

    Refuses what is not a number, and sums that could pass 128 bits: both follow from the schema
    alone, so the refusal says nothing of the data.
    """
    column = schema.column(name)
    if column.type not in NUMERIC or (column.type == "date" and not dates):
        raise InvalidPlan(
            f"Column '{name}' is {column.type}; it cannot be used as a number here.",
            "Ask for its histogram or a count with a filter.",
        )
    grid = schema.grid(name)
    largest = max(abs(grid.low), abs(grid.high)) ** power
    if largest * MAX_ROWS >= _LARGEST_SUM:
        raise InvalidPlan(
            f"The bounds of column '{name}' are so wide that its sum could overflow.",
            f"Declare narrower bounds, or a larger step under [columns.{toml_key(name)}].",
        )
    return grid


def shown(name: str, schema: Schema, value: float) -> float | int | str:
    """A value in the column's own form: dates as ISO text."""
    if schema.columns[name].type == "date":
        return (EPOCH + dt.timedelta(days=round(value))).isoformat()
    return value


def typical_size(grid: Grid) -> float:
    """The size against which an error of a mean is relative."""
    return max(abs(grid.low + grid.high) / 2, grid.span / 4) * grid.step
