"""Text in a terminal: how wide it is, where its lines break, and tables that fit.

Widths are places on the screen. A full-width character takes two, and Japanese, which has no
blanks, breaks between any two of them but for the marks that may not begin or end a line.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from functools import cache

# No table is wider, whatever the screen: the eye loses longer lines.
MOST = 100
LEAST = 20
_GAP = "  "
_NOT_FIRST = frozenset(
    "、。，．・：；？！）〕］｝〉》」』】〙〗’”ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々ゝゞ…‥％,.:;?!)]}%"
)
_NOT_LAST = frozenset("（〔［｛〈《「『【〘〖‘“([{¥＄￥")
_NUMBER = re.compile(r"[-+−±~≈<>≤≥]?\s*[\d.,]+(?:[eE][-+]?\d+)?\s*%?")


@cache
def _places(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def text_width(shown: str) -> int:
    """Places on a terminal."""
    return len(shown) if shown.isascii() else sum(map(_places, shown))


def screen_width() -> int:
    """Places of a table's line: the terminal's, or COLUMNS, at most 100; in a file 100."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        return max(LEAST, min(MOST, shutil.get_terminal_size().columns))
    return MOST


def wrapped(words: str, width: int, hang: str | None = None) -> list[str]:
    """One line of text as lines of at most this width; a word that is wider stays whole.

    Lines after the first begin with `hang`, by default with the blanks that the text begins with.
    """
    if text_width(words) <= width:
        return [words]
    start = words[: len(words) - len(words.lstrip())]
    hang = start if hang is None else hang
    lines, line, is_empty = [], start, True
    for piece in _pieces(words[len(start) :]):
        if not is_empty and text_width(line) + text_width(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = hang
        line, is_empty = line + piece, False
    return [*lines, line.rstrip()]


def _pieces(words: str) -> list[str]:
    """What may not be broken: words with the blanks after them, characters of Japanese."""
    found: list[str] = []
    for sign in words:
        if found and not _may_break(found[-1], sign):
            found[-1] += sign
        else:
            found.append(sign)
    return found


def _may_break(before: str, sign: str) -> bool:
    last = before[-1]
    if sign == " ":
        return False
    if last == " ":
        # "100 %" and "± 5" are one word.
        return sign != "%" and not before.rstrip().endswith("±")
    if _places(sign) == 0 or (_places(last) != 2 and _places(sign) != 2):
        return False
    return sign not in _NOT_FIRST and last not in _NOT_LAST


def fitted(
    rows: Sequence[Sequence[str]],
    width: int,
    *,
    has_head: bool = True,
    to_right: bool = True,
) -> list[str]:
    """Rows of cells as lines no wider than this: the first column to the left, the others to the
    right unless `to_right` says otherwise.

    Where it is too narrow, text wraps inside its column; where that is not enough, every row
    becomes a record of its own, a line for each cell.
    """
    natural = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    if sum(natural) + len(_GAP) * (len(natural) - 1) <= width:
        return [_line(row, natural, to_right) for row in rows]
    widths = _shrunk(rows, natural, width)
    if widths is None:
        return _stacked(rows, width, has_head)
    lines: list[str] = []
    for row in rows:
        cells = [wrapped(cell, most, "") for cell, most in zip(row, widths, strict=True)]
        for number in range(max(map(len, cells))):
            parts = [cell[number] if number < len(cell) else "" for cell in cells]
            lines.append(_line(parts, widths, to_right))
    return lines


def _line(cells: Sequence[str], widths: Sequence[int], to_right: bool) -> str:
    parts = []
    for place, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        blanks = " " * (width - text_width(cell))
        parts.append(blanks + cell if to_right and place else cell + blanks)
    return _GAP.join(parts).rstrip()


def _shrunk(rows: Sequence[Sequence[str]], natural: list[int], width: int) -> list[int] | None:
    """Widths that fit, taken from the widest columns; None where words would have to break."""
    least = [
        max(max(map(_least, column)), min(wide, 10))
        for column, wide in zip(zip(*rows, strict=True), natural, strict=True)
    ]
    room = width - len(_GAP) * (len(natural) - 1)
    if sum(least) > room:
        return None
    widths = list(natural)
    while sum(widths) > room:
        able = [place for place, wide in enumerate(widths) if wide > least[place]]
        widths[max(able, key=lambda place: widths[place])] -= 1
    return widths


def _least(cell: str) -> int:
    """The widest piece that may not be broken; a number stays whole with its signs."""
    if _NUMBER.fullmatch(cell.strip()):
        return text_width(cell)
    words = cell.lstrip()
    start = len(cell) - len(words)
    return start + max((text_width(piece.rstrip()) for piece in _pieces(words)), default=0)


def _stacked(rows: Sequence[Sequence[str]], width: int, has_head: bool) -> list[str]:
    """A record a row: the first cell, then a line `name: value` for each of the others."""
    head = rows[0] if has_head else [""] * len(rows[0])
    lines: list[str] = []
    for row in rows[1:] if has_head else rows:
        first, *rest = zip(head, row, strict=True)
        named = [f"  {name}: {cell}" if name else f"  {cell}" for name, cell in rest if cell]
        top = f"{first[0]}: {first[1]}" if first[0] else first[1]
        lines += wrapped(top, width, "  ")
        for line in named:
            lines += wrapped(line, width, "    ")
    return lines
