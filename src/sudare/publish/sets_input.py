"""Where records that are sets, and what people call sensitive, come from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sudare.engines.baskets.categories import read_categories
from sudare.engines.baskets.forms import Read
from sudare.engines.baskets.read import read_baskets
from sudare.engines.baskets.sensitive import Marked, read_sensitive
from sudare.facts.baskets import Sensitive
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidFile


@dataclass(frozen=True)
class SetsInput:
    """The data and how they are written; `sensitive` and `categories` are files or frames."""

    data: object
    sensitive: object | None = None
    categories: object | None = None
    form: str = "auto"
    user: str = "user"
    item: str = "item"
    encoding: str | None = None
    engine: EngineChoice = AUTO


def read_given(given: SetsInput) -> Read:
    """The records; refused where none holds anything, since every verdict about them would be that
    all is well."""
    read = read_any(given)
    if not len(read.baskets.items):
        raise InvalidFile(
            "No record of the data holds an item that can be read.",
            "Check the column of items and the encoding of the file (--encoding).",
        )
    return read


def read_any(given: SetsInput) -> Read:
    """Records that may be empty, as a release may be."""
    return read_baskets(
        given.data,
        form=given.form,
        user=given.user,
        item=given.item,
        encoding=given.encoding,
        choice=given.engine,
    )


def notices_of(read: Read, marked: Marked) -> dict[str, int]:
    """What the input had that its owner may not expect."""
    return {
        "duplicates": read.duplicates,
        "undecodable": read.undecodable,
        "unnamed": read.unnamed,
        "with_comma": read.with_comma,
        "unknown_items": marked.unknown_items,
        "unknown_users": marked.unknown_users,
    }


def marked_of(given: SetsInput, read: Read) -> Marked:
    """What is sensitive to whom; nothing, where no file was named."""
    if given.sensitive is None:
        nothing = np.zeros(len(read.baskets.names), np.bool_)
        return Marked(Sensitive.fixed(nothing, read.baskets.records), 0, 0, 0)
    groups = (
        None
        if given.categories is None
        else read_categories(given.categories, encoding=given.encoding)
    )
    found = read_sensitive(given.sensitive, read, categories=groups, encoding=given.encoding)
    marks = bool(found.sensitive.everyone.any()) or len(found.sensitive.items) > 0
    if not marks:
        # Every verdict about it would be that all is well.
        raise InvalidFile(
            "No row of the sensitive items fits the data.",
            "Check that it belongs to these records: users and items are compared sign by sign.",
        )
    return found
