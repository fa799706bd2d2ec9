"""The paper's Algorithm 1 to the letter, save for whose record the attacker knows. Compiled.

Source   Nakagawa, Arai, Nakagawa, Algorithm 1 (Suppressor), equations (4) and (5).
Order    ℓ = 1, 2, …; records in their order; sets of ℓ known items in lexicographic order of their
         places in the record; after a change the record's sets are looked at from the first again;
         all is repeated until a round changes nothing.
Differs  the attacker knows items of the original record: with the current one hundreds of people
         would stay exposed. Every e that co-occurs with Q is tested, not only the owner's.
Gaps     it looks at every subset of every record: 2^length of them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np

from sudare.facts.baskets import Baskets, Items, Places, Sensitive
from sudare.facts.errors import InvalidPlan
from sudare.randomness.bits import RandomBits
from sudare.sets.compiled import compiled
from sudare.sets.layout import Layout, State, kept_of, lay_out, start
from sudare.sets.mending import Rule
from sudare.sets.pace import paced
from sudare.sets.suppress import Suppression, make_rule
from sudare.sets.targets import look

# About ten minutes of looking on one core, where items have some thousand owners.
MOST_SETS = 10**8


@paced("paper")
def suppress_as_paper(
    baskets: Baskets,
    sensitive: Sensitive,
    rho: Fraction,
    bits: RandomBits,
    *,
    max_knowledge: int | None = None,
    watch: Callable[[str, float], None] | None = None,
) -> Suppression:
    """Algorithm 1, or with `max_knowledge` the same for definition 4."""
    longest = int(baskets.lengths.max(initial=0))
    limit = min(max_knowledge or longest, longest)
    if _are_too_many(baskets.lengths, limit):
        raise InvalidPlan(
            "The paper's way looks at every subset of every record; here there are too many.",
            "Bound what an attacker knows (--max-knowledge), or choose the default mode.",
        )
    order = np.arange(len(baskets.names), dtype=np.int64)
    layout = lay_out(baskets, sensitive, order)
    state = start(layout)
    rule = make_rule(layout, rho, bits, literal=True)
    walks, changes = 0, 1
    steps = np.zeros((limit, 2), np.int64)
    while changes:
        changes = 0
        for size in range(1, limit + 1):
            if watch is not None:
                watch(f"{size} known", size / (limit + 1))
            rule.tally[:] = 0
            changes += _one_size(layout, state, rule, size)
            steps[size - 1] += rule.tally
            walks += 1
    made = tuple((int(inferred), int(knowing)) for inferred, knowing in steps)
    return Suppression(kept_of(layout, state), walks, 0, limit, made)


def _are_too_many(lengths: Places, limit: int) -> bool:
    """Whether there are more sets than can be looked at; counts no further than that, because a
    basket of thousands of items has numbers of subsets that take long to write."""
    total = 0
    for length, records in zip(*np.unique(lengths, return_counts=True), strict=True):
        for size in range(1, min(limit, int(length)) + 1):
            total += int(records) * comb(int(length), size)
            if total > MOST_SETS:
                return True
    return False


@compiled
def _one_size(layout: Layout, state: State, rule: Rule, size: int) -> int:
    """Every record in turn, until none of its sets of this size is unsafe."""
    valid = np.empty(max(len(layout.at) - 1, 1), np.int32)
    counts = np.zeros(len(layout.item), np.int64)
    inferred = np.empty(len(layout.item), np.int32)
    changed = np.zeros(max(len(layout.at) - 1, 1), np.uint8)
    known: Items = np.empty(size, np.int32)
    cost = 0
    for record in range(len(layout.at) - 1):
        first = layout.at[record]
        length = layout.at[record + 1] - first
        if length < size:
            continue
        chosen = np.arange(size)
        while True:
            for place in range(size):
                known[place] = layout.original[first + chosen[place]]
            many, spent = look(
                layout, state, rule, record, known, size, valid, counts, inferred, changed
            )
            cost += spent
            if many > 0:
                chosen = np.arange(size)
                continue
            place = size - 1
            while place >= 0 and chosen[place] == length - size + place:
                place -= 1
            if place < 0:
                break
            chosen[place] += 1
            for later in range(place + 1, size):
                chosen[later] = chosen[later - 1] + 1
    return cost
