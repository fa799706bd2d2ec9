"""What a card on the page is made of, ready for the template."""

from __future__ import annotations

from dataclasses import dataclass

from sudare.report.both import Both, each
from sudare.report.cells import Cell
from sudare.report.numbers import format_error, format_number


@dataclass(frozen=True)
class Shown:
    """A number as it is printed; one that is lost in the noise is not printed as a number. A
    `remark` stands behind the interval."""

    value: str
    error: Both
    interval: tuple[str, ...]
    lost: bool
    remark: Both | None = None


@dataclass(frozen=True)
class Picture:
    svg: str
    heading: Both
    label: Both
    captions: tuple[Both, ...]


@dataclass(frozen=True)
class Matrix:
    heading: str
    names: tuple[Both, ...]
    rows: tuple[tuple[Both, tuple[Shown, ...]], ...]


@dataclass(frozen=True)
class Card:
    """One answer, ready for the template."""

    query: str
    share: Both
    public: bool
    sentence: Both
    number: Shown | None
    headers: tuple[Both, ...]
    rows: tuple[tuple[tuple[Both, ...], Shown], ...]
    has_intervals: bool
    matrices: tuple[Matrix, ...]
    pictures: tuple[Picture, ...]
    notes: tuple[Both, ...]


def same(words: str) -> Both:
    """Words that are no text of ours: names and labels, alike in both languages."""
    return Both(words, words)


def shown_number(cell: Cell) -> Shown:
    """A cell with no more digits than its error leaves it."""
    return Shown(
        value=format_number(cell.value, cell.error),
        error=each(lambda language: format_error(cell.value, cell.error, language)),
        interval=tuple(format_number(end, cell.error) for end in cell.interval or ()),
        lost=cell.drowned,
    )
