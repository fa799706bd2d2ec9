"""From a chart to a piece of SVG that may stand inside a page.

Vega escapes labels already; reading its output as strict XML and letting only drawing elements
through makes sure of it, and drops the name spaces that a page does not need.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

_DRAWING = frozenset({"svg", "g", "path", "rect", "line", "text", "tspan"})
_PAINT = ("fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "opacity")
_SHAPE = ("d", "height", "transform", "viewBox", "width", "x", "x2", "y", "y2")
_LETTERS = ("font-size", "text-anchor")
_ATTRIBUTES = frozenset(_PAINT + _SHAPE + _LETTERS)
_DEFAULTS = {"opacity": "1", "stroke-width": "1", "transform": "translate(0,0)"}
# A hundredth of a pixel is finer than any screen or printer shows.
_LONG = re.compile(r"\d+\.\d{3,}")


def to_svg(spec: dict[str, Any]) -> str:
    """Draw a Vega-Lite specification; nothing is fetched from anywhere."""
    import vl_convert

    drawn = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    root = clean(ElementTree.fromstring(drawn))
    # The page labels the picture; whoever listens to it gets that label, not a heap of marks.
    root.set("aria-hidden", "true")
    root.set("focusable", "false")
    return ElementTree.tostring(root, encoding="unicode")


def clean(element: ElementTree.Element) -> ElementTree.Element:
    """The same drawing, of known elements and attributes only, without empty shells."""
    kept = ElementTree.Element(_bare(element.tag))
    kept.text = element.text
    for name, value in element.attrib.items():
        is_known = name in _ATTRIBUTES and "url(" not in value
        if is_known and _DEFAULTS.get(name) != value:
            kept.set(name, _short(value) if name in _SHAPE else value)
    for child in element:
        is_shown = child.get("display") != "none" and _bare(child.tag) in _DRAWING
        if is_shown and not _is_empty(part := clean(child)):
            kept.append(part)
    return kept


def _short(value: str) -> str:
    return _LONG.sub(lambda found: f"{float(found.group()):.2f}", value)


def _bare(tag: str) -> str:
    return tag.rpartition("}")[2]


def _is_empty(part: ElementTree.Element) -> bool:
    if part.tag == "g":
        return len(part) == 0
    return part.tag == "path" and not ({"fill", "stroke"} & set(part.attrib))
