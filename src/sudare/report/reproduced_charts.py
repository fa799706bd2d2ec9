"""Charts of a paper's figures: lines over one axis, the same look in both modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sudare.facts.reproduced import Mode, PaperFigure, Point
from sudare.report import series
from sudare.report.frames import field
from sudare.report.rulers import Numbers, Powers, Ruler, extent
from sudare.report.style import INK

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
    """One panel as SVG; a line ends where nothing may be said."""
    points = [(point, False) for point in figure.of(panel.mode, panel.quantity)]
    names = list(dict.fromkeys(_name(point) for point, _ in points))
    if panel.beside is not None:
        points += [(point, True) for point in figure.of(panel.mode, panel.beside)]
    lines: dict[tuple[bool, str], list[series.Point]] = {}
    for point, is_thin in points:
        # Only lines of the panel's own quantity have a colour.
        if point.value is not None and (name := _name(point)) in names:
            lines.setdefault((not is_thin, name), []).append(series.Point(point.x, point.value))
    across = _ruler([point.x for line in lines.values() for point in line], panel.log_x, zero=False)
    values = [point.y for line in lines.values() for point in line]
    level = [] if panel.level is None else [panel.level]
    up = _ruler(values + level, panel.log_y, zero=panel.zero)
    x, y = axes(figure, panel)
    frame = field(across, up, _HEIGHT, title=x, side_title=y)
    for each in level:
        frame.canvas.line((frame.left, frame.y(each)), (frame.right, frame.y(each)), INK, 1)
    drawn = [
        series.Series(name, sorted(line, key=lambda point: point.x), names.index(name), not is_main)
        for (is_main, name), line in sorted(lines.items(), key=lambda one: one[0][0])
    ]
    series.draw(frame, drawn)
    return frame.svg(series.key(frame, names) if len(names) > 1 else 0.0)


def _name(point: Point) -> str:
    return _NAMES.get(point.series, point.series)


def _ruler(values: Sequence[float], is_log: bool, *, zero: bool) -> Ruler:
    if is_log:
        return Powers(*extent(value for value in values if value > 0))
    low, high = extent(values)
    return Numbers(min(low, 0.0) if zero else low, max(high, 0.0) if zero else high)
