"""What the original owners of Q call sensitive. Compiled.

The attacker knows items of the original record, so the owners of Q are looked for there: a person
whose released record has lost an item of Q is still exposed by the records that kept it.
"""

from __future__ import annotations

import numpy as np

from sudare.facts.baskets import Items
from sudare.sets.compiled import inlined
from sudare.sets.layout import Layout
from sudare.sets.signs import sign_of

_NEAR = 8


@inlined
def is_among(items: Items, lo: int, hi: int, wanted: int) -> bool:
    """Whether an ascending stretch of items has the wanted one."""
    end = hi
    while lo < hi:
        middle = (lo + hi) // 2
        if items[middle] < wanted:
            lo = middle + 1
        else:
            hi = middle
    return lo < end and items[lo] == wanted


@inlined
def minds(layout: Layout, record: int, e: int) -> bool:
    """e ∈ E_u."""
    if layout.everyone[e]:
        return True
    code, lo, hi = layout.item[e], layout.own_at[record], layout.own_at[record + 1]
    if lo == hi:
        return False
    # Codes are mostly spread evenly, so that the place is nearly known; halving a long list would
    # read it from all over the memory.
    guess, step = lo + (hi - lo) * code // len(layout.item), _NEAR
    if layout.own[guess] < code:
        while guess + step < hi and layout.own[guess + step] < code:
            guess, step = guess + step, 2 * step
        return is_among(layout.own, guess, min(guess + step + 1, hi), code)
    while guess - step >= lo and layout.own[guess - step] > code:
        guess, step = guess - step, 2 * step
    return is_among(layout.own, max(guess - step, lo), guess + 1, code)


@inlined
def owns(layout: Layout, record: int, known: Items, size: int) -> bool:
    """Q ⊆ D0_u."""
    for place in range(size):
        if not is_among(layout.original, layout.at[record], layout.at[record + 1], known[place]):
            return False
    return True


@inlined
def rarest(layout: Layout, known: Items, size: int) -> int:
    """The item of Q with the fewest original owners."""
    best = int(known[0])
    for place in range(1, size):
        i = known[place]
        least = layout.owner_at[best + 1] - layout.owner_at[best]
        if layout.owner_at[i + 1] - layout.owner_at[i] < least:
            best = int(i)
    return best


@inlined
def _is_minded_by(layout: Layout, kind: int, e: int) -> bool:
    """Whether one of the records of a kind minds e."""
    for place in range(layout.kind_at[kind], layout.kind_at[kind + 1]):
        if minds(layout, layout.kind[place], e):
            return True
    return False


@inlined
def keep_minded(layout: Layout, known: Items, size: int, inferred: Items, many: int) -> int:
    """Keep of `inferred` what some original owner of Q minds, in place; how many these are. Owners
    are looked at until all is found to be minded: mostly the first few tell."""
    is_minded = np.empty(many, np.bool_)
    unseen = 0
    for which in range(many):
        is_minded[which] = layout.everyone[inferred[which]]
        unseen += not is_minded[which]
    if unseen > 0 and len(layout.own) > 0:
        i, sign = rarest(layout, known, size), sign_of(known[:size])
        for place in range(layout.kinds_at[i], layout.kinds_at[i + 1]):
            kind = layout.kinds[place]
            if layout.kinds_sign[place] & sign != sign:
                continue
            first = layout.kind[layout.kind_at[kind]]
            if size > 1 and not owns(layout, first, known, size):
                continue
            for which in range(many):
                if not is_minded[which] and _is_minded_by(layout, kind, inferred[which]):
                    is_minded[which] = True
                    unseen -= 1
            if unseen == 0:
                break
    kept = 0
    for which in range(many):
        if is_minded[which]:
            inferred[kept] = inferred[which]
            kept += 1
    return kept
