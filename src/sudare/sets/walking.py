"""One walk, depth first, over the sets Q that attackers may know. Compiled.

Claim    after a walk in which nothing was changed, no attacker with at most `limit` known items
         succeeds, provided that before it every Q outside the records changed since the last walk
         had been found safe, or has at least `fresh` items.
Why      1. Q → e is unsafe only where a record holds Q and e and somebody minds e: a child is not
            entered unless one of its records holds, beside Q, an item that somebody minds.
         2. If T(Q ∪ i) = T(Q), then Q ∪ i → e has the supports of Q → e, and the owners of Q ∪ i
            are among those of Q: only Q needs checking. So every step down loses a record, and a
            set that one record alone holds has no children.
         3. Dropping d from record R changes supports only of sets inside the old R that have d, and
            only Q → e with d ∈ Q gets surer: without e in R, supp(Q) falls alone. So it is enough
            to walk again through sets that an old version of a changed record holds, and that have
            an item which it lost, or may have one further down.
         What 1 and 2 left out stays safe while no record that holds it changes, by 3.
Symbols  T(Q) -> the records that hold Q now. Records that are alike are one crowd (crowds.py).
         Lists carry the old owners, so that 3 can be seen; who lost part of Q is not counted.
Needs    rule 2 for children in ascending rank only: prefixes of a set in rank order suffice,
         since a subset of a set whose every item matters is such a set itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled, inlined, longer
from sudare.sets.crowds import Crowds
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule
from sudare.sets.mending_crowds import mend_crowds
from sudare.sets.minding import keep_minded

# A rank that no item has.
_ANY = 2**31 - 1


class Desk(NamedTuple):
    """What the look at one Q needs room for. By item: `counts` in the records that hold Q, in how
    many of these somebody minds yet another item (`lively`), a child's place (`slot`); the items
    that were `touched`. Known are `known[:size]`; `valid` holds record numbers."""

    counts: Places
    lively: NDArray[np.bool_]
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
def _roots(crowds: Crowds, items: int) -> tuple[Places, Items]:
    """For every item the crowds that held it before the last walk."""
    at = np.zeros(items + 1, np.int64)
    for crowd in np.flatnonzero(crowds.weight[: crowds.used[0]]):
        for place in range(crowds.at[crowd], crowds.at[crowd] + crowds.reach[crowd]):
            at[crowds.held[place] + 1] += 1
    for i in range(items):
        at[i + 1] += at[i]
    lists = np.empty(at[items], np.int32)
    fill = at[:-1].copy()
    for crowd in np.flatnonzero(crowds.weight[: crowds.used[0]]):
        for place in range(crowds.at[crowd], crowds.at[crowd] + crowds.reach[crowd]):
            i = crowds.held[place]
            lists[fill[i]] = crowd
            fill[i] += 1
    return at, lists


@compiled
def _desk(layout: Layout) -> Desk:
    items, records = len(layout.item), max(len(layout.at) - 1, 1)
    return Desk(
        np.zeros(items, np.int64),
        np.zeros(items, np.bool_),
        np.zeros(items, np.int64),
        np.empty(items, np.int32),
        np.empty(items, np.int32),
        np.empty(items + 1, np.int32),
        np.zeros(items, np.bool_),
        np.empty(records, np.int32),
    )


@inlined
def _clear(desk: Desk, seen: int) -> None:
    for place in range(seen):
        desk.counts[desk.touched[place]] = 0
        desk.lively[desk.touched[place]] = False


@inlined
def _count(
    layout: Layout, crowds: Crowds, desk: Desk, lists: Items, lo: int, hi: int, size: int
) -> tuple[int, int, int]:
    """Which crowds of the list hold Q now, of how many records, and how many other items these
    have, which are counted."""
    those, owners, seen = 0, 0, 0
    for place in range(lo, hi):
        crowd = lists[place]
        while crowd >= 0:
            first, weight = crowds.at[crowd], int(crowds.weight[crowd])
            end = first + crowds.size[crowd] if weight > 0 else first
            have, minded = 0, 0
            for k in range(first, end):
                i = crowds.held[k]
                if desk.in_known[i]:
                    have += 1
                elif layout.minded[i]:
                    minded += 1
            if have == size:
                desk.valid[those] = crowd
                those += 1
                owners += weight
                for k in range(first, end):
                    i = crowds.held[k]
                    if desk.in_known[i]:
                        continue
                    if desk.counts[i] == 0:
                        desk.touched[seen] = i
                        seen += 1
                    desk.counts[i] += weight
                    if minded > 1 or (minded == 1 and not layout.minded[i]):
                        desk.lively[i] = True
            crowd = crowds.chain[crowd]
    return those, owners, seen


@inlined
def _inferred(layout: Layout, rule: Rule, desk: Desk, size: int, owners: int, seen: int) -> int:
    """The items that too large a share of the owners holds and some original owner minds."""
    many = 0
    for place in range(seen):
        e = desk.touched[place]
        if layout.minded[e] and rule.q * desk.counts[e] > rule.p * owners:
            desk.inferred[many] = e
            many += 1
    return keep_minded(layout, desk.known, size, desk.inferred, many) if many > 0 else 0


@inlined
def _reach(crowds: Crowds, desk: Desk, crowd: int) -> int:
    """The last item with which Q may grow so that in the end it has an item which the crowd had
    lost when the walk began; -1 where there is none, and `_ANY` where Q has one."""
    furthest = -1
    start = crowds.at[crowd]
    for k in range(start + crowds.size[crowd], start + crowds.reach[crowd]):
        if desk.in_known[crowds.held[k]]:
            return _ANY
        furthest = max(furthest, crowds.held[k])
    return furthest


@inlined
def _is_marked(
    crowds: Crowds, desk: Desk, lists: Items, lo: int, hi: int, size: int
) -> tuple[bool, bool]:
    """Whether some crowd had lost an item of Q when the walk began, and whether some had lost one
    that Q may have further down."""
    is_further = False
    for place in range(lo, hi):
        reach = _reach(crowds, desk, lists[place])
        if reach == _ANY:
            return True, True
        is_further = is_further or reach > desk.known[size - 1]
    return False, is_further


@inlined
def _settle(
    layout: Layout,
    state: State,
    rule: Rule,
    crowds: Crowds,
    desk: Desk,
    lists: Items,
    lo: int,
    hi: int,
    size: int,
    checks: bool,
) -> tuple[Crowds, int, int, int]:
    """Mend Q until it is safe, where it is to be checked: (crowds, records that hold it, items
    beside it, suppressions)."""
    changes = 0
    while True:
        those, owners, seen = _count(layout, crowds, desk, lists, lo, hi, size)
        many = _inferred(layout, rule, desk, size, owners, seen) if checks and owners > 0 else 0
        if many == 0:
            return crowds, owners, seen, changes
        crowds, gone = mend_crowds(
            layout,
            state,
            rule,
            crowds,
            desk.known,
            size,
            desk.valid,
            those,
            owners,
            desk.counts,
            desk.inferred,
            many,
        )
        changes += gone
        _clear(desk, seen)


@inlined
def _mark_children(
    crowds: Crowds,
    desk: Desk,
    lists: Items,
    lo: int,
    hi: int,
    size: int,
    owners: int,
    seen: int,
    is_fresh: bool,
) -> int:
    """Give every child of Q that needs a look the slot 1 plus its old owners, all others 0; how
    many places these need. Unless all are fresh, a set further down must have an item that one of
    the owners had lost."""
    needed, slot = 0, desk.slot
    for place in range(seen):
        i = desk.touched[place]
        if i > desk.known[size - 1] and desk.lively[i] and desk.counts[i] < owners:
            slot[i] = 1 if is_fresh else -1
    for place in range(lo, hi):
        crowd = lists[place]
        reach = -1 if is_fresh else _reach(crowds, desk, crowd)
        if reach < 0:
            continue
        for k in range(crowds.at[crowd], crowds.at[crowd] + crowds.reach[crowd]):
            if crowds.held[k] <= reach:
                slot[crowds.held[k]] = abs(slot[crowds.held[k]])
    for place in range(lo, hi):
        crowd = lists[place]
        for k in range(crowds.at[crowd], crowds.at[crowd] + crowds.reach[crowd]):
            if slot[crowds.held[k]] > 0:
                slot[crowds.held[k]] += 1
                needed += 1
    return needed


@inlined
def _open(
    crowds: Crowds,
    desk: Desk,
    children: Children,
    lists: Items,
    lo: int,
    hi: int,
    size: int,
    owners: int,
    seen: int,
    kids: int,
    is_fresh: bool,
) -> tuple[Children, Items, int]:
    """Lay the children of Q that need a look above what is there, each with its old owners."""
    slot = desk.slot
    needed = _mark_children(crowds, desk, lists, lo, hi, size, owners, seen, is_fresh)
    if needed == 0:
        for place in range(seen):
            slot[desk.touched[place]] = 0
        return children, lists, kids
    if len(lists) < hi + needed:
        lists = longer(lists, hi + needed)
    if len(children.item) < kids + seen:
        children = Children(
            longer(children.item, kids + seen),
            longer(children.lo, kids + seen),
            longer(children.hi, kids + seen),
        )
    end = hi
    for place in range(seen):
        i = desk.touched[place]
        if slot[i] > 0:
            children.item[kids], children.lo[kids] = i, end
            end += slot[i] - 1
            children.hi[kids] = end
            slot[i] = children.lo[kids] + 1
            kids += 1
    for place in range(lo, hi):
        crowd = lists[place]
        for k in range(crowds.at[crowd], crowds.at[crowd] + crowds.reach[crowd]):
            i = crowds.held[k]
            if slot[i] > 0:
                lists[slot[i] - 1] = crowd
                slot[i] += 1
    for place in range(seen):
        slot[desk.touched[place]] = 0
    return children, lists, kids


@compiled
def walk(
    layout: Layout,
    state: State,
    rule: Rule,
    crowds: Crowds,
    fresh: int,
    limit: int,
) -> tuple[Crowds, int, int]:
    """Mend every unsafe Q of at most `limit` items that lies in the old version of a record that
    the last walk changed, or has at least `fresh` items. Returns (crowds, suppressions, most items
    met in a Q)."""
    desk = _desk(layout)
    items = len(layout.item)
    root_at, root_lists = _roots(crowds, items)
    lists = np.empty(1 << 16, np.int32)
    children = Children(np.empty(64, np.int32), np.empty(64, np.int64), np.empty(64, np.int64))
    next_kid, end_kid = np.zeros(items + 1, np.int64), np.zeros(items + 1, np.int64)
    changes, deepest = 0, 0
    has_lost = bool((crowds.size < crowds.reach)[: crowds.used[0]].any())
    for root in range(items):
        lo, hi = 0, root_at[root + 1] - root_at[root]
        if hi == 0:
            continue
        lists = longer(lists, hi)
        lists[:hi] = root_lists[root_at[root] : root_at[root + 1]]
        desk.known[0] = root
        desk.in_known[root] = True
        size, kids = 1, 0
        entered = True
        while size > 0:
            depth = size - 1
            if entered:
                deepest = max(deepest, size)
                marked = further = False
                if has_lost and not (size >= fresh and fresh <= limit):
                    marked, further = _is_marked(crowds, desk, lists, lo, hi, size)
                checks = marked or size >= fresh
                opens = size < limit and (further or fresh <= limit)
                next_kid[depth] = kids
                if checks or opens:
                    crowds, owners, seen, gone = _settle(
                        layout, state, rule, crowds, desk, lists, lo, hi, size, checks
                    )
                    changes += gone
                    if opens and owners > 1:
                        children, lists, kids = _open(
                            crowds,
                            desk,
                            children,
                            lists,
                            lo,
                            hi,
                            size,
                            owners,
                            seen,
                            kids,
                            fresh <= limit,
                        )
                    _clear(desk, seen)
                end_kid[depth] = kids
            if next_kid[depth] < end_kid[depth]:
                # The child's list is copied above its siblings', which are still to come.
                k = next_kid[depth]
                next_kid[depth] += 1
                above = children.hi[end_kid[depth] - 1]
                length = children.hi[k] - children.lo[k]
                if len(lists) < above + length:
                    lists = longer(lists, above + length)
                for place in range(length):
                    lists[above + place] = lists[children.lo[k] + place]
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
    return crowds, changes, deepest
