"""How every chart looks: still pictures, drawn by Vega-Lite.

Colours are the page's CSS variables with a fallback, so one picture serves light, dark and paper.
Texts stand beside a chart, not in it, so one picture serves both languages.
"""

from __future__ import annotations

from typing import Any

from sudare.report.svg import to_svg

WIDTH = 440
INK = "var(--ink, #1c2329)"
MUTED = "var(--muted, #8a9299)"
GRID = "var(--grid, #dfe3e6)"
BAR = "var(--bar, #2f7f93)"


def draw(chart: Any) -> str:
    """A chart as a piece of SVG, as wide as every other."""
    import altair as alt

    fitted = chart.properties(
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"), background="transparent"
    )
    styled = (
        fitted.configure(font="sans-serif", aria=False)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=INK,
            titleColor=INK,
            gridColor=GRID,
            domainColor=GRID,
            tickColor=GRID,
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
        )
    )
    return to_svg(styled.to_dict())
