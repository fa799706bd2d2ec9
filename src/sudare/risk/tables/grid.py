"""All kinds of people there can be: one cell a combination of the attributes' values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidTables
from sudare.risk.tables.background import Background, Condition
from sudare.risk.tables.published import Published

# A value that is not told: the row counts people of some value of the attribute.
HIDDEN = frozenset({"", "*", "＊", "※"})
# The row counts people of every value of the attribute.
TOTAL = frozenset({"total", "all", "計", "合計", "総数", "全体"})
OTHER = "(other)"
MOST_CELLS = 500_000
Cells = NDArray[np.bool_]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Grid:
    """The attributes in order, each with its values; cells are numbered in C order."""

    values: Mapping[str, tuple[str, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.values)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(values) for values in self.values.values())

    @property
    def size(self) -> int:
        return prod(self.shape)

    def places(self, condition: Condition) -> Places:
        """The numbers of the cells that fit the condition, in order."""
        wanted = [
            [values.index(value) for value in condition[name]]
            if name in condition
            else range(len(values))
            for name, values in self.values.items()
        ]
        numbers = np.zeros(1, dtype=np.int64)
        for size, chosen in zip(self.shape, wanted, strict=True):
            numbers = (numbers[:, None] * size + np.sort(as_ints(chosen))).reshape(-1)
        return numbers

    def cells(self, condition: Condition) -> Cells:
        """True where a cell fits the condition."""
        return self.mask(self.places(condition))

    def mask(self, places: Places) -> Cells:
        found = np.zeros(self.size, dtype=np.bool_)
        found[places] = True
        return found

    def check(self, condition: Condition, here: str) -> None:
        """Refuse a condition on values that the grid does not have."""
        for name, values in condition.items():
            if not values or not set(values) <= set(self.values.get(name, ())):
                raise InvalidTables(
                    f"{here} has a value of '{name}' that is not declared.",
                    "Add it under [attributes] in the facts file, or mend its spelling.",
                )


def make_grid(background: Background, tables: Sequence[Published]) -> tuple[Grid, tuple[str, ...]]:
    """The declared attributes and those of the tables; the names of those not declared."""
    seen: dict[str, dict[str, None]] = {name: {} for name in background.attributes}
    for name, value in _mentioned(background, tables):
        seen.setdefault(name, {}).setdefault(value)
    values = {
        name: tuple(background.attributes.get(name) or _open(found)) for name, found in seen.items()
    }
    # An attribute that is hidden everywhere and never mentioned says nothing.
    grid = Grid({name: each for name, each in values.items() if each})
    if grid.size > MOST_CELLS:
        raise InvalidTables(
            f"The attributes have more than {MOST_CELLS:,} combinations.",
            "Check fewer tables at once, or coarser ones.",
        )
    inferred = tuple(name for name in grid.names if not background.attributes.get(name))
    return grid, inferred


def _open(found: Mapping[str, None]) -> Iterable[str]:
    """Where only one value is ever mentioned, as of a club's members, there are others too."""
    return (*found, OTHER) if len(found) == 1 else found


def _mentioned(background: Background, tables: Sequence[Published]) -> Iterable[tuple[str, str]]:
    for table in tables:
        for row in table.rows:
            for name, text in zip(table.attributes, row.cells, strict=True):
                if name not in background.attributes:
                    found = reading(background, name, text)
                    yield from ((name, value) for value in found or ())
    for condition in _conditions(background):
        for name, values in condition.items():
            if name not in background.attributes:
                yield from ((name, value) for value in values)


def _conditions(background: Background) -> Iterable[Condition]:
    yield from (facts.where for facts in background.tables.values() if not facts.noisy)
    yield from background.persons.values()
    for known in background.known:
        yield known.where
        yield known.unless or {}


def reading(background: Background, name: str, text: str) -> tuple[str, ...] | None:
    """The values a table's text stands for; None where it is hidden or a total."""
    if text in background.attributes.get(name, ()):
        return (text,)
    if text in background.groups.get(name, {}):
        return background.groups[name][text]
    if text in HIDDEN or is_total(text):
        return None
    return (text,)


def is_total(text: str) -> bool:
    return text.casefold() in TOTAL


def as_ints(values: Any) -> Places:
    return np.asarray(values, dtype=np.int64)
