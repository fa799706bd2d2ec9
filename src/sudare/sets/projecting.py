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
from sudare.sets.compiled import compiled
from sudare.sets.grouping import Groups, groups_with

WIDEST = 64
_ONE = np.uint64(1)
# Lists below a list are shorter each; these many are for small data, where they shrink slowly.
_SPARE = 1000


class Room(NamedTuple):
    """Lists of masks with weights, one above the other, and one of groups."""

    masks: NDArray[np.uint64]
    weights: Places
    listed: Items


@compiled
def make_room(groups: Groups, more: int) -> Room:
    """For lists of all groups there are and so many more."""
    size = groups.used[0] + more + _SPARE
    return Room(
        np.empty(4 * size, np.uint64), np.empty(4 * size, np.int64), np.empty(size, np.int32)
    )


@compiled
def is_full(room: Room, end: int) -> bool:
    """Whether a list as long as the last might not fit any more."""
    return 2 * end > len(room.masks)


@compiled
def project(groups: Groups, item: int, member: Items, room: Room, at: int) -> int:
    """List the groups that hold an item, as `member` sees them; where the list ends."""
    many = groups_with(groups, item, room.listed, 0)
    for k in range(many):
        group, mask = room.listed[k], np.uint64(0)
        for place in range(groups.at[group], groups.at[group] + groups.size[group]):
            found = member[groups.held[place]]
            if found > 0:
                mask |= _ONE << np.uint64(found - 1)
        room.masks[at + k], room.weights[at + k] = mask, groups.weight[group]
    return at + many


@compiled
def narrow(room: Room, lo: int, hi: int, place: int) -> int:
    """Copy what holds the item at a place to above the list; where the copy ends."""
    end = hi
    for k in range(lo, hi):
        if room.masks[k] >> np.uint64(place) & _ONE:
            room.masks[end], room.weights[end] = room.masks[k], room.weights[k]
            end += 1
    return end


@compiled
def tally(room: Room, lo: int, hi: int, counts: Places) -> int:
    """How many records a list has; `counts` of these hold each item."""
    counts[:] = 0
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


@compiled
def told_now(room: Room, many: int, width: int, known: int) -> tuple[int, int, int]:
    """From the list of those who hold the second of a record's items: how many hold so many after
    the first, how many of these hold the first too, and how many hold all after the first."""
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
