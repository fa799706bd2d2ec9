"""What the rest of a record tells about one of its items. Compiled.

Claim    an attacker who knows all else of a record, or as much as he may, is the hardest to stop:
         what he infers surely cannot stay where few hold the same.
Use      1. Before the first walk, long records lose what their own person minds and the rest tells
            then (`drop_told`), very long ones all that their person minds. Walking
            into such a record finds nearly the same, set by set; but where there are copies of it,
            or others much like it, each loses other items, and the sets that some of them share
            become ever more, up to 2^n for n items. What went in vain comes back in the end.
         2. Before a suppressed item is tried by all sets of its record, the rest alone is tried
            (allowing.py); and where Q ∪ d is rarer than ρ times the rest, no set between the two
            tells d.
Why      for Q ⊆ Q' ⊆ rest: supp(Q' ∪ d) ≤ supp(Q ∪ d), and supp(Q') ≥ supp(rest).
Needs    nothing for safety: both only suppress more or put back less.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.baskets import Flags, Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.grouping import Groups, grouped, holds_item, listed
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule, drop
from sudare.sets.minding import minds

# Records of so many items, and attackers who know less, are left to the walk, which has few sets to
# look at there.
_SHORT = 7
# Beyond so many items, the sets are too many to be looked at one by one.
_LONG = 12


@compiled
def _misses(groups: Groups, group: int, items: Items, many: int) -> int:
    """The place of the one item, among the first so many, that a group lacks; -1 where it lacks
    none, and `many` where it lacks several."""
    missed = -1
    for place in range(many):
        if not holds_item(groups, group, items[place]):
            if missed >= 0:
                return many
            missed = place
    return missed


@compiled
def _tell(
    rule: Rule, groups: Groups, list_at: Places, lists: Items, items: Items, most: int
) -> Flags:
    """Which of a record's items, rare ones first, are told by the first `most` others."""
    width = len(items)
    owners, whole = 0, 0
    holders, lacking = np.zeros(width, np.int64), np.zeros(most + 1, np.int64)
    # Whoever lacks at most one item holds one of the two rarest.
    for which in range(2):
        for place in range(list_at[items[which]], list_at[items[which] + 1]):
            group = lists[place]
            if groups.size[group] < most or (which and holds_item(groups, group, items[0])):
                continue
            weight, missed = int(groups.weight[group]), _misses(groups, group, items, most + 1)
            if missed < 0:
                whole += weight
            elif missed <= most:
                lacking[missed] += weight
            if missed < 0 or missed == most:
                owners += weight
                for rest in range(most, width):
                    if holds_item(groups, group, items[rest]):
                        holders[rest] += weight
    told = np.empty(width, np.bool_)
    for place in range(width):
        both = holders[place] if place >= most else whole
        known = owners if place >= most else whole + lacking[place]
        told[place] = rule.q * both > rule.p * known
    return told


@compiled
def drop_told(layout: Layout, state: State, rule: Rule, limit: int) -> tuple[int, int]:
    """Suppress in long records what their person minds: what the rest tells, and in very long ones
    all of it. How many items these are, and how many their attackers know at least."""
    count, fewest = 0, limit
    if limit < _SHORT or not (state.alive > _SHORT).any():
        return 0, 0
    groups, last = grouped(layout, state), -1
    list_at, lists = listed(groups, len(layout.item))
    items, told = np.empty(0, np.int32), np.empty(0, np.bool_)
    for record in np.argsort(groups.of):
        group = groups.of[record]
        width = groups.size[group]
        if width <= _SHORT:
            continue
        most = min(limit, width - 1)
        if group != last:
            items = groups.held[groups.at[group] : groups.at[group] + width].copy()
            # A stable sort, since compiled and plain ones differ in the order of equals.
            items = items[np.argsort(state.first_support[items], kind="mergesort")]
            told = np.ones(width, np.bool_)
            if width <= _LONG:
                told = _tell(rule, groups, list_at, lists, items, most)
            last = group
        for place in range(width):
            if told[place] and minds(layout, record, items[place]):
                drop(layout, state, record, items[place])
                count += 1
                fewest = min(fewest, most)
    return count, fewest
