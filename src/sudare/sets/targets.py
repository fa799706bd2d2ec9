"""One attacker at a time: what (u, Q) infers about u, and mending it. Compiled.

Here only the target's own constraints count, as in the paper's definition 2: the attacker knows Q
of u's original record and must not infer an e that u minds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule, mend
from sudare.sets.minding import minds, rarest

Marks = NDArray[np.uint8]
_MANY = 2**40


@compiled
def _holders(
    layout: Layout, state: State, known: Items, size: int, valid: Items, counts: Places
) -> int:
    """The records that hold Q now, in their order; `counts` of the items in them are added up."""
    i = rarest(layout, known, size)
    owners = 0
    # A known item is marked by a count that no other can have.
    for which in range(size):
        counts[known[which]] = -_MANY
    for place in range(layout.owner_at[i], layout.owner_at[i + 1]):
        record = layout.owner[place]
        if state.alive[record] < size:
            continue
        first = layout.at[record]
        end = first + state.alive[record]
        have = 0
        for k in range(first, end):
            if counts[state.held[k]] < 0:
                have += 1
        if have == size:
            valid[owners] = record
            owners += 1
            for k in range(first, end):
                counts[state.held[k]] += 1
    for which in range(size):
        counts[known[which]] += _MANY
    return owners


@compiled
def _forget(layout: Layout, state: State, valid: Items, owners: int, counts: Places) -> None:
    for place in range(owners):
        first = layout.at[valid[place]]
        for k in range(first, first + state.alive[valid[place]]):
            counts[state.held[k]] = 0


@compiled
def _about(
    layout: Layout,
    state: State,
    rule: Rule,
    record: int,
    known: Items,
    size: int,
    valid: Items,
    owners: int,
    counts: Places,
    inferred: Items,
) -> int:
    """What is inferred about the target, in the order of ranks; how much."""
    many = 0
    for place in range(owners):
        first = layout.at[valid[place]]
        for k in range(first, first + state.alive[valid[place]]):
            e = state.held[k]
            if rule.q * counts[e] <= rule.p * owners:
                continue
            is_new = True
            for which in range(size):
                is_new &= known[which] != e
            for which in range(many):
                is_new &= inferred[which] != e
            if is_new and minds(layout, record, e):
                inferred[many] = e
                many += 1
    # The first of equals is taken, so there must be an order.
    inferred[:many] = np.sort(inferred[:many])
    return many


@compiled
def look(
    layout: Layout,
    state: State,
    rule: Rule,
    record: int,
    known: Items,
    size: int,
    valid: Items,
    counts: Places,
    inferred: Items,
    changed: Marks,
) -> tuple[int, int]:
    """(items inferred about the target, items suppressed by one step of mending). `valid`,
    `counts` (all 0) and `inferred` are scratch."""
    owners = _holders(layout, state, known, size, valid, counts)
    many = _about(layout, state, rule, record, known, size, valid, owners, counts, inferred)
    cost = 0
    if many > 0:
        copied = counts.copy()
        _forget(layout, state, valid, owners, counts)
        cost = mend(
            layout, state, rule, known, size, valid, owners, copied, inferred, many, changed
        )
    else:
        _forget(layout, state, valid, owners, counts)
    return many, cost


@compiled
def _is_same(knowns: Items, one: int, other: int, size: int) -> bool:
    for place in range(size):
        if knowns[one + place] != knowns[other + place]:
            return False
    return True


@compiled
def try_all(
    layout: Layout,
    state: State,
    rule: Rule,
    targets: Items,
    knowns: Items,
    size: int,
    mends: bool,
    changed: Marks,
) -> int:
    """How many of the attackers succeed; where `mends`, each is stopped. Attacker j knows
    `knowns[j * size : (j + 1) * size]`; equal ones in a row are looked up once."""
    valid = np.empty(max(len(layout.at) - 1, 1), np.int32)
    counts = np.zeros(len(layout.item), np.int64)
    inferred = np.empty(len(layout.item), np.int32)
    hits, owners, stale = 0, 0, True
    for which in range(len(targets)):
        known = knowns[which * size : (which + 1) * size]
        if stale or which == 0 or not _is_same(knowns, (which - 1) * size, which * size, size):
            _forget(layout, state, valid, owners, counts)
            owners = _holders(layout, state, known, size, valid, counts)
            stale = False
        many = _about(
            layout, state, rule, targets[which], known, size, valid, owners, counts, inferred
        )
        if many == 0:
            continue
        hits += 1
        if not mends:
            continue
        _forget(layout, state, valid, owners, counts)
        owners, stale = 0, True
        while many > 0:
            many, _ = look(
                layout, state, rule, targets[which], known, size, valid, counts, inferred, changed
            )
    return hits
