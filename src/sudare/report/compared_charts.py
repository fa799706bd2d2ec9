"""Pictures of a comparison: bars of both tables, squares of a matrix, and a forest of coefficients.

Texts stand beside a picture, not in it; in a pair the real rows come first, in the darker colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sudare.facts.compared import Coefficient, Marginal
from sudare.report.heat import luminance
from sudare.report.style import BAR, GRID, WIDTH, draw

OTHER = "var(--other, #b5651d)"
MOST_BARS = 20
MOST_TERMS = 30
# What is missing, where a picture needs a name that is the same in every language.
LOST = "∅"
_FALLING, _LEVEL, _RISING = (166, 84, 8), (244, 244, 242), (24, 95, 134)
_MOST_PRINTED = 12
_AXIS: dict[str, Any] = {"ticks": False, "domain": False, "labelLimit": 120}
_Z95 = 1.959963984540054


def distinct_names(labels: Sequence[str | None]) -> list[str]:
    """One name a label, all different."""
    found: list[str] = []
    for label in labels:
        name = LOST if label is None else label
        while name in found:
            name += "\u200b"
        found.append(name)
    return found


def bars(marginal: Marginal) -> str:
    """Shares in %, two bars a cell; of many labels the most frequent."""
    import altair as alt

    places = range(len(marginal.labels))
    if len(marginal.labels) > MOST_BARS:
        order = sorted(places, key=lambda place: -marginal.real[place])
        places = order[:MOST_BARS]  # type: ignore[assignment]
    names = distinct_names(marginal.labels)
    rows = [
        {"label": names[place], "table": table, "share": 100 * shares[place]}
        for place in places
        for table, shares in enumerate((marginal.real, marginal.synthetic))
    ]
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_bar()
        .encode(
            y=alt.Y("label:N", sort=None, title=None, axis=alt.Axis(**_AXIS, grid=False)),
            yOffset=alt.YOffset("table:O"),
            x=alt.X("share:Q", title=None, axis=alt.Axis(format="~f", tickCount=5)),
            color=_by_table(),
        )
    )
    return draw(chart.properties(width=WIDTH, height=alt.Step(11)))


def _by_table() -> Any:
    import altair as alt

    return alt.Color("table:O", legend=None, scale=alt.Scale(domain=[0, 1], range=[BAR, OTHER]))


def squares(
    rows: Sequence[str | None],
    columns: Sequence[str | None],
    values: Sequence[Sequence[float | None]],
    full: float,
    decimals: int,
) -> str:
    """A matrix as coloured squares; `full` has the strongest colour, what is not known is grey. Few
    squares print their numbers, and those that would read 0 stay bare."""
    import altair as alt

    downs, acrosses = distinct_names(rows), distinct_names(columns)
    is_printed = len(columns) <= _MOST_PRINTED
    data = [
        {"a": a, "b": b, **_square(value, full, decimals if is_printed else None)}
        for a, line in zip(downs, values, strict=True)
        for b, value in zip(acrosses, line, strict=True)
    ]
    top = alt.Axis(orient="top", labelAngle=-60, **_AXIS)
    base = alt.Chart(alt.InlineData(values=data)).encode(
        x=alt.X("b:N", sort=None, title=None, axis=top),
        y=alt.Y("a:N", sort=None, title=None, axis=alt.Axis(**_AXIS)),
    )
    drawn = base.mark_rect(stroke="var(--card, #ffffff)", strokeWidth=1).encode(
        color=alt.Color("fill:N", scale=None)
    )
    printed = base.mark_text(fontSize=10).encode(
        text="text:N", color=alt.Color("ink:N", scale=None)
    )
    layers = [drawn, printed] if is_printed else [drawn]
    return draw(alt.layer(*layers).properties(width=WIDTH, height=alt.Step(20)))


def _square(value: float | None, full: float, decimals: int | None) -> dict[str, str]:
    if value is None:
        return {"fill": "#c9cdd0", "ink": "#000000", "text": "" if decimals is None else "–"}
    share = min(abs(value) / full, 1.0) if full > 0 else 0.0
    end = _RISING if value > 0 else _FALLING
    mixed = [round(level + (most - level) * share) for level, most in zip(_LEVEL, end, strict=True)]
    text = "" if decimals is None else f"{value:.{decimals}f}".replace("-", "−")
    is_zero = not text.strip("−0.")
    ink = "#000000" if luminance(mixed) > 0.18 else "#ffffff"
    fill = "#{:02x}{:02x}{:02x}".format(*mixed)
    return {"fill": fill, "ink": ink, "text": "" if is_zero else text}


def forest(coefficients: Sequence[Coefficient], names: Sequence[str]) -> str:
    """Coefficients with their 95 % intervals, two lines a term, around a line at 0."""
    import altair as alt

    rows = [
        {
            "term": name,
            "table": table,
            "value": each.values[table],
            "low": each.values[table] - _Z95 * each.errors[table],
            "high": each.values[table] + _Z95 * each.errors[table],
        }
        for each, name in zip(coefficients, distinct_names(names), strict=True)
        for table in (0, 1)
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("term:N", sort=None, title=None, axis=alt.Axis(**_AXIS, grid=False)),
        yOffset=alt.YOffset("table:O"),
        color=_by_table(),
    )
    axis = alt.Axis(format="~f", tickCount=5)
    lines = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=None, axis=axis), x2="high")
    dots = base.mark_point(filled=True, size=40, opacity=1).encode(x=alt.X("value:Q", title=None))
    zero = (
        alt.Chart(alt.InlineData(values=[{"at": 0}]))
        .mark_rule(color=GRID, strokeWidth=1.5)
        .encode(x="at:Q")
    )
    return draw(alt.layer(zero, lines, dots).properties(width=WIDTH, height=alt.Step(11)))
