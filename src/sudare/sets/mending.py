"""How an unsafe set of known items is mended: which item goes, and from which records. Compiled.

Source   Nakagawa, Arai, Nakagawa, equations (4) and (5).
Symbols  Q -> known, C -> the items that are inferred from Q too surely; s = supp(Q ∪ e),
         S = supp(Q), ρ = p/q. N(e) = ⌈(qs − pS)/q⌉ records must lose e, or
         N(d) = ⌈(qs − pS)/(q − p)⌉ records with Q ∪ e must lose d ∈ Q.
Default  fewest suppressions: all of C at once, either each e by N(e), or one d ∈ Q from the records
         that hold most of C. A suppression of d counts 1 − ½·ln(D(d)/D0(d)), which is ΔKL times
         half of the items: items that have become more frequent than they were go first. Records:
         most of C first, then the longest, which will lose items anyway, then by lot.
Literal  the pair (d, e) with the greatest F = D(d)·ln(D(d)/D0(d)) / N; of equals the least N, then
         the first in the order of e, then of d. Records by lot.
Gaps     a lot is a 64-bit word modulo the number of records: off by less than 2^-32.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled, inlined
from sudare.sets.layout import Layout, State

Words = NDArray[np.uint64]
_KL_SHARE = 0.5
_LEAST_WEIGHT = 0.1
# What all mind is better taken from records than what makes it known: that stops other rules too.
_SHARED = 0.25


class Rule(NamedTuple):
    """ρ = p/q; whether the paper is followed to the letter; whether records are drawn by lot;
    random words, of which `used[0]` are used up; a lot a record for ties."""

    p: int
    q: int
    literal: bool
    by_lot: bool
    words: Words
    used: Places
    lot: Places
    tally: Places  # Suppressions of what was inferred, and of what was known.


@compiled
def drop(layout: Layout, state: State, record: int, item: int) -> None:
    """Suppress one item of one record."""
    first = layout.at[record]
    last = first + state.alive[record] - 1
    place = first
    while state.held[place] != item:
        place += 1
    came = state.back[place]
    state.held[place] = state.held[last]
    state.back[place] = state.back[last]
    state.held[last] = item
    state.back[last] = came
    state.alive[record] -= 1
    state.support[item] -= 1
    state.total[0] -= 1


@compiled
def _holds(layout: Layout, state: State, record: int, item: int) -> bool:
    first = layout.at[record]
    for place in range(first, first + state.alive[record]):
        if state.held[place] == item:
            return True
    return False


@inlined
def _weight(state: State, item: int) -> float:
    """What one suppression counts: less where the item is more frequent than it was."""
    now = state.support[item] / state.total[0]
    then = state.first_support[item] / len(state.held)
    weight = 1 - _KL_SHARE * math.log(now / then)
    return weight if weight > _LEAST_WEIGHT else _LEAST_WEIGHT


@compiled
def draw(rule: Rule, below: int) -> int:
    word = rule.words[rule.used[0]]
    rule.used[0] += 1
    return int(word % np.uint64(below))


@compiled
def _drop_from(
    layout: Layout,
    state: State,
    rule: Rule,
    item: int,
    records: Items,
    hits: Items,
    found: int,
    wanted: int,
    changed: NDArray[np.uint8],
) -> None:
    """Suppress an item in `wanted` of the first `found` records."""
    if rule.literal or rule.by_lot:
        for place in range(wanted):
            other = place + draw(rule, found - place)
            record = records[other]
            records[other] = records[place]
            records[place] = record
            drop(layout, state, record, item)
            changed[record] = 1
        return
    keys = np.empty(found, np.int64)
    for place in range(found):
        record = records[place]
        # Fewer than 2^15 hits and lengths count apart; beyond that they count alike.
        hit, length = int(min(hits[place], 32767)), int(min(state.alive[record], 32767))
        keys[place] = ((32767 - hit) << 47) | ((32767 - length) << 32) | rule.lot[record]
    order = np.argsort(keys)
    for place in range(wanted):
        record = records[order[place]]
        drop(layout, state, record, item)
        changed[record] = 1


@compiled
def _literal_choice(
    layout: Layout,
    state: State,
    rule: Rule,
    known: Items,
    size: int,
    owners: int,
    counts: Places,
    inferred: Items,
    many: int,
) -> tuple[int, int, int]:
    best, best_d, best_e, best_n = -np.inf, -1, -1, 0
    sides = np.empty(size + 1, np.int32)
    for which in range(many):
        e = inferred[which]
        sides[:size] = known[:size]
        sides[size] = e
        sides.sort()
        excess = rule.q * counts[e] - rule.p * owners
        for d in sides:
            share = rule.q if d == e else rule.q - rule.p
            n = (excess + share - 1) // share
            now = state.support[d] / state.total[0]
            value = now * math.log(now / (state.first_support[d] / len(state.held))) / n
            if value > best or (value == best and n < best_n):
                best, best_d, best_e, best_n = value, int(d), int(e), int(n)
    return best_d, best_e, best_n


@inlined
def default_choice(
    layout: Layout,
    state: State,
    rule: Rule,
    known: Items,
    size: int,
    owners: int,
    counts: Places,
    inferred: Items,
    many: int,
) -> tuple[int, int, int]:
    """d ∈ Q with the number of its records, or the most frequent e with its own."""
    apart, together, worst = 0.0, 0, int(inferred[0])
    for which in range(many):
        e = inferred[which]
        excess = rule.q * counts[e] - rule.p * owners
        share = _SHARED if layout.everyone[e] else 1.0
        apart += share * ((excess + rule.q - 1) // rule.q) * _weight(state, e)
        together = max(together, (excess + rule.q - rule.p - 1) // (rule.q - rule.p))
        if counts[e] > counts[worst]:
            worst = int(e)
    chosen = -1
    for place in range(size):
        cost = together * _weight(state, known[place])
        if cost < apart:
            apart, chosen = cost, int(known[place])
    if chosen >= 0:
        return chosen, -1, together
    excess = rule.q * counts[worst] - rule.p * owners
    return worst, worst, (excess + rule.q - 1) // rule.q


@compiled
def mend(
    layout: Layout,
    state: State,
    rule: Rule,
    known: Items,
    size: int,
    valid: Items,
    owners: int,
    counts: Places,
    inferred: Items,
    many: int,
    changed: NDArray[np.uint8],
) -> int:
    """Take one step against the inference of `inferred` from `known`; how many items it cost.

    `valid` are the records that hold Q, `counts` how often each item stands in them.
    """
    if rule.literal:
        d, e, wanted = _literal_choice(
            layout, state, rule, known, size, owners, counts, inferred, many
        )
    else:
        d, e, wanted = default_choice(
            layout, state, rule, known, size, owners, counts, inferred, many
        )
    records = np.empty(owners, np.int32)
    hits = np.empty(owners, np.int32)
    found = 0
    for place in range(owners):
        hit = 0
        if e >= 0:
            hit = 1 if _holds(layout, state, valid[place], e) else 0
        else:
            for which in range(many):
                if _holds(layout, state, valid[place], inferred[which]):
                    hit += 1
        if hit > 0:
            records[found] = valid[place]
            hits[found] = hit
            found += 1
    wanted = min(wanted, found)
    rule.tally[0 if d == e else 1] += wanted
    _drop_from(layout, state, rule, d, records, hits, found, wanted, changed)
    return wanted
