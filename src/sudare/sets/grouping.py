"""Records that hold the same now, as one group with a weight. Compiled.

Why      most records are short and like many others. Lists of groups are as long as there are
         different contents, so that more records of the same kind cost nothing more to look at.
Claim    two records are in one group only if they hold the same; groups that hold the same may be
         several. A sum of weights over the groups that hold Q is supp(Q).
Symbols  content of g -> held[at[g]:at[g] + size[g]], ascending. The groups with item i -> those of
         its stretch of `lists`, and those made later, in a chain from `head[i]`; some are empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Flags, Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.layout import Layout, State
from sudare.sets.minding import is_among

# An odd number with no pattern in its bits, the golden ratio's.
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Groups(NamedTuple):
    """`of` -> the group of a record; `used` -> how many groups, places and links there are;
    `is_dense` -> groups with too many sets to look at."""

    of: Items
    weight: Places
    at: Places
    size: Places
    held: Items
    list_at: Places
    lists: Items
    head: Places
    link_group: Items
    link_next: Places
    used: Places
    is_dense: Flags


@compiled
def likeness(layout: Layout, state: State) -> NDArray[np.uint64]:
    """A number a record, the same for those that hold the same, whatever the order."""
    found = np.zeros(len(layout.at) - 1, np.uint64)
    for record in range(len(layout.at) - 1):
        first = layout.at[record]
        for place in range(first, first + state.alive[record]):
            mixed = (np.uint64(state.held[place]) + np.uint64(1)) * _MIX
            found[record] += (mixed ^ (mixed >> np.uint64(29))) * _MIX
    return found


@compiled
def holds_item(groups: Groups, group: int, item: int) -> bool:
    start = groups.at[group]
    return is_among(groups.held, start, start + groups.size[group], item)


@compiled
def _listed(groups: Groups) -> Groups:
    """The same with the lists of its groups by item."""
    items = len(groups.head)
    places = groups.used[1]
    for place in range(places):
        groups.list_at[groups.held[place] + 1] += 1
    for i in range(items):
        groups.list_at[i + 1] += groups.list_at[i]
    fill = groups.list_at[:-1].copy()
    for group in range(groups.used[0]):
        for place in range(groups.at[group], groups.at[group] + groups.size[group]):
            i = groups.held[place]
            groups.lists[fill[i]] = group
            fill[i] += 1
    return groups


@compiled
def grouped(layout: Layout, state: State, more: int, more_places: int) -> Groups:
    """All records in groups, with room for so many more, and for their items."""
    records, items = len(layout.at) - 1, len(layout.item)
    total = state.total[0]
    groups = Groups(
        np.empty(records, np.int32),
        np.empty(records + more, np.int64),
        np.empty(records + more, np.int64),
        np.empty(records + more, np.int64),
        np.empty(total + more_places, np.int32),
        np.zeros(items + 1, np.int64),
        np.empty(total, np.int32),
        np.full(items, -1, np.int64),
        np.empty(more_places, np.int32),
        np.empty(more_places, np.int64),
        np.zeros(3, np.int64),
        np.zeros(records + more, np.bool_),
    )
    order = np.argsort(likeness(layout, state))
    for record in order:
        first, length = layout.at[record], state.alive[record]
        last = groups.used[0] - 1
        is_new = last < 0 or groups.size[last] != length
        for place in range(first, first + length):
            is_new = is_new or not holds_item(groups, last, state.held[place])
        if is_new:
            content = np.sort(state.held[first : first + length])
            last += 1
            groups.weight[last], groups.at[last] = 0, groups.used[1]
            groups.size[last] = length
            groups.held[groups.used[1] : groups.used[1] + length] = content
            groups.used[0] += 1
            groups.used[1] += length
        groups.of[record] = last
        groups.weight[last] += 1
    return _listed(groups)


@compiled
def add_group(groups: Groups, like: int, item: int) -> int:
    """A new group, with nobody in it as yet, that holds one item more than another."""
    made, start = groups.used[0], groups.used[1]
    size = groups.size[like]
    content = np.empty(size + 1, np.int32)
    content[:size] = groups.held[groups.at[like] : groups.at[like] + size]
    content[size] = item
    content.sort()
    groups.held[start : start + size + 1] = content
    groups.weight[made], groups.at[made], groups.size[made] = 0, start, size + 1
    groups.is_dense[made] = False
    for i in content:
        link = groups.used[2]
        groups.link_group[link], groups.link_next[link] = made, groups.head[i]
        groups.head[i] = link
        groups.used[2] += 1
    groups.used[0] += 1
    groups.used[1] += size + 1
    return int(made)


@compiled
def remove_last(groups: Groups) -> None:
    """Forget the group that was added last."""
    last = groups.used[0] - 1
    for place in range(groups.at[last], groups.at[last] + groups.size[last]):
        i = groups.held[place]
        groups.head[i] = groups.link_next[groups.head[i]]
    groups.used[0] -= 1
    groups.used[1] -= groups.size[last]
    groups.used[2] -= groups.size[last]


@compiled
def groups_with(groups: Groups, item: int, into: Items, at: int) -> int:
    """Copy the groups that hold an item and are not empty; how many they are."""
    count = 0
    for place in range(groups.list_at[item], groups.list_at[item + 1]):
        if groups.weight[groups.lists[place]] > 0:
            into[at + count] = groups.lists[place]
            count += 1
    link = groups.head[item]
    while link >= 0:
        if groups.weight[groups.link_group[link]] > 0:
            into[at + count] = groups.link_group[link]
            count += 1
        link = groups.link_next[link]
    return count
