"""How far one more or one fewer edge can move the cost of a minimum spanning tree, smoothed.

Graph    nodes 0..V−1 are public; a multiset of edges {x, y} with integer weights in [ℓ, Λ]. Pairs
         without an edge count as weight Λ, so that every graph has a tree. f is its least cost.
Claim    `smooth(b)` is S(G) = max over t >= 0 of e^(−bt)·A_t(G), exactly, where A_t(G) is the
         largest |f(H) − f(H')| with H, H' one edge apart and H within t edges of G. So S is at
         least the local sensitivity and changes by a factor of at most e^b from edge to edge.
Source   Nissim, Raskhodnikova, Smith 2007, section 4.2 (there the weight of a fixed edge changes;
         paper 003, page 27), derived anew for edges that come and go.
Derivation
         H' = H + e, e = {x, y} of weight w: f(H) − f(H') = max(0, B_H(x, y) − w), where B is the
         largest weight on the path of the tree, which is the largest θ such that edges lighter
         than θ do not connect x and y. Adding edges lowers B, removing r of them raises it to
         the largest θ for which some cut between x and y has at most r edges lighter than θ.
         Let w_j(C) be the j-th lightest edge across the cut C, Λ where there are fewer.
         e is new: t removals, then e of weight ℓ:            w_{t+1}(C) − ℓ.
         e was in G and goes: t removals beside it, e = w₁(C): w_{t+2}(C) − w₁(C).
         An e that was itself added before it goes costs a step and gains nothing over the first.
         A_t is the largest of both over all cuts C.
Cuts     the lightest edge of every cut may be taken from one minimum spanning tree T, and every
         cut parts the ends of some edge of T. With λ_θ(e) the least number of edges lighter than
         θ in a cut between the ends of e in T (a maximum flow), θ a weight that occurs or Λ,
         S = max over e in T and θ > w(e) of max(e^(−bλ)(θ − ℓ), e^(−b(λ−1))(θ − w(e))), and
         max w(e) − ℓ, for t = 0.
         λ_θ grows with θ, so an interval of θ is worth at most its largest θ at its least λ:
         the search takes the most promising interval first, halves it, and ends when none can
         pass what was found. λ is at least the number of direct edges and paths over one node,
         which spares most flows.
Needs    at most some hundred nodes: a flow takes about a millisecond for 100 of them.
Gaps     S is a float: relative error some 1e-15, for the caller to cover.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from sudare.facts.extras import needs

Ints = NDArray[np.int64]
_KEPT_MATRICES = 256


@dataclass(frozen=True)
class TreeEdge:
    one: int
    other: int
    weight: int


class Graph:
    """A multigraph with the default weight `high` between all nodes."""

    def __init__(
        self,
        nodes: int,
        low: int,
        high: int,
        ones: Ints,
        others: Ints,
        weights: Ints,
        counts: Ints | None = None,
    ) -> None:
        """Edges with an end outside 0..nodes−1, loops, and weights outside the bounds (which
        stand for what is missing) are no edges; those of weight `high` are there anyway. Each
        counts once, or as often as `counts` says."""
        inside = (ones >= 0) & (ones < nodes) & (others >= 0) & (others < nodes)
        kept = inside & (ones != others) & (weights >= low) & (weights < high)
        order = np.argsort(weights[kept], kind="stable")
        self.nodes, self.low, self.high = nodes, low, high
        self._weights = weights[kept][order]
        self._pairs = (ones[kept] * nodes + others[kept])[order]
        self._counts = None if counts is None else counts[kept][order].astype(np.float64)
        self._levels: Ints = np.append(np.unique(self._weights), high)
        self._capacities = lru_cache(_KEPT_MATRICES)(self._counted)

    @cached_property
    def tree(self) -> tuple[TreeEdge, ...]:
        """A minimum spanning tree (Prim)."""
        lightest = np.full(self.nodes**2, self.high, dtype=np.int64)
        # Of parallel edges the lightest is written last.
        lightest[self._pairs[::-1]] = self._weights[::-1]
        matrix = lightest.reshape(self.nodes, self.nodes)
        matrix = np.minimum(matrix, matrix.T)
        outside = np.ones(self.nodes, dtype=bool)
        outside[0] = False
        best, nearest = matrix[0].copy(), np.zeros(self.nodes, dtype=np.int64)
        found = []
        for _ in range(self.nodes - 1):
            node = int(np.argmin(np.where(outside, best, self.high + 1)))
            found.append(TreeEdge(int(nearest[node]), node, int(best[node])))
            outside[node] = False
            nearer = matrix[node] < best
            best[nearer], nearest[nearer] = matrix[node][nearer], node
        return tuple(found)

    @property
    def cost(self) -> int:
        return sum(edge.weight for edge in self.tree)

    def smooth(self, decay: float) -> float:
        """S of the module's docstring."""
        best = float(max(edge.weight for edge in self.tree) - self.low)
        last = len(self._levels) - 1
        open_ = []
        for place, edge in enumerate(self.tree):
            first = int(np.searchsorted(self._levels, edge.weight))
            if first < last:
                bound = self._worth(edge, last, 1, decay)
                open_.append((-bound, place, first, last, 1))
        heapq.heapify(open_)
        while open_ and -open_[0][0] > best:
            _, place, first, last, cut = heapq.heappop(open_)
            edge = self.tree[place]
            # The most even number in (first, last]: edges then ask for the same few levels.
            middle = last & ~((1 << ((first ^ last).bit_length() - 1)) - 1)
            parts = [(first, middle - 1, cut)]
            found = max(cut, self._at_least(edge, middle))
            if self._worth(edge, last, found, decay) > best:
                found = self._flow(edge, middle, found)
                best = max(best, self._worth(edge, middle, found, decay))
                parts.append((middle, last, found))
            for start, end, known in parts:
                bound = self._worth(edge, end, known, decay)
                if start < end and bound > best:
                    heapq.heappush(open_, (-bound, place, start, end, known))
        return best

    def _worth(self, edge: TreeEdge, level: int, cut: int, decay: float) -> float:
        """What a cut of so many edges below the level adds to S; it falls with `cut`."""
        theta = int(self._levels[level])
        new = math.exp(-decay * cut) * (theta - self.low)
        return max(new, math.exp(-decay * (cut - 1)) * (theta - edge.weight))

    def _at_least(self, edge: TreeEdge, level: int) -> int:
        """A lower bound of the flow: direct edges, and paths over one other node."""
        capacities = self._capacities(level)
        one, other = capacities[edge.one], capacities[edge.other]
        return int(one[edge.other]) + int(np.minimum(one, other).sum())

    def _flow(self, edge: TreeEdge, level: int, at_least: int) -> int:
        with needs("learn"):
            from scipy.sparse import csr_array
            from scipy.sparse.csgraph import maximum_flow

        capacities = self._capacities(level)
        if at_least == min(capacities[edge.one].sum(), capacities[edge.other].sum()):
            # No more can leave an end than it has edges.
            return at_least
        return int(maximum_flow(csr_array(capacities), edge.one, edge.other).flow_value)

    def _counted(self, level: int) -> NDArray[np.int32]:
        """How many edges lighter than a level join each pair."""
        end = int(np.searchsorted(self._weights, self._levels[level]))
        # Doubles hold whole numbers up to 2^53.
        counts = None if self._counts is None else self._counts[:end]
        counted = np.bincount(self._pairs[:end], counts, minlength=self.nodes**2)
        matrix = counted.astype(np.int32).reshape(self.nodes, self.nodes)
        return matrix + matrix.T
