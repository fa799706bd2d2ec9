"""k^m-anonymity by local suppression."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sudare.facts.baskets import Baskets, Flags, Places
from sudare.facts.errors import UsageError
from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import permutation
from sudare.sets.km.visiting import Desk, Rule, make_desk
from sudare.sets.km.layout import Layout, lay_out
from sudare.sets.km.settling import choose_all, fell, put_back, recount
from sudare.sets.km.table import Table, make_table

Watch = Callable[[str, float], None]
NEED, DOUBT, ROUNDS = 0.05, 1.0, 1


def by_suppression(
    baskets: Baskets, k: int, m: int, bits: RandomBits, watch: Watch | None = None,
    need: float = NEED, doubt: float = DOUBT, rounds: int = ROUNDS, steps=None, order="long"
) -> Flags:
    layout, rank = lay_out(baskets, k)
    lengths = np.diff(layout.at)
    m = min(m, int(lengths.max(initial=1)))
    table = make_table(baskets, rank, k, m)
    rule = Rule(k, m, need, doubt)
    desk = make_desk(int(lengths.max(initial=1)), m)
    held = np.ones(len(layout.items), np.bool_)
    lot = permutation(bits, baskets.records)
    order = lot[np.argsort(-lengths[lot], kind="stable")] if order=="long" else lot
    best = held & False
    out = []
    for _ in range(rounds):
        table.stands[:] = True
        settle(layout, table, rule, desk, held, order, steps or range(1, k))
        out.append((put_back(layout, table, rule, desk, held, order), round(1-float(held.sum()/len(baskets.items)),5)))
        if held.sum() > best.sum():
            best = held.copy()
    kept = np.zeros(len(baskets.items), np.bool_)
    kept[layout.place[best]] = True
    return kept, out


def settle(layout, table, rule, desk, held, order, steps) -> None:
    dirty = np.ones(len(layout.at) - 1, np.bool_)
    n=0
    steps = list(steps)
    i = 0
    while True:
        choose_all(layout, table, rule, desk, held, order, dirty)
        n+=1
        while i < len(steps) and not fell(layout, table, held, steps[i], dirty):
            i += 1
        if i == len(steps):
            before = table.use.copy()
            recount(layout, table, rule, desk, held)
            assert (before == table.use).all()
            if not fell(layout, table, held, rule.k - 1, dirty):
                return
