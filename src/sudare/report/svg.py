"""Pieces of SVG that may stand inside a page.

All text passes through `escape`, and whatever else is written is a number or a colour of this
package, so that no label can become an element. A mark without a place, because its number is not
finite, is left out; the table beside the chart says what there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import isfinite, pi, sqrt

from sudare.report.letters import FAMILY
from sudare.report.style import INK, WIDTH

Spot = tuple[float, float]
# What XML cannot hold: control characters and halves of pairs.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_HEAD = (
    # The page labels the picture; whoever listens to it gets that label, not a heap of marks.
    '<svg aria-hidden="true" focusable="false" width="{0}" height="{1}" viewBox="0 0 {0} {1}" '
    f'font-family="{FAMILY}" font-size="12" fill="{INK}">'
)


class Canvas:
    """A drawing that grows mark by mark, each above those before."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def svg(self, height: float) -> str:
        """The whole drawing, as wide as every other."""
        return _HEAD.format(WIDTH, _short(height)) + "".join(self._parts) + "</svg>"

    def rect(
        self, x: float, y: float, x2: float, y2: float, fill: str, **more: str | float
    ) -> None:
        """A rectangle between two corners, whichever comes first."""
        if _are_placed((x, y), (x2, y2)):
            corner = f'x="{_short(min(x, x2))}" y="{_short(min(y, y2))}"'
            size = f'width="{_short(abs(x2 - x))}" height="{_short(abs(y2 - y))}"'
            self._add(f'<rect {corner} {size} fill="{fill}"', more)

    def line(self, start: Spot, end: Spot, stroke: str, width: float, **more: str | float) -> None:
        """A straight line."""
        if _are_placed(start, end):
            ends = 'x1="{}" y1="{}" x2="{}" y2="{}"'.format(*map(_short, (*start, *end)))
            self._add(f'<line {ends} stroke="{stroke}" stroke-width="{_short(width)}"', more)

    def dot(self, spot: Spot, area: float, fill: str, **more: str | float) -> None:
        """A disc of so many square pixels."""
        if _are_placed(spot):
            self._add(f'{_circle(spot, area)} fill="{fill}"', more)

    def dots(self, spots: Iterable[Spot], area: float, fill: str, opacity: float) -> None:
        """Many discs that look alike."""
        discs = "".join(f"{_circle(spot, area)}/>" for spot in spots if _are_placed(spot))
        if discs:
            self._parts.append(f'<g fill="{fill}" fill-opacity="{_short(opacity)}">{discs}</g>')

    def strokes(self, pairs: Iterable[tuple[Spot, Spot]], stroke: str) -> None:
        """Many thin lines that look alike."""
        way = "".join(f"M{_spot(start)}L{_spot(end)}" for start, end in pairs)
        if way:
            self._parts.append(f'<path d="{way}" stroke="{stroke}"/>')

    def curve(self, spots: Sequence[Spot], stroke: str, width: float) -> None:
        """One line through all spots."""
        placed = [spot for spot in spots if _are_placed(spot)]
        if len(placed) > 1:
            way = "M" + "L".join(map(_spot, placed))
            painted = f'fill="none" stroke="{stroke}" stroke-linejoin="round"'
            self._add(f'<path d="{way}" {painted}', {"stroke_width": width})

    def shape(self, spots: Sequence[Spot], fill: str) -> None:
        """A filled shape with these corners."""
        if _are_placed(*spots):
            self._add(f'<path d="M{"L".join(map(_spot, spots))}Z" fill="{fill}"', {})

    def text(self, spot: Spot, words: str, anchor: str = "start", **more: str | float) -> None:
        """One line of text; `more` may turn or colour it."""
        if words:
            place = f'x="{_short(spot[0])}" y="{_short(spot[1])}"'
            held = "" if anchor == "start" else f' text-anchor="{anchor}"'
            self._parts.append(f"<text {place}{held}{_attributes(more)}>{clean(words)}</text>")

    def _add(self, opened: str, more: Mapping[str, str | float]) -> None:
        self._parts.append(f"{opened}{_attributes(more)}/>")


def clean(words: str) -> str:
    """Words as the text of an element."""
    return escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", words), quote=False)


def _are_placed(*spots: Spot) -> bool:
    return all(isfinite(x) and isfinite(y) for x, y in spots)


def _short(value: float) -> str:
    """A number for a browser: a hundredth of a pixel is finer than any screen or printer shows."""
    return f"{round(value, 2) + 0.0:.10g}"


def _spot(spot: Spot) -> str:
    return f"{_short(spot[0])},{_short(spot[1])}"


def _circle(spot: Spot, area: float) -> str:
    x, y = spot
    return f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(sqrt(area / pi))}"'


def _attributes(more: Mapping[str, str | float]) -> str:
    return "".join(
        f' {name.replace("_", "-")}="{value if isinstance(value, str) else _short(value)}"'
        for name, value in more.items()
    )
