"""A table of counts with nested levels on every dimension, and its margins.

Counts stand in an array with one axis a dimension, the finest level's members in the order of the
hierarchy: the members of every coarser group lie side by side. Level 0 is the total, level 1 the
coarsest declared one, `depth` the finest. A margin is one level a dimension; whatever is summed
keeps its axis with length 1, so that margins of one table broadcast against each other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Margin = tuple[int, ...]
Array = NDArray[Any]
TOTAL = "total"


@dataclass(frozen=True)
class Tier:
    """One level of a dimension: its members, and how many members of the next finer level each
    of them holds (nothing for the finest)."""

    name: str
    labels: tuple[str, ...]
    children: tuple[int, ...] = ()


@dataclass(frozen=True)
class Dimension:
    """A chain of levels from coarse to fine; the total is level 0 and not listed."""

    tiers: tuple[Tier, ...]

    def __post_init__(self) -> None:
        for coarse, fine in itertools.pairwise(self.tiers):
            if sum(coarse.children) != len(fine.labels) or 0 in coarse.children:
                raise ValueError("the groups of a level must hold all members of the finer one")

    @property
    def name(self) -> str:
        return self.tiers[-1].name

    @property
    def depth(self) -> int:
        return len(self.tiers)

    def size(self, level: int) -> int:
        return len(self.tiers[level - 1].labels) if level else 1

    def labels(self, level: int) -> tuple[str, ...]:
        return self.tiers[level - 1].labels if level else (TOTAL,)

    def level_name(self, level: int) -> str:
        return self.tiers[level - 1].name if level else TOTAL

    def children(self, level: int) -> tuple[int, ...]:
        """How many members of level + 1 each member of `level` holds."""
        return self.tiers[level - 1].children if level else (self.size(1),)

    def leaves(self, level: int) -> NDArray[np.int64]:
        """How many of the finest members each member of `level` holds."""
        held = np.ones(self.size(self.depth), dtype=np.int64)
        for fine in range(self.depth - 1, level - 1, -1):
            held = np.add.reduceat(held, starts(self.children(fine)))
        return held

    def to_dict(self) -> dict[str, Any]:
        tiers = [
            {"name": tier.name, "labels": list(tier.labels), "children": list(tier.children)}
            for tier in self.tiers
        ]
        return {"levels": tiers}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Dimension:
        tiers = (
            Tier(each["name"], tuple(each["labels"]), tuple(each["children"]))
            for each in values["levels"]
        )
        return cls(tuple(tiers))


def starts(children: Sequence[int]) -> NDArray[np.int64]:
    """Where each group begins among the members of the finer level."""
    return np.concatenate(([0], np.cumsum(children)[:-1])).astype(np.int64)


def summed(values: Array, axis: int, children: Sequence[int]) -> Array:
    """The sums of side-by-side groups along one axis."""
    if len(children) == 1:
        total: Array = values.sum(axis=axis, keepdims=True)
        return total
    if len(set(children)) == 1:
        # Groups of one size are a reshape, several times as fast as sums from start to start.
        shape = (*values.shape[:axis], len(children), children[0], *values.shape[axis + 1 :])
        evenly: Array = values.reshape(shape).sum(axis=axis + 1)
        return evenly
    grouped: Array = np.add.reduceat(values, starts(children), axis=axis)
    return grouped


def margin_of(counts: Array, dimensions: Sequence[Dimension], margin: Margin) -> Array:
    """One margin of a table of finest cells."""
    for axis, (dimension, level) in enumerate(zip(dimensions, margin, strict=True)):
        if level == 0:
            counts = counts.sum(axis=axis, keepdims=True)
            continue
        for fine in range(dimension.depth - 1, level - 1, -1):
            counts = summed(counts, axis, dimension.children(fine))
    return counts


def every_margin(dimensions: Sequence[Dimension]) -> list[Margin]:
    """All margins, the total first and the table itself last."""
    return list(itertools.product(*(range(each.depth + 1) for each in dimensions)))


def cells_of(dimensions: Sequence[Dimension], margin: Margin) -> int:
    return math.prod(d.size(level) for d, level in zip(dimensions, margin, strict=True))


def finest(dimensions: Sequence[Dimension]) -> Margin:
    return tuple(each.depth for each in dimensions)


def margin_name(dimensions: Sequence[Dimension], margin: Margin) -> str:
    """sex,region; the total is called total."""
    named = [d.level_name(level) for d, level in zip(dimensions, margin, strict=True) if level]
    return ",".join(named) or TOTAL
