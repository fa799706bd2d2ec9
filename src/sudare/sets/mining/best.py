"""The best rules so far: a heap with the worst of them on top, in arrays.

Symbols  key -> (-support, support of the antecedent, its size, size of the consequent), so that
         the smaller key is the better one; row -> the antecedent's items, then the consequent's,
         each ascending. Between equal keys the row that comes first in a dictionary is better.
         `top` -> how many rules are wanted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sudare.facts.baskets import Items, Places
from sudare.sets.compiled import compiled
from sudare.sets.mining.layout import ZERO

SUPPORT, BASE, LEFT, RIGHT = range(4)


class Best(NamedTuple):
    """The heap is the first `held[0]` keys and rows; a rule that is offered waits behind them."""

    keys: Places
    rows: Items
    held: Places


def nothing_yet() -> Best:
    return Best(np.empty((16, 4), np.int64), np.empty((16, 4), np.int32), np.zeros(1, np.int64))


@compiled
def least_support(best: Best, top: int, level: int) -> int:
    """The support that a further rule needs."""
    if best.held[0] < top:
        return level
    return int(max(level, -best.keys[0, SUPPORT]))


@compiled
def is_hopeless(best: Best, top: int, support: int, base: int, left: int, right: int) -> bool:
    """Whether no rule with this key or a worse one is wanted any more."""
    if best.held[0] < top:
        return False
    worst = best.keys[0]
    if -support != worst[SUPPORT]:
        return bool(-support > worst[SUPPORT])
    if base != worst[BASE]:
        return bool(base > worst[BASE])
    if left != worst[LEFT]:
        return bool(left > worst[LEFT])
    return bool(right > worst[RIGHT])


@compiled
def with_room(best: Best, size: int) -> Best:
    """The same heap with room for one more rule of so many items."""
    height, width = best.rows.shape
    count = best.held[0]
    if count < height and size <= width:
        return best
    taller = 2 * height if count == height else height
    wider = max(size, 2 * width) if size > width else width
    keys, rows = np.empty((taller, 4), np.int64), np.empty((taller, wider), np.int32)
    # Loops, since numba takes seconds to compile an assignment of slices.
    for slot in range(count):
        for k in range(4):
            keys[slot, k] = best.keys[slot, k]
        for k in range(width):
            rows[slot, k] = best.rows[slot, k]
    return Best(keys, rows, best.held)


@compiled
def settle(best: Best, top: int) -> None:
    """Take in the rule that waits behind the heap, if it is wanted."""
    count, first = best.held[0], ZERO
    if count < top:
        best.held[0], at = count + 1, count
        while at > 0 and _comes_after(best, at, (at - 1) // 2):
            _swap(best, at, (at - 1) // 2)
            at = (at - 1) // 2
        return
    if _comes_after(best, count, first):
        return
    _swap(best, count, first)
    at = first
    while 2 * at + 1 < count:
        below = 2 * at + 1
        if below + 1 < count and _comes_after(best, below + 1, below):
            below += 1
        if not _comes_after(best, below, at):
            return
        _swap(best, at, below)
        at = below


@compiled
def _comes_after(best: Best, one: int, other: int) -> bool:
    """Whether a rule is worse than another."""
    keys, rows = best.keys, best.rows
    for k in range(4):
        if keys[one, k] != keys[other, k]:
            return bool(keys[one, k] > keys[other, k])
    for k in range(keys[one, LEFT] + keys[one, RIGHT]):
        if rows[one, k] != rows[other, k]:
            return bool(rows[one, k] > rows[other, k])
    return False


@compiled
def _swap(best: Best, one: int, other: int) -> None:
    keys, rows = best.keys, best.rows
    for k in range(4):
        keys[one, k], keys[other, k] = keys[other, k], keys[one, k]
    for k in range(rows.shape[1]):
        rows[one, k], rows[other, k] = rows[other, k], rows[one, k]
