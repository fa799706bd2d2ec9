"""Which columns can be compared, and values outside their declared bounds.

The real rows are read as every job reads them: clamped to the declared bounds. Synthetic rows are
read under bounds a hundred times as wide, so that a value that should not be there is seen.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import Any

import numpy as np

from sudare.facts.microdata import Microdata, NumberColumn
from sudare.facts.schema import MAX_INDEX, NUMERIC, Column, Schema

_WIDER = 100
_MOST = 1e100


def comparable(schema: Schema, present: Collection[str]) -> tuple[list[str], list[str]]:
    """The declared columns that are numbers with bounds, booleans or labels with a domain and
    are in both files; and the declared columns that are left out."""
    fit = [name for name, column in schema.columns.items() if _is_whole(column)]
    chosen = [name for name in fit if name in present and name != schema.table.unit]
    return chosen, [name for name in schema.columns if name not in chosen]


def _is_whole(column: Column) -> bool:
    if column.type == "boolean":
        return True
    return column.min is not None if column.type in NUMERIC else bool(column.values)


def widened(schema: Schema) -> Schema:
    """The same schema for synthetic rows: wide bounds on the same grid, and a file of any kind."""
    columns = {name: _widened(name, column) for name, column in schema.columns.items()}
    plain = {"encoding": None, "delimiter": None, "unit": "row", "max_rows_per_unit": None}
    table = schema.table.model_copy(update=plain)
    return schema.model_copy(update={"table": table, "columns": columns, "levels": {}})


def _widened(name: str, column: Column) -> Column:
    low: Any = column.min
    high: Any = column.max
    if low is None or high is None:
        return column
    grid = column.grid(name)
    if column.type == "date":
        days = _WIDER * grid.span
        return column.model_copy(update={"min": _day(low, -days), "max": _day(high, days)})
    if max(abs(grid.low), abs(grid.high)) + _WIDER * grid.span > MAX_INDEX:
        return column
    room = _WIDER * (high - low)
    if max(abs(low - room), abs(high + room)) > _MOST:
        return column
    # The step of the narrow grid stays, so that both files are rounded alike.
    step = {} if column.type == "integer" else {"step": grid.step}
    return column.model_copy(update={"min": low - room, "max": high + room, **step})


def _day(day: dt.date, by: int) -> dt.date:
    least, most = dt.date.min.toordinal(), dt.date.max.toordinal()
    return dt.date.fromordinal(min(max(day.toordinal() + by, least), most))


def outside(data: Microdata, schema: Schema) -> dict[str, int]:
    """How many values of each number lie outside its declared bounds, where there are any."""
    found: dict[str, int] = {}
    for column in data.columns:
        if isinstance(column, NumberColumn):
            grid = schema.columns[column.name].grid(column.name)
            low, high = grid.low * grid.step, grid.high * grid.step
            count = int(np.count_nonzero((column.values < low) | (column.values > high)))
            found |= {column.name: count} if count else {}
    return found
