"""Records that hold the same now, as one group with a weight. Compiled.

Why      most records are short and like many others. Lists of groups are as long as there are
         different contents, so that more records of the same kind cost nothing more to look at.
Claim    two records are in one group only if they hold the same; groups that hold the same may be
         several. A sum of weights over the groups that hold Q is supp(Q).
Symbols  content of g -> held[at[g]:at[g] + size[g]], ascending.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Flags, Items, Places
from sudare.sets.compiled import compiled, inlined, longer
from sudare.sets.layout import Layout, State
from sudare.sets.minding import is_among
from sudare.sets.signs import Signs, mixed, near

_FEW = 16


class Groups(NamedTuple):
    """`of` -> the group of a record; `used` -> how many groups and places there are; `is_dense` ->
    groups with too many sets to look at."""

    of: Items
    weight: Items
    at: Places
    size: Items
    held: Items
    is_dense: Flags
    used: Places


@compiled
def likeness(layout: Layout, state: State) -> Signs:
    """A number a record, the same for those that hold the same, whatever the order."""
    found = np.zeros(len(layout.at) - 1, np.uint64)
    for record in range(len(layout.at) - 1):
        first = layout.at[record]
        low = second = len(layout.item)
        for place in range(first, first + state.alive[record]):
            i = state.held[place]
            found[record] += mixed(i)
            second = min(second, max(low, i))
            low = min(low, i)
        found[record] = near(found[record], low, second)
    return found


@inlined
def holds_item(groups: Groups, group: int, item: int) -> bool:
    start = groups.at[group]
    return is_among(groups.held, start, start + groups.size[group], item)


@inlined
def _lay_sorted(items: Items, first: int, length: int, held: Items, at: int) -> None:
    """So many items in ascending order; most are few, for which a sort of its own would take longer
    to be called than to sort."""
    held[at : at + length] = items[first : first + length]
    if length > _FEW:
        held[at : at + length].sort()
        return
    for end in range(at + 1, at + length):
        item, place = held[end], end
        while place > at and held[place - 1] > item:
            held[place] = held[place - 1]
            place -= 1
        held[place] = item


@compiled
def grouped(layout: Layout, state: State) -> Groups:
    """All records in groups."""
    records, total = len(layout.at) - 1, state.total[0]
    groups = Groups(
        np.empty(records, np.int32),
        np.empty(records, np.int32),
        np.empty(records, np.int64),
        np.empty(records, np.int32),
        np.empty(total, np.int32),
        np.zeros(records, np.bool_),
        np.zeros(2, np.int64),
    )
    order = np.argsort(likeness(layout, state))
    for record in order:
        first, length = layout.at[record], state.alive[record]
        last = groups.used[0] - 1
        is_new = last < 0 or groups.size[last] != length
        for place in range(first, first + length):
            is_new = is_new or not holds_item(groups, last, state.held[place])
        if is_new:
            last += 1
            groups.weight[last], groups.at[last] = 0, groups.used[1]
            groups.size[last] = length
            _lay_sorted(state.held, first, length, groups.held, groups.used[1])
            groups.used[0] += 1
            groups.used[1] += length
        groups.of[record] = last
        groups.weight[last] += 1
    return groups


@compiled
def listed(groups: Groups, items: int) -> tuple[Places, Items]:
    """The groups with item i are lists[list_at[i]:list_at[i + 1]]."""
    places = groups.used[1]
    at, lists = np.zeros(items + 1, np.int64), np.empty(places, np.int32)
    for place in range(places):
        at[groups.held[place] + 1] += 1
    for i in range(items):
        at[i + 1] += at[i]
    fill = at[:-1].copy()
    for group in range(groups.used[0]):
        for place in range(groups.at[group], groups.at[group] + groups.size[group]):
            i = groups.held[place]
            lists[fill[i]] = group
            fill[i] += 1
    return at, lists


@compiled
def _with_room(groups: Groups, more: int) -> Groups:
    """The same with room for one group more, of so many items."""
    many = groups.used[0] + 1
    return Groups(
        groups.of,
        longer(groups.weight, many),
        longer(groups.at, many),
        longer(groups.size, many),
        longer(groups.held, groups.used[1] + more),
        longer(groups.is_dense, many),
        groups.used,
    )


@compiled
def with_more(groups: Groups, like: int, item: int) -> tuple[Groups, int]:
    """A new group, with nobody in it as yet, that holds one item more than another."""
    size = groups.size[like]
    groups = _with_room(groups, size + 1)
    made, start = groups.used[0], groups.used[1]
    content = np.empty(size + 1, np.int32)
    content[:size] = groups.held[groups.at[like] : groups.at[like] + size]
    content[size] = item
    content.sort()
    groups.held[start : start + size + 1] = content
    groups.weight[made], groups.at[made], groups.size[made] = 0, start, size + 1
    groups.is_dense[made] = False
    groups.used[0] += 1
    groups.used[1] += size + 1
    return groups, int(made)
