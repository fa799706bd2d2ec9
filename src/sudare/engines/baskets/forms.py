"""The forms in which files hold baskets, and what was read from one.

blank   one basket a line, blanks or tabs between items
comma   one basket a line, commas between items, quotes around a name that needs them
spmf    as blank, with whole numbers for items and lines that name them (the library SPMF)
long    a table with one row for every user and item
lists   a table with one row a basket and its items as a list
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from sudare.facts.baskets import Baskets
from sudare.facts.errors import UsageError

Form = Literal["blank", "comma", "spmf", "long", "lists"]
FORMS: tuple[Form, ...] = get_args(Form)
LINES: tuple[Form, ...] = ("blank", "comma", "spmf")
LINE_ENDINGS = (".dat", ".txt", ".basket", ".spmf")
ARROW_ENDINGS = (".arrow", ".feather")


@dataclass(frozen=True, eq=False, repr=False)
class Read:
    """Baskets as they were read, and what writing them back in their form needs: the names of the
    columns, and the number of every item that SPMF's lines have named. `duplicates` counts items
    named again in a basket that had them already; they are in it once. `unnamed` counts rows that
    were left out because they name no user, `undecodable` names of users and items in a text file
    that are missing because they do not decode."""

    baskets: Baskets
    form: Form
    duplicates: int = 0
    user: str = "user"
    item: str = "item"
    numbers: Mapping[str, str] = field(default_factory=dict)
    unnamed: int = 0
    undecodable: int = 0

    @property
    def with_comma(self) -> int:
        """Items of a file of blanks whose name has a comma in it: perhaps it is one of commas."""
        return sum("," in name for name in self.baskets.names) if self.form == "blank" else 0


def form_named(text: str) -> Form | None:
    """The form that a user has asked for; None for auto."""
    if text == "auto":
        return None
    if text not in FORMS:
        raise UsageError(
            "There is no such form of baskets.", f"Choose one of: auto, {', '.join(FORMS)}."
        )
    return text


def ending_of(path: Path) -> str:
    """The ending that tells the form; .gz behind it does not count."""
    endings = [suffix.lower() for suffix in path.suffixes]
    return "".join((endings[:-1] if endings[-1:] == [".gz"] else endings)[-1:])
