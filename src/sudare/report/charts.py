"""Charts of groups and single numbers, each with the 95 % range of its noise."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sudare.report.cells import Cell
from sudare.report.style import BAR, INK, MUTED, WIDTH, draw

# Up to this many cells each bar lies flat and keeps its label; more stand upright and thin.
_MOST_FLAT = 40
_LABEL_LIMIT = 170
_DAY = 86_400_000
# Numbers from here on are shortened on the axes of a scatter.
_SHORTENED = 10_000
# A 95 % range below this share of the declared range vanishes under its dot.
_SEEN = 0.05


def grouped(found: list[Cell], *, from_zero: bool) -> str:
    """Bars from zero, or dots, with the 95 % range of the noise; drowned cells are grey."""
    import altair as alt

    is_date = isinstance(found[0].value, str)
    is_flat = len(found) <= _MOST_FLAT
    place, along = ("y", "x") if is_flat else ("x", "y")
    unit = axis_unit(found)
    rows = [_row(cell, unit) for cell in found]
    names = {"type": "nominal", "sort": None, "title": None, "axis": _names_axis(is_flat)}
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        **{place: _channel(place, {"field": "label", **names})}
    )
    how = _measure(is_date, from_zero)
    marks = base.mark_bar() if from_zero else base.mark_point(filled=True, size=60, opacity=1)
    values = marks.encode(**{along: _channel(along, {"field": "value", **how})}, color=greyed(BAR))
    whiskers = base.mark_rule(strokeWidth=1.5 if is_flat else 60 / len(found)).encode(
        **{along: _channel(along, {"field": "low", **how}), f"{along}2": "high"},
        color=greyed(INK),
    )
    height = alt.Step(22) if is_flat else 220
    return draw(alt.layer(values, whiskers).properties(width=WIDTH, height=height))


def is_wide(cell: Cell, low: str, high: str) -> bool:
    """Whether the 95 % range is wide enough to be seen between the declared bounds."""
    row = _row(cell, 1.0)
    return bool(row["high"] - row["low"] >= _SEEN * (number_of(high) - number_of(low)))


def strip(cell: Cell, low: str, high: str) -> str:
    """Where one value and its 95 % range lie between the declared bounds."""
    import altair as alt

    ends = [number_of(end) for end in (low, high)]
    row = _row(cell, 1.0)
    row["low"], row["high"] = max(row["low"], min(ends)), min(row["high"], max(ends))
    how = _measure(isinstance(cell.value, str), False)
    how["scale"] |= {"domain": ends, "nice": False, "padding": 0}
    base = alt.Chart(alt.InlineData(values=[row]))
    line = base.mark_rule(strokeWidth=8, strokeCap="butt", opacity=0.55).encode(
        x=_channel("x", {"field": "low", **how}), x2="high", color=alt.value(BAR)
    )
    dot = base.mark_point(filled=True, size=60, opacity=1).encode(
        x=_channel("x", {"field": "value", **how}), color=alt.value(INK)
    )
    return draw(alt.layer(line, dot).properties(width=WIDTH, height=24))


def axis_unit(found: list[Cell]) -> float:
    """One, a million or a milliard: what the numbers at the axis are counted in."""
    sizes = [abs(cell.value) for cell in found if not isinstance(cell.value, str)]
    largest = max(sizes, default=0)
    return 1e9 if largest >= 1e10 else 1e6 if largest >= 1e7 else 1.0


def _row(cell: Cell, unit: float) -> dict[str, Any]:
    value, step = number_of(cell.value), unit_of(cell.value)
    ends = cell.interval or (value - cell.error * step, value + cell.error * step)
    low, high = (number_of(end) / unit for end in ends)
    return {
        "label": cell.group,
        "value": value / unit,
        "low": low,
        "high": high,
        "drowned": cell.drowned,
    }


def number_of(value: float | int | str) -> float:
    """A number as it is; a date as milliseconds since 1970, as Vega counts time."""
    if not isinstance(value, str):
        return float(value)
    try:
        return float(value)
    except ValueError:
        return float((dt.date.fromisoformat(value) - dt.date(1970, 1, 1)).days * _DAY)


def unit_of(value: float | int | str) -> int:
    """What an error of one is on the axis: one, or a day where the value is a date."""
    return _DAY if isinstance(value, str) else 1


def place_axis(sample: float | int | str, title: str | None) -> dict[str, Any]:
    """A scale for values like `sample` that need not start at zero; large numbers are shortened
    to 5k or 5M, since every axis of a scatter has a unit of its own."""
    is_date = isinstance(sample, str)
    how = _measure(is_date, False)
    how["title"] = title
    how["scale"] |= {"padding": 16}
    if is_date:
        how["axis"]["format"] = "%Y"
    elif abs(number_of(sample)) >= _SHORTENED:
        how["axis"]["format"] = "~s"
        # Zero has no unit: the axis would write 0M.
        how["axis"]["labelExpr"] = "datum.value == 0 ? '0' : datum.label"
    return how


def _channel(name: str, definition: dict[str, Any]) -> Any:
    import altair as alt

    return (alt.X if name == "x" else alt.Y)(**definition)


def _measure(is_date: bool, from_zero: bool) -> dict[str, Any]:
    if is_date:
        axis = {"format": "%Y-%m-%d", "tickCount": 4, "labelOverlap": True, "labelFlush": False}
        return {
            "type": "temporal",
            "title": None,
            "axis": axis,
            "scale": {"type": "utc", "padding": 12},
        }
    axis = {"format": ",~f", "tickCount": 5, "labelOverlap": True, "labelFlush": False}
    scale = {"zero": True} if from_zero else {"zero": False, "padding": 12}
    return {"type": "quantitative", "title": None, "axis": axis, "scale": scale}


def _names_axis(is_flat: bool) -> dict[str, Any]:
    shared = {"labelLimit": _LABEL_LIMIT, "ticks": False, "domain": False, "grid": False}
    return shared if is_flat else shared | {"labelOverlap": "greedy", "labelAngle": -90}


def greyed(color: str) -> Any:
    """The colour, or grey where the number is noise."""
    import altair as alt

    return alt.when("datum.drowned").then(alt.value(MUTED)).otherwise(alt.value(color))
