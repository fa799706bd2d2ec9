"""Small pieces of sentences: the names of columns, lists, and columns of text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sudare.report.columns import fitted, screen_width
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


def padded(rows: Sequence[Sequence[str]], indent: int = 0) -> list[str]:
    """Rows of cells, the first with the columns' names, as lines whose columns stand under each
    other and which fit the screen beside an indent of so many places."""
    return fitted(rows, screen_width() - indent)
