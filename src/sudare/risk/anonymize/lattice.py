"""The least lossy full-domain generalization, found without judging every one.

A node says how far each column is generalized. Losses add up over columns, so they are known
before any class is counted; nodes are taken in ascending order of loss, and the first that is good
is the best.

Claim    the result has the least (loss, node) of all good nodes.
Source   Samarati 2001; LeFevre, DeWitt, Ramakrishnan 2005 (Incognito); Kohlmayer, Prasser, Eckert,
         Kemper, Kuhn 2012 (Flash: binary search along chains).
Needs    `Verdict.holds` is monotone: where it holds for a node it holds for every coarser one. So
         it is for "at most so many records are in classes of fewer than k records or fewer than ℓ
         distinct values", since a class that is large and diverse enough stays so when it grows.
         It is not so for t-closeness while records may be suppressed (a close class can be merged
         with a far one), so that part is judged node by node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Node = tuple[int, ...]


@dataclass(frozen=True)
class Verdict:
    """Whether the monotone conditions hold, and whether all do."""

    holds: bool
    good: bool


Judge = Callable[[Node], Verdict]


@dataclass
class Lattice:
    """The nodes of some hierarchies and what is known of them; `judged` keeps every verdict."""

    losses: Sequence[Sequence[float]]
    judge: Judge
    judged: dict[Node, Verdict] = field(default_factory=dict)
    loss: npt.NDArray[np.float64] = field(init=False)
    _fails: npt.NDArray[np.bool_] = field(init=False)
    _holds: npt.NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        shape = tuple(len(column) for column in self.losses)
        total = np.zeros(shape)
        for axis, column in enumerate(self.losses):
            spread = [1] * len(shape)
            spread[axis] = -1
            total = total + np.array(column).reshape(spread)
        self.loss = np.round(total / len(shape), 12)
        self._fails, self._holds = np.zeros(shape, bool), np.zeros(shape, bool)

    def ordered(self) -> list[Node]:
        """All nodes by loss, equal ones in the order of their levels."""
        flat = np.argsort(self.loss, axis=None, kind="stable")
        places = np.stack(np.unravel_index(flat, self.loss.shape), axis=1)
        return [tuple(int(level) for level in place) for place in places]

    def best(self, allowed: Callable[[Node], bool] = lambda _: True) -> Node | None:
        """The good node of least loss among those allowed."""
        for node in self.ordered():
            if not allowed(node) or self._fails[node]:
                continue
            if not self._holds[node]:
                self._climb(node)
            if not self._fails[node] and self._ask(node).good:
                return node
        return None

    def _climb(self, node: Node) -> None:
        """Find by halving where the monotone conditions begin to hold on the way to the top."""
        path = self._path(node)
        low, high = 0, len(path) - 1
        while low <= high:
            middle = (low + high) // 2
            if self._ask(path[middle]).holds:
                high = middle - 1
            else:
                low = middle + 1

    def _path(self, node: Node) -> list[Node]:
        """A chain from a node to the top, over the least lossy neighbours."""
        path = [node]
        while True:
            above = [each for each in self._above(path[-1]) if not self._holds[each]]
            if not above:
                return path
            path.append(min(above, key=lambda each: (float(self.loss[each]), each)))

    def _above(self, node: Node) -> list[Node]:
        return [
            (*node[:axis], level + 1, *node[axis + 1 :])
            for axis, level in enumerate(node)
            if level + 1 < self.loss.shape[axis]
        ]

    def _ask(self, node: Node) -> Verdict:
        if node not in self.judged:
            self.judged[node] = self.judge(node)
        verdict = self.judged[node]
        # What fails takes everything finer with it, what holds everything coarser.
        if verdict.holds:
            self._holds[tuple(slice(level, None) for level in node)] = True
        else:
            self._fails[tuple(slice(None, level + 1) for level in node)] = True
        return verdict
