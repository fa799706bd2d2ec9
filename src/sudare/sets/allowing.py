"""How many of the records that hold the same may have an item back. Compiled.

Claim    if no attacker succeeds now, none does after so many of them have it.
Why      with R' = R ∪ d, in k more records, supp(Q) grows by k for d ∈ Q ⊆ R', and supp(Q ∪ e) for
         Q ∪ e ⊆ R' with d in it. So only Q → e inside R' with d ∈ Q or e = d can turn unsafe; for e
         outside R' the confidence falls or stays. With S = supp(Q) and s = supp(Q ∪ e) now, Q → e
         stays safe for k ≤ (pS − qs)/(q − p) where d ∈ Q, and for k ≤ (pS − qs)/q where e = d. A
         child Q ∪ i with T(Q ∪ i) = T(Q) needs no look: its rules are those of Q (walking.py).
Symbols  place 0 is d; `least` is supp(R), so that no Q inside R tells d where supp(Q ∪ d) with the
         k is at most ρ of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Flags, Items, Places
from sudare.sets.compiled import compiled, inlined
from sudare.sets.grouping import Groups
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule
from sudare.sets.minding import keep_minded, minds
from sudare.sets.pairing import Pairs, support_of
from sudare.sets.projecting import Room, is_full, narrow, project, tally, told_now
from sudare.sets.signs import sign_of

Counts = NDArray[np.int64]
# A record with so many sets to look at keeps its gaps: not to put back is always safe.
_MOST_SETS = 1000
TOO_MANY = -1
_ANY = np.uint64(0)


class Ground(NamedTuple):
    """Where counting is done: groups and their pairs, and room for lists."""

    groups: Groups
    pairs: Pairs
    member: Items
    room: Room


@inlined
def _allowed(rule: Rule, owners: int, both: int, has_item: bool) -> int:
    """k for one rule; below 0 where it is unsafe already, which nobody minds then."""
    spare = rule.p * owners - rule.q * both
    if not has_item:
        return int(spare // rule.q)
    return int(spare // (rule.q - rule.p)) if rule.q > rule.p else owners + 1


@inlined
def _untold(
    layout: Layout,
    rule: Rule,
    ground: Ground,
    members: Items,
    records: Items,
    limit: int,
    cap: int,
) -> tuple[int, int]:
    """How many can come back, at most `cap`, before the rest of the record tells the item; and how
    many records hold the rest."""
    width, item = len(members), members[0]
    groups, pairs, member, room = ground
    most = min(limit, width - 1)
    sign = sign_of(members[1 : most + 1])
    end = project(groups, pairs, members[1], members[2], members, member, room, 0, sign)
    end = project(groups, pairs, members[1], members[1], members, member, room, end, sign)
    some, both, least = told_now(room, end, width, most)
    untold = rule.p * some // rule.q - both
    if most < 2 or untold >= cap:
        return cap, least
    is_minded = False
    for record in records:
        is_minded = is_minded or minds(layout, record, item)
    known, inferred = members[1 : most + 1].copy(), members[:1].copy()
    if is_minded or keep_minded(layout, known, most, inferred, 1) > 0:
        return max(untold, 0), least
    return cap, least


@inlined
def _count(
    state: State,
    ground: Ground,
    members: Items,
    places: Places,
    size: int,
    lo: Places,
    hi: Places,
    counts: Places,
) -> int:
    """List those who hold the items at so many places, below the list of all but the last; how many
    records these are, and in `counts` how many of them hold each item. A first list has wide groups
    alone: of the others, pairs are counted already."""
    groups, pairs, member, room = ground
    i, counts[:] = members[places[size]], 0
    if size == 1:
        lo[1], hi[1] = 0, project(groups, pairs, i, i, members, member, room, 0, _ANY)
        tally(room, 0, hi[1], counts)
        for place in range(len(members)):
            if members[place] != i:
                counts[place] += support_of(pairs, i, members[place])
        return int(state.support[i])
    lo[size] = hi[size - 1]
    hi[size] = narrow(room, lo[size - 1], hi[size - 1], places[size])
    if size == 2:
        hi[2] = project(groups, pairs, members[places[1]], i, members, member, room, hi[2], _ANY)
    return tally(room, lo[size], hi[size], counts)


@inlined
def _lowered(
    layout: Layout,
    rule: Rule,
    members: Items,
    in_known: Flags,
    known: Items,
    size: int,
    owners: int,
    counts: Places,
    cap: int,
) -> int:
    """The cap after the rules Q → e of one Q, with d in Q or e = d."""
    inferred = np.empty(1, np.int32)
    for place in range(len(members) if in_known[0] else 1):
        if in_known[place] or not layout.minded[members[place]]:
            continue
        allowed = _allowed(rule, owners, counts[place], in_known[0])
        inferred[0] = members[place]
        if allowed < cap and keep_minded(layout, known, size, inferred, 1) > 0:
            cap = max(allowed, 0)
    return cap


@inlined
def _triples(counts: Places) -> Counts:
    """The most that may hold d and two others, by how many hold d and one."""
    width = len(counts)
    found = np.empty((width, width), np.int64)
    for place in range(width):
        for other in range(width):
            found[place, other] = min(counts[place], counts[other])
    return found


@inlined
def _is_past(
    rule: Rule, triples: Counts, places: Places, size: int, place: int, least: int, cap: int
) -> bool:
    """Whether too few hold d, an item of Q and one more, for a set with both to tell d."""
    if rule.q * (triples[place, place] + cap) <= rule.p * least:
        return True
    for which in range(1, size + 1):
        if rule.q * (triples[places[which], place] + cap) <= rule.p * least:
            return True
    return False


@compiled
def _by_sets(
    layout: Layout,
    state: State,
    rule: Rule,
    ground: Ground,
    members: Items,
    limit: int,
    least: int,
    cap: int,
) -> int:
    """How many can come back, at most `cap`, by all sets inside the record; `TOO_MANY` sets tell
    nothing."""
    width, item = len(members), members[0]
    counts = np.zeros((width + 1, width), np.int64)
    known, in_known = np.empty(width, np.int32), np.zeros(width, np.bool_)
    next_place, places = np.zeros(width + 2, np.int64), np.zeros(width + 2, np.int64)
    lo, hi, owners = np.zeros((3, width + 2), np.int64)
    minded, size, looked = 0, 0, 0
    for place in range(width):
        minded += layout.minded[members[place]]
    _count(state, ground, members, places, 1, lo, hi, counts[1])
    triples = _triples(counts[1])
    while cap > 0:
        place = next_place[size]
        if place == width:
            if size == 0:
                break
            in_known[places[size]] = False
            minded += layout.minded[members[places[size]]]
            size -= 1
            continue
        next_place[size] += 1
        if size > 0 and counts[size, place] == owners[size]:
            continue
        i = members[place]
        # Something must be left to infer that somebody minds; without d among the known, d itself.
        if minded == layout.minded[i] or not (in_known[0] or place == 0 or layout.minded[item]):
            continue
        is_of_rest = not in_known[0] and place > 0
        if is_of_rest and _is_past(rule, triples, places, size, place, least, cap):
            continue
        known[size] = i
        size += 1
        looked += 1
        in_known[place], places[size], next_place[size] = True, place, place + 1
        minded -= layout.minded[i]
        owners[size] = _count(state, ground, members, places, size, lo, hi, counts[size])
        cap = _lowered(
            layout, rule, members, in_known, known, size, owners[size], counts[size], cap
        )
        if in_known[0] and size == 2:
            triples[place, place + 1 :] = counts[2, place + 1 :]
        is_rare = not in_known[0] and rule.q * (counts[size, 0] + cap) <= rule.p * least
        if size == limit or is_rare:
            next_place[size] = width
        if looked > _MOST_SETS or is_full(ground.room, hi[size]):
            return TOO_MANY
    return cap


@compiled
def allowed_back(
    layout: Layout,
    state: State,
    rule: Rule,
    ground: Ground,
    group: int,
    records: Items,
    item: int,
    limit: int,
    cap: int,
) -> int:
    """How many of these records, which are of one group, may have the item back, at most `cap`;
    or `TOO_MANY`."""
    groups = ground.groups
    rest = groups.held[groups.at[group] : groups.at[group] + groups.size[group]]
    members = np.empty(len(rest) + 1, np.int32)
    members[0] = item
    # Rare items come first, whose lists are short.
    for end in range(1, len(members)):
        place = end
        while place > 1 and state.support[members[place - 1]] > state.support[rest[end - 1]]:
            members[place] = members[place - 1]
            place -= 1
        members[place] = rest[end - 1]
    for place in range(len(members)):
        ground.member[members[place]] = place + 1
    least = state.support[members[-1]]
    if len(members) > 2:
        cap, least = _untold(layout, rule, ground, members, records, limit, cap)
    if cap > 0:
        cap = _by_sets(layout, state, rule, ground, members, limit, least, cap)
    for place in range(len(members)):
        ground.member[members[place]] = 0
    return cap
