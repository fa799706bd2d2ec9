"""Correlations as a heat map, worked out from one released covariance matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sudare.report.cells import Cell
from sudare.report.covariances import correlations
from sudare.report.style import WIDTH, draw

# The ends of the scale of correlations, and its middle.
_FALLING, _LEVEL, _RISING = (166, 84, 8), (244, 244, 242), (24, 95, 134)


def heat(matrix: list[Cell], labels: Mapping[str, str]) -> str:
    """Correlations of one released matrix, each printed in its square; drowned ones are grey."""
    columns = list(dict.fromkeys(cell.row for cell in matrix))
    names = {column: labels.get(column, column) for column in columns}
    if len(set(names.values())) < len(columns):
        # Two columns under one label would share their squares.
        names = {column: column for column in columns}
    rows = [
        {"a": names[a], "b": names[b], **square(found)}
        for (a, b), found in correlations(matrix).items()
    ]
    return squares(rows, len(columns))


def squares(rows: list[dict[str, str]], count: int) -> str:
    """A drawing of squares, each with its text: `a` is its line of `count`, `b` its place in it."""
    import altair as alt

    axis: dict[str, Any] = {"labelLimit": 110, "ticks": False, "domain": False, "labelAngle": 0}
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("b:N", sort=None, title=None, axis=alt.Axis(orient="top", **axis)),
        y=alt.Y("a:N", sort=None, title=None, axis=alt.Axis(**axis)),
    )
    filled = base.mark_rect(stroke="var(--card, #ffffff)", strokeWidth=2).encode(
        color=alt.Color("fill:N", scale=None)
    )
    printed = base.mark_text(fontSize=12).encode(
        text="text:N", color=alt.Color("ink:N", scale=None)
    )
    height = alt.Step(38 if count <= 8 else 24)
    return draw(alt.layer(filled, printed).properties(width=WIDTH, height=height))


def square(found: float | None) -> dict[str, str]:
    """The colours and the text of one number from −1 to 1; None is grey."""
    if found is None:
        return {"fill": "#c9cdd0", "ink": "#000000", "text": "–"}
    end = _RISING if found > 0 else _FALLING
    mixed = [
        round(level + (full - level) * abs(found)) for level, full in zip(_LEVEL, end, strict=True)
    ]
    # Black or white, whichever stands out more: at least 4.5 to 1 on any colour.
    ink = "#000000" if luminance(mixed) > 0.18 else "#ffffff"
    text = f"{found:.2f}".replace("-", "−")
    return {"fill": "#{:02x}{:02x}{:02x}".format(*mixed), "ink": ink, "text": text}


def luminance(color: list[int]) -> float:
    """Relative luminance as WCAG 2 defines it."""
    shares = [part / 255 for part in color]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
