"""Suppress items until no attacker infers what a person calls sensitive.

Claim    personalised ρ-uncertainty (definition 3; with at most m known items definition 4), where
         the attacker knows items of the original record, and Q → e is tested for every e.
Source   Nakagawa, Arai, Nakagawa, Algorithm 1; what differs: docs/decisions/0015-sets.md.
Way      long records first lose what their rest tells (telling.py); then come sets of one known
         item, of two, …; after every change the sets inside the old versions of changed records are
         looked at again, until a walk changes nothing; then what turned out unnecessary comes back
         (returning.py). Every step of a walk suppresses at least one item, so it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sudare.facts.baskets import Baskets, Flags, Places, Sensitive
from sudare.randomness.bits import RandomBits, words64
from sudare.randomness.choice import permutation
from sudare.sets.crowds import gathered, settled, spread
from sudare.sets.grouping import likeness
from sudare.sets.layout import Layout, State, kept_of, lay_out, start
from sudare.sets.mending import Rule, drop
from sudare.sets.pace import paced
from sudare.sets.returning import put_back
from sudare.sets.telling import drop_told
from sudare.sets.walking import walk

Watch = Callable[[str, float], None]
# Rounds of putting back: a second finds a few more where the first found many, a third hardly any.
_ROUNDS = 2
_FEW = 20
# A size at which fewer than one of so many items was suppressed is quiet.
_QUIET = 1000
_UNBOUNDED = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Suppression:
    """Which items are kept, and what it took. `steps` are by the number of known items, from 1:
    how often what was inferred was suppressed, and how often what was known."""

    kept: Flags
    walks: int
    put_back: int
    deepest: int
    steps: tuple[tuple[int, int], ...]


@paced("suppress")
def suppress(
    baskets: Baskets,
    sensitive: Sensitive,
    rho: Fraction,
    bits: RandomBits,
    *,
    max_knowledge: int | None = None,
    with_base_rate: bool = False,
    at_random: bool = False,
    watch: Watch | None = None,
) -> Suppression:
    """Suppress as little as the rules of mending.py find; `at_random` draws order and records by
    lot, so that what was kept tells less about what was tried."""
    tell = watch or silent
    order = permutation(bits, len(baskets.names)) if at_random else None
    layout = lay_out(baskets, sensitive, order)
    state = start(layout)
    rule = make_rule(layout, rho, bits, by_lot=at_random)
    # Who knows all of the longest record has nothing left to infer.
    longest = int(baskets.lengths.max(initial=0))
    limit = min(max_knowledge or _UNBOUNDED, len(baskets.names), max(longest - 1, 1))
    most = _allowed(layout, rule) if with_base_rate else np.diff(layout.owner_at)
    _meet_base_rate(layout, state, rule, most)
    told, known = drop_told(layout, state, rule, limit)
    walks, deepest, steps = walk_down(layout, state, rule, limit, tell)
    if told:
        deepest, steps = max(deepest, known), _added(steps, known, (told, 0))
    if _is_dearer_than_all(layout, state):
        state = _without_minded(layout)
        steps = ((len(state.held) - int(state.total[0]), 0),)
    gone = len(state.held) - int(state.total[0])
    for number in range(_ROUNDS):
        tell("putting back", number / _ROUNDS)
        left = len(state.held) - int(state.total[0])
        if _return(layout, state, rule, limit, most) * _FEW < left:
            break
    back = int(state.total[0]) - (len(state.held) - gone)
    return Suppression(kept_of(layout, state), walks, back, deepest, steps)


def make_rule(
    layout: Layout, rho: Fraction, bits: RandomBits, *, literal: bool = False, by_lot: bool = False
) -> Rule:
    """ρ with the random words that at most all suppressions need."""
    words = words64(bits, len(layout.original) + 1 if literal or by_lot else 1)
    lot = permutation(bits, layout.records)
    used = np.zeros(1, np.int64)
    tally = np.zeros(2, np.int64)
    return Rule(rho.numerator, rho.denominator, literal, by_lot, words.copy(), used, lot, tally)


def walk_down(
    layout: Layout, state: State, rule: Rule, limit: int, tell: Watch
) -> tuple[int, int, tuple[tuple[int, int], ...]]:
    """Walk with one known item, then two, …, until no set has more; (walks, most known items,
    suppressions by the number of known items, the last for so many or more)."""
    crowds = gathered(layout, state, rule.lot)
    walks, deepest, size = 0, 0, 0
    steps: tuple[tuple[int, int], ...] = ()
    is_last = is_quiet = False
    while size < limit and not is_last:
        size += 1
        # Each walk goes down from the top again. Where hardly anything is left to mend, what a
        # larger set would suppress no longer depends on the order, so the rest is one walk.
        most, fresh, met = limit if is_quiet else size, size, 0
        rule.tally[:] = 0
        while True:
            tell(f"{size} known" if most == size else f"{size} or more known", 1 - 1 / size)
            crowds, changes, now = walk(layout, state, rule, crowds, fresh, most)
            crowds, walks, met = settled(crowds, len(layout.item)), walks + 1, max(met, now)
            fresh, is_last = limit + 1, most == limit or met < size
            # What a few changes leave to be done, the walk for the next size does as well; after
            # the last walk nothing may be left.
            if changes <= (0 if is_last else len(state.held) // _QUIET):
                break
        deepest = max(deepest, met)
        is_quiet = int(rule.tally.sum()) <= len(state.held) // _QUIET
        mended = int(rule.tally[0]), int(rule.tally[1])
        if met >= size:
            steps = (*steps, mended)
        elif steps:
            steps = _added(steps, size - 1, mended)
    spread(layout, state, crowds)
    return walks, deepest, steps


def _added(
    steps: tuple[tuple[int, int], ...], known: int, more: tuple[int, int]
) -> tuple[tuple[int, int], ...]:
    """More suppressions, counted where so many items are known, or with the most."""
    made = list(steps) or [(0, 0)]
    row = min(known, len(made)) - 1
    made[row] = made[row][0] + more[0], made[row][1] + more[1]
    return tuple(made)


def _is_dearer_than_all(layout: Layout, state: State) -> bool:
    """Whether more is gone than if nothing were left that anybody minds: with one long record among
    short ones each step is the cheapest by itself, and all together are not."""
    gone = len(state.held) - int(state.total[0])
    return gone > int(state.first_support[layout.minded].sum())


def _without_minded(layout: Layout) -> State:
    """What anybody minds is gone from every record, so that nobody infers anything; the rest is
    for putting back."""
    state = start(layout)
    for item in np.flatnonzero(layout.minded):
        for record in layout.owner[layout.owner_at[item] : layout.owner_at[item + 1]]:
            drop(layout, state, int(record), int(item))
    return state


def _allowed(layout: Layout, rule: Rule) -> Places:
    """With nothing known, a minded item may stand in ⌊ρn⌋ of n records."""
    owners = np.diff(layout.owner_at)
    share = rule.p * layout.records // rule.q
    return np.where(layout.minded, np.minimum(owners, share), owners)


def _meet_base_rate(layout: Layout, state: State, rule: Rule, most: Places) -> None:
    """Suppress what even an attacker who knows nothing would infer; longest records first."""
    for item in np.flatnonzero(state.support > most):
        owners = layout.owner[layout.owner_at[item] : layout.owner_at[item + 1]]
        order = np.lexsort((rule.lot[owners], -state.alive[owners]))
        for record in owners[order[: state.support[item] - most[item]]]:
            drop(layout, state, int(record), int(item))


def _return(layout: Layout, state: State, rule: Rule, limit: int, most: Places) -> int:
    """One round of putting back, into the shortest records first."""
    record = np.repeat(np.arange(layout.records, dtype=np.int32), np.diff(layout.at))
    gone = np.arange(len(record)) - layout.at[record] >= state.alive[record]
    records, items = record[gone], state.held[gone]
    alike = likeness(layout, state)[records]
    order = np.lexsort((rule.lot[records], alike, items, state.alive[records]))
    return put_back(layout, state, rule, records[order], items[order], limit, most)


def silent(step: str, share: float) -> None:
    """Nobody watches."""
