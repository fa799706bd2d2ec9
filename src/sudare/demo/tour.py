"""The guided tour: which steps are taken, and the page that links what all of them made.

A tour can be cut off and started again, or go on with other parts: the folder remembers the cards
of its page, the same folder gives the same releases again, unpaid (idempotency keys).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from sudare.demo.files import write_json, write_text
from sudare.demo.needs import missing, skipped
from sudare.demo.part import Found, Part, Place, Step
from sudare.demo.parts import PARTS, REFUSAL, TOWN
from sudare.facts.errors import BudgetRefused, UsageError
from sudare.publish.charging import own_state
from sudare.report.both import Both
from sudare.report.index_page import Card, Frame, index_page

INDEX = "index.html"
_MANIFEST = "demo.json"
_STATE = ".state"
_ORDER = (
    "overview", "regions", "table", "local", "synthesis", "link", "sets", "exam", "refusal",
)  # fmt: skip
_TITLE = Both("sudare: the demonstration", "sudare：デモンストレーション")
_LEAD = Both(
    "A made town of 20,000 people was asked; nobody in it exists. Each card is one result, with "
    "what it guarantees and the pages and files that belong to it.",
    "架空の町（2 万人）に質問した結果です。町の人々は実在しません。カード一枚が一つの結果で、"
    "その保証と、関係するページやファイルを示します。",
)
NEXT = (
    (Both("Describe a table of your own", "手元の表を記述する"), "sudare init people.csv"),
    (
        Both("Ask it", "質問する"),
        "sudare ask people.csv 'count()' 'mean(age)' --epsilon 1",
    ),
    (Both("Step by step: the tutorial", "順を追って学ぶ：チュートリアル"), "docs/tutorial.md"),
)


@dataclass(frozen=True)
class Tour:
    """The steps to take, in a folder."""

    place: Place
    steps: tuple[Step, ...]

    @property
    def index(self) -> Path:
        return self.place.folder / INDEX

    def begin(self) -> None:
        """Take the folder for the tour; one with other things in it is left alone, because the
        tour's files have names that others use, too."""
        folder = self.place.folder
        try:
            is_taken = folder.exists() and any(folder.iterdir())
            if not is_taken or (folder / _MANIFEST).is_file():
                self.remember(())
                return
        except OSError:
            raise UsageError(
                f"Nothing can be written to {folder}.",
                "Name another place with --output.",
                place=folder,
            ) from None
        raise UsageError(
            f"{folder} is not empty.",
            "Name a new folder with --output, or that of an earlier tour.",
            place=folder,
        )

    def take(self, step: Step) -> Found:
        """One step; its cards are on the page before anyone reads its lines."""
        lacking = missing(step.needs)
        if lacking:
            return Found((skipped(lacking)[self.place.language],))
        try:
            with own_state((self.place.folder / _STATE).resolve()):
                found = step.make(self.place)
        except BudgetRefused:
            raise UsageError(
                f"The ledger in {self.place.folder} was spent by something else.",
                "Name a new folder with --output.",
                place=self.place.folder,
            ) from None
        self.remember(found.cards)
        return found

    def remember(self, cards: Iterable[Card]) -> None:
        """Add to what earlier steps and earlier tours of this folder made."""
        known = {card.name: card for card in self.cards()} | {card.name: card for card in cards}
        ordered = sorted(known.values(), key=lambda card: _ORDER.index(card.name))
        write_json(self.place.folder / _MANIFEST, {"cards": [card.to_dict() for card in ordered]})
        write_text(self.index, index_page(_frame(ordered), ordered, self.place.language))

    def cards(self) -> list[Card]:
        """What the folder remembers; a file that is not ours is as good as none."""
        try:
            stored = json.loads((self.place.folder / _MANIFEST).read_text(encoding="utf-8"))
            cards = [Card.from_dict(each) for each in stored["cards"]]
        except (OSError, ValueError, KeyError, TypeError):
            return []
        return [card for card in cards if card.name in _ORDER]


def tour(place: Place, only: Iterable[str] = ()) -> Tour:
    """All parts, or those that are named, each once and in the tour's order."""
    wanted = set(only) or {part.name for part in PARTS}
    unknown = wanted - {part.name for part in PARTS}
    if unknown:
        raise UsageError(
            f"There is no part {', '.join(sorted(unknown))}.",
            f"Parts: {', '.join(part.name for part in PARTS)}.",
        )
    chosen = [part for part in PARTS if part.name in wanted]
    return Tour(place, tuple(_steps(chosen)))


def _steps(chosen: list[Part]) -> Iterable[Step]:
    if any(part.town for part in chosen):
        yield TOWN
    for part in chosen:
        for step in part.steps:
            yield replace(step, part=part.name, needs=part.needs)
    if any(part.spends and not missing(part.needs) for part in chosen):
        yield REFUSAL


def _frame(cards: list[Card]) -> Frame:
    there = {card.name for card in cards}
    rest = tuple(
        (part.about, f"sudare demo --only {part.name}")
        for part in PARTS
        if not there & _CARDS[part.name]
    )
    return Frame(_TITLE, _LEAD, rest, NEXT)


# The cards that a part brings.
_CARDS = {
    "ask": {"overview", "regions"},
    "tables": {"table"},
    "local": {"local"},
    "synthesis": {"synthesis"},
    "link": {"link"},
    "sets": {"sets"},
    "exam": {"exam"},
}
