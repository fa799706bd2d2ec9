"""From the cells that can be filled to what is certain about whoever fits a description.

Claim    Every (description, attribute, value) that is certain follows from one that is listed:
         a longer description of the same people adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sudare.risk.tables.grid import Cells, Grid


@dataclass(frozen=True)
class Claim:
    """All who fit `who` (attribute and value numbers) have `value`, or, if `excluded`, have not."""

    who: tuple[tuple[int, int], ...]
    attribute: int
    value: int
    excluded: bool


def find_claims(grid: Grid, cells: Cells, known: Sequence[int], attribute: int) -> Iterator[Claim]:
    """Claims on one attribute, shortest descriptions first; `known` are attributes by number."""
    search = _Search(cells.reshape(grid.shape), attribute)
    for length in range(len(known) + 1):
        for names in combinations(known, length):
            yield from search.claims(names)


class _Search:
    """Remembers what shorter descriptions settle: values ruled out, and the one value left."""

    def __init__(self, possible: NDArray[np.bool_], attribute: int) -> None:
        self._possible = possible
        self._attribute = attribute
        self._out: dict[tuple[int, ...], NDArray[np.bool_]] = {}
        self._one: dict[tuple[int, ...], NDArray[np.bool_]] = {}

    def claims(self, names: tuple[int, ...]) -> Iterator[Claim]:
        """Claims whose description uses exactly these attributes and cannot be shortened."""
        table = self._table(names)
        left = table.sum(axis=-1)
        out = self._out[names] = (left > 0)[..., None] & ~table
        one = self._one[names] = np.asarray(left == 1)
        shorter = [(n, names[:n] + names[n + 1 :]) for n in range(len(names))]
        for place, rest in shorter:
            one = one & ~np.expand_dims(self._one[rest], place)
            out = out & ~np.expand_dims(self._out[rest], place)
        yield from self._found(names, one[..., None] & table, excluded=False)
        yield from self._found(names, out & (left > 1)[..., None], excluded=True)

    def _table(self, names: tuple[int, ...]) -> NDArray[np.bool_]:
        """Which values remain for each description; the last axis is the attribute."""
        kept = sorted((*names, self._attribute))
        others = tuple(a for a in range(self._possible.ndim) if a not in kept)
        table = np.asarray(self._possible.any(axis=others), dtype=np.bool_)
        return np.moveaxis(table, kept.index(self._attribute), -1)

    def _found(
        self, names: tuple[int, ...], marked: NDArray[np.bool_], excluded: bool
    ) -> Iterator[Claim]:
        for *place, value in np.argwhere(marked).tolist():
            yield Claim(tuple(zip(names, place, strict=True)), self._attribute, value, excluded)


def against(grid: Grid, claim: Claim) -> Cells:
    """The cells whose people would refute the claim."""
    has = np.zeros(grid.shape, dtype=np.bool_)
    has[(slice(None),) * claim.attribute + (claim.value,)] = True
    return fitting(grid, claim) & (has if claim.excluded else ~has).reshape(-1)


def fitting(grid: Grid, claim: Claim) -> Cells:
    """The cells of whoever fits the description."""
    found = np.ones(grid.shape, dtype=np.bool_)
    for axis, value in claim.who:
        _keep(found, axis, value)
    return found.reshape(-1)


def _keep(cells: NDArray[np.bool_], axis: int, value: int) -> None:
    others = [v for v in range(cells.shape[axis]) if v != value]
    cells[(slice(None),) * axis + (others,)] = False
