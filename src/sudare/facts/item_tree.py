"""Items under coarser names, those under coarser ones, up to one root.

Claim    what is built is a tree: one root, every other node under exactly one parent, nothing
         above itself, no two nodes of one name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidFile


@dataclass(frozen=True, eq=False, repr=False)
class Hierarchy:
    """Node c is the item with code c as far as there are items; the nodes behind them are coarser
    names, and items that the data does not have. `parent` is the node above each node, -1 for the
    root alone."""

    names: tuple[str, ...]
    parent: NDArray[np.int32]

    def __post_init__(self) -> None:
        if not _is_tree(self.parent, len(self.names)) or len(set(self.names)) < len(self.names):
            raise InvalidFile(
                "The hierarchy of items is not a tree.",
                "Give every node one name and one parent, up to a single root.",
            )

    @property
    def root(self) -> int:
        return int(np.flatnonzero(self.parent < 0)[0])


def tops(parent: NDArray[np.int32]) -> NDArray[np.int64]:
    """The node at the top above every node, itself where nothing is above; where nodes stand above
    each other in a circle, one of them."""
    above = np.where(parent < 0, np.arange(len(parent)), parent).astype(np.int64)
    # Each turn looks twice as far up.
    for _ in range(len(parent).bit_length()):
        above = above[above]
    return above


def _is_tree(parent: NDArray[np.int32], nodes: int) -> bool:
    fits = parent.shape == (nodes,) and bool(np.all((parent >= -1) & (parent < nodes)))
    if not fits or np.count_nonzero(parent < 0) != 1:
        return False
    return bool(np.all(parent[tops(parent)] < 0))
