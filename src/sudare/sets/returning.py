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

from sudare.facts.baskets import Flags, Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule
from sudare.sets.minding import keep_minded

# A record with so many sets to look at keeps its gaps: not to put back is always safe.
_MOST_SETS = 500


@compiled
def _present(layout: Layout, state: State) -> Items:
    """The records that hold each item now, at the front of the item's stretch of owners."""
    fill = layout.owner_at[:-1].copy()
    present = np.empty(len(state.held), np.int32)
    for record in range(len(layout.at) - 1):
        first = layout.at[record]
        for place in range(first, first + state.alive[record]):
            i = state.held[place]
            present[fill[i]] = record
            fill[i] += 1
    return present


@compiled
def _listed(
    layout: Layout,
    state: State,
    lists: Items,
    lo: int,
    hi: int,
    item: int,
    into: int,
) -> int:
    """Copy the records of a stretch that hold an item; how many they are."""
    count = 0
    for place in range(lo, hi):
        record = lists[place]
        first = layout.at[record]
        for k in range(first, first + state.alive[record]):
            if state.held[k] == item:
                lists[into + count] = record
                count += 1
                break
    return count


@compiled
def _is_unsafe(
    layout: Layout,
    rule: Rule,
    members: Items,
    in_known: Flags,
    d: int,
    known: Items,
    size: int,
    owners: int,
    counts: Places,
    inferred: Items,
    scratch: Items,
) -> bool:
    """Whether Q → e is unsafe for some e of the record, with d in Q or e = d."""
    many = 0
    for place in range(len(members)):
        if in_known[place] or not (in_known[d] or place == d):
            continue
        e = members[place]
        if layout.minded[e] and rule.q * counts[place] > rule.p * owners:
            inferred[many] = e
            many += 1
    return keep_minded(layout, known, size, inferred, many, scratch) > 0


@compiled
def _exposes(
    layout: Layout,
    state: State,
    rule: Rule,
    present: Items,
    record: int,
    item: int,
    limit: int,
    member: Items,
    scratch: Items,
) -> bool:
    """Whether the record, which holds the item again, makes a rule unsafe."""
    if state.alive[record] > _MOST_SETS:
        return True
    first = layout.at[record]
    members = state.held[first : first + state.alive[record]].copy()
    # d first, so that the sets with d are one branch; then rare items, whose lists are short.
    members = members[np.argsort(np.where(members == item, 0, state.support[members]))]
    width = len(members)
    for place in range(width):
        member[members[place]] = place + 1
    d = member[item] - 1
    minded = 0
    for place in range(width):
        minded += layout.minded[members[place]]
    counts = np.zeros((width + 1, width), np.int64)
    in_known = np.zeros(width, np.bool_)
    known, inferred = np.empty(width, np.int32), np.empty(width, np.int32)
    next_place, last = np.zeros(width + 2, np.int64), np.zeros(width + 2, np.int64)
    lo, owners = np.zeros(width + 2, np.int64), np.zeros(width + 2, np.int64)
    # A list is at most as long as its parent's, and a step down loses a record.
    lists = np.empty(2 * np.max(state.support[members]), np.int32)
    size, looked, exposed = 0, 0, False
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
        if minded == layout.minded[i] or not (in_known[d] or i == item or layout.minded[item]):
            continue
        if size == 0:
            at, count = 0, state.support[i]
            lists[:count] = present[layout.owner_at[i] : layout.owner_at[i] + count]
        else:
            at = lo[size] + owners[size]
            if len(lists) < at + owners[size]:
                longer = np.empty(2 * (at + owners[size]), np.int32)
                longer[: len(lists)] = lists
                lists = longer
            if size == 1 and state.support[i] < owners[1]:
                # The shorter of the two lists is searched for the other item.
                shorter = layout.owner_at[i] + state.support[i]
                lists[at : at + state.support[i]] = present[layout.owner_at[i] : shorter]
                count = _listed(layout, state, lists, at, at + state.support[i], known[0], at)
            else:
                count = _listed(layout, state, lists, lo[size], at, i, at)
        known[size] = i
        size += 1
        looked += 1
        in_known[place], last[size], next_place[size] = True, place, place + 1
        minded -= layout.minded[i]
        lo[size], owners[size] = at, count
        counts[size, :] = 0
        for k in range(at, at + count):
            start = layout.at[lists[k]]
            for j in range(start, start + state.alive[lists[k]]):
                if member[state.held[j]] > 0:
                    counts[size, member[state.held[j]] - 1] += 1
        exposed = _is_unsafe(
            layout, rule, members, in_known, d, known, size, count, counts[size], inferred, scratch
        )
        if size == limit or count == 1:
            next_place[size] = width
        exposed |= looked > _MOST_SETS
    for place in range(width):
        member[members[place]] = 0
    return exposed


@compiled
def _insert(layout: Layout, state: State, present: Items, record: int, item: int) -> None:
    end = layout.at[record] + state.alive[record]
    place = end
    while state.held[place] != item:
        place += 1
    was = state.back[place]
    state.held[place], state.back[place] = state.held[end], state.back[end]
    state.held[end], state.back[end] = item, was
    state.alive[record] += 1
    present[layout.owner_at[item] + state.support[item]] = record
    state.support[item] += 1
    state.total[0] += 1


@compiled
def _is_safe_in(
    layout: Layout,
    state: State,
    rule: Rule,
    present: Items,
    records: Items,
    count: int,
    item: int,
    limit: int,
    member: Items,
    scratch: Items,
) -> bool:
    """Put the item back into the first so many records, which hold the same; take it out again if
    that makes a rule unsafe."""
    for place in range(count):
        _insert(layout, state, present, records[place], item)
    if not _exposes(layout, state, rule, present, records[0], item, limit, member, scratch):
        return True
    # What came last stands last, in the records and in the list of the item's holders.
    for place in range(count):
        state.alive[records[place]] -= 1
    state.support[item] -= count
    state.total[0] -= count
    return False


@compiled
def _alike(
    layout: Layout, state: State, records: Items, items: Items, first: int, marks: Items
) -> int:
    """The end of the stretch, from `first` on, of the same item and records that hold the same."""
    at, length = layout.at[records[first]], state.alive[records[first]]
    for place in range(at, at + length):
        marks[state.held[place]] = 1
    end = first + 1
    while end < len(records) and items[end] == items[first]:
        other = layout.at[records[end]]
        shared = state.alive[records[end]] == length
        for place in range(other, other + state.alive[records[end]]):
            shared = shared and marks[state.held[place]] == 1
        if not shared:
            break
        end += 1
    for place in range(at, at + length):
        marks[state.held[place]] = 0
    return end


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
    scratch = np.empty(max(len(layout.at) - 1, 1), np.int32)
    present = _present(layout, state)
    came, first = 0, 0
    while first < len(records):
        item, end = items[first], _alike(layout, state, records, items, first, member)
        group = records[first:end]
        first = end
        # At least `low` can come back, `high` cannot; a try that succeeds leaves them in.
        low, high = 0, min(len(group), most[item] - state.support[item]) + 1
        wanted = high - 1
        while wanted > low:
            rest = group[low:]
            if _is_safe_in(
                layout, state, rule, present, rest, wanted - low, item, limit, member, scratch
            ):
                low = wanted
                wanted = (low + high) // 2
            else:
                high = wanted
                wanted = 1 if low == 0 and high > 1 else (low + high) // 2
        came += low
    return came
