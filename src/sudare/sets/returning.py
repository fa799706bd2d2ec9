"""Putting back what turned out unnecessary. Compiled.

Claim    if no attacker succeeds before, none does after: an item d comes back into record R only
         if every rule that this makes worse stays safe.
Why      with R' = R ∪ d, supp(Q) grows for d ∈ Q ⊆ R', and supp(Q ∪ e) for Q ∪ e ⊆ R' with d in
         it. So only Q → e inside R' with d ∈ Q or e = d can turn unsafe; for e outside R' the
         confidence falls or stays. A child Q ∪ i with T(Q ∪ i) = T(Q) needs no look: its rules are
         those of Q (see walking.py), and where d = i the rules Q → e were safe and have not
         changed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Flags, Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.grouping import Groups, add_group, grouped, remove_last
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule
from sudare.sets.minding import keep_minded, minds
from sudare.sets.projecting import (
    WIDEST,
    Room,
    is_full,
    make_room,
    narrow,
    project,
    tally,
    told_now,
)

Counts = NDArray[np.int64]
# A record with so many sets to look at keeps its gaps: not to put back is always safe. So do those
# that hold `WIDEST` items.
_MOST_SETS = 500
_ONE = np.uint64(1)
_SAFE, _UNSAFE, _UNKNOWN = 0, 1, 2


@compiled
def _is_unsafe(
    layout: Layout,
    rule: Rule,
    members: Items,
    in_known: Flags,
    known: Items,
    size: int,
    owners: int,
    counts: Places,
    inferred: Items,
) -> bool:
    """Whether Q → e is unsafe for some e of the record, with d in Q or e = d, which is first."""
    many = 0
    for place in range(len(members)):
        if in_known[place] or not (in_known[0] or place == 0):
            continue
        e = members[place]
        if layout.minded[e] and rule.q * counts[place] > rule.p * owners:
            inferred[many] = e
            many += 1
    return keep_minded(layout, known, size, inferred, many) > 0


@compiled
def _members(state: State, groups: Groups, group: int, item: int, member: Items) -> Items:
    """What a group holds: d first, so that the sets with d are one branch; then rare items, whose
    lists are short. `member` numbers them from 1."""
    members = groups.held[groups.at[group] : groups.at[group] + groups.size[group]].copy()
    members = members[np.argsort(np.where(members == item, -1, state.support[members]))]
    for place in range(len(members)):
        member[members[place]] = place + 1
    return members


@compiled
def _most_untold(
    layout: Layout,
    state: State,
    rule: Rule,
    groups: Groups,
    group: int,
    records: Items,
    item: int,
    limit: int,
    member: Items,
    room: Room,
) -> int:
    """How many of these records can come into the group, which is empty, before the rest tells the
    item."""
    members = _members(state, groups, group, item, member)
    most = min(limit, len(members) - 1)
    untold = len(layout.at) - 1
    if most > 0 and layout.minded[item]:
        many = project(groups, members[1], member, room, 0)
        some, both, _ = told_now(room, many, len(members), most)
        known, inferred = members[1 : most + 1].copy(), members[:1].copy()
        is_minded = False
        for record in records:
            is_minded = is_minded or minds(layout, record, item)
        if is_minded or keep_minded(layout, known, most, inferred, 1) > 0:
            untold = rule.p * some // rule.q - both
    for place in range(len(members)):
        member[members[place]] = 0
    return untold


@compiled
def _pairs(room: Room, many: int, width: int) -> Counts:
    """How many of the first so many sections' records hold two items, or one."""
    pairs = np.zeros((width, width), np.int64)
    places = np.empty(width, np.int64)
    for k in range(many):
        found = 0
        for place in range(width):
            if room.masks[k] >> np.uint64(place) & _ONE:
                places[found] = place
                found += 1
        for one in range(found):
            for other in range(found):
                pairs[places[one], places[other]] += room.weights[k]
    return pairs


@compiled
def _is_past(rule: Rule, pairs: Counts, last: Places, size: int, place: int, least: int) -> bool:
    """Whether too few hold d, an item of Q and one more, for a set with both to tell d."""
    if rule.q * pairs[place, place] <= rule.p * least:
        return True
    for known in range(1, size + 1):
        if rule.q * pairs[last[known], place] <= rule.p * least:
            return True
    return False


@compiled
def _is_last(rule: Rule, pairs: Counts, place: int, least: int) -> bool:
    """Whether with none of the items to come a set with this one can tell d."""
    for other in range(place + 1, len(pairs)):
        if rule.q * pairs[place, other] > rule.p * least:
            return False
    return True


@compiled
def _exposes(
    layout: Layout,
    state: State,
    rule: Rule,
    groups: Groups,
    group: int,
    item: int,
    limit: int,
    member: Items,
    room: Room,
) -> int:
    """Whether the group, which holds the item again, makes a rule unsafe: `_SAFE`, `_UNSAFE`, or
    `_UNKNOWN` where the sets to look at are too many."""
    members = _members(state, groups, group, item, member)
    width = len(members)
    minded = 0
    for place in range(width):
        minded += layout.minded[members[place]]
    counts = np.zeros((width + 1, width), np.int64)
    known, inferred = np.empty(width, np.int32), np.empty(width, np.int32)
    pairs = np.zeros((0, 0), np.int64)
    exposed, least = False, 0
    if width > 1 and layout.minded[item]:
        many = project(groups, members[1], member, room, 0)
        least = told_now(room, many, width, width - 1)[2]
        pairs = _pairs(room, project(groups, item, member, room, 0), width)
    in_known = np.zeros(width, np.bool_)
    next_place, last = np.zeros(width + 2, np.int64), np.zeros(width + 2, np.int64)
    lo, hi, owners = np.zeros((3, width + 2), np.int64)
    size, looked = 0, 0
    while not exposed:
        place = next_place[size]
        if place == width:
            if size == 0:
                break
            in_known[last[size]] = False
            minded += layout.minded[members[last[size]]]
            size -= 1
            continue
        next_place[size] += 1
        if size > 0 and counts[size, place] == owners[size]:
            continue
        i = members[place]
        # Something must be left to infer that somebody minds; without d among the known, d itself.
        if minded == layout.minded[i] or not (in_known[0] or place == 0 or layout.minded[item]):
            continue
        if not in_known[0] and place > 0:
            if _is_past(rule, pairs, last, size, place, least):
                continue
            if size == 0:
                # The rule i → d needs no list, and where no larger set can tell d, that is all.
                known[0], inferred[0] = i, item
                if rule.q * pairs[place, place] > rule.p * state.support[i]:
                    exposed = keep_minded(layout, known, 1, inferred, 1) > 0
                if exposed or limit == 1 or _is_last(rule, pairs, place, least):
                    continue
        known[size] = i
        size += 1
        looked += 1
        in_known[place], last[size], next_place[size] = True, place, place + 1
        minded -= layout.minded[i]
        if size == 1:
            end = project(groups, i, member, room, 0)
            lo[1], hi[1], owners[1] = 0, end, tally(room, 0, end, counts[1])
        else:
            lo[size] = hi[size - 1]
            hi[size] = narrow(room, lo[size - 1], hi[size - 1], place)
            owners[size] = tally(room, lo[size], hi[size], counts[size])
        exposed = _is_unsafe(
            layout,
            rule,
            members,
            in_known,
            known,
            size,
            owners[size],
            counts[size],
            inferred,
        )
        is_rare = not in_known[0] and rule.q * counts[size, 0] <= rule.p * least
        if size == limit or hi[size] - lo[size] == 1 or is_rare:
            next_place[size] = width
        if looked > _MOST_SETS or is_full(room, hi[size]):
            break
    for place in range(width):
        member[members[place]] = 0
    if exposed:
        return _UNSAFE
    return _SAFE if size == 0 else _UNKNOWN


@compiled
def _insert(layout: Layout, state: State, record: int, item: int) -> None:
    end = layout.at[record] + state.alive[record]
    place = end
    while state.held[place] != item:
        place += 1
    was = state.back[place]
    state.held[place], state.back[place] = state.held[end], state.back[end]
    state.held[end], state.back[end] = item, was
    state.alive[record] += 1


@compiled
def _move(state: State, groups: Groups, old: int, new: int, item: int, count: int) -> None:
    """So many records of the old group get the item back, and are of the new group then."""
    groups.weight[old] -= count
    groups.weight[new] += count
    state.support[item] += count
    state.total[0] += count


@compiled
def put_back(
    layout: Layout,
    state: State,
    rule: Rule,
    records: Items,
    items: Items,
    limit: int,
    most: Places,
) -> int:
    """Try every suppressed (record, item) in this order; how many came back. Records that hold the
    same are tried together: all, else one, else as many as halving finds. No item gets more than
    `most` records."""
    member = np.zeros(len(layout.item), np.int32)
    places = 0
    for record in records:
        places += layout.at[record + 1] - layout.at[record]
    groups = grouped(layout, state, len(records), places)
    room = make_room(groups, len(records))
    came, first = 0, 0
    while first < len(records):
        item, old, end = items[first], groups.of[records[first]], first + 1
        while end < len(records) and items[end] == item and groups.of[records[end]] == old:
            end += 1
        if groups.size[old] >= WIDEST or groups.is_dense[old]:
            first = end
            continue
        new = add_group(groups, old, item)
        # At least `low` can come back, `high` cannot; a try that succeeds leaves them in.
        low, high = 0, min(end - first, most[item] - state.support[item]) + 1
        high = min(
            high,
            _most_untold(
                layout, state, rule, groups, new, records[first:end], item, limit, member, room
            )
            + 1,
        )
        wanted = high - 1
        while wanted > low:
            _move(state, groups, old, new, item, wanted - low)
            found = _exposes(layout, state, rule, groups, new, item, limit, member, room)
            if found != _SAFE:
                _move(state, groups, old, new, item, low - wanted)
                high = wanted
                wanted = 1 if low == 0 and high > 1 else (low + high) // 2
                if found == _UNKNOWN:
                    # Another item of such a record, or fewer records, meet as many sets.
                    groups.is_dense[old] = groups.is_dense[new] = True
                    wanted = low
            else:
                low = wanted
                wanted = (low + high) // 2
        for place in range(first, first + low):
            _insert(layout, state, records[place], item)
            groups.of[records[place]] = new
        if low == 0:
            remove_last(groups)
        came += low
        first = end
    return came
