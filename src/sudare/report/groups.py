"""A table of groups in words: all groups where there are few, else the least and the most."""

from __future__ import annotations

from sudare.report.cells import Cell, shown_label
from sudare.report.numbers import format_error, format_number
from sudare.report.texts import Language, text
from sudare.report.words import listed

# Up to this many groups are all named in the sentence.
_FEW = 4


def group_clauses(found: list[Cell], axes: int, about: str, language: Language) -> list[str]:
    """`axes` is the number of columns that a group's label is made of."""
    alive = [cell for cell in found if not cell.drowned]
    lost = [cell for cell in found if cell.drowned]
    total = f"{len(found):,}"
    if not alive:
        error = _worst_error(found, language)
        return [text("say_all_drowned", language, subject=about, total=total, error=error)]
    said = {"subject": about, "total": total, "spread": _spread(alive, language)}
    if len(alive) <= _FEW:
        shown = listed([_cell(cell, axes, language) for cell in alive], language)
        first = text("say_few", language, cells=shown, **said)
    else:
        # Values of one answer are all numbers or all dates, and ISO dates sort as text.
        ends = (min(alive, key=lambda cell: cell.value), max(alive, key=lambda cell: cell.value))
        least, most = (_cell(cell, axes, language) for cell in ends)
        first = text("say_many", language, least=least, most=most, **said)
    return [first, *_lost(lost, axes, total, language)]


def _lost(lost: list[Cell], axes: int, total: str, language: Language) -> list[str]:
    if not lost:
        return []
    if len(lost) > _FEW:
        return [text("say_some_drowned", language, count=f"{len(lost):,}", total=total)]
    labels = [shown_label(cell.group, axes) for cell in lost]
    names = listed([text("name", language, name=label) for label in labels], language)
    return [text("say_named_drowned", language, names=names)]


def _cell(cell: Cell, axes: int, language: Language) -> str:
    value, label = format_number(cell.value, cell.error), shown_label(cell.group, axes)
    return text("cell", language, value=value, label=label)


def _spread(alive: list[Cell], language: Language) -> str:
    is_even = min(cell.error for cell in alive) == max(cell.error for cell in alive)
    error = _worst_error(alive, language)
    return text("spread_each" if is_even else "spread_most", language, error=error)


def _worst_error(found: list[Cell], language: Language) -> str:
    worst = max(found, key=lambda cell: cell.error)
    return format_error(worst.value, worst.error, language)
