"""Small pieces of sentences: the names of columns, and lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sudare.report.texts import Language, text


def column_name(column: str, language: Language, labels: Mapping[str, str]) -> str:
    """A column as people know it; Japanese text sets it in quotation marks."""
    return text("name", language, name=labels.get(column, column))


def listed(names: Sequence[str], language: Language) -> str:
    """a, b and c."""
    if len(names) < 2:
        return "".join(names)
    start = text("list_join", language).join(names[:-1])
    return start + text("list_last", language) + names[-1]
