"""Small pieces of sentences: the names of columns, lists, and columns of text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from sudare.report.texts import Language, text

_NOUNS = "item|record|user|occurrence|rule|set|walk|name|other|different item|known item"
_ONE = re.compile(rf"(?<![\d.,])(1 (?:{_NOUNS}|coarser name|association rule))s\b")


def column_name(column: str, language: Language, labels: Mapping[str, str]) -> str:
    """A column as people know it; Japanese text sets it in quotation marks."""
    return text("name", language, name=labels.get(column, column))


def listed(names: Sequence[str], language: Language) -> str:
    """a, b and c."""
    if len(names) < 2:
        return "".join(names)
    start = text("list_join", language).join(names[:-1])
    return start + text("list_last", language) + names[-1]


def singular(words: str) -> str:
    """English with "1 items" put right, also behind one adjective."""
    return _ONE.sub(r"\1", words)


def padded(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines whose columns stand under each other: names to the left, the rest to
    the right. Japanese characters take two places."""
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *rest in rows:
        cells = [first + " " * (widths[0] - text_width(first))]
        for cell, width in zip(rest, widths[1:], strict=True):
            cells.append(" " * (width - text_width(cell)) + cell)
        lines.append("  ".join(cells).rstrip())
    return lines


def text_width(shown: str) -> int:
    """Places on a terminal."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in shown)
