"""Baskets from lists, and itemsets and rules counted in the plainest way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from sudare.facts.baskets import Baskets
from sudare.sets.mining.rules import Rule

Row = Collection[str]


def baskets(rows: Sequence[Row], names: Sequence[str] | None = None) -> Baskets:
    """Records in this order; codes by the order of `names`, or of first appearance."""
    known = list(names or dict.fromkeys(item for row in rows for item in row))
    codes = {name: code for code, name in enumerate(known)}
    items = np.array([codes[item] for row in rows for item in row], np.int32)
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return Baskets(starts, items, tuple(known))


def subsets(row: Row, largest: int | None = None) -> Iterator[frozenset[str]]:
    for size in range(1, (len(row) if largest is None else largest) + 1):
        yield from map(frozenset, combinations(row, size))


def all_supports(rows: Sequence[Row]) -> dict[frozenset[str], int]:
    return dict(Counter(found for row in rows for found in subsets(row)))


def ranked_rules(
    supports: dict[frozenset[str], int], least: int, confidence: Fraction
) -> list[Rule]:
    """All rules of the itemsets given, best first."""
    found = []
    for both, support in supports.items():
        for left in subsets(both, len(both) - 1) if support >= least else ():
            if support >= confidence * supports[left]:
                sides = tuple(sorted(left)), tuple(sorted(both - left))
                found.append(Rule(*sides, support, supports[left]))
    return sorted(found, key=rank)


def rank(rule: Rule) -> tuple[int, Fraction, int, int, tuple[str, ...], tuple[str, ...]]:
    left, right = rule.antecedent, rule.consequent
    return -rule.support, -rule.confidence, len(left), len(right), left, right
