"""Coefficients side by side: each as the change over its column's declared range, with its 95 %
interval and a line at zero. Without that they would be in units that cannot be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sudare.facts.release import Answer
from sudare.report.cells import Cell
from sudare.report.charts import number_of, place_ruler
from sudare.report.coefficients import INTERCEPT, ends
from sudare.report.frames import rows
from sudare.report.heat import shown_names
from sudare.report.style import BAR, INK, MUTED, greyed

MOST_EFFECTS = 40
_ROW, _DOT = 26, 70
# An interval that cannot be told from zero may be this many times as long as those that can.
_LONGEST = 2.0


@dataclass(frozen=True)
class Effect:
    """What a regression's target changes by over a column's declared range."""

    name: str
    value: float
    low: float
    high: float
    drowned: bool


def effects(answer: Answer, found: Sequence[Cell]) -> list[Effect]:
    """Every coefficient but the intercept; a column without bounds goes from no (0) to yes (1)."""
    bounds = {clip.column: (clip.low, clip.high) for clip in answer.clips}
    return [_effect(cell, bounds.get(cell.group)) for cell in found if cell.group != INTERCEPT]


def _effect(cell: Cell, bounds: tuple[str, str] | None) -> Effect:
    width = _width(*bounds) if bounds else 1.0
    low, high = ends(cell)
    value = float(cell.value)
    return Effect(cell.group, value * width, low * width, high * width, cell.drowned)


def _width(low: str, high: str) -> float:
    """A declared range in the column's units: numbers, or days."""
    return number_of(high) - number_of(low)


def reach(found: Sequence[Effect]) -> float:
    """How far from zero the drawing goes: far enough for whatever can be told from zero."""
    farthest = {one: max(abs(one.low), abs(one.high)) for one in found}
    told = [farthest[one] for one in found if not one.drowned]
    whole = max(farthest.values(), default=1.0)
    return (min(whole, _LONGEST * max(told)) if told else whole) or 1.0


def forest(found: Sequence[Effect], labels: Mapping[str, str]) -> str:
    """A dot and an interval a coefficient; grey where zero lies inside."""
    farthest = reach(found)
    names = shown_names([one.name for one in found], labels)
    ends = [end for one in found for end in (one.low, one.high)]
    low, high = max(-farthest, min([*ends, 0.0])), min(farthest, max([*ends, 0.0]))
    frame = rows(names, place_ruler(farthest, low, high, pad=8), _ROW)
    zero = frame.x(0)
    frame.canvas.line((zero, frame.top), (zero, frame.bottom), MUTED, 1.5)
    for place, one in enumerate(found):
        # What lies farther out than the drawing goes ends at its edge.
        value, first, last = (
            (frame.x(max(-farthest, min(farthest, at))), frame.row(place))
            for at in (one.value, one.low, one.high)
        )
        frame.canvas.line(first, last, greyed(INK, one.drowned), 2)
        frame.canvas.dot(value, _DOT, greyed(BAR, one.drowned))
    return frame.svg()
