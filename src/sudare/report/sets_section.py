"""Sections of a page about baskets, and the page: both languages inside, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sudare.report.both import Both
from sudare.report.templates import render_page
from sudare.report.texts import Language


@dataclass(frozen=True)
class Card:
    """A number at the top of the page, and what it counts."""

    value: str
    label: Both


@dataclass(frozen=True)
class Drawing:
    """A chart, what it shows, and the names of its colours where it has two."""

    svg: str
    caption: Both
    key: tuple[Both, ...] = ()


@dataclass(frozen=True)
class Section:
    """A heading, sentences, points of a list, pictures, a table, and facts by name."""

    heading: Both
    sentences: tuple[Both, ...] = ()
    points: tuple[Both, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    header: tuple[Both, ...] = ()
    rows: tuple[tuple[Both, ...], ...] = ()
    facts: tuple[tuple[Both, Both], ...] = ()


def render(
    title: Both,
    lead: Both,
    warning: Both,
    cards: Sequence[Card],
    sections: Sequence[Section],
    language: Language,
) -> str:
    """The page, first shown in `language`."""
    return render_page(
        "sets",
        styles=("compared", "synthesized", "sets"),
        title=title,
        lead=lead,
        warning=warning,
        cards=cards,
        sections=sections,
        language=language,
    )
