"""The sets of items of one record, one after the other, and what is done with each. Compiled.

A record of n items has n over m sets of m items; only the way to the present one is kept, so that
a record of ten thousand items needs no more memory than the record itself. What to do is a number
rather than a function: a call for every set would cost ten times the visit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudare.facts.baskets import Flags, Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.km.table import Table, child

Floats = NDArray[np.float64]
# Add to the use of the set; see that it stands; weigh its price and blame; weigh its price alone.
COUNT, STANDS, WEIGH, PRICE = range(4)
_ABSENT = -1


class Rule(NamedTuple):
    """k, m and the weights of need and of doubt (see `meaning`)."""

    k: int
    m: int
    need: float
    doubt: float


class Desk(NamedTuple):
    """The record in work, with all its original items, and the sums for each of them."""

    members: Items
    gone: Flags
    fallen: Places  # Sets of the size in work with this member that do not stand.
    blame: Floats
    price: Floats
    chosen: Places  # The way to the present set: places among the members, ascending,
    node: Places  # their nodes,
    seen: Places  # the child up to which the members to come have been looked for,
    through: Flags  # and whether the member that must be in is in already.


def make_desk(longest: int, m: int) -> Desk:
    """Room for records of up to `longest` items."""
    return Desk(
        members=np.empty(longest, np.int32),
        gone=np.zeros(longest, np.bool_),
        fallen=np.zeros(longest, np.int64),
        blame=np.zeros(longest),
        price=np.zeros(longest),
        chosen=np.zeros(m + 1, np.int64),
        node=np.zeros(m + 1, np.int64),
        seen=np.zeros(m + 1, np.int64),
        through=np.zeros(m + 1, np.bool_),
    )


@compiled
def meaning(stands: bool, use: int, rule: Rule) -> tuple[float, float]:
    """What a set means for its items: blame and price, where `use` counts the record in work.

    A set that does not stand must not show: full blame. One that fewer than k would hold is in
    doubt: it may fall, and the item kept for it with it. One that hardly more than k hold is
    needed: without this record it may fall, and the others then lose an item each."""
    if not stands:
        return 1.0, 0.0
    if use < rule.k:
        return rule.doubt * (rule.k - use) / rule.k, 0.0
    return 0.0, rule.need * (rule.k - 1) / (use - rule.k + 1)


@compiled
def visit(
    table: Table,
    rule: Rule,
    desk: Desk,
    count: int,
    size: int,
    member: int,
    is_first: bool,
    task: int,
    by: int,
) -> bool:
    """Do a task with every set of `size` members that has `member` and none that is gone,
    `is_first` with those only that `member` begins; False as soon as a set fails.

    Sets whose beginning the table lacks are left out: the beginning was visited as a smaller set.
    `by` is what to add."""
    members, gone, chosen, through = desk.members, desk.gone, desk.chosen, desk.through
    depth = 0
    chosen[0] = member - 1 if is_first else -1
    through[0] = False
    while depth >= 0:
        place = chosen[depth] + 1
        if depth == size - 1 and not through[depth] and place < member:
            place = member
        chosen[depth] = place
        if place >= count or (not through[depth] and place > member):
            depth -= 1
            continue
        if gone[place]:
            continue
        node = members[place] + 1
        if depth > 0:
            end = table.end[desk.node[depth]]
            node = child(table.item, desk.seen[depth], end, members[place])
            desk.seen[depth] = node
            if node == end or table.item[node] != members[place]:
                node = _ABSENT
        if depth < size - 1:
            if node != _ABSENT:
                through[depth + 1] = through[depth] or place == member
                depth += 1
                chosen[depth], desk.node[depth], desk.seen[depth] = place, node, table.first[node]
        elif task == COUNT:
            if node != _ABSENT:
                table.use[node] += by
        elif task == STANDS:
            if node == _ABSENT or not table.stands[node]:
                return False
        else:
            stands = node != _ABSENT and table.stands[node]
            blame, price = meaning(stands, table.use[node] + 1 if stands else 0, rule)
            for each in chosen[:size]:
                desk.price[each] += by * price
                if task == WEIGH:
                    desk.blame[each] += by * blame
                    desk.fallen[each] += 0 if stands else by
    return True
