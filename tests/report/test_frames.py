"""Frames keep every text inside the picture and apart from the next, whatever the names are."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from sudare.report.frames import Frame, columns, field, grid, rows
from sudare.report.letters import SIZE, shortened, width_of
from sudare.report.rulers import Numbers, Powers
from sudare.report.series import Point, Series, draw, key
from sudare.report.style import WIDTH

LONG = "とても長い日本語の項目名がここに入るので切り詰めなければならない"
NAMES = {
    "none": [],
    "one": ["a"],
    "latin": ["north", "south-west and a long name that goes on and on", "east"],
    "japanese": ["北海道", LONG, "九州・沖縄"],
    "half-width": ["ｱｲｳ", "㌔", "①"],
    "pictures": ["👩‍👩‍👧", "e\u0301", "🇯🇵"],
    "many": [f"column {place}" for place in range(60)],
    "hostile": ["<b>", '"&', "\x00"],
}


def spans(frame: Frame) -> list[tuple[float, float, float]]:
    """Left end, right end and height of every text that lies flat."""
    found = []
    for text in ElementTree.fromstring(frame.svg()).iter("text"):
        if text.get("transform") is None:
            wide = width_of(text.text or "", float(text.get("font-size", SIZE)))
            share = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "start")]
            left = float(text.get("x", "nan")) - share * wide
            found.append((left, left + wide, float(text.get("y", "nan"))))
    return found


def assert_inside_and_apart(frame: Frame) -> None:
    texts = spans(frame)
    for left, right, y in texts:
        assert left >= -0.1
        assert right <= WIDTH + 0.1
        assert 0 < y <= frame.below
    for place, (left, right, y) in enumerate(texts):
        for other in texts[place + 1 :]:
            is_beside = right <= other[0] + 0.1 or other[1] <= left + 0.1
            assert is_beside or abs(y - other[2]) >= 0.8 * SIZE


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_texts_stay_inside_and_apart(names: list[str]) -> None:
    for ruler in (Numbers(0, 12_345_678), Numbers(-1, 1), Powers(0.001, 1e9)):
        assert_inside_and_apart(rows(names, ruler, 22))
        assert_inside_and_apart(columns(names, ruler, 200))
        assert_inside_and_apart(field(ruler, ruler, 200, title=LONG, side_title=LONG * 3))
    assert_inside_and_apart(grid(names, names, 20))


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_slanted_names_end_inside(names: list[str]) -> None:
    svg = grid(names, [LONG, *names, LONG], 20).svg()
    for text in ElementTree.fromstring(svg).iter("text"):
        if (text.get("transform") or "").startswith("rotate(-60"):
            wide = width_of(text.text or "")
            assert float(text.get("x", "nan")) + wide / 2 <= WIDTH
            assert float(text.get("y", "nan")) - 0.87 * wide >= 0


def test_full_width_letters_are_as_wide_as_they_are_high() -> None:
    assert width_of("漢字かな") == 4 * SIZE
    assert width_of("ｱｲ") == SIZE
    assert width_of("か\u3099") == SIZE
    assert width_of("iii") < width_of("nnn") < width_of("WWW")
    assert width_of("é") == width_of("e")


@pytest.mark.parametrize("text", [LONG, "a" * 200, "👩" * 50, "ab 漢字 " * 30])
def test_long_texts_are_shortened_to_fit(text: str) -> None:
    short = shortened(text, 100)
    assert short.endswith("…")
    assert 100 - 2 * SIZE <= width_of(short) <= 100
    assert text.startswith(short[:-1].rstrip())
    assert shortened(text[:3], 100) == text[:3]


def test_places_of_values_and_names() -> None:
    frame = rows(["a", "b"], Numbers(0, 100), 20)
    assert frame.x(0) == frame.left
    assert frame.x(100) == frame.right
    assert frame.x(50) == pytest.approx((frame.left + frame.right) / 2)
    assert frame.row(1) - frame.row(0) == 20
    upright = columns(["a", "b"], Numbers(0, 10), 100)
    assert upright.y(0) - upright.y(10) == 100
    assert upright.column(1) - upright.column(0) == pytest.approx(upright.wide)


def test_short_names_lie_flat_and_long_ones_turn() -> None:
    flat = columns(["a", "b"], Numbers(0, 1), 100).svg()
    turned = columns([f"a long name {place}" for place in range(20)], Numbers(0, 1), 100).svg()
    assert "rotate(-90" not in flat
    assert turned.count("rotate(-90") == 20


def test_of_too_many_names_some_are_written() -> None:
    svg = columns([str(place) for place in range(2_000)], Numbers(0, 1), 100).svg()
    shown = [text for text in re.findall(r">(\d+)</text>", svg) if text not in ("0", "1")]
    assert 5 <= len(shown) <= 20
    assert len({int(b) - int(a) for a, b in pairwise(shown)}) == 1


def test_the_key_names_every_line_and_breaks() -> None:
    frame = field(Numbers(0, 1), Numbers(0, 1), 100)
    names = [f"{LONG[:12]} {place}" for place in range(5)]
    lines = [
        Series(name, [Point(0, 0), Point(1, 1, (0.5, 1))], place)
        for place, name in enumerate(names)
    ]
    draw(frame, lines)
    room = key(frame, names)
    svg = frame.svg(room)
    assert all(name in svg for name in names)
    heights = [y for left, right, y in spans(frame) if y > frame.below]
    assert len(set(heights)) > 1
    assert max(heights) < frame.below + room
    assert all(right <= WIDTH for _, right, _ in spans(frame))
    assert key(frame, []) == 0
