"""What a drawing writes: escaped text, numbers a browser reads, nothing that has no place."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest

from sudare.report.svg import Canvas

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "a & b &amp; c",
    "]]></text><g onload='x'>",
    "tab\tand\nline",
)


def drawn(canvas: Canvas) -> ElementTree.Element:
    return ElementTree.fromstring(canvas.svg(10))


@pytest.mark.parametrize("words", HOSTILE)
def test_labels_stay_text(words: str) -> None:
    canvas = Canvas()
    canvas.text((1, 2), words)
    (text,) = drawn(canvas)
    assert text.text == words
    assert len(text) == 0
    assert set(text.attrib) == {"x", "y"}


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\ud800", "\uffff", "\x85"])
def test_what_xml_cannot_hold_is_replaced(sign: str) -> None:
    canvas = Canvas()
    canvas.text((1, 2), f"a{sign}b")
    assert drawn(canvas)[0].text == "a\N{REPLACEMENT CHARACTER}b"


def test_a_picture_is_hidden_from_who_listens() -> None:
    """The figure around it has the label."""
    root = drawn(Canvas())
    assert root.get("aria-hidden") == "true"
    assert root.get("focusable") == "false"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"


def test_numbers_are_short_and_never_exponents() -> None:
    canvas = Canvas()
    canvas.rect(1 / 3, 1e-9, 123.456789, -0.001, "#111111")
    rect = drawn(canvas)[0]
    assert [rect.get(name) for name in ("x", "y", "width", "height")] == [
        "0.33",
        "0",
        "123.12",
        "0",
    ]


def test_a_rectangle_has_no_negative_size() -> None:
    canvas = Canvas()
    canvas.rect(9, 8, 1, 2, "#111111")
    rect = drawn(canvas)[0]
    assert [rect.get(name) for name in ("x", "y", "width", "height")] == ["1", "2", "8", "6"]


@pytest.mark.parametrize("lost", [math.nan, math.inf, -math.inf])
def test_marks_without_a_place_are_left_out(lost: float) -> None:
    canvas = Canvas()
    canvas.rect(0, lost, 1, 1, "#111111")
    canvas.line((0, 0), (lost, 1), "#111111", 1)
    canvas.dot((lost, 0), 9, "#111111")
    canvas.dots([(lost, 0)], 9, "#111111", 1)
    canvas.shape([(0, 0), (1, 1), (lost, 0)], "#111111")
    canvas.curve([(0, 0), (1, lost)], "#111111", 1)
    assert len(drawn(canvas)) == 0
    canvas.curve([(0, 0), (1, lost), (2, 2)], "#111111", 1)
    assert drawn(canvas)[0].get("d") == "M0,0L2,2"


def test_empty_texts_and_groups_leave_nothing() -> None:
    canvas = Canvas()
    canvas.text((0, 0), "")
    canvas.dots([], 9, "#111111", 1)
    canvas.strokes([], "#111111")
    assert len(drawn(canvas)) == 0
