"""Some records of a crowd lose an item, and are another crowd then. Compiled.

Claim    weights, contents and chains stay true: whoever lost the item is in the crowd of the same
         root that holds all else.
"""

from __future__ import annotations

from sudare.sets.compiled import inlined, longer
from sudare.sets.crowds import Crowds


@inlined
def with_room(crowds: Crowds, more: int, items: int) -> Crowds:
    """The same with room for so many crowds more, of so many items in all."""
    many, places = crowds.used[0] + more, crowds.used[1] + items
    if many <= len(crowds.weight) and places <= len(crowds.held):
        return crowds
    return Crowds(
        longer(crowds.weight, many),
        longer(crowds.at, many),
        longer(crowds.size, many),
        longer(crowds.reach, many),
        longer(crowds.root, many),
        longer(crowds.chain, many),
        longer(crowds.first, many),
        longer(crowds.last, many),
        longer(crowds.held, places),
        crowds.after,
        crowds.used,
    )


@inlined
def crowd_holds(crowds: Crowds, crowd: int, item: int) -> bool:
    start = crowds.at[crowd]
    for place in range(start, start + crowds.size[crowd]):
        if crowds.held[place] == item:
            return True
    return False


@inlined
def _is_without(crowds: Crowds, crowd: int, other: int, item: int) -> bool:
    """Whether a crowd of the same root holds what another does but for one item."""
    if crowds.size[crowd] != crowds.size[other] - 1:
        return False
    start = crowds.at[other]
    for place in range(start, start + crowds.size[other]):
        i = crowds.held[place]
        if crowd_holds(crowds, crowd, i) != (i != item):
            return False
    return True


@inlined
def _lose(crowds: Crowds, crowd: int, item: int) -> None:
    """What is lost stands behind what is held, and before what was lost already."""
    place, last = crowds.at[crowd], crowds.at[crowd] + crowds.size[crowd] - 1
    while crowds.held[place] != item:
        place += 1
    crowds.held[place], crowds.held[last] = crowds.held[last], item
    crowds.size[crowd] -= 1


@inlined
def _without(crowds: Crowds, crowd: int, item: int) -> int:
    """The crowd of the same root that holds all but one item, which may be new and empty."""
    root = crowds.root[crowd]
    other = crowds.chain[root]
    while other >= 0:
        if _is_without(crowds, other, crowd, item):
            return int(other)
        other = crowds.chain[other]
    reach, size = crowds.reach[crowd], crowds.size[crowd]
    new, start, at = crowds.used[0], crowds.at[crowd], crowds.used[1]
    crowds.weight[new], crowds.at[new] = 0, at
    crowds.size[new], crowds.reach[new] = size, reach
    crowds.root[new], crowds.chain[new] = root, crowds.chain[root]
    crowds.chain[root] = new
    crowds.first[new] = crowds.last[new] = -1
    crowds.held[at : at + reach] = crowds.held[start : start + reach]
    _lose(crowds, int(new), item)
    crowds.used[0] += 1
    crowds.used[1] += reach
    return int(new)


@inlined
def thin(crowds: Crowds, crowd: int, item: int, count: int) -> None:
    """So many records of a crowd, at least one, lose an item; those whose lot is first. There is
    room for one more crowd."""
    if count == crowds.weight[crowd] and crowds.root[crowd] != crowd:
        # An empty crowd in the chain would be passed by again and again.
        _lose(crowds, crowd, item)
        return
    new = _without(crowds, crowd, item)
    first = crowds.first[crowd]
    last = first
    for _ in range(count - 1):
        last = crowds.after[last]
    crowds.first[crowd] = crowds.after[last]
    crowds.after[last] = -1
    if crowds.weight[new] == 0:
        crowds.first[new] = first
    else:
        crowds.after[crowds.last[new]] = first
    crowds.last[new] = last
    crowds.weight[crowd] -= count
    crowds.weight[new] += count
