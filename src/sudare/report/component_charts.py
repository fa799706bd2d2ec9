"""Components: the variance along each with the range of its noise, and what they consist of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sudare.report.cells import Cell
from sudare.report.components import loading_text, loadings
from sudare.report.frames import columns
from sudare.report.heat import Square, shown_names, square, squares
from sudare.report.rulers import Numbers, extent
from sudare.report.style import BAR, INK, greyed
from sudare.report.ticks import brief

_HEIGHT = 200
_FILLED = 0.9
# Components that were not asked for.
_FAINT = 0.4


def scree(steps: Sequence[Mapping[str, Any]], asked: int) -> str:
    """One bar a component; those that were asked for are dark, those that reach zero grey."""
    ends = extent(float(step[end]) for step in steps for end in ("variance", "high"))
    names = [str(int(step["component"])) for step in steps]
    frame = columns(names, Numbers(0.0, max(ends[1], 0.0), form=brief), _HEIGHT)
    half = _FILLED * frame.wide / 2
    for place, step in enumerate(steps):
        x, y = frame.column(place), frame.y(float(step["variance"]))
        color = greyed(BAR, reaches_zero(step))
        strength = 1.0 if int(step["component"]) <= asked else _FAINT
        frame.canvas.rect(x - half, frame.y(0), x + half, y, color, opacity=strength)
    for place, step in enumerate(steps):
        low, high = ((frame.column(place), frame.y(float(step[end]))) for end in ("low", "high"))
        frame.canvas.line(low, high, greyed(INK, reaches_zero(step)), 1.5)
    return frame.svg()


def reaches_zero(step: Mapping[str, Any]) -> bool:
    """Whether a variance cannot be told from none."""
    return float(step["low"]) <= 0


def loading_squares(components: Mapping[str, Mapping[str, Cell]], labels: Mapping[str, str]) -> str:
    """A heat map: a line for each column, a row of squares for each component."""
    parts = {row: loadings(component) for row, component in components.items()}
    names = list(next(iter(parts.values())))
    lines = [[_square(part[name]) for part in parts.values()] for name in names]
    return squares(shown_names(names, labels), list(parts), lines)


def _square(cell: Cell) -> Square:
    if cell.drowned:
        return square(None)
    return replace(square(float(cell.value)), text=loading_text(cell))
