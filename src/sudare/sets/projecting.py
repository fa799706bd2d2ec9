"""Groups as one record sees them: which of its own items each holds, as bits of a word. Compiled.

Why      the sets inside one record need of others only what they have in common with it; a word for
         that is read and narrowed faster than a list of items.
Symbols  place -> the record's items are numbered, from 0 here and from 1 in `member`; bit p of a
         mask -> the item at place p is held, by as many records as the weight says.
Needs    a record of at most `WIDEST` items.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled, inlined
from sudare.sets.grouping import Groups, holds_item
from sudare.sets.pairing import Pairs, first_link

WIDEST = 64
_ONE = np.uint64(1)
# Lists below a list are shorter each; these many are for small data, where they shrink slowly.
_SPARE = 1000
# In a group so many times as large as the record, the record's items are searched for.
_MUCH = 8


class Room(NamedTuple):
    """Lists of masks with weights, one above the other."""

    masks: NDArray[np.uint64]
    weights: Places


@compiled
def make_room(groups: Groups, more: int) -> Room:
    """For lists of all groups there are and so many more."""
    size = groups.used[0] + more + _SPARE
    return Room(np.empty(4 * size, np.uint64), np.empty(4 * size, np.int64))


@inlined
def is_full(room: Room, end: int) -> bool:
    """Whether a list as long as the last might not fit any more."""
    return 2 * end > len(room.masks)


@inlined
def _mask(groups: Groups, group: int, members: Items, member: Items) -> np.uint64:
    mask = np.uint64(0)
    if groups.size[group] > _MUCH * len(members):
        for place in range(len(members)):
            if holds_item(groups, group, members[place]):
                mask |= _ONE << np.uint64(place)
        return mask
    for place in range(groups.at[group], groups.at[group] + groups.size[group]):
        found = member[groups.held[place]]
        if found > 0:
            mask |= _ONE << np.uint64(found - 1)
    return mask


@inlined
def project(
    groups: Groups,
    pairs: Pairs,
    one: int,
    other: int,
    members: Items,
    member: Items,
    room: Room,
    at: int,
    sign: np.uint64,
) -> int:
    """List the groups of a pair's chain, as `member` sees them, but for some that do not have all
    that the sign stands for; where the list ends."""
    link = first_link(pairs, one, other)
    while link >= 0:
        group = pairs.link_group[link]
        if pairs.link_sign[link] & sign == sign and groups.weight[group] > 0:
            room.masks[at] = _mask(groups, group, members, member)
            room.weights[at] = groups.weight[group]
            at += 1
        link = pairs.link_next[link]
    return at


@inlined
def narrow(room: Room, lo: int, hi: int, place: int) -> int:
    """Copy what holds the item at a place to above the list; where the copy ends."""
    end = hi
    for k in range(lo, hi):
        if room.masks[k] >> np.uint64(place) & _ONE:
            room.masks[end], room.weights[end] = room.masks[k], room.weights[k]
            end += 1
    return end


@inlined
def tally(room: Room, lo: int, hi: int, counts: Places) -> int:
    """How many records a list has; so many of these as are added to `counts` hold each item."""
    owners = 0
    for k in range(lo, hi):
        mask, weight, place = room.masks[k], room.weights[k], 0
        owners += weight
        while mask:
            if mask & _ONE:
                counts[place] += weight
            mask >>= _ONE
            place += 1
    return int(owners)


@inlined
def told_now(room: Room, many: int, width: int, known: int) -> tuple[int, int, int]:
    """From a list of those who hold some of a record's items: how many hold so many after the
    first, how many of these hold the first too, and how many hold all after the first."""
    some, both, rest = 0, 0, 0
    few, every = np.uint64(0), np.uint64(0)
    for place in range(1, width):
        every |= _ONE << np.uint64(place)
        if place <= known:
            few |= _ONE << np.uint64(place)
    for k in range(many):
        mask, weight = room.masks[k], room.weights[k]
        if mask & few == few:
            some += weight
            both += weight if mask & _ONE else 0
        if mask & every == every:
            rest += weight
    return some, both, rest
