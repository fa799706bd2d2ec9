"""Coefficients side by side: each as the change over its column's declared range, with its 95 %
interval and a line at zero. Without that they would be in units that cannot be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sudare.facts.release import Answer
from sudare.report.cells import Cell
from sudare.report.charts import greyed, number_of, place_axis, unit_of
from sudare.report.coefficients import INTERCEPT, ends
from sudare.report.style import BAR, INK, MUTED, WIDTH, draw

MOST_EFFECTS = 40
_LABEL_LIMIT = 170
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
    try:
        return float(high) - float(low)
    except ValueError:
        return (number_of(high) - number_of(low)) / unit_of(high)


def reach(found: Sequence[Effect]) -> float:
    """How far from zero the drawing goes: far enough for whatever can be told from zero."""
    farthest = {one: max(abs(one.low), abs(one.high)) for one in found}
    told = [farthest[one] for one in found if not one.drowned]
    whole = max(farthest.values(), default=1.0)
    return (min(whole, _LONGEST * max(told)) if told else whole) or 1.0


def forest(found: Sequence[Effect], labels: Mapping[str, str]) -> str:
    """A dot and an interval a coefficient; grey where zero lies inside."""
    import altair as alt

    farthest = reach(found)
    names = [labels.get(one.name, one.name) for one in found]
    if len(set(names)) < len(names):
        names = [one.name for one in found]
    rows = [
        {
            "label": name,
            "value": max(-farthest, min(farthest, one.value)),
            "low": max(-farthest, min(farthest, one.low)),
            "high": max(-farthest, min(farthest, one.high)),
            "drowned": one.drowned,
        }
        for name, one in zip(names, found, strict=True)
    ]
    how = place_axis(farthest, None)
    how["scale"] |= {"padding": 8}
    axis = alt.Axis(labelLimit=_LABEL_LIMIT, ticks=False, domain=False, grid=False)
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("label:N", sort=None, title=None, axis=axis)
    )
    lines = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low", **how), x2="high", color=greyed(INK)
    )
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=alt.X("value", **how), color=greyed(BAR)
    )
    zero = (
        alt.Chart(alt.InlineData(values=[{"zero": 0}]))
        .mark_rule(strokeWidth=1.5)
        .encode(x=alt.X("zero", **how), color=alt.value(MUTED))
    )
    height = alt.Step(26)
    return draw(alt.layer(zero, lines, dots).properties(width=WIDTH, height=height))
