"""The best association rules X → Y of a file of records.

Claim    Of all rules with supp(X ∪ Y) >= support · records and supp(X ∪ Y) >= confidence · supp(X),
         X and Y not empty and disjoint, the first `top` by: larger support; larger confidence;
         fewer items in X; fewer items in Y; the names of X, then those of Y, as a dictionary has
         them (by code point). So the answer is the same whatever the order of records and items.
Source   Agrawal, Srikant 1994, whose rules have consequents of any size; paper 004, 4.2.2.
Symbols  level -> the support from which on a search looks. Where a short trial does not end, levels
         go down from the commonest item, and the first that fills the list is the last: what lies
         below is never looked at.
Needs    Both thresholds are ratios of integers; all comparisons are of integers.
Gaps     Memory is bounded by data and `top`. Time is not: the search meets every itemset that is
         more frequent than the last rule of the answer, and at a confidence that hardly any rule
         reaches those may be many.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Baskets, Items, Places
from sudare.facts.errors import UsageError
from sudare.sets.mining.best import nothing_yet
from sudare.sets.mining.layout import Layout, Stack, lay_out, rooted, supports, work_for
from sudare.sets.mining.search import Asked, best_rules
from sudare.sets.pace import paced

_MOST = 10**9
_TRIAL = 50_000
_FOREVER = 2**62


@dataclass(frozen=True)
class Rule:
    """Names ascend on both sides. `support` records hold both sides, `base` the antecedent."""

    antecedent: tuple[str, ...]
    consequent: tuple[str, ...]
    support: int
    base: int

    @property
    def confidence(self) -> Fraction:
        return Fraction(self.support, self.base)


Rules = tuple[Rule, ...]


@paced("rules")
def top_rules(baskets: Baskets, support: Fraction, confidence: Fraction, top: int = 100) -> Rules:
    """The first `top` rules by support, best first."""
    _check(support, confidence, top)
    least = max(1, -(-support.numerator * baskets.records // support.denominator))
    counts = supports(baskets)
    # Items are numbered by name, so that comparing numbers compares names.
    by_name = sorted(np.flatnonzero(counts >= least), key=baskets.names.__getitem__)
    order = np.array(by_name, np.int64)
    layout = lay_out(baskets, order)
    keys, rows = _best(layout, counts[order], least, confidence, top)
    names = np.array(baskets.names, object)[order]
    best_first = sorted(zip(keys.tolist(), rows.tolist(), strict=True))
    return tuple(_rule(key, row, names) for key, row in best_first)


def _best(
    layout: Layout, counts: Places, least: int, confidence: Fraction, top: int
) -> tuple[Places, Items]:
    """Keys and rows of the best rules."""
    roots, work = rooted(layout, len(counts)), work_for(len(counts))
    deepest = int((layout.ends - layout.begins).max(initial=0))
    path = np.empty(deepest, np.int32)

    def search(level: int, widest: int, patience: int = _FOREVER) -> tuple[Places, Items]:
        asked = Asked(level, confidence.numerator, confidence.denominator, top, widest, patience)
        stack, inner = (Stack(roots.nodes.copy(), roots.places.copy()) for _ in range(2))
        work.steps[0] = 0
        best = best_rules(layout, work, stack, inner, path, asked, nothing_yet())
        return best.keys[: best.held[0]], best.rows[: best.held[0]]

    # Rules of two items are quickly found. Where they fill the list, none below the last of them
    # is wanted.
    keys, rows = search(least, 1)
    lowest = int(-keys[:, 0].max()) if len(keys) == top else least
    keys, rows = search(lowest, deepest, _TRIAL)
    is_all, level = work.steps[0] <= _TRIAL, int(counts.max(initial=lowest))
    while not is_all:
        level = max(lowest, 7 * level // 8)
        keys, rows = search(level, deepest)
        is_all = level == lowest or len(keys) == top
    return keys, rows


def _rule(key: list[int], row: list[int], names: NDArray[np.object_]) -> Rule:
    negative, base, left, right = key
    both = names[row[: left + right]]
    return Rule(tuple(both[:left]), tuple(both[left:]), -negative, base)


def _check(support: Fraction, confidence: Fraction, top: int) -> None:
    # Products of the confidence's parts with counts of records must stay within 64 bits.
    if not (0 < support <= 1 and 0 < confidence <= 1) or confidence.denominator >= _MOST:
        raise UsageError(
            "Support and confidence lie above 0 and are at most 1, with at most nine digits.",
            "Example: top_rules(baskets, Fraction(1, 2000), Fraction(3, 10))",
        )
    if top < 1:
        raise UsageError("At least one rule is asked for.", "Example: top=100")
