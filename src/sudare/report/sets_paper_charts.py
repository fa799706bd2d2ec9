"""Charts of paper 004's figures: a line for each setting, with one standard deviation."""

from __future__ import annotations

from typing import Any

from sudare.facts.sets_paper import Axis, Mode, Quantity, SetsFigure, Spot
from sudare.report.style import BAR, INK, WIDTH, draw

# Each at least 3 to 1 against a light and a dark card.
_COLORS = (BAR, "#c2660c")
_SHAPES = ("circle", "square")
_HEIGHT = 230
# What axes are called, in signs that need no translation.
AXIS_SIGNS: dict[Axis, str] = {"rho": "ρ", "epsilon": "ε = δ", "share": "%"}
SIGNS: dict[Quantity, str] = {
    "util1": "util₁",
    "util2": "util₂",
    "util_mining": "util_mining",
    "exposed": "max H",
}


def chart(figure: SetsFigure, data: str, mode: Mode, quantity: Quantity) -> str:
    """One panel as SVG; panels of a figure's data set and quantity share their scale."""
    import altair as alt

    spots = figure.of(data, mode, quantity)
    names = list(dict.fromkeys(spot.setting for spot in spots))
    highest = max(_row(s, figure.axis)["high"] for s in figure.spots if _is_beside(s, spots[0]))
    base = alt.Chart(alt.InlineData(values=[_row(spot, figure.axis) for spot in spots])).encode(
        x=alt.X("x:Q", title=AXIS_SIGNS[figure.axis], axis=_axis()),
        color=alt.Color("setting:N", scale=_range(names, _COLORS), legend=_legend()),
    )
    scale = alt.Scale(domain=[0, highest or 1])
    low, mean = (
        alt.Y(f"{name}:Q", title=SIGNS[quantity], axis=_axis(), scale=scale)
        for name in ("low", "mean")
    )
    shape = alt.Shape("setting:N", scale=_range(names, _SHAPES), legend=_legend())
    layers = (
        base.mark_rule(strokeWidth=1.2).encode(y=low, y2="high:Q"),
        base.mark_line(strokeWidth=1.8).encode(y=mean),
        base.mark_point(size=36, filled=True, opacity=1).encode(y=mean, shape=shape),
    )
    return draw(alt.layer(*layers).properties(width=WIDTH, height=_HEIGHT))


def _is_beside(spot: Spot, other: Spot) -> bool:
    return (spot.data, spot.quantity) == (other.data, other.quantity)


def _row(spot: Spot, axis: Axis) -> dict[str, Any]:
    spread = spot.deviation or 0.0
    return {
        "x": 100 * spot.x if axis == "share" else spot.x,
        "setting": spot.setting,
        "mean": spot.mean,
        "low": max(0.0, spot.mean - spread),
        "high": spot.mean + spread,
    }


def _range(names: list[Any], values: tuple[str, ...]) -> Any:
    import altair as alt

    return alt.Scale(domain=names, range=list(values[: len(names)]))


def _axis() -> Any:
    import altair as alt

    return alt.Axis(titleColor=INK, format="~g", labelOverlap=True, tickCount=5)


def _legend() -> Any:
    import altair as alt

    return alt.Legend(title=None, orient="bottom", labelColor=INK, columns=2, labelFontSize=12)
