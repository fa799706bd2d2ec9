"""One walk, depth first, over the sets Q that attackers may know. Compiled.

Claim    after a walk in which nothing was changed, no attacker with at most `limit` known items
         succeeds, provided that before it every Q outside the records changed since the last walk
         had been found safe, or has at least `fresh` items.
Why      1. Q → e is unsafe only where a record holds Q and e and somebody minds e: a child is not
            entered unless one of its records holds, beside Q, an item that somebody minds.
         2. If T(Q ∪ i) = T(Q), then Q ∪ i → e has the supports of Q → e, and the owners of Q ∪ i
            are among those of Q: only Q needs checking. So every step down loses a record, and a
            set that one record alone holds has no children.
         3. Dropping d from record R changes supports only of sets inside the old R. So it is
            enough to walk again through sets that an old version of a changed record holds.
         What 1 and 2 left out stays safe while no record that holds it changes, by 3.
Symbols  T(Q) -> the records that hold Q now. Lists carry the old owners, so that 3 can be seen;
         those who lost part of Q are not counted.
Needs    rule 2 for children in ascending rank only: prefixes of a set in rank order suffice,
         since a subset of a set whose every item matters is such a set itself.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule, mend
from sudare.sets.minding import keep_minded

Marks = NDArray[np.uint8]
Whole = TypeVar("Whole", Items, Places)


class Desk(NamedTuple):
    """What the look at one Q needs room for. By item: `counts` in the records that hold Q, in how
    many of these somebody minds yet another item (`lively`), a child's place (`slot`); the items
    that were `touched`. Known are `known[:size]`; `valid` holds record numbers."""

    counts: Places
    lively: Places
    slot: Places
    touched: Items
    inferred: Items
    known: Items
    in_known: NDArray[np.bool_]
    valid: Items


class Children(NamedTuple):
    """Sets one item larger than those on the way down: the item, and where its records stand."""

    item: Items
    lo: Places
    hi: Places


@compiled
def _roots(layout: Layout, state: State) -> tuple[Places, Items]:
    """For every item the records that held it before the last walk."""
    size = len(layout.item)
    at = np.zeros(size + 1, np.int64)
    records = len(layout.at) - 1
    for record in range(records):
        first = layout.at[record]
        for place in range(first, first + state.before[record]):
            at[state.held[place] + 1] += 1
    for i in range(size):
        at[i + 1] += at[i]
    lists = np.empty(at[size], np.int32)
    fill = at[:-1].copy()
    for record in range(records):
        first = layout.at[record]
        for place in range(first, first + state.before[record]):
            i = state.held[place]
            lists[fill[i]] = record
            fill[i] += 1
    return at, lists


@compiled
def _room(array: Whole, needed: int) -> Whole:
    """The array, or one twice as long or longer with the same beginning."""
    if len(array) >= needed:
        return array
    longer = np.empty(max(needed, 2 * len(array)), array.dtype)
    longer[: len(array)] = array
    return longer


@compiled
def _desk(layout: Layout) -> Desk:
    items, records = len(layout.item), max(len(layout.at) - 1, 1)
    return Desk(
        np.zeros(items, np.int64),
        np.zeros(items, np.int64),
        np.zeros(items, np.int64),
        np.empty(items, np.int32),
        np.empty(items, np.int32),
        np.empty(items + 1, np.int32),
        np.zeros(items, np.bool_),
        np.empty(records, np.int32),
    )


@compiled
def _clear(desk: Desk, seen: int) -> None:
    for place in range(seen):
        desk.counts[desk.touched[place]] = 0
        desk.lively[desk.touched[place]] = 0


@compiled
def _count(
    layout: Layout, state: State, desk: Desk, lists: Items, lo: int, hi: int, size: int
) -> tuple[int, int]:
    """Which records of the list hold Q now, how often every other item stands in them, and in how
    many of these somebody minds yet another item."""
    owners, seen = 0, 0
    for place in range(lo, hi):
        record = lists[place]
        first = layout.at[record]
        end = first + state.alive[record]
        have, minded = 0, 0
        for k in range(first, end):
            i = state.held[k]
            if desk.in_known[i]:
                have += 1
            elif layout.minded[i]:
                minded += 1
        if have < size:
            continue
        desk.valid[owners] = record
        owners += 1
        for k in range(first, end):
            i = state.held[k]
            if desk.in_known[i]:
                continue
            if desk.counts[i] == 0:
                desk.touched[seen] = i
                seen += 1
            desk.counts[i] += 1
            if minded > 1 or (minded == 1 and not layout.minded[i]):
                desk.lively[i] += 1
    return owners, seen


@compiled
def _inferred(layout: Layout, rule: Rule, desk: Desk, size: int, owners: int, seen: int) -> int:
    """The items that too large a share of the owners holds and some original owner minds."""
    many = 0
    for place in range(seen):
        e = desk.touched[place]
        if layout.minded[e] and rule.q * desk.counts[e] > rule.p * owners:
            desk.inferred[many] = e
            many += 1
    return keep_minded(layout, desk.known, size, desk.inferred, many)


@compiled
def _is_marked(lists: Items, lo: int, hi: int, marks: Marks) -> bool:
    for place in range(lo, hi):
        if marks[lists[place]]:
            return True
    return False


@compiled
def _settle(
    layout: Layout,
    state: State,
    rule: Rule,
    desk: Desk,
    lists: Items,
    lo: int,
    hi: int,
    size: int,
    checks: bool,
    changed: Marks,
) -> tuple[int, int, int]:
    """Mend Q until it is safe, where it is to be checked: (records that hold it, items beside it,
    suppressions)."""
    changes = 0
    while True:
        owners, seen = _count(layout, state, desk, lists, lo, hi, size)
        many = _inferred(layout, rule, desk, size, owners, seen) if checks and owners > 0 else 0
        if many == 0:
            return owners, seen, changes
        changes += mend(
            layout,
            state,
            rule,
            desk.known,
            size,
            desk.valid,
            owners,
            desk.counts,
            desk.inferred,
            many,
            changed,
        )
        _clear(desk, seen)


@compiled
def _open(
    layout: Layout,
    state: State,
    desk: Desk,
    children: Children,
    lists: Items,
    lo: int,
    hi: int,
    size: int,
    owners: int,
    seen: int,
    kids: int,
) -> tuple[Children, Items, int]:
    """Lay the children of Q that need a look above what is there, each with its old owners."""
    needed, slot = 0, desk.slot
    for place in range(seen):
        i = desk.touched[place]
        if i > desk.known[size - 1] and desk.lively[i] > 0 and desk.counts[i] < owners:
            slot[i] = 1
    for place in range(lo, hi):
        first = layout.at[lists[place]]
        for k in range(first, first + state.before[lists[place]]):
            i = state.held[k]
            if slot[i] > 0:
                slot[i] += 1
                needed += 1
    lists = _room(lists, hi + needed)
    kid = _room(children.item, kids + seen)
    kid_lo, kid_hi = _room(children.lo, kids + seen), _room(children.hi, kids + seen)
    end = hi
    for place in range(seen):
        i = desk.touched[place]
        if slot[i] > 0:
            kid[kids], kid_lo[kids], kid_hi[kids] = i, end, end + slot[i] - 1
            end = kid_hi[kids]
            slot[i] = kid_lo[kids] + 1
            kids += 1
    for place in range(lo, hi):
        first = layout.at[lists[place]]
        for k in range(first, first + state.before[lists[place]]):
            i = state.held[k]
            if slot[i] > 0:
                lists[slot[i] - 1] = lists[place]
                slot[i] += 1
    for place in range(seen):
        slot[desk.touched[place]] = 0
    return Children(kid, kid_lo, kid_hi), lists, kids


@compiled
def walk(
    layout: Layout,
    state: State,
    rule: Rule,
    dirty: Marks,
    changed: Marks,
    fresh: int,
    limit: int,
    roots: Items,
) -> tuple[int, int]:
    """Mend every unsafe Q of at most `limit` items that lies in the old version of a dirty record,
    or has at least `fresh` items. Returns (suppressions, most items met in a Q)."""
    desk = _desk(layout)
    items = len(layout.item)
    root_at, root_lists = _roots(layout, state)
    lists = np.empty(1 << 16, np.int32)
    children = Children(np.empty(64, np.int32), np.empty(64, np.int64), np.empty(64, np.int64))
    next_kid, end_kid = np.zeros(items + 1, np.int64), np.zeros(items + 1, np.int64)
    changes, deepest = 0, 0
    for root in roots:
        lo, hi = 0, root_at[root + 1] - root_at[root]
        if hi == 0:
            continue
        lists = _room(lists, hi)
        lists[:hi] = root_lists[root_at[root] : root_at[root + 1]]
        desk.known[0] = root
        desk.in_known[root] = True
        size, kids = 1, 0
        entered = True
        while size > 0:
            depth = size - 1
            if entered:
                deepest = max(deepest, size)
                marked = _is_marked(lists, lo, hi, dirty)
                checks = marked or size >= fresh
                opens = size < limit and (marked or fresh <= limit)
                next_kid[depth] = kids
                if checks or opens:
                    owners, seen, gone = _settle(
                        layout, state, rule, desk, lists, lo, hi, size, checks, changed
                    )
                    changes += gone
                    if opens and owners > 1:
                        children, lists, kids = _open(
                            layout, state, desk, children, lists, lo, hi, size, owners, seen, kids
                        )
                    _clear(desk, seen)
                end_kid[depth] = kids
            if next_kid[depth] < end_kid[depth]:
                # The child's list is copied above its siblings', which are still to come.
                k = next_kid[depth]
                next_kid[depth] += 1
                above = children.hi[end_kid[depth] - 1]
                length = children.hi[k] - children.lo[k]
                lists = _room(lists, above + length)
                lists[above : above + length] = lists[children.lo[k] : children.hi[k]]
                lo, hi = above, above + length
                desk.known[size] = children.item[k]
                desk.in_known[children.item[k]] = True
                size += 1
                kids = end_kid[depth]
                entered = True
            else:
                size -= 1
                desk.in_known[desk.known[size]] = False
                if size > 0:
                    kids = end_kid[size - 1]
                entered = False
    return changes, deepest
