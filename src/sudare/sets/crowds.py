"""Records that hold the same, as one crowd with a weight, while a walk takes items from them.
Compiled.

Why      most records are short and like many others. A walk over crowds looks at each content once,
         so that more records of the same kind cost it hardly anything.
Claim    two records are in one crowd only if they hold the same now and held the same before the
         last walk; crowds that hold the same may be several. So a sum of weights over the crowds
         that hold Q is supp(Q), and each record of a crowd is as good as the other for any rule.
Symbols  crowd c holds held[at[c]:at[c] + size[c]] now and held[at[c]:at[c] + reach[c]] before. What
         a walk takes makes a new crowd, in a chain from the one it came from, its `root`: lists
         that have the root need not be written again. Its records are a chain from `first` to
         `last` through `after`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled, inlined
from sudare.sets.layout import Layout, State
from sudare.sets.signs import Signs, mixed, near

_LOST = np.uint64(3)
# Crowds are brought together where more than one of so many is new.
_FEW = 50
_NONE = 2**31 - 1


class Crowds(NamedTuple):
    """`used` -> how many crowds, and how many places of `held`, there are."""

    weight: Items
    at: Places
    size: Items
    reach: Items
    root: Items
    chain: Items  # The next of those with the same root, or -1.
    first: Items
    last: Items
    held: Items
    after: Items  # By record the next of its crowd, or -1.
    used: Places


def gathered(layout: Layout, state: State, lot: Places) -> Crowds:
    """All records in crowds, within each by lot; nothing was lost before."""
    order = np.argsort(lot).astype(np.int32)
    many = len(order)
    each = Crowds(
        weight=np.ones(many, np.int32),
        at=layout.at[order],
        size=state.alive[order].astype(np.int32),
        reach=state.alive[order].astype(np.int32),
        root=np.arange(many, dtype=np.int32),
        chain=np.full(many, -1, np.int32),
        first=order,
        last=order.copy(),
        held=state.held,
        after=np.full(many, -1, np.int32),
        used=np.array([many, len(state.held)], np.int64),
    )
    return _as_one(each, len(layout.item))


@compiled
def _likeness(crowds: Crowds, of: Places) -> Signs:
    """A number a crowd, the same for those that hold and have lost the same."""
    found = np.zeros(len(of), np.uint64)
    for which in range(len(of)):
        crowd = of[which]
        start, size = crowds.at[crowd], crowds.size[crowd]
        low = second = _NONE
        for place in range(start, start + crowds.size[crowds.root[crowd]]):
            i = crowds.held[place]
            part = mixed(i)
            found[which] += part if place < start + size else part * _LOST
            second = min(second, max(low, i))
            low = min(low, i)
        found[which] = near(found[which], low, second)
    return found


@inlined
def _is_like(crowds: Crowds, crowd: int, made: Crowds, other: int, marks: Places) -> bool:
    """Whether a crowd is what another, whose items are marked, already is."""
    if other < 0 or crowds.size[crowd] != made.size[other]:
        return False
    if crowds.size[crowds.root[crowd]] != made.reach[other]:
        return False
    start, size = crowds.at[crowd], crowds.size[crowd]
    for place in range(start, start + made.reach[other]):
        mark = marks[crowds.held[place]]
        if mark != (2 * other + 2 if place < start + size else 2 * other + 3):
            return False
    return True


def settled(crowds: Crowds, items: int) -> Crowds:
    """What a walk has left: each crowd stands for itself, and held before what its root held when
    the walk began. Where many are new, those that are alike become one."""
    many = crowds.used[0]
    own = np.arange(many, dtype=np.int32)
    if np.count_nonzero(crowds.root[:many] != own) * _FEW > many:
        return _as_one(crowds, items)
    crowds.reach[:many] = crowds.size[crowds.root[:many]]
    crowds.root[:many], crowds.chain[:many] = own, -1
    return crowds


def _as_one(crowds: Crowds, items: int) -> Crowds:
    """Crowds that are alike as one, without those that are empty."""
    of = np.flatnonzero(crowds.weight[: crowds.used[0]])
    return _merged(crowds, of[np.argsort(_likeness(crowds, of), kind="stable")], items)


@compiled
def _merged(crowds: Crowds, of: Places, items: int) -> Crowds:
    """The same of some crowds, in whose order those that are alike follow each other."""
    many, places = len(of), int(crowds.size[crowds.root[of]].sum())
    made = Crowds(
        np.zeros(many, np.int32),
        np.empty(many, np.int64),
        np.empty(many, np.int32),
        np.empty(many, np.int32),
        np.arange(many).astype(np.int32),
        np.full(many, -1, np.int32),
        np.empty(many, np.int32),
        np.empty(many, np.int32),
        np.empty(places, np.int32),
        crowds.after,
        np.zeros(2, np.int64),
    )
    marks = np.zeros(items, np.int64)
    for which in range(many):
        crowd, new = int(of[which]), int(made.used[0]) - 1
        if _is_like(crowds, crowd, made, new, marks):
            made.after[made.last[new]] = crowds.first[crowd]
        else:
            new += 1
            start, size, at = crowds.at[crowd], crowds.size[crowd], made.used[1]
            reach = crowds.size[crowds.root[crowd]]
            made.at[new], made.size[new], made.reach[new] = at, size, reach
            made.first[new] = crowds.first[crowd]
            for place in range(reach):
                i = crowds.held[start + place]
                made.held[at + place] = i
                marks[i] = 2 * new + 2 if place < size else 2 * new + 3
            made.used[0] += 1
            made.used[1] += reach
        made.weight[new] += crowds.weight[crowd]
        made.last[new] = crowds.last[crowd]
    return made


@compiled
def spread(layout: Layout, state: State, crowds: Crowds) -> None:
    """Let each record hold what its crowd holds."""
    marks = np.full(len(layout.item), -1, np.int32)
    for crowd in range(crowds.used[0]):
        if crowds.weight[crowd] == 0:
            continue
        for place in range(crowds.at[crowd], crowds.at[crowd] + crowds.size[crowd]):
            marks[crowds.held[place]] = crowd
        record = crowds.first[crowd]
        while record >= 0:
            _keep(layout, state, record, marks, crowd)
            record = crowds.after[record]


@compiled
def _keep(layout: Layout, state: State, record: int, marks: Items, mark: int) -> None:
    """Of what a record holds, let it hold what has the mark."""
    low, high = layout.at[record], layout.at[record] + state.alive[record]
    while low < high:
        if marks[state.held[low]] == mark:
            low += 1
            continue
        high -= 1
        item, came = state.held[low], state.back[low]
        state.held[low], state.back[low] = state.held[high], state.back[high]
        state.held[high], state.back[high] = item, came
    state.alive[record] = low - layout.at[record]
