"""One step against an unsafe set of known items, taken from crowds. Compiled.

Which item goes, and how often, is as in mending.py. Of the crowds that hold Q and what is inferred,
those with most of that lose first, then the longest, then by lot; each loses it from as many
records as are wanted, before the next does: the fewer kinds of records there are, the less is to
be looked at afterwards.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled, inlined
from sudare.sets.crowds import Crowds
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule, default_choice, draw
from sudare.sets.thinning import crowd_holds, thin, with_room

_MOST = 32767


@compiled
def _take_by_lot(
    rule: Rule, crowds: Crowds, item: int, chosen: Items, found: int, wanted: int
) -> None:
    """Each record of the chosen crowds has the same chance to be among the wanted."""
    total, taken = 0, np.zeros(found, np.int64)
    for place in range(found):
        total += crowds.weight[chosen[place]]
    for drawn in range(wanted):
        lot, place = draw(rule, total - drawn), 0
        while lot >= crowds.weight[chosen[place]] - taken[place]:
            lot -= crowds.weight[chosen[place]] - taken[place]
            place += 1
        taken[place] += 1
    for place in range(found):
        if taken[place] > 0:
            thin(crowds, chosen[place], item, taken[place])


@inlined
def _take(
    rule: Rule, crowds: Crowds, item: int, chosen: Items, hits: Items, found: int, wanted: int
) -> None:
    keys = np.empty(found, np.int64)
    for place in range(found):
        crowd = chosen[place]
        # Fewer than 2^15 hits and lengths count apart; beyond that they count alike.
        hit, length = int(min(hits[place], _MOST)), int(min(crowds.size[crowd], _MOST))
        lot = rule.lot[crowds.first[crowd]]
        keys[place] = ((_MOST - hit) << 47) | ((_MOST - length) << 32) | lot
    order = np.argsort(keys) if found > 1 else np.zeros(1, np.int64)
    for place in order:
        count = min(wanted, crowds.weight[chosen[place]])
        thin(crowds, chosen[place], item, count)
        wanted -= count
        if wanted == 0:
            break


@inlined
def mend_crowds(
    layout: Layout,
    state: State,
    rule: Rule,
    crowds: Crowds,
    known: Items,
    size: int,
    valid: Items,
    those: int,
    owners: int,
    counts: Places,
    inferred: Items,
    many: int,
) -> tuple[Crowds, int]:
    """One step against the inference of `inferred` from `known`; how many items it cost. The first
    `those` of `valid` are the crowds that hold Q, `counts` how often each item stands in them."""
    d, e, wanted = default_choice(layout, state, rule, known, size, owners, counts, inferred, many)
    chosen, hits = np.empty(those, np.int32), np.empty(those, np.int32)
    found, holders, items = 0, 0, 0
    for place in range(those):
        hit = 0
        if e >= 0:
            hit = 1 if crowd_holds(crowds, valid[place], e) else 0
        else:
            for which in range(many):
                hit += 1 if crowd_holds(crowds, valid[place], inferred[which]) else 0
        if hit > 0:
            chosen[found], hits[found] = valid[place], hit
            found += 1
            holders += crowds.weight[valid[place]]
            items += crowds.reach[valid[place]]
    wanted = min(wanted, holders)
    rule.tally[0 if d == e else 1] += wanted
    crowds = with_room(crowds, found, items)
    if rule.by_lot:
        _take_by_lot(rule, crowds, d, chosen, found, wanted)
    else:
        _take(rule, crowds, d, chosen, hits, found, wanted)
    state.support[d] -= wanted
    state.total[0] -= wanted
    return crowds, wanted
