"""k^m-anonymity by local suppression.

Claim    every set of at most m items that occurs in the release is in at least k of its records,
         and no single suppressed item could come back without breaking that.
Source   Terrovitis, Mamoulis, Kalnis, VLDB 2008, for the guarantee; the way is our own, see
         docs/sets-km.md.
Way      each record keeps what it can of the sets that stand (choosing.py); sets that too few
         records hold fall, and those records choose again (settling.py). All this is done a few
         times, each time with all sets standing again but with the last result's numbers of
         holders to go by, and the best result is taken.
Gaps     The fewest possible suppressions are not found in general.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Baskets, Flags, Places
from sudare.facts.errors import InvalidPlan, UsageError
from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import permutation
from sudare.sets.km.layout import Layout, lay_out
from sudare.sets.km.settling import choose_all, fell, recount
from sudare.sets.km.table import Table, make_table
from sudare.sets.km.visiting import Desk, Rule, make_desk
from sudare.sets.pace import paced

Watch = Callable[[str, float], None]


class Weights(NamedTuple):
    """How much a record minds what others need, how much it mistrusts sets that few hold, and how
    often all is done. docs/sets-km.md has the figures that speak for these."""

    need: float = 0.05
    doubt: float = 1.0
    times: int = 3


WEIGHTS = Weights()


class _Work(NamedTuple):
    layout: Layout
    table: Table
    rule: Rule
    desk: Desk
    order: Places
    held: Flags


@paced("km")
def by_suppression(
    baskets: Baskets,
    k: int,
    m: int,
    bits: RandomBits,
    watch: Watch | None = None,
    weights: Weights = WEIGHTS,
) -> Flags:
    """Which items to keep, aligned with `baskets.items`. Where there are fewer than k records, none
    is. Records of one length choose in an order drawn by lot."""
    check_degree(k, m)
    if k == 1:
        return np.ones(len(baskets.items), np.bool_)
    # No set is held by more records than there are, and the work grows with k.
    k = min(k, baskets.records + 1)
    work = _prepared(baskets, k, m, bits, weights)
    best = np.zeros(len(work.held), np.bool_)
    for time in range(weights.times):
        work.table.stands[:] = True
        _settle(work, watch or _silent, time / weights.times, 1 / weights.times)
        if np.count_nonzero(work.held) > np.count_nonzero(best):
            best = work.held.copy()
    kept = np.zeros(len(baskets.items), np.bool_)
    kept[work.layout.place[best]] = True
    return kept


def check_degree(k: int, m: int) -> None:
    """k and m as the definition wants them."""
    if k < 1 or m < 1:
        raise UsageError(
            "k and the number of known items are whole numbers from 1.",
            "Example: --k 5 --max-knowledge 2",
        )


def _prepared(baskets: Baskets, k: int, m: int, bits: RandomBits, weights: Weights) -> _Work:
    layout, rank = lay_out(baskets, k)
    lengths = np.diff(layout.at)
    longest = max(1, int(lengths.max(initial=0)))
    most = min(m, longest)
    lot = permutation(bits, baskets.records)
    kept = np.ones(len(baskets.items), np.bool_)
    table = make_table(baskets, rank, k, most)
    if table is None and most > 1:
        # What is anonymous against less knowledge has far fewer sets left to count.
        kept = by_suppression(baskets, k, most - 1, bits, weights=weights)
        table = make_table(baskets.kept(kept), rank, k, most)
    if table is None:
        raise InvalidPlan(
            "Too many sets of items are frequent to keep count of each.",
            "Lower the number of known items, or raise k.",
        )
    return _Work(
        layout,
        table,
        Rule(k, most, weights.need, weights.doubt),
        make_desk(longest, most),
        # Long records have the most to lose and the most to choose from.
        lot[np.argsort(-lengths[lot], kind="stable")],
        kept[layout.place],
    )


def _settle(work: _Work, tell: Watch, start: float, span: float) -> None:
    """Choose and fell until every set that is held is held by k records."""
    layout, table, rule, desk, order, held = work
    dirty = np.ones(len(layout.at) - 1, np.bool_)
    # The weakest sets fall first: the others may gain from what their holders then choose.
    weakest = 1
    while True:
        tell("suppressing", start + span * weakest / rule.k)
        choose_all(layout, table, rule, desk, held, order, dirty)
        while weakest < rule.k and not fell(layout, table, held, weakest, dirty):
            weakest += 1
        if weakest == rule.k:
            recount(layout, table, rule, desk, held)
            if not fell(layout, table, held, rule.k - 1, dirty):
                return


def _silent(step: str, share: float) -> None:
    """Nobody watches."""
