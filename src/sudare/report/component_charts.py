"""Components: the variance along each with the range of its noise, and what they consist of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sudare.report.cells import Cell
from sudare.report.charts import greyed
from sudare.report.components import loading_text, loadings
from sudare.report.heat import square, squares
from sudare.report.style import BAR, INK, WIDTH, draw

# Beyond this many bars their numbers are thinned out.
_MOST_NAMED = 30


def scree(steps: Sequence[Mapping[str, Any]], asked: int) -> str:
    """One bar a component; those that were asked for are dark, those that reach zero grey."""
    import altair as alt

    rows = [
        {
            "component": int(step["component"]),
            "variance": float(step["variance"]),
            "low": max(0.0, float(step["low"])),
            "high": float(step["high"]),
            "drowned": reaches_zero(step),
            "strength": 1.0 if int(step["component"]) <= asked else 0.4,
        }
        for step in steps
    ]
    axis: dict[str, Any] = {"labelAngle": 0, "ticks": False, "domain": False}
    if len(rows) > _MOST_NAMED:
        axis["labelOverlap"] = "greedy"
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("component:O", title=None, axis=alt.Axis(**axis))
    )
    numbers = alt.Axis(format=".4~g", tickCount=5, grid=True)
    bars = base.mark_bar().encode(
        y=alt.Y("variance:Q", title=None, axis=numbers, scale=alt.Scale(zero=True)),
        opacity=alt.Opacity("strength:Q", scale=None),
        color=greyed(BAR),
    )
    whiskers = base.mark_rule(strokeWidth=1.5).encode(
        y=alt.Y("low:Q", title=None, axis=numbers), y2="high", color=greyed(INK)
    )
    return draw(alt.layer(bars, whiskers).properties(width=WIDTH, height=200))


def reaches_zero(step: Mapping[str, Any]) -> bool:
    """Whether a variance cannot be told from none."""
    return float(step["low"]) <= 0


def loading_squares(components: Mapping[str, Mapping[str, Cell]], labels: Mapping[str, str]) -> str:
    """A heat map: a line for each column, a row of squares for each component."""
    parts = {row: loadings(component) for row, component in components.items()}
    names = list(next(iter(parts.values())))
    shown = {name: labels.get(name, name) for name in names}
    if len(set(shown.values())) < len(names):
        shown = {name: name for name in names}
    rows = [
        {"a": shown[name], "b": row, **_square(parts[row][name])} for name in names for row in parts
    ]
    return squares(rows, len(names))


def _square(cell: Cell) -> dict[str, str]:
    found = square(None if cell.drowned else max(-1.0, min(1.0, float(cell.value))))
    return found if cell.drowned else found | {"text": loading_text(cell)}
