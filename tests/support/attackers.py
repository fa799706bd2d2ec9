"""Attackers on baskets by brute force: every (u, Q, e) is tried, straight from the definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np

from sudare.facts.baskets import Baskets, Sensitive

Record = frozenset[int]


@dataclass(frozen=True)
class Case:
    """Original and released records, what each record calls sensitive, and what everyone does."""

    original: tuple[Record, ...]
    released: tuple[Record, ...]
    called: tuple[Record, ...]
    everyone: Record = frozenset()

    @property
    def items(self) -> int:
        every = [*self.original, *self.called, self.everyone]
        return 1 + max((item for record in every for item in record), default=-1)

    def wanted(self, u: int) -> Record:
        return self.called[u] | self.everyone

    def baskets(self, records: Sequence[Record]) -> Baskets:
        return baskets(records, self.items)

    def sensitive(self) -> Sensitive:
        everyone = np.zeros(self.items, np.bool_)
        everyone[sorted(self.everyone)] = True
        own = self.baskets(self.called)
        return Sensitive(everyone, own.starts, own.items)


def baskets(records: Iterable[Iterable[int]], items: int) -> Baskets:
    rows = [sorted(record) for record in records]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    flat = np.array([item for row in rows for item in row], np.int32)
    return Baskets(starts, flat, tuple(f"item {code}" for code in range(items)))


def known_sets(record: Record, most: int | None, with_base_rate: bool) -> Iterator[Record]:
    longest = len(record) if most is None else min(most, len(record))
    for size in range(0 if with_base_rate else 1, longest + 1):
        yield from map(frozenset, combinations(sorted(record), size))


def rules(
    case: Case, most: int | None, with_base_rate: bool = False
) -> Iterator[tuple[int, Record, int, int, int]]:
    """(u, Q, e, supp(Q ∪ e), supp(Q)) for every attacker and every e that the target minds."""
    support = cache(lambda known: sum(known <= record for record in case.released))
    for u, record in enumerate(case.original):
        for known in known_sets(record, most, with_base_rate):
            whole = support(known)
            if whole:
                for item in sorted(case.wanted(u) - known):
                    yield u, known, item, support(known | {item}), whole


def exposed(case: Case, rho: Fraction, most: int | None, with_base_rate: bool = False) -> set[int]:
    """The records that an attacker succeeds with."""
    found = rules(case, most, with_base_rate)
    return {u for u, _, _, both, whole in found if Fraction(both, whole) > rho}


def highest(case: Case, most: int | None, with_base_rate: bool = False) -> Fraction:
    """The highest confidence of all attackers."""
    found = rules(case, most, with_base_rate)
    return max((Fraction(both, whole) for *_, both, whole in found), default=Fraction(0))


def mended(case: Case, rho: Fraction, most: int | None, with_base_rate: bool = False) -> Case:
    """Items that give somebody away are suppressed, one record at a time, until nobody succeeds."""
    while True:
        for _, known, item, both, whole in rules(case, most, with_base_rate):
            if Fraction(both, whole) > rho:
                released = list(case.released)
                first = next(n for n, r in enumerate(released) if known | {item} <= r)
                released[first] -= {item}
                case = Case(case.original, tuple(released), case.called, case.everyone)
                break
        else:
            return case
