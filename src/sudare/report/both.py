"""One text in both languages, as the page carries it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sudare.report.texts import Language, text


@dataclass(frozen=True)
class Both:
    """The same text twice; the page shows one and hides the other."""

    en: str
    ja: str

    def __getitem__(self, language: Language) -> str:
        return self.en if language == "en" else self.ja


def both(key: str, **values: object) -> Both:
    """A text of texts.py in both languages."""
    return each(lambda language: text(key, language, **values))


def each(make: Callable[[Language], str]) -> Both:
    """Whatever `make` says, once a language."""
    return Both(make("en"), make("ja"))
