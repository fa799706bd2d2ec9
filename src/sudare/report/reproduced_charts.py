"""Charts of a paper's figures: lines over one axis, the same look in both modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sudare.facts.reproduced import Mode, PaperFigure, Point
from sudare.report.style import BAR, INK, WIDTH, draw

# Lines of one chart, each at least 3 to 1 against a light and a dark card.
_COLORS = (BAR, "#c2660c", "#9a6fd0", "#4f8a10", "#c2407c")
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
_HEIGHT = 230
# Names of lines as a reader of either language knows them.
_NAMES = {"default": "sudare", "identity": "I", "piecewise": "PM", "hybrid": "HM"}
_AXES = {
    "delta": "δ",
    "n": "n",
    "epsilon_prime": "ε′",
    "epsilon_per_attribute": "ε",
    "epsilon": "ε₀",
    "a": "a",
    "limit": "ε′",
    "allowed": "ε′",
    "epsilon_star": "ε*",
    "mae": "MAE",
    "sd": "SD",
    "ratio": "Laplace / Algorithm 3",
    "correlation": "MAE",
}


@dataclass(frozen=True)
class Panel:
    """One chart of a figure: a quantity in one mode. `beside` is drawn thin under the same names;
    `level` is a line across. A scale that is not logarithmic starts at zero if `zero` says so."""

    mode: Mode
    quantity: str
    log_x: bool = False
    log_y: bool = False
    beside: str | None = None
    level: float | None = None
    zero: bool = True


def panels(number: int) -> tuple[Panel, ...]:
    """The charts of a figure, paper mode first."""
    match number:
        case 1 | 2:
            return Panel("paper", "limit", log_x=True), Panel("corrected", "allowed", log_x=True)
        case 3:
            return (
                Panel("paper", "epsilon_star", log_y=True),
                Panel("corrected", "epsilon_star", log_y=True, beside="theorem"),
            )
        case 4:
            modes: tuple[Mode, Mode] = ("paper", "corrected")
            return (
                *(Panel(mode, "mae", log_x=True, zero=False) for mode in modes),
                *(Panel(mode, "sd", log_x=True) for mode in modes),
            )
        case 5:
            return _pair("mae", log_x=True, log_y=True)
        case 6:
            return _pair("ratio", log_x=True, log_y=True, level=1.0)
        case _:
            return (
                *_pair("correlation", log_x=True),
                Panel("paper", "epsilon_star"),
                Panel("corrected", "epsilon_star", beside="theorem"),
            )


def _pair(quantity: str, **how: Any) -> tuple[Panel, Panel]:
    return Panel("paper", quantity, **how), Panel("corrected", quantity, **how)


def axes(figure: PaperFigure, panel: Panel) -> tuple[str, str]:
    """What the axes are called, in signs that need no translation."""
    is_star = figure.number == 7 and panel.quantity == "epsilon_star"
    return "ε′" if is_star else _AXES[figure.axis], _AXES[panel.quantity]


def chart(figure: PaperFigure, panel: Panel) -> str:
    """One panel as SVG."""
    import altair as alt

    points = figure.of(panel.mode, panel.quantity)
    names = list(dict.fromkeys(_name(point) for point in points))
    x, y = axes(figure, panel)
    base = alt.Chart(alt.InlineData(values=_rows(points))).encode(
        x=alt.X("x:Q", title=x, scale=_scale(panel.log_x, False), axis=_axis(panel.log_x)),
        y=alt.Y("value:Q", title=y, scale=_scale(panel.log_y, panel.zero), axis=_axis(panel.log_y)),
        color=alt.Color("series:N", scale=_range(names, _COLORS), legend=_legend(names)),
    )
    shape = alt.Shape("series:N", scale=_range(names, _SHAPES), legend=_legend(names))
    layers = [base.mark_line(strokeWidth=1.8), base.mark_point(size=36, filled=True).encode(shape)]
    if panel.beside is not None:
        thin = alt.InlineData(values=_rows(figure.of(panel.mode, panel.beside)))
        layers.insert(0, base.mark_line(strokeWidth=1).properties(data=thin))
    if panel.level is not None:
        across = alt.Chart(alt.InlineData(values=[{"value": panel.level}]))
        layers.insert(0, across.mark_rule(color=INK, strokeWidth=1).encode(y="value:Q"))
    return draw(alt.layer(*layers).properties(width=WIDTH, height=_HEIGHT))


def _rows(points: Sequence[Point]) -> list[dict[str, Any]]:
    """What may be said; a line ends where nothing may."""
    return [
        {"x": point.x, "value": point.value, "series": _name(point)}
        for point in points
        if point.value is not None
    ]


def _name(point: Point) -> str:
    return _NAMES.get(point.series, point.series)


def _scale(is_log: bool, zero: bool) -> Any:
    import altair as alt

    return alt.Scale(type="log") if is_log else alt.Scale(zero=zero)


def _range(names: list[str], values: Sequence[str]) -> Any:
    import altair as alt

    return alt.Scale(domain=names, range=list(values[: len(names)]))


def _axis(is_log: bool) -> Any:
    import altair as alt

    if is_log:
        return alt.Axis(titleColor=INK, format="~g", labelOverlap=True, tickCount=5)
    return alt.Axis(titleColor=INK, format=",~f", labelOverlap=True)


def _legend(names: list[str]) -> Any:
    import altair as alt

    if len(names) < 2:
        return None
    return alt.Legend(title=None, orient="bottom", labelColor=INK, columns=3, labelFontSize=12)
