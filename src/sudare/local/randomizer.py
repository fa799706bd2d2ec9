"""The function that randomises a batch of rows; it runs wherever the rows are.

Claim    the reports of a row are ε-LDP in the row, ε the sum over the reported items: which items a
         row reports is drawn without looking at it, each is randomised by its own mechanism with
         fresh bits, and nothing else of the row is in the output.
Needs    `bits` are fair; every row is given to one call once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.randomized import Item, LabelDomain, NumberDomain, Randomized
from sudare.facts.reported import Column, Reports
from sudare.local.blocks import bins_of, sizes_in
from sudare.local.cells import places_in, rounded
from sudare.mechanisms.local.mechanism import LocalMechanism
from sudare.mechanisms.local.named import mechanism_of
from sudare.randomness.bits import RandomBits, SystemBits, words32
from sudare.randomness.choice import uniform_places


@dataclass(frozen=True)
class Randomizer:
    """Randomises batches under one file's facts. It can be sent to another process: the bits are
    drawn there, from that machine's own entropy."""

    facts: Randomized
    bits: Callable[[], RandomBits] = SystemBits
    _mechanisms: dict[str, LocalMechanism] = field(default_factory=dict, repr=False)

    def __call__(self, columns: dict[str, Column], rows: int) -> Reports:
        """One column of grid indices or codes for each name; missing ones are masked."""
        bits = self.bits()
        scaled = {
            name: _scaled(*columns[name], domain)
            for name, domain in self.facts.domains.items()
            if isinstance(domain, NumberDomain)
        }
        chosen = _chosen(rows, len(self.facts.items), self.facts.asked, bits)
        found: Reports = {}
        for number, item in enumerate(self.facts.items):
            own = None if chosen is None else np.flatnonzero(chosen[number])
            values = self._input(item, columns, scaled, own, bits)
            found[item.name] = own, self._mechanism(item).report(values, bits)
        return found

    def _mechanism(self, item: Item) -> LocalMechanism:
        if item.name not in self._mechanisms:
            self._mechanisms[item.name] = mechanism_of(item)
        return self._mechanisms[item.name]

    def _input(
        self,
        item: Item,
        columns: dict[str, Column],
        scaled: dict[str, NDArray[np.float64]],
        own: NDArray[np.int64] | None,
        bits: RandomBits,
    ) -> NDArray[Any]:
        """What the item's mechanism is given, for the rows that report it."""
        if item.kind == "cell":
            numbers = [_of(scaled[name], own) for name in item.columns]
            return rounded(numbers, places_in(self.facts, item), bits)
        if item.kind in ("label", "labels"):
            return self._joint(item, columns, scaled, own)
        x = _of(scaled[item.columns[0]], own)
        match item.kind:
            case "square":
                return np.asarray(2 * x**2 - 1)
            case "product":
                return np.asarray(x * _of(scaled[item.columns[1]], own))
            case "bins":
                bins = int(item.parameters["values"])
                return np.asarray(np.minimum(((x + 1) * (bins / 2)).astype(np.int64), bins - 1))
            case _:
                return x

    def _joint(
        self,
        item: Item,
        columns: dict[str, Column],
        scaled: dict[str, NDArray[np.float64]],
        own: NDArray[np.int64] | None,
    ) -> NDArray[np.int64]:
        """Labels, and bins of numbers, as one label, the first column counting most."""
        sizes = sizes_in(self.facts, item) or ()
        found = np.zeros(1, np.int64)
        for name, size in zip(item.columns, sizes, strict=True):
            domain = self.facts.domains[name]
            if isinstance(domain, NumberDomain):
                codes = bins_of(_of(scaled[name], own), domain, size)
            else:
                codes = self._codes(name, columns[name], own)
            found = found * size + codes
        return found

    def _codes(self, name: str, column: Column, own: NDArray[np.int64] | None) -> NDArray[np.int64]:
        """Codes of labels; what is missing has the last one."""
        codes, missing = column
        if missing is not None:
            codes = np.where(missing, _labels(self.facts, name) - 1, codes)
        return _of(codes, own)


def _labels(facts: Randomized, name: str) -> int:
    domain = facts.domains[name]
    assert isinstance(domain, LabelDomain)
    return len(domain.labels)


def _of(values: NDArray[Any], own: NDArray[np.int64] | None) -> NDArray[Any]:
    found: NDArray[Any] = values if own is None else values[own]
    return found


def _scaled(
    indices: NDArray[np.int64], missing: NDArray[np.bool_] | None, domain: NumberDomain
) -> NDArray[np.float64]:
    """Grid indices on [−1, 1]; what is missing counts as the middle."""
    span = domain.high - domain.low
    found: NDArray[np.float64] = (indices - domain.low).astype(np.float64)
    found *= 2.0 / span
    found -= 1.0
    if missing is not None:
        found[missing] = 0.0
    return found


def _chosen(rows: int, items: int, asked: int, bits: RandomBits) -> list[Any] | None:
    """For each item which rows report it; None if all do. Every row has `asked` of the items."""
    if asked == items:
        return None
    if asked == 1:
        place = uniform_places(bits, items, rows)
        return [place == number for number in range(items)]
    # The items with the least of as many random words: which ones these are does not depend on
    # the row, and a tie, of probability 2^−32, only prefers an item by its place.
    drawn = words32(bits, rows * items).reshape(items, rows)
    bound = np.partition(drawn, asked - 1, axis=0)[asked - 1]
    return list(_as_many(drawn <= bound, drawn, asked))


def _as_many(chosen: NDArray[np.bool_], drawn: NDArray[np.uint32], asked: int) -> NDArray[np.bool_]:
    """Where words equal to the bound chose too many items of a row, the first of them by place:
    a row that reported one item more would spend one item's ε more than was charged."""
    over = np.flatnonzero(np.count_nonzero(chosen, axis=0) > asked)
    if over.size:
        first = np.argsort(drawn[:, over], axis=0, kind="stable")[:asked]
        chosen[:, over] = False
        chosen[first, over] = True
    return chosen
