"""Records choose, weak sets fall, records choose again, until no weak set is held. Compiled.

Claim    afterwards every set of at most m items that a record holds is held by at least k.
Why      `choose` keeps sets that stand only; a set that is held by fewer than k falls, and the
         records that held it choose anew from all their original items. Each round fells a set,
         and there are finitely many, so it ends. Whoever chooses anew may drop sets that others
         need and take up sets that it had dropped: both show in `use`.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.baskets import Flags, Places
from sudare.sets.compiled import compiled
from sudare.sets.km.choosing import choose
from sudare.sets.km.layout import Layout
from sudare.sets.km.table import Table
from sudare.sets.km.visiting import COUNT, Desk, Rule, visit


@compiled
def _count(table: Table, rule: Rule, desk: Desk, count: int, by: int) -> None:
    """Add to the use of every set that the record at the desk holds."""
    for size in range(1, rule.m + 1):
        for member in range(count):
            if not desk.gone[member]:
                visit(table, rule, desk, count, size, member, True, COUNT, by)


@compiled
def _fetch(layout: Layout, held: Flags, desk: Desk, record: int) -> int:
    """Put a record with all its original items on the desk, those not held as gone."""
    first = layout.at[record]
    count = int(layout.at[record + 1] - first)
    for member in range(count):
        desk.members[member] = layout.items[first + member]
        desk.gone[member] = not held[first + member]
    return count


@compiled
def choose_all(
    layout: Layout,
    table: Table,
    rule: Rule,
    desk: Desk,
    held: Flags,
    order: Places,
    dirty: Flags,
) -> None:
    """Every record that is dirty chooses anew, in this order."""
    for record in order:
        if not dirty[record]:
            continue
        dirty[record] = False
        count = _fetch(layout, held, desk, record)
        _count(table, rule, desk, count, -1)
        choose(table, rule, desk, count)
        _count(table, rule, desk, count, 1)
        for member in range(count):
            held[layout.at[record] + member] = not desk.gone[member]


@compiled
def _holds(layout: Layout, table: Table, held: Flags, record: int, node: int) -> bool:
    """Whether a record holds all items of a set."""
    lo, end = layout.at[record], layout.at[record + 1]
    while node > 0:
        place = lo + np.searchsorted(layout.items[lo:end], table.item[node])
        if place == end or layout.items[place] != table.item[node] or not held[place]:
            return False
        # The items further up are smaller.
        end = place
        node = table.parent[node]
    return True


@compiled
def fell(layout: Layout, table: Table, held: Flags, most: int, dirty: Flags) -> int:
    """Fell the sets that at least one and at most `most` records hold; how many. Whoever holds
    one is dirty."""
    fallen = 0
    for node in range(1, len(table.item)):
        if not table.stands[node] or table.use[node] == 0 or table.use[node] > most:
            continue
        table.stands[node] = False
        fallen += 1
        top = node
        while table.parent[top] > 0:
            top = table.parent[top]
        # The item at the top is the rarest of the set.
        for which in range(layout.owner_at[table.item[top]], layout.owner_at[table.item[top] + 1]):
            place = layout.owner[which]
            record = layout.record[place]
            if held[place] and not dirty[record] and _holds(layout, table, held, record, node):
                dirty[record] = True
    return fallen


@compiled
def recount(layout: Layout, table: Table, rule: Rule, desk: Desk, held: Flags) -> None:
    """The use of every set, counted afresh."""
    table.use[:] = 0
    for record in range(len(layout.at) - 1):
        count = _fetch(layout, held, desk, record)
        _count(table, rule, desk, count, 1)
