"""ε of every class as one adversary sees it, as bars. Texts stand beside a picture, not in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sudare.report.style import BAR, INK, WIDTH, draw

KINDS = ("outsider", "honest", "kept")
# Sixteen organisations make tens of thousands of classes; the table has them all.
_MOST = 12


def class_bars(classes: Sequence[dict[str, Any]], kind: str) -> str:
    """A bar a class, all adversaries on one ruler; for an outsider a mark at the row's own ε."""
    import altair as alt

    shown = classes[:_MOST]
    rows = [
        {
            "class": " + ".join(each["members"]),
            "epsilon": each[kind]["epsilon"],
            "row": each["epsilon0"],
        }
        for each in shown
    ]
    names = alt.Axis(ticks=False, domain=False, grid=False, labelLimit=180)
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("class:N", sort=None, title=None, axis=names)
    )
    along = alt.Axis(format=",~f", tickCount=5, labelOverlap=True)
    scale = alt.Scale(domain=[0, max(each["epsilon0"] for each in shown)])
    chart = base.mark_bar(color=BAR).encode(
        x=alt.X("epsilon:Q", title=None, axis=along, scale=scale)
    )
    if kind == "outsider":
        mark = base.mark_tick(color=INK, thickness=2).encode(
            x=alt.X("row:Q", title=None, axis=along, scale=scale)
        )
        chart = alt.layer(chart, mark)
    return draw(chart.properties(width=WIDTH, height=alt.Step(24)))
