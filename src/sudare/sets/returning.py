"""Putting back what turned out unnecessary. Compiled.

Claim    if no attacker succeeds before, none does after: an item comes back into as many records as
         allowing.py finds safe.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.baskets import Items, Places
from sudare.sets.allowing import TOO_MANY, Ground, allowed_back
from sudare.sets.compiled import compiled
from sudare.sets.grouping import grouped, with_more
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule
from sudare.sets.pairing import paired, weigh, with_group
from sudare.sets.projecting import WIDEST, make_room


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
def _returned(
    layout: Layout, state: State, ground: Ground, old: int, records: Items, item: int
) -> Ground:
    """These records of a group get the item back, and are a group of their own then."""
    groups, new = with_more(ground.groups, old, item)
    pairs = with_group(ground.pairs, groups, new)
    weigh(pairs, groups, old, -len(records))
    weigh(pairs, groups, new, len(records))
    for record in records:
        _insert(layout, state, record, item)
        groups.of[record] = new
    state.support[item] += len(records)
    state.total[0] += len(records)
    return Ground(groups, pairs, ground.member, ground.room)


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
    same are tried together. No item gets more than `most` records. A record that holds `WIDEST`
    items, or has too many sets to look at, keeps its gaps."""
    groups = grouped(layout, state)
    room, member = make_room(groups, len(records)), np.zeros(len(layout.item), np.int32)
    ground = Ground(groups, paired(groups, len(layout.item)), member, room)
    came, first = 0, 0
    while first < len(records):
        item, old, end = items[first], ground.groups.of[records[first]], first + 1
        while end < len(records) and items[end] == item and ground.groups.of[records[end]] == old:
            end += 1
        cap = min(end - first, most[item] - state.support[item])
        if ground.groups.size[old] < WIDEST and not ground.groups.is_dense[old] and cap > 0:
            back = allowed_back(
                layout, state, rule, ground, old, records[first:end], item, limit, cap
            )
            if back == TOO_MANY:
                # Another item of such a record meets as many sets.
                ground.groups.is_dense[old] = True
            if back > 0:
                ground = _returned(layout, state, ground, old, records[first : first + back], item)
                came += back
        first = end
    return came
