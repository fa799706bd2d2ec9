"""The search for the best rules: antecedents X depth first, and under each its consequents Y.

Claim    The `top` best rules with support from `level` and confidence from p/q, whatever the order
         of the search: what is passed over has a worse key than all that are kept.
Symbols  x = supp(X), s = supp(X ∪ Y). A rule needs s >= level and q·s >= p·x.
Needs    p·x < 2^63.
Why      For one X, s falls and |Y| rises as Y grows: below a Y that is refused nothing is wanted,
         and every Y on the way is a rule. As X grows, x falls and |X| rises; a rule below X has
         s <= x, and s = x only at confidence 1: its key is no better than (x, x, |X|, 1).
"""

from __future__ import annotations

from typing import NamedTuple

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.mining.best import Best, is_hopeless, least_support, settle, with_room
from sudare.sets.mining.layout import EVERY, ONE, ZERO, Layout, Stack, Work, spread


class Asked(NamedTuple):
    """At most `widest` items stand on each side of a rule. The search breaks off when its steps are
    more than `patience`; what it found is then not all."""

    level: int
    p: int
    q: int
    top: int
    widest: int
    patience: int


@compiled
def _consequents(
    layout: Layout,
    work: Work,
    stack: Stack,
    source: Places,
    path: Items,
    left: int,
    asked: Asked,
    best: Best,
) -> Best:
    """Take in the rules of the antecedent path[:left], which the records of `source` hold."""
    base, top = len(source), asked.top
    need = max(asked.level, -(-asked.p * base // asked.q))
    least = least_support(best, top, need)
    height = spread(layout, work, source, layout.begins, stack, ZERO, ZERO, least, left, top)
    while height > 0 and work.steps[0] <= asked.patience:
        height -= 1
        item, low, high, depth = stack.nodes[height]
        path[depth] = item
        right = depth + 1 - left
        if is_hopeless(best, top, high - low, base, left, right):
            continue
        best = with_room(best, depth + 1)
        key = best.keys[best.held[0]]
        key[0], key[1], key[2], key[3] = low - high, base, left, right
        for k in range(depth + 1):
            best.rows[best.held[0], k] = path[k]
        settle(best, top)
        # One item more on the right is the best that can follow. Without this look, a record of
        # thousands of items would be searched for longer rules where the shortest are enough.
        if right < asked.widest and not is_hopeless(best, top, high - low, base, left, right + 1):
            inside, least = stack.places[low:high], least_support(best, top, need)
            height = spread(
                layout, work, inside, layout.nexts, stack, height, high, least, depth + 1, top
            )
    return best


@compiled
def best_rules(
    layout: Layout, work: Work, stack: Stack, inner: Stack, path: Items, asked: Asked, best: Best
) -> Best:
    """The best rules. `stack` holds the roots, `inner` is as large; both are used up."""
    height, before = len(stack.nodes), ZERO
    while height > 0 and work.steps[0] <= asked.patience:
        height -= 1
        item, low, high, depth = stack.nodes[height]
        base, left = high - low, depth + 1
        # The best that can follow has all records of X on both sides, and one item on the right.
        if base < asked.level or is_hopeless(best, asked.top, base, base, left, ONE):
            continue
        for k in range(depth, before):
            work.blocked[path[k]] = False
        path[depth], work.blocked[item], before = item, True, left
        source = stack.places[low:high]
        best = _consequents(layout, work, inner, source, path, left, asked, best)
        if left < asked.widest and not is_hopeless(best, asked.top, base, base, left + 1, ONE):
            least = least_support(best, asked.top, asked.level)
            height = spread(
                layout, work, source, layout.nexts, stack, height, high, least, left, EVERY
            )
    for k in range(before):
        work.blocked[path[k]] = False
    return best
