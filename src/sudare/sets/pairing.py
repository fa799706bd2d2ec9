"""Which groups hold two items, and how many records these are. Compiled.

Why      nearly every look at the sets inside a record begins with two of its items. All groups that
         hold one item are many, and become more with the records; those that hold two are few.
Symbols  pair (i, j) -> a slot of a table found by its key: `support`, and a chain of the groups
         that hold both from `head` through `link_next`; some are empty.
         wide -> a group of more than `_NARROW` items, which has too many pairs: it is not counted
         in `support`, and stands in the chains of (i, i) alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled, inlined, longer
from sudare.sets.grouping import Groups
from sudare.sets.signs import Signs, mixed, sign_of

_NARROW = 12
_HALF = np.uint64(32)


class Pairs(NamedTuple):
    """`used` -> how many slots and links are taken; a key of 0 is none."""

    items: int
    key: Places
    support: Places
    head: Items
    link_group: Items
    link_next: Items
    link_sign: Signs
    used: Places


@inlined
def is_wide(groups: Groups, group: int) -> bool:
    return bool(groups.size[group] > _NARROW)


@inlined
def _slot(pairs: Pairs, one: int, other: int) -> int:
    """Where a pair is in the table, or would be."""
    key = int(min(one, other)) * pairs.items + max(one, other) + 1
    last = len(pairs.key) - 1
    place = np.int64(mixed(key) >> _HALF) & last
    while pairs.key[place] != 0 and pairs.key[place] != key:
        place = (place + 1) & last
    return int(place)


@compiled
def _empty(items: int, slots: int, links: int) -> Pairs:
    return Pairs(
        items,
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.full(slots, -1, np.int32),
        np.empty(links, np.int32),
        np.empty(links, np.int32),
        np.empty(links, np.uint64),
        np.zeros(2, np.int64),
    )


@compiled
def _with_room(pairs: Pairs, more: int) -> Pairs:
    """The same with room for so many more slots and links; half of the slots stay free."""
    slots, links = len(pairs.key), pairs.used[1] + more
    if 2 * (pairs.used[0] + more) <= slots and links <= len(pairs.link_group):
        return pairs
    while slots < 2 * (pairs.used[0] + more):
        slots *= 2
    made = _empty(pairs.items, slots, 0)
    for old in range(len(pairs.key)):
        if pairs.key[old] != 0:
            key = pairs.key[old] - 1
            new = _slot(made, key // pairs.items, key % pairs.items)
            made.key[new], made.support[new] = pairs.key[old], pairs.support[old]
            made.head[new] = pairs.head[old]
    return Pairs(
        pairs.items,
        made.key,
        made.support,
        made.head,
        longer(pairs.link_group, links),
        longer(pairs.link_next, links),
        longer(pairs.link_sign, links),
        pairs.used,
    )


@inlined
def _link(pairs: Pairs, group: int, sign: np.uint64, one: int, other: int) -> None:
    slot = _slot(pairs, one, other)
    if pairs.key[slot] == 0:
        pairs.key[slot] = int(min(one, other)) * pairs.items + max(one, other) + 1
        pairs.used[0] += 1
    link = pairs.used[1]
    pairs.link_group[link], pairs.link_next[link] = group, pairs.head[slot]
    pairs.link_sign[link] = sign
    pairs.head[slot] = link
    pairs.used[1] += 1


@compiled
def with_group(pairs: Pairs, groups: Groups, group: int) -> Pairs:
    """The same with a group in the chains of its pairs."""
    start, size = groups.at[group], groups.size[group]
    held = groups.held[start : start + size]
    sign = sign_of(held)
    if is_wide(groups, group):
        pairs = _with_room(pairs, size)
        for i in held:
            _link(pairs, group, sign, i, i)
        return pairs
    pairs = _with_room(pairs, size * (size - 1) // 2)
    for place in range(size):
        for other in range(place + 1, size):
            _link(pairs, group, sign, held[place], held[other])
    return pairs


@compiled
def weigh(pairs: Pairs, groups: Groups, group: int, count: int) -> None:
    """So many more records, or fewer, are in a group that has been linked."""
    groups.weight[group] += count
    if is_wide(groups, group):
        return
    start, size = groups.at[group], groups.size[group]
    for place in range(start, start + size):
        for other in range(place + 1, start + size):
            pairs.support[_slot(pairs, groups.held[place], groups.held[other])] += count


@compiled
def paired(groups: Groups, items: int) -> Pairs:
    """The pairs of all groups."""
    pairs = _empty(items, 1024, 1024)
    for group in range(groups.used[0]):
        pairs = with_group(pairs, groups, group)
        weight = groups.weight[group]
        groups.weight[group] = 0
        weigh(pairs, groups, group, weight)
    return pairs


@inlined
def support_of(pairs: Pairs, one: int, other: int) -> int:
    """How many records of groups that are not wide hold both."""
    slot = _slot(pairs, one, other)
    return int(pairs.support[slot]) if pairs.key[slot] != 0 else 0


@inlined
def first_link(pairs: Pairs, one: int, other: int) -> int:
    """Where the chain of those who hold both begins, or -1; of (i, i) it is that of wide groups."""
    slot = _slot(pairs, one, other)
    return int(pairs.head[slot]) if pairs.key[slot] != 0 else -1
