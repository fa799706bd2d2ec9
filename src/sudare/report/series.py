"""Lines over one axis with a mark at every point, and the key that names them below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from sudare.report.frames import Frame
from sudare.report.letters import SIZE, shortened, width_of
from sudare.report.style import BAR, WIDTH
from sudare.report.svg import Canvas, Spot

# Each at least 3 to 1 against a light and a dark card; marks differ too, for who sees no colours.
_COLORS = (BAR, "#c2660c", "#9a6fd0", "#4f8a10", "#c2407c")
_MARK = 36.0
_DIAGONAL = sqrt(0.5)
# Between the mark and the name, between names, and from line to line of the key.
_NEAR, _APART, _LINE = 12.0, 18.0, 18.0
_CROSS = ((-3, -1), (-1, -1), (-1, -3), (1, -3), (1, -1), (3, -1))


@dataclass(frozen=True)
class Point:
    """A number over a place on the axis, with the ends of its range where it has one."""

    x: float
    y: float
    ends: tuple[float, float] | None = None


@dataclass(frozen=True)
class Series:
    """One line; a thin one goes without marks and without a name of its own."""

    name: str
    points: Sequence[Point]
    place: int
    is_thin: bool = False


def draw(frame: Frame, found: Sequence[Series]) -> None:
    """All lines, the ranges below them and the marks above."""
    for each in found:
        color = _color(each.place)
        spots = [(frame.x(point.x), frame.y(point.y)) for point in each.points]
        for point, (x, _) in zip(each.points, spots, strict=True):
            if point.ends is not None:
                low, high = ((x, frame.y(end)) for end in point.ends)
                frame.canvas.line(low, high, color, 1.2)
        frame.canvas.curve(spots, color, 1.0 if each.is_thin else 1.8)
        for spot in () if each.is_thin else spots:
            _mark(frame.canvas, spot, each.place)


def key(frame: Frame, names: Sequence[str]) -> float:
    """The marks with their names below the axis, in as many lines as they need; the room taken."""
    shown = [shortened(name, WIDTH - frame.left - _NEAR) for name in names]
    x, y = frame.left + _NEAR / 2, frame.below + SIZE
    for place, name in enumerate(shown):
        wide = _NEAR + width_of(name)
        if place and x + wide > WIDTH:
            x, y = frame.left + _NEAR / 2, y + _LINE
        _mark(frame.canvas, (x, y), place)
        frame.canvas.text((x + _NEAR, y + 0.36 * SIZE), name)
        x += wide + _APART
    return y + SIZE - frame.below if shown else 0.0


def _color(place: int) -> str:
    return _COLORS[place % len(_COLORS)]


def _mark(canvas: Canvas, spot: Spot, place: int) -> None:
    """A disc, square, triangle, diamond or cross around a spot."""
    (x, y), color, half = spot, _color(place), sqrt(_MARK) / 2
    match place % 5:
        case 0:
            canvas.dot(spot, _MARK, color)
        case 1:
            canvas.rect(x - half, y - half, x + half, y + half, color)
        case 2:
            low = y + half
            canvas.shape([(x, y - 1.2 * half), (x + 1.2 * half, low), (x - 1.2 * half, low)], color)
        case 3:
            far = half / _DIAGONAL
            canvas.shape([(x, y - far), (x + far, y), (x, y + far), (x - far, y)], color)
        case _:
            unit = half / 2.2
            corners = [*_CROSS, *((-a, -b) for a, b in _CROSS)]
            canvas.shape([(x + unit * a, y + unit * b) for a, b in corners], color)
