"""Charts of paper 002's tables: one bar a method, and a mark where the paper prints a number."""

from __future__ import annotations

from sudare.facts.synthesis_paper import PRINTED, Quantity, Redrawn
from sudare.report.style import BAR, INK, WIDTH, draw

CHARTED: tuple[Quantity, ...] = ("ave_cross_cells", "ave_spearman_tied", "two_way_tv")
# Names of methods as a reader of either language knows them.
SIGNS = {
    "a": "A",
    "b": "B",
    "paper": "P",
    "argmax": "P argmax",
    "literal": "P UΛ½",
    "moments": "sudare moments",
    "tables": "sudare",
}
_ROW = 24


def chart(table: Redrawn, quantity: Quantity) -> str:
    """One quantity of one data set as SVG."""
    import altair as alt

    printed = PRINTED.get((table.data, quantity), {})
    bars = [{"m": SIGNS[each.method], "v": each.of(quantity)} for each in table.drawings]
    marks = [{"m": SIGNS[method], "v": value} for method, value in printed.items()]
    order = [SIGNS[each.method] for each in table.drawings]
    x = alt.X("v:Q", title=None, axis=alt.Axis(format="~g", tickCount=5))
    y = alt.Y("m:N", title=None, sort=order, axis=alt.Axis(labelLimit=140))
    layers = [
        alt.Chart(alt.InlineData(values=bars)).mark_bar(color=BAR, height=12).encode(x=x, y=y),
        alt.Chart(alt.InlineData(values=marks))
        .mark_tick(color=INK, thickness=3, size=18)
        .encode(x=x, y=y),
    ]
    chosen = layers if marks else layers[:1]
    return draw(alt.layer(*chosen).properties(width=WIDTH, height=_ROW * len(order)))
