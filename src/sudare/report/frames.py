"""Frames of charts: the room for labels, the grid, and where a value stands inside.

Four kinds: `rows` has names down the side and a ruler below, `columns` names below and a ruler at
the side, `field` a ruler each way, `grid` names each way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sudare.report.letters import SIZE, shortened, width_of
from sudare.report.rulers import Fitted, Ruler
from sudare.report.style import GRID, WIDTH
from sudare.report.svg import Canvas

_EDGE = 5.0
_STUB = 5.0
_GAP = 4.0
# From the end of a grid line to the baseline of its text, and on to what comes next.
_BASELINE, _BELOW = 17.0, 23.0
_TITLE = 17.0
# Half the height of capitals: what sets a text in the middle of a line.
_HALF = 0.36
_LONGEST_FLAT = 44.0
_LONGEST_NAME = 110.0
# How much of a text's width a slant of 60° takes upwards.
_SLANT_UP = 0.867
_STRIDES: tuple[int, ...] = tuple(unit * 10**power for power in range(6) for unit in (1, 2, 5))


@dataclass(frozen=True)
class Frame:
    """The inside of a chart: its four edges, where what stands below it ends, its rulers, and how
    high a name's row and how wide a name's column is."""

    canvas: Canvas
    left: float
    right: float
    top: float
    bottom: float
    below: float
    across: Fitted | None = None
    up: Fitted | None = None
    high: float = 0.0
    wide: float = 0.0

    def x(self, value: float) -> float:
        """Where a value stands on the ruler below."""
        assert self.across is not None
        return self.left + self.across.share(value) * (self.right - self.left)

    def y(self, value: float) -> float:
        """Where a value stands on the ruler at the side."""
        assert self.up is not None
        return self.bottom - self.up.share(value) * (self.bottom - self.top)

    def row(self, place: int) -> float:
        """The middle of a name's row."""
        return self.top + (place + 0.5) * self.high

    def column(self, place: int) -> float:
        """The middle of a name's column."""
        return self.left + (place + 0.5) * self.wide

    def svg(self, more: float = 0.0) -> str:
        """The picture, with `more` room below the axis."""
        return self.canvas.svg(self.below + more)


def rows(
    names: Sequence[str], ruler: Ruler, step: float, *, limit: float = 170, size: float = SIZE
) -> Frame:
    """A row a name, `step` high; the ruler lies below."""
    canvas = Canvas()
    shown = [shortened(name, limit, size) for name in names]
    widest = max((width_of(name, size) for name in shown), default=0.0)
    first = _EDGE + widest + _GAP if widest else _EDGE
    found = ruler.fitted(WIDTH - first - 2 * _EDGE)
    left, right = _ends(found, first)
    top, bottom = _EDGE, _EDGE + step * len(names)
    frame = Frame(canvas, left, right, top, bottom, bottom + _BELOW, across=found, high=step)
    _grid_across(frame)
    _names_down(frame, shown, size)
    return frame


def columns(names: Sequence[str], ruler: Ruler, height: float, *, limit: float = 170) -> Frame:
    """A column a name; the ruler stands at the left. Short names lie flat, long ones are turned,
    and where there is no room for all of them every second, fifth or tenth is written."""
    canvas = Canvas()
    found = ruler.fitted(height, is_across=False)
    left, right = _side(found), WIDTH - _EDGE
    top, bottom = _EDGE + SIZE / 2, _EDGE + SIZE / 2 + height
    step = (right - left) / max(len(names), 1)
    shown = [shortened(name, limit) for name in names]
    widest = max(map(width_of, shown), default=0.0)
    is_flat = widest <= max(_LONGEST_FLAT, step - _GAP)
    room = widest + 2 * _GAP if is_flat else SIZE + 1
    stride = _stride(step, room)
    below = bottom + (_BELOW - _STUB if is_flat else widest + 2 * _GAP)
    frame = Frame(canvas, left, right, top, bottom, below, up=found, wide=step)
    _grid_up(frame)
    for place in range(0, len(shown), stride):
        at = frame.column(place)
        if is_flat:
            half = width_of(shown[place]) / 2
            at = min(max(at, half), WIDTH - half)
            canvas.text((at, bottom + _BASELINE - _STUB + 1), shown[place], "middle")
        else:
            spot = (at + _HALF * SIZE, bottom + _GAP)
            canvas.text(spot, shown[place], "end", transform=_turned(-90, spot))
    return frame


def field(
    across: Ruler, up: Ruler, height: float, *, title: str = "", side_title: str = ""
) -> Frame:
    """A ruler each way, with the names of both."""
    canvas = Canvas()
    standing = up.fitted(height, is_across=False)
    first = _side(standing) + (_TITLE if side_title else 0.0)
    lying = across.fitted(WIDTH - first - 2 * _EDGE)
    left, right = _ends(lying, first)
    top, bottom = _EDGE + SIZE / 2, _EDGE + SIZE / 2 + height
    below = bottom + _BELOW + (_TITLE if title else 0.0)
    frame = Frame(canvas, left, right, top, bottom, below, lying, standing)
    _grid_across(frame)
    _grid_up(frame)
    middle = (left + right) / 2
    canvas.text((middle, bottom + _BELOW + SIZE - 1), shortened(title, WIDTH - left), "middle")
    spot = (SIZE, (top + bottom) / 2)
    turned = _turned(-90, spot)
    canvas.text(spot, shortened(side_title, height), "middle", transform=turned)
    return frame


def grid(downs: Sequence[str], acrosses: Sequence[str], step: float) -> Frame:
    """Names down the side, a line `step` high each, and names above the columns: flat where all of
    them fit, slanted otherwise."""
    canvas = Canvas()
    shown = [shortened(name, _LONGEST_NAME) for name in downs]
    left = _EDGE + max(map(width_of, shown), default=0.0) + _GAP
    above = [shortened(name, _LONGEST_NAME) for name in acrosses]
    widest = max(map(width_of, above), default=0.0)
    flat = (WIDTH - _EDGE - left) / max(len(above), 1)
    is_flat = widest <= flat - _GAP
    right, top = WIDTH - _EDGE, _EDGE + SIZE + _GAP
    if not is_flat:
        top = _EDGE + _SLANT_UP * widest + SIZE / 2 + _GAP
        # What leans over the last columns ends inside the picture.
        for place, name in enumerate(above):
            share = (place + 0.5) / len(above)
            right = min(right, left + (WIDTH - SIZE - width_of(name) / 2 - left) / share)
    width = (right - left) / max(len(above), 1)
    bottom = top + step * len(downs)
    frame = Frame(canvas, left, right, top, bottom, bottom + _EDGE, high=step, wide=width)
    _names_down(frame, shown, SIZE)
    for place in range(0, len(above), 1 if is_flat else _stride(width, SIZE + 2)):
        at = frame.column(place)
        if is_flat:
            canvas.text((at, top - _GAP - 1), above[place], "middle")
        else:
            spot = (at + _HALF * SIZE / 2, top - _GAP)
            canvas.text(spot, above[place], transform=_turned(-60, spot))
    return frame


def strip(ruler: Ruler, height: float) -> Frame:
    """One row without a name."""
    return rows([""], ruler, height)


def _ends(found: Fitted, left: float) -> tuple[float, float]:
    """The left and the right end of a ruler that lies, so that texts at its ends stay inside."""
    right = WIDTH - 2 * _EDGE
    for tick in found.ticks:
        half, share = width_of(tick.text) / 2 + 1, found.share(tick.value)
        if tick.text and share > 0.5:
            right = min(right, left + (WIDTH - half - left) / share)
    for tick in found.ticks:
        half, share = width_of(tick.text) / 2 + 1, found.share(tick.value)
        if tick.text and share < 0.5:
            left = max(left, (half - share * right) / (1 - share))
    return left, right


def _side(found: Fitted) -> float:
    """The room for the texts of a ruler that stands."""
    return _EDGE + max((width_of(tick.text) for tick in found.ticks), default=0.0) + _STUB + 2


def _grid_across(frame: Frame) -> None:
    assert frame.across is not None
    foot = frame.bottom + 0.5
    lines = [((frame.left, foot), (frame.right, foot))]
    for tick in frame.across.ticks:
        at = _crisp(frame.x(tick.value))
        lines.append(((at, frame.top), (at, foot + (_STUB if tick.text else 0.0))))
    frame.canvas.strokes(lines, GRID)
    for tick in frame.across.ticks:
        frame.canvas.text((frame.x(tick.value), frame.bottom + _BASELINE), tick.text, "middle")


def _grid_up(frame: Frame) -> None:
    assert frame.up is not None
    side = _crisp(frame.left)
    lines = [((side, frame.top), (side, frame.bottom))]
    for tick in frame.up.ticks:
        at = _crisp(frame.y(tick.value))
        lines.append(((side - (_STUB if tick.text else 0.0), at), (frame.right, at)))
    frame.canvas.strokes(lines, GRID)
    for tick in frame.up.ticks:
        spot = (frame.left - _STUB - 2, frame.y(tick.value) + _HALF * SIZE)
        frame.canvas.text(spot, tick.text, "end")


def _names_down(frame: Frame, names: Sequence[str], size: float) -> None:
    more = {} if size == SIZE else {"font_size": size}
    for place, name in enumerate(names):
        spot = (frame.left - _GAP, frame.row(place) + _HALF * size)
        frame.canvas.text(spot, name, "end", **more)


def _stride(step: float, room: float) -> int:
    """One name in so many is written, where each needs `room` and they are a step apart."""
    return next((each for each in _STRIDES if each * step >= room), _STRIDES[-1])


def _crisp(at: float) -> float:
    """The nearest place where a line of one pixel covers one pixel."""
    return int(at) + 0.5


def _turned(angle: float, spot: tuple[float, float]) -> str:
    return f"rotate({angle:g} {spot[0]:.2f} {spot[1]:.2f})"
