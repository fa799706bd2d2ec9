"""A section of a comparison: its name is the key of its heading and of its pictures."""

from __future__ import annotations

from dataclasses import dataclass

from sudare.facts.compared import Estimate
from sudare.report.both import Both


@dataclass(frozen=True)
class Section:
    """Sentences, and a table whose first cells name the rows."""

    name: str
    sentences: tuple[Both, ...] = ()
    header: tuple[Both, ...] = ()
    rows: tuple[tuple[Both, ...], ...] = ()


def plain(text: str) -> Both:
    """The same in both languages."""
    return Both(text, text)


def between(found: Estimate, form: str = ".3f") -> str:
    """A figure with its 95 % interval."""
    return f"{found.value:{form}} ({found.low:{form}} – {found.high:{form}})"
