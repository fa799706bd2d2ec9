"""What the original owners of Q call sensitive. Compiled.

The attacker knows items of the original record, so the owners of Q are looked for there: a person
whose released record has lost an item of Q is still exposed by the records that kept it.
"""

from __future__ import annotations

from sudare.facts.baskets import Items
from sudare.sets.compiled import compiled
from sudare.sets.layout import Layout


@compiled
def _is_among(items: Items, lo: int, hi: int, wanted: int) -> bool:
    """Whether an ascending stretch of items has the wanted one."""
    end = hi
    while lo < hi:
        middle = (lo + hi) // 2
        if items[middle] < wanted:
            lo = middle + 1
        else:
            hi = middle
    return lo < end and items[lo] == wanted


@compiled
def minds(layout: Layout, record: int, e: int) -> bool:
    """e ∈ E_u."""
    if layout.everyone[e]:
        return True
    code = layout.item[e]
    return _is_among(layout.own, layout.own_at[record], layout.own_at[record + 1], code)


@compiled
def owns(layout: Layout, record: int, known: Items, size: int) -> bool:
    """Q ⊆ D0_u."""
    for place in range(size):
        if not _is_among(layout.original, layout.at[record], layout.at[record + 1], known[place]):
            return False
    return True


@compiled
def rarest(layout: Layout, known: Items, size: int) -> int:
    """The item of Q with the fewest original owners."""
    best = int(known[0])
    for place in range(1, size):
        i = known[place]
        least = layout.owner_at[best + 1] - layout.owner_at[best]
        if layout.owner_at[i + 1] - layout.owner_at[i] < least:
            best = int(i)
    return best


@compiled
def _owners(layout: Layout, known: Items, size: int, into: Items) -> int:
    """The original owners of Q; how many they are."""
    i = rarest(layout, known, size)
    count = 0
    for place in range(layout.owner_at[i], layout.owner_at[i + 1]):
        record = layout.owner[place]
        if owns(layout, record, known, size):
            into[count] = record
            count += 1
    return count


@compiled
def keep_minded(
    layout: Layout, known: Items, size: int, inferred: Items, many: int, scratch: Items
) -> int:
    """Keep of `inferred` what some original owner of Q minds, in place; how many these are.
    `scratch` has room for a record number for each record."""
    kept, owners = 0, -1
    for which in range(many):
        e = inferred[which]
        is_minded = layout.everyone[e]
        if not is_minded and len(layout.own) > 0:
            if owners < 0:
                owners = _owners(layout, known, size, scratch)
            for place in range(owners):
                if minds(layout, scratch[place], e):
                    is_minded = True
                    break
        if is_minded:
            inferred[kept] = e
            kept += 1
    return kept
