"""Sections of a page about baskets, and the page: both languages inside, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sudare.report.both import Both
from sudare.report.html import page_policy
from sudare.report.texts import Language

_FOLDER = Path(__file__).parent / "page"


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
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script, style, own, more, last = (
        (_FOLDER / name).read_text(encoding="utf-8")
        for name in ("page.js", "page.css", "compared.css", "synthesized.css", "sets.css")
    )
    return environment.get_template("sets.html.j2").render(
        title=title,
        lead=lead,
        warning=warning,
        cards=cards,
        sections=sections,
        language=language,
        style=style + own + more + last,
        script=script,
        policy=page_policy(script),
    )
