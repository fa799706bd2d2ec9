"""The paper's two algorithms in plain Python, to be read and to be compared with.

    import sets_reference

Source   Nakagawa, Arai, Nakagawa, Algorithms 1 and 2, equations (4), (5) and (8).
Way      For every item the set of the records that hold it. The support of Q is the size of the
         intersection; how often other items stand beside Q is counted by looping over its owners.
         Records, sets within a record and attackers within a sample come in a fixed order; of
         equal F the least N is taken, then the first e, then the first d. "At random" means: the
         next of the words given, modulo how many there are to choose from.
Differs  The attacker knows items of the original record, as everywhere in sudare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import ceil, log
from time import perf_counter

Minds = Callable[[int, int], bool]
Known = tuple[int, ...]


class TooLong(Exception):
    """The time allowed is over."""


class Records:
    """The data set D, from which items are suppressed."""

    def __init__(
        self,
        records: Sequence[Sequence[int]],
        minds: Minds,
        p: int,
        q: int,
        words: Iterator[int],
        seconds: float | None = None,
    ) -> None:
        self.original = [tuple(sorted(record)) for record in records]
        self.now = [set(record) for record in records]
        self.minds, self.p, self.q, self.words = minds, p, q, words
        self.where: dict[int, set[int]] = {}
        for u, record in enumerate(self.now):
            for item in record:
                self.where.setdefault(item, set()).add(u)
        self.first = {item: len(owners) for item, owners in self.where.items()}
        self.first_total = self.total = sum(self.first.values())
        self.end = None if seconds is None else perf_counter() + seconds

    @property
    def longest(self) -> int:
        return max(map(len, self.original), default=0)

    def stop(self, u: int, known: Known) -> bool:
        """If the attacker (u, Q) succeeds, take one step against it; whether one was needed."""
        if self.end is not None and perf_counter() > self.end:
            raise TooLong
        owners = set.intersection(*(self.where[item] for item in known))
        counts: dict[int, int] = {}
        for owner in owners:
            for item in self.now[owner]:
                counts[item] = counts.get(item, 0) + 1
        inferred = [
            e
            for e in sorted(counts)
            if e not in known and self.q * counts[e] > self.p * len(owners) and self.minds(u, e)
        ]
        if not inferred:
            return False
        d, e, many = self._choose(known, inferred, counts, len(owners))
        self._suppress(d, many, sorted(owner for owner in owners if e in self.now[owner]))
        return True

    def _choose(
        self, known: Known, inferred: list[int], counts: dict[int, int], support: int
    ) -> tuple[int, int, int]:
        best = None
        for e in inferred:
            excess = self.q * counts[e] - self.p * support
            for d in sorted((*known, e)):
                many = -(-excess // (self.q if d == e else self.q - self.p))
                share = len(self.where[d]) / self.total
                worth = share * log(share / (self.first[d] / self.first_total)) / many
                if best is None or (worth, -many) > best[0]:
                    best = (worth, -many), (d, e, many)
        assert best is not None
        return best[1]

    def _suppress(self, d: int, many: int, records: list[int]) -> None:
        for place in range(many):
            other = place + next(self.words) % (len(records) - place)
            records[place], records[other] = records[other], records[place]
            self.now[records[place]].discard(d)
            self.where[d].discard(records[place])
            self.total -= 1


def suppressor(data: Records, most: int | None = None) -> None:
    """Algorithm 1; with `most` known items for definition 4."""
    longest = data.longest if most is None else min(most, data.longest)
    changed = True
    while changed:
        changed = False
        for size in range(1, longest + 1):
            for u, record in enumerate(data.original):
                while any(data.stop(u, known) for known in combinations(record, size)):
                    changed = True


def sample_suppressor(
    data: Records, most: int, eps: float, delta: float, draws: Iterator[int]
) -> None:
    """Algorithm 2. `draws` are words for the attackers, apart from those for suppression."""
    count = ceil(log(1 / delta) / (2 * eps**2))
    is_safe = False
    while not is_safe:
        is_safe = True
        for size in range(1, min(most, data.longest) + 1):
            attackers = sample(data, size, count, draws)
            while stop_all(data, attackers):
                is_safe = False


def stop_all(data: Records, attackers: list[tuple[int, Known]]) -> bool:
    """Go once through all attackers and stop those who succeed; whether there was one."""
    found = False
    for u, known in attackers:
        while data.stop(u, known):
            found = True
    return found


def sample(data: Records, size: int, count: int, draws: Iterator[int]) -> list[tuple[int, Known]]:
    """Attackers with `size` known items: first all targets, then for all of them a place at a time
    by Floyd's way; in the order of what they know, the last item first."""
    able = [u for u, record in enumerate(data.original) if len(record) >= size]
    targets = [able[next(draws) % len(able)] for _ in range(count)]
    places: list[set[int]] = [set() for _ in targets]
    for step in range(size):
        for u, taken in zip(targets, places, strict=True):
            top = len(data.original[u]) - size + step
            place = next(draws) % (top + 1)
            taken.add(top if place in taken else place)
    knowns = (
        tuple(data.original[u][place] for place in sorted(taken))
        for u, taken in zip(targets, places, strict=True)
    )
    return sorted(zip(targets, knowns, strict=True), key=lambda attacker: attacker[1][::-1])
