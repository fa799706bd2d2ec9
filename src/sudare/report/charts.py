"""Charts of groups and single numbers, each with the 95 % range of its noise."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sudare.report.cells import Cell
from sudare.report.frames import columns, rows
from sudare.report.frames import strip as one_row
from sudare.report.rulers import Dates, Numbers, Ruler, extent
from sudare.report.style import BAR, INK, greyed
from sudare.report.ticks import plain, short

# Up to this many cells each bar lies flat and keeps its label; more stand upright and thin.
_MOST_FLAT = 40
# Numbers from here on are shortened on the axes of a scatter.
_SHORTENED = 10_000
# A 95 % range below this share of the declared range vanishes under its dot.
_SEEN = 0.05
_ROW, _UPRIGHT, _STRIP = 22, 220, 24
# The part of a row or a column that a bar fills.
_FILLED = 0.9
_DOT = 60
_PAD = 12


@dataclass(frozen=True)
class Mark:
    """One number on its axis, with the ends of its range."""

    label: str
    value: float
    low: float
    high: float
    is_noise: bool


def grouped(found: list[Cell], *, from_zero: bool) -> str:
    """Bars from zero, or dots, with the 95 % range of the noise; drowned cells are grey."""
    unit = axis_unit(found)
    marks = [_mark(cell, unit) for cell in found]
    low, high = extent(end for mark in marks for end in (mark.low, mark.value, mark.high))
    ruler: Ruler
    if isinstance(found[0].value, str):
        ruler = Dates(low, high, pad=_PAD)
    elif from_zero:
        ruler = Numbers(min(low, 0.0), max(high, 0.0))
    else:
        ruler = Numbers(low, high, pad=_PAD)
    return (_lying if len(found) <= _MOST_FLAT else _standing)(marks, ruler, from_zero)


def _lying(marks: list[Mark], ruler: Ruler, from_zero: bool) -> str:
    frame = rows([mark.label for mark in marks], ruler, _ROW)
    half = _FILLED * _ROW / 2
    for place, mark in enumerate(marks):
        x, y, color = frame.x(mark.value), frame.row(place), greyed(BAR, mark.is_noise)
        if from_zero:
            frame.canvas.rect(frame.x(0), y - half, x, y + half, color)
        else:
            frame.canvas.dot((x, y), _DOT, color)
    for place, mark in enumerate(marks):
        low, high = ((frame.x(end), frame.row(place)) for end in (mark.low, mark.high))
        frame.canvas.line(low, high, greyed(INK, mark.is_noise), 1.5)
    return frame.svg()


def _standing(marks: list[Mark], ruler: Ruler, from_zero: bool) -> str:
    frame = columns([mark.label for mark in marks], ruler, _UPRIGHT)
    half = _FILLED * frame.wide / 2
    for place, mark in enumerate(marks):
        x, y, color = frame.column(place), frame.y(mark.value), greyed(BAR, mark.is_noise)
        if from_zero:
            frame.canvas.rect(x - half, frame.y(0), x + half, y, color)
        else:
            frame.canvas.dot((x, y), _DOT, color)
    for place, mark in enumerate(marks):
        low, high = ((frame.column(place), frame.y(end)) for end in (mark.low, mark.high))
        frame.canvas.line(low, high, greyed(INK, mark.is_noise), 60 / len(marks))
    return frame.svg()


def is_wide(cell: Cell, low: str, high: str) -> bool:
    """Whether the 95 % range is wide enough to be seen between the declared bounds."""
    mark = _mark(cell, 1.0)
    return mark.high - mark.low >= _SEEN * (number_of(high) - number_of(low))


def strip(cell: Cell, low: str, high: str) -> str:
    """Where one value and its 95 % range lie between the declared bounds."""
    first, last = sorted(number_of(end) for end in (low, high))
    mark = _mark(cell, 1.0)
    is_date = isinstance(cell.value, str)
    ruler: Ruler = Dates(first, last) if is_date else Numbers(first, last, is_exact=True)
    frame = one_row(ruler, _STRIP)
    y = frame.row(0)
    frame.canvas.line((frame.x(mark.low), y), (frame.x(mark.high), y), BAR, 8, opacity=0.55)
    frame.canvas.dot((frame.x(mark.value), y), _DOT, INK)
    return frame.svg()


def axis_unit(found: list[Cell]) -> float:
    """One, a million or a milliard: what the numbers at the axis are counted in."""
    sizes = [abs(cell.value) for cell in found if not isinstance(cell.value, str)]
    largest = max(sizes, default=0)
    return 1e9 if largest >= 1e10 else 1e6 if largest >= 1e7 else 1.0


def _mark(cell: Cell, unit: float) -> Mark:
    value = number_of(cell.value)
    low, high = cell.interval or (value - cell.error, value + cell.error)
    first, last = (number_of(end) / unit for end in (low, high))
    return Mark(cell.group, value / unit, first, last, cell.drowned)


def number_of(value: float | int | str) -> float:
    """A number as it is; a date as its day, counted as `date.toordinal` does."""
    if not isinstance(value, str):
        return float(value)
    try:
        return float(value)
    except ValueError:
        return float(dt.date.fromisoformat(value).toordinal())


def place_ruler(
    sample: float | int | str, low: float, high: float, pad: float = 16, count: int = 5
) -> Ruler:
    """A ruler for values like `sample` that need not start at zero; large numbers are shortened
    to 5k or 5M, since every axis of a scatter has a unit of its own."""
    if isinstance(sample, str):
        return Dates(low, high, pad=pad, is_year=True)
    form = short if abs(number_of(sample)) >= _SHORTENED else plain
    return Numbers(low, high, count=count, pad=pad, form=form)
