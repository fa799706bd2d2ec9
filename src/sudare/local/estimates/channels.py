"""What is read off each item's reports: its scores, and which of them are multiplied in pairs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile
from sudare.facts.estimated import Wanted
from sudare.facts.randomized import Domain, Item, LabelDomain, Randomized
from sudare.local.blocks import sizes_in
from sudare.local.cells import Told, places_in
from sudare.mechanisms.local.mechanism import Labels, Numbers
from sudare.mechanisms.local.named import LABELS, NUMBERS, mechanism_of
from sudare.mechanisms.local.response import Response

Scores = NDArray[np.float64]
NUMBER_KINDS = ("value", "square", "product")


@dataclass(frozen=True)
class Channel:
    """`width` scores for each report of an item, a number below `cells` if it is one of few."""

    name: str
    item: str
    width: int
    cells: int | None
    read: Callable[[NDArray[Any]], Scores]


@dataclass(frozen=True)
class Layout:
    """Channels that are summed, items whose reports are counted, channels whose products are
    summed wherever one person reports both."""

    facts: Randomized
    singles: tuple[Channel, ...]
    counted: dict[str, int]
    pairs: tuple[Channel, ...]


def square_name(item: Item) -> str:
    """The channel of what a number's own report says of its square."""
    return f"{item.name} squared"


def lay_out(facts: Randomized, wanted: Wanted) -> Layout:
    """All that the wanted statistics are made of."""
    singles: list[Channel] = []
    counted: dict[str, int] = {}
    for item in facts.items:
        if item.kind in NUMBER_KINDS:
            singles += _number_channels(item)
            continue
        mechanism = labels_of(item, facts)
        if mechanism.cells is not None:
            counted[item.name] = mechanism.cells
        else:
            singles.append(_label_channel(item, facts))
    return Layout(facts, tuple(singles), counted, _pairs(facts, wanted))


def _number_channels(item: Item) -> list[Channel]:
    mechanism = numbers_of(item)
    found = [Channel(item.name, item.name, 1, mechanism.cells, mechanism.scores)]
    if item.kind == "value" and mechanism.squares(np.zeros(1, np.int64)) is not None:
        squares = cast("Callable[[NDArray[Any]], Scores]", mechanism.squares)
        found.append(Channel(square_name(item), item.name, 1, mechanism.cells, squares))
    return found


def _pairs(facts: Randomized, wanted: Wanted) -> tuple[Channel, ...]:
    """Nobody reports two items where one is asked, so there is nothing to multiply then."""
    if facts.asked < 2:
        return ()
    found = [
        _number_channels(item)[0]
        for item in facts.items
        if item.kind == "value" and wanted.needs_moments
    ]
    for item in facts.items:
        if item.kind == "cell" and wanted.needs_moments:
            found += _cell_channels(item, facts)
    target = two_labels(facts, wanted.target)
    if target is not None:
        found.append(_as_number(target, facts))
    names = {name for pair in wanted.tables for name in pair}
    for item in facts.items:
        is_single = item.kind in ("label", "labels", "bins") and len(item.columns) == 1
        if is_single and item.columns[0] in names:
            found.append(_label_channel(item, facts))
    return tuple(found)


def number_names(facts: Randomized, column: str) -> tuple[str, ...]:
    """The channels that tell a number's own value: of its item, or of each cell that it is in."""
    item = facts.item("value", column)
    if item is not None:
        return (item.name,)
    cells = [each for each in facts.items if each.kind == "cell" and column in each.columns]
    return tuple(_cell_name(column, each) for each in cells)


def _cell_name(column: str, item: Item) -> str:
    return f"{column} in {item.name}"


def _cell_channels(item: Item, facts: Randomized) -> list[Channel]:
    """What a cell says of each of its numbers; the scores of a cell are a short table."""
    mechanism = labels_of(item, facts)
    if not isinstance(mechanism, Response):
        raise _unfit()
    said = Told.of(mechanism, places_in(facts, item)).scores
    return [
        Channel(_cell_name(column, item), item.name, 1, mechanism.cells, said[:, place].__getitem__)
        for place, column in enumerate(item.columns)
    ]


def target_name(item: Item) -> str:
    """The channel of a category of two labels, read as a number."""
    return f"{item.name} as a number"


def two_labels(facts: Randomized, column: str | None) -> Item | None:
    """The item of a category of two labels, beside a missing value, which can be a target."""
    domain = facts.domains.get(column or "")
    if column is None or not isinstance(domain, LabelDomain):
        return None
    is_two = len(domain.labels) - (None in domain.labels) == 2
    return facts.item("label", column) if is_two else None


def two_places(facts: Randomized, column: str) -> tuple[int, int]:
    """Where the two labels stand among all."""
    domain = facts.domains[column]
    assert isinstance(domain, LabelDomain)
    first, second = (i for i, label in enumerate(domain.labels) if label is not None)
    return first, second


def _as_number(item: Item, facts: Randomized) -> Channel:
    """−1 for the first label, 1 for the second, 0 for a missing value."""
    mechanism = labels_of(item, facts)
    first, second = two_places(facts, item.columns[0])

    def read(reports: NDArray[Any]) -> Scores:
        scores = mechanism.scores(reports)
        return scores[:, second] - scores[:, first]

    return Channel(target_name(item), item.name, 1, mechanism.cells, read)


def _label_channel(item: Item, facts: Randomized) -> Channel:
    mechanism = labels_of(item, facts)
    return Channel(item.name, item.name, mechanism.values, mechanism.cells, mechanism.scores)


def numbers_of(item: Item) -> Numbers:
    """The mechanism of an item that is a number."""
    if item.mechanism not in NUMBERS:
        raise _unfit()
    return cast(Numbers, mechanism_of(item))


def labels_of(item: Item, facts: Randomized) -> Labels:
    """The mechanism of an item that is a label, a pair of labels or a bin."""
    if item.mechanism not in LABELS:
        raise _unfit()
    found = cast(Labels, mechanism_of(item))
    if item.kind != "bins":
        domains = [facts.domains.get(column) for column in item.columns]
        if found.values != _labels_of(facts, item, domains):
            raise _unfit()
    return found


def _labels_of(facts: Randomized, item: Item, domains: list[Domain | None]) -> int:
    """How many labels an item has; 0 where its columns are of another kind."""
    if item.kind == "cell":
        return math.prod(places_in(facts, item))
    if item.kind == "labels":
        return math.prod(sizes_in(facts, item) or (0,))
    sizes = [len(each.labels) for each in domains if isinstance(each, LabelDomain)]
    return math.prod(sizes) if len(sizes) == len(domains) else 0


def _unfit() -> InvalidFile:
    return InvalidFile(
        "An item of the file has a mechanism that does not fit it.",
        "The file is damaged or was changed: randomise the data again.",
    )
