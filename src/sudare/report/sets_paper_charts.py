"""Charts of paper 004's figures: a line for each setting, with one standard deviation."""

from __future__ import annotations

from sudare.facts.sets_paper import Axis, Mode, Quantity, SetsFigure, Spot
from sudare.report import series
from sudare.report.frames import field
from sudare.report.rulers import Numbers, extent

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
    spots = figure.of(data, mode, quantity)
    names = list(dict.fromkeys(spot.setting for spot in spots))
    highest = max(_ends(each)[1] for each in figure.spots if _is_beside(each, spots[0]))
    lines = [
        series.Series(
            name, [_point(spot, figure.axis) for spot in spots if spot.setting == name], place
        )
        for place, name in enumerate(names)
    ]
    across = extent(point.x for line in lines for point in line.points)
    frame = field(
        Numbers(min(across[0], 0.0), across[1]),
        Numbers(0.0, highest or 1.0),
        _HEIGHT,
        title=AXIS_SIGNS[figure.axis],
        side_title=SIGNS[quantity],
    )
    series.draw(frame, lines)
    return frame.svg(series.key(frame, names))


def _is_beside(spot: Spot, other: Spot) -> bool:
    return (spot.data, spot.quantity) == (other.data, other.quantity)


def _point(spot: Spot, axis: Axis) -> series.Point:
    return series.Point(100 * spot.x if axis == "share" else spot.x, spot.mean, _ends(spot))


def _ends(spot: Spot) -> tuple[float, float]:
    """One standard deviation either way."""
    spread = spot.deviation or 0.0
    return max(0.0, spot.mean - spread), spot.mean + spread
