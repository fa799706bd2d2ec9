"""How an attacker gets there: the smallest sets of parts that already imply a finding.

Claim    Every set that `smallest_sets` yields implies the finding, no proper subset of it does,
         and they come in order of size; so the first is a smallest one.
Source   Exhaustive search by size over sets of parts, after Liffiton et al. 2016 (MARCO): a set
         that does not imply it is grown until every further part would make it do so, and no
         subset of the grown set is tried again.
Needs    `implies` is monotone: more parts never imply less.
Gaps     beyond MOST_PARTS parts only one set is found, by leaving parts out one at a time; no
         part of it can be spared, but a smaller set may exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

MOST_PARTS = 16
Implies = Callable[[frozenset[int]], bool]


def smallest_sets(parts: int, implies: Implies) -> Iterator[frozenset[int]]:
    """Minimal sets of part numbers that imply a finding which all parts together imply."""
    if parts > MOST_PARTS:
        yield _thinned(parts, implies)
        return
    found: list[frozenset[int]] = []
    failing: list[frozenset[int]] = []
    for size in range(parts + 1):
        for chosen in map(frozenset, combinations(range(parts), size)):
            if any(way <= chosen for way in found) or any(chosen <= grown for grown in failing):
                continue
            if implies(chosen):
                found.append(chosen)
                yield chosen
            else:
                failing.append(_grown(chosen, parts, implies))


def _grown(chosen: frozenset[int], parts: int, implies: Implies) -> frozenset[int]:
    for part in range(parts):
        if part not in chosen and not implies(chosen | {part}):
            chosen |= {part}
    return chosen


def _thinned(parts: int, implies: Implies) -> frozenset[int]:
    """Leave out halves, then quarters, …, then single parts, as long as the finding follows."""
    kept = list(range(parts))
    step = max(1, parts // 2)
    while step:
        place = 0
        while place < len(kept):
            fewer = kept[:place] + kept[place + step :]
            if implies(frozenset(fewer)):
                kept = fewer
            else:
                place += step
        step //= 2
    return frozenset(kept)
