"""What the tour is made of: parts that can be run alone, their steps, and what a step brings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sudare.facts.release import Release
from sudare.facts.schema import Schema
from sudare.publish.files import load_schema
from sudare.report.both import Both
from sudare.report.index_page import Card
from sudare.report.texts import Language


@dataclass(frozen=True)
class Place:
    """Where the tour writes, and in which language."""

    folder: Path
    language: Language

    @property
    def data(self) -> Path:
        return self.folder / "people.csv"

    @property
    def ledger(self) -> Path:
        """The one ledger of the town."""
        return self.folder / "people.ledger"

    def schema(self) -> Schema:
        return load_schema(self.folder / "people.schema.toml")

    def link(self, path: Path) -> str:
        """The address of a file in the page that links all others."""
        return path.relative_to(self.folder).as_posix()


@dataclass(frozen=True)
class Found:
    """What a step shows on the terminal, what it released, and its cards for the page."""

    lines: tuple[str, ...]
    cards: tuple[Card, ...] = ()
    release: Release | None = None


@dataclass(frozen=True)
class Step:
    """One screen of the tour."""

    title: Both
    make: Callable[[Place], Found]
    part: str | None = None
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """What --only names. `needs` are distributions that an installation may lack; `town`: the part
    reads the town's table; `spends`: it spends the town's budget."""

    name: str
    about: Both
    steps: tuple[Step, ...]
    needs: tuple[str, ...] = ()
    town: bool = False
    spends: bool = False
