"""Which numbers are reported together: few blocks in which every two of them meet about equally.

Claim    at most `most` blocks of `size` of `count` numbers, all blocks where there are no more;
         every number stands in equally many, and the blocks are different. (One turn of the circle
         is made in any case: `count` blocks.)
Source   cyclic designs (Bose 1939): a block that is shifted around the circle of all numbers meets
         every two of the same distance equally often.
Symbols  met -> how often two numbers of each distance meet. A distance of half the circle is met
         twice a turn, by half as many pairs.
Why      all blocks of 5 of 10 numbers are 252. A person reports one block, so the fewer there are
         the more reports each has, and the better is known how its scores go together
         (estimates/cells.py). How often two numbers meet depends on the size of blocks alone.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter


def blocks(count: int, size: int, most: int) -> list[tuple[int, ...]]:
    """Blocks of the numbers 0 … count − 1, each in ascending order."""
    if math.comb(count, size) <= most:
        return list(itertools.combinations(range(count), size))
    met: Counter[int] = Counter()
    found: dict[tuple[int, ...], None] = {}
    for _ in range(max(1, most // count)):
        base = _base(count, size, met)
        for shift in range(count):
            found[tuple(sorted((place + shift) % count for place in base))] = None
    return list(found)


def _base(count: int, size: int, met: Counter[int]) -> list[int]:
    """A block around 0, of one number after the other whose distances were met least; `met` counts
    them on."""
    base = [0]
    while len(base) < size:
        free = [place for place in range(count) if place not in base]
        chosen = min(free, key=lambda place: _cost(_meetings(place, base, count), count, met))
        met.update(_meetings(chosen, base, count))
        base.append(chosen)
    return base


def _meetings(place: int, base: list[int], count: int) -> Counter[int]:
    """How often one more number meets the others, by distance."""
    found: Counter[int] = Counter()
    for other in base:
        distance = min((place - other) % count, (other - place) % count)
        found[distance] += 2 if 2 * distance == count else 1
    return found


def _cost(new: Counter[int], count: int, met: Counter[int]) -> int:
    """By what the sum over all pairs of squared meetings grows, in units of half the numbers."""
    return sum(
        (1 if 2 * distance == count else 2) * added * (2 * met[distance] + added)
        for distance, added in new.items()
    )
