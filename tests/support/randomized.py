"""Randomised tables for tests, made in memory: true values in, facts and batches out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.randomized import Item, LabelDomain, NumberDomain, Randomized
from sudare.facts.reported import Batch
from sudare.mechanisms.local.named import NUMBERS, best_for_labels, best_for_numbers, mechanism_of
from support.bits import CountedBits

Columns = dict[str, NDArray[Any]]


def autoregressive(rows: int, columns: int, correlation: float, label: str) -> NDArray[np.float64]:
    """Normal rows with correlation^|i − j|, cut to [−1, 1]; their deviation is a half."""
    made = np.random.default_rng(list(label.encode()))
    noise = made.standard_normal((rows, columns))
    found = noise.copy()
    for column in range(1, columns):
        kept = correlation * found[:, column - 1]
        found[:, column] = kept + np.sqrt(1 - correlation**2) * noise[:, column]
    return np.clip(found / 2, -1, 1)


def item(
    kind: Any, columns: Sequence[str], mechanism: str, epsilon: float, values: int = 2
) -> Item:
    """An item with the best mechanism of that name."""
    exact = Fraction(epsilon).limit_denominator(10**6)
    best: Any = (
        best_for_numbers(mechanism, exact)
        if mechanism in NUMBERS
        else best_for_labels(mechanism, exact, values)
    )
    name = f"{kind} {' '.join(columns)}"
    return Item(name, kind, tuple(columns), mechanism, str(exact), best.parameters())


def numbers(names: Sequence[str], *, half: int = 100) -> dict[str, NumberDomain]:
    """Domains −half … half."""
    return {name: NumberDomain("integer", -half, half, 1.0, True) for name in names}


def labels(count: int) -> LabelDomain:
    return LabelDomain(tuple(f"label {i}" for i in range(count)))


def one_statistic(names: Sequence[str], mechanism: str, epsilon: float) -> list[Item]:
    """All values, squares and products: each person reports one of them at the full ε."""
    found = [item("value", [name], mechanism, epsilon) for name in names]
    found += [item("square", [name], mechanism, epsilon) for name in names]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    return found + [item("product", pair, mechanism, epsilon) for pair in pairs]


def randomized(
    items: Sequence[Item], domains: dict[str, Any], asked: int | None = None
) -> Randomized:
    count = len(items) if asked is None else asked
    return Randomized("people", 1.0, count, tuple(items), domains, True)


def reports(facts: Randomized, data: Columns, label: str, rows: int = 2**18) -> list[Batch]:
    """Everyone's reports, in batches. Numbers are x in [−1, 1], labels and bins their number."""
    bits = CountedBits(label)
    total = len(next(iter(data.values())))
    chosen = _chosen(facts, total, label)
    return [
        Batch(
            len(part),
            {each.name: _reported(facts, each, place, data, part, chosen, bits)
             for place, each in enumerate(facts.items)},
        )
        for part in np.split(np.arange(total), range(rows, total, rows))
    ]  # fmt: skip


def _chosen(facts: Randomized, rows: int, label: str) -> NDArray[np.bool_] | None:
    """Which items each person reports; None if all."""
    if facts.asked == len(facts.items):
        return None
    made = np.random.default_rng(list(f"{label} items".encode()))
    order = made.random((rows, len(facts.items)))
    found: NDArray[np.bool_] = order.argsort(axis=1).argsort(axis=1) < facts.asked
    return found


def _reported(
    facts: Randomized,
    each: Item,
    place: int,
    data: Columns,
    part: NDArray[np.int64],
    chosen: NDArray[np.bool_] | None,
    bits: CountedBits,
) -> tuple[NDArray[np.int64] | None, NDArray[Any]]:
    positions = None if chosen is None else np.flatnonzero(chosen[part, place])
    rows = part if positions is None else part[positions]
    truth = _truth(facts, each, {name: data[name][rows] for name in each.columns})
    return positions, mechanism_of(each).report(truth, bits)


def _truth(facts: Randomized, each: Item, data: Columns) -> NDArray[Any]:
    first = data[each.columns[0]]
    match each.kind:
        case "square":
            return 2 * first**2 - 1
        case "product":
            return first * data[each.columns[1]]
        case "labels":
            domain = facts.domains[each.columns[1]]
            assert isinstance(domain, LabelDomain)
            return first * len(domain.labels) + data[each.columns[1]]
        case "bins":
            count = int(each.parameters["values"])
            return np.clip(((first + 1) / 2 * count).astype(np.int64), 0, count - 1)
        case _:
            return first
