"""One page of cards that link other pages and files: both languages inside, nothing fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sudare.report.both import Both
from sudare.report.templates import render_page
from sudare.report.texts import Language

Kind = Literal["epsilon", "syntactic", "none"]


@dataclass(frozen=True)
class Link:
    """A page, by its address from the folder of the index."""

    address: str
    label: Both


@dataclass(frozen=True)
class Card:
    """One result: what was asked, the headline, a sentence, the guarantee and its kind, pages that
    show it and files that hold it."""

    name: str
    title: Both
    asked: Both
    headline: Both
    sentence: Both
    kind: Kind
    guarantee: Both
    pages: tuple[Link, ...] = ()
    files: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Card:
        texts = ("title", "asked", "headline", "sentence", "guarantee")
        return cls(
            name=str(values["name"]),
            kind=values["kind"],
            pages=tuple(Link(each["address"], Both(**each["label"])) for each in values["pages"]),
            files=tuple(map(str, values["files"])),
            **{key: Both(**values[key]) for key in texts},
        )


@dataclass(frozen=True)
class Frame:
    """What stands around the cards: the title, the lead, what has not been run with the command
    that runs it, and what to do next."""

    title: Both
    lead: Both
    missing: tuple[tuple[Both, str], ...]
    next: tuple[tuple[Both, str], ...]


_WORDS = {
    "asked": Both("Asked: ", "質問："),
    "guarantee": Both("Guarantee: ", "保証："),
    "files": Both("Files: ", "ファイル："),
    "results": Both("Results", "結果"),
    "missing": Both("Not run yet", "まだ実行していないもの"),
    "next": Both("What next", "次にすること"),
}
_KINDS: dict[Kind, Both] = {
    "epsilon": Both("ε", "ε"),
    "syntactic": Both("syntactic", "構文的"),
    "none": Both("none", "なし"),
}


def index_page(frame: Frame, cards: Sequence[Card], language: Language) -> str:
    """The page, first shown in `language`."""
    return render_page(
        "index",
        styles=("index",),
        frame=frame,
        cards=cards,
        words=_WORDS,
        kinds=_KINDS,
        language=language,
    )
