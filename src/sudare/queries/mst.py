"""mst(u, v, weight): the cost of the minimum spanning tree of a graph, a row an edge.

Graph    the nodes are the declared values of the columns u and v, the same for both. Pairs of
         nodes without an edge count as joined at Λ, the upper bound of the weight, so the cost is
         defined for every table and lies between (V−1)·ℓ and (V−1)·Λ, ℓ the lower bound. Loops,
         missing values and `other` are no edges; of parallel edges the lightest counts.
Global   one edge moves the cost by at most Λ − ℓ, and k edges by at most min(k, V−1)·(Λ − ℓ).
         Adding edges only lowers the cost and removing them only raises it, so that of k removals
         and k additions at once (replace-one) one kind alone moves it further than both: the
         bound is the same under either relation. `global` adds discrete Laplace noise for it.
Smooth   queries/mst_cuts.py gives A_t, the largest move by one edge after t edges were changed,
         and S = max e^(−bt)·A_t. Let b = β/k and W = S·(1 + e^b + … + e^((k−1)b)).
         W bounds what a unit does: its k edges (of one kind, as above) come or go one by one, and
         after i of them the next moves the cost by at most A_i <= e^(bi)·S.
         W is β-smooth: A_t(G') <= A_{t+k}(G) for neighbours, so S(G') <= e^(bk)·S(G). Under
         add-remove G' is within k edges of G. Under replace-one let R be the k edges that go and
         E those that come. Across a cut the j-th lightest of G' is at most the (j+k)-th of G. If
         the lightest of G' is not lighter than that of G, w_{t+2} − w₁ of G' is at most
         w_{t+2+k} − w₁ of G; else it is in E, and w_{t+2}(G') − w₁(G') is at most
         w_{t+1+k}(G) − ℓ. Both are in A_{t+k}(G): one replacement counts as one step.
         Held to the global bound, a constant, W stays smooth.
Exact    for add-remove and k = 1, W is the least β-smooth bound; for k > 1 it is above it by at
         most the factor e^β, and under replace-one where every row is an edge of the tree.
Choice   `auto` takes smooth or global by the forecast of the usual error, from plan and schema.
Rows     the engine counts the edges by u, v and weight. Only where that would take more than
         MOST_CELLS cells, as for a fine grid of weights, the edges come as rows of three numbers.
Gaps     finding S takes a time that depends on the edges: see docs/smooth.md.
"""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist
from typing import Literal

import numpy as np

from sudare.facts.aggregate import MomentsRequest, UniformAxis
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import PrivacyEvent
from sudare.facts.extras import require
from sudare.facts.fetch import Fetch
from sudare.facts.query import Query
from sudare.facts.release import Answer, Clip, NoiseFact
from sudare.facts.schema import Schema
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.mechanisms.laplace_smooth import require_proved
from sudare.queries.axes import group_axis
from sudare.queries.interval import Noise, half_width95
from sudare.queries.measurement import Forecast, Iterative, Share
from sudare.queries.mst_cuts import Graph
from sudare.queries.numbers import number_grid
from sudare.queries.smooth import pure
from sudare.queries.smooth_noise import CHANCE_FAR, SmoothNoise, smooth_noise
from sudare.queries.smooth_windows import LEAST_LOG
from sudare.randomness.bits import RandomBits

Way = Literal["smooth", "smooth-laplace", "global"]
MOST_NODES = 200
MOST_CELLS = 2**22
EXAMPLE = "Example: mst(from_stop, to_stop, minutes)."
_WAYS: dict[str, tuple[Way, ...]] = {
    "auto": ("smooth", "global"),
    "smooth": ("smooth",),
    "smooth_laplace": ("smooth-laplace",),
    "global": ("global",),
}
# As in queries/smooth_windows.py: the decay is taken a little smaller and the bound a little
# larger, by far more than floating point errs.
_ROOM = 2.0**-28
_ABOVE = 1 + 2.0**-36
# Beyond this decay an edge one step away weighs less than half.
_LARGEST_DECAY = Fraction(7, 10)
# ζ(3): the expected cost for many nodes whose pairs have weights of density 1 near 0 (Frieze 1985).
_APERY = 1.2020569


class SpanningTree(Iterative):
    """The cost, with noise in proportion to its smooth or to its global sensitivity."""

    def __init__(self, query: Query, schema: Schema) -> None:
        super().__init__(query, schema)
        if query.by or query.where is not None:
            raise InvalidPlan("mst() takes no groups and no filter.", EXAMPLE)
        self.ways = _ways(query)
        if self.ways != ("global",):
            # Cuts of the graph, which SciPy finds after the charge.
            require("learn", "scipy")
        self.needs_delta = self.ways == ("smooth-laplace",)
        self.nodes = _nodes(query, schema)
        self.grid = number_grid(query.columns[2], schema, 1, dates=False)
        self.rows_per_unit = schema.table.rows_per_unit
        ends = [group_axis(name, schema)[0] for name in query.columns[:2]]
        weight = UniformAxis(query.columns[2], self.grid.low, *[self.grid.span + 1] * 2)
        self.request = MomentsRequest(axes=(*ends, weight), columns=query.columns[2:])

    @property
    def sensitivity(self) -> int:
        """The global one, in steps of the grid."""
        return min(self.rows_per_unit, self.nodes - 1) * self.grid.span

    def clips(self) -> tuple[Clip, ...]:
        column = self.schema.columns[self.query.columns[2]]
        return (Clip(self.query.columns[2], str(column.min), str(column.max)),)

    def used_columns(self) -> frozenset[str]:
        return frozenset(self.query.columns)

    def way(self, share: Share) -> Way:
        return min(self.ways, key=lambda way: self._errors(way, share)[1])

    def require(self, share: Share) -> None:
        if self.needs_delta and share.mechanism == "gaussian":
            raise InvalidPlan(
                "Laplace noise scaled by smooth sensitivity has no ρ.",
                "Write method=smooth, or ask with --mechanism laplace.",
            )
        if self.needs_delta:
            require_proved(pure(share))

    def events(self, share: Share) -> list[PrivacyEvent]:
        way = self.way(share)
        if way == "global":
            return [self._laplace(share).event()]
        return self._noise(way, share).events()

    def forecast(self, share: Share) -> Forecast:
        sure, usual = self._errors(self.way(share), share)
        size = max(1.0, self._expected_cost)
        step = self.grid.step
        return Forecast(sure * step, sure / size, usual / size)

    def measure(self, fetch: Fetch, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        graph = self._graph(fetch)
        way = self.way(share)
        noise: tuple[NoiseFact, ...]
        if way == "global":
            laplace = self._laplace(share)
            (value,) = laplace.apply([graph.cost], bits)
            reach = half_width95([(1.0, Noise("laplace", float(laplace.scale)))])
            scale, bound = f"s = {laplace.scale}", f"L1 = {laplace.l1_sensitivity}"
            noise = (NoiseFact("discrete Laplace", 1, scale, bound),)
        else:
            smooth = self._noise(way, share)
            found = smooth.apply(graph.cost, self.log_bound(graph, smooth.decay), bits, CHANCE_FAR)
            value, reach, noise = found.value, found.reach, smooth.facts(1)
        return self._answer(value, reach, way, share, epsilon, noise)

    def _graph(self, fetch: Fetch) -> Graph:
        low, high = self.grid.low, self.grid.high
        if self.request.groups > MOST_CELLS:
            return Graph(self.nodes, low, high, *fetch.rows(self.query.columns))
        counts = fetch.counts(self.request)
        found = np.flatnonzero(counts)
        sizes = [axis.size for axis in self.request.axes]
        ones, others, weights = np.unravel_index(found, sizes)
        return Graph(self.nodes, low, high, ones, others, weights + low, counts[found])

    def log_bound(self, graph: Graph, decay: Fraction) -> float:
        """ln W, smooth at `decay` in spite of rounding."""
        slow = float(decay) / self.rows_per_unit - _ROOM
        whole = math.log(self.sensitivity)
        if slow <= 0:
            # So little decay reaches every graph: the global bound is one for any table.
            return whole
        found = graph.smooth(slow)
        if found <= 0:
            return LEAST_LOG
        log = math.log(found * _several(slow, self.rows_per_unit) * _ABOVE)
        return max(LEAST_LOG, min(whole, log))

    def _answer(
        self,
        value: int,
        reach: float,
        way: Way,
        share: Share,
        epsilon: float,
        noise: tuple[NoiseFact, ...],
    ) -> Answer:
        grid, edges = self.grid, self.nodes - 1
        low, high = grid.low * edges, grid.high * edges
        rounding = 0.0 if grid.is_exact else edges * grid.step / 2
        held = max(low, min(value, high))
        ends = [max(low, min(end, high)) for end in (value - reach, value + reach)]
        error = max(held - ends[0], ends[1] - held) * grid.step + rounding
        return Answer(
            query=self.query.text,
            function="mst",
            value=held * grid.step,
            error95=error,
            epsilon=epsilon,
            interval=(ends[0] * grid.step - rounding, ends[1] * grid.step + rounding),
            drowned=("",) if error >= (high - low) * grid.step / 2 else (),
            clips=self.clips(),
            columns=self.query.columns,
            noise=noise,
            details={"method": way, "why": self._why(share), "nodes": self.nodes},
        )

    def _why(self, share: Share) -> str:
        if len(self.ways) == 1:
            return "asked for"
        parts = [f"±{self._errors(w, share)[1] * self.grid.step:.3g} by {w}" for w in self.ways]
        rows = f"{self.expected_rows:,.0f} edges spread evenly"
        return f"usual error forecast for {rows}: {', '.join(parts)}"

    def _laplace(self, share: Share) -> DiscreteLaplace:
        return DiscreteLaplace.for_epsilon(self.relation, self.sensitivity, pure(share), 1)

    def _noise(self, way: Way, share: Share) -> SmoothNoise:
        assert way != "global"
        wanted = _LARGEST_DECAY * self.rows_per_unit
        return smooth_noise(self.relation, way, pure(share), share.delta, wanted)

    def _errors(self, way: Way, share: Share) -> tuple[float, float]:
        """The error that will be stated and the usual one, in steps of the grid."""
        widest = float(self.grid.span * (self.nodes - 1))
        if way == "global":
            noise = Noise("laplace", float(self._laplace(share).scale))
            reach = half_width95([(1.0, noise)])
            return min(widest, reach), min(widest, reach)
        smooth = self._noise(way, share)
        size = self._expected_bound(smooth.decay)
        sure = smooth.value.reach(CHANCE_FAR) * size * smooth.size.excess + 0.5
        return min(widest, sure), min(widest, smooth.value.reach(0.05) * size + 0.5)

    @property
    def _degree(self) -> float:
        """Edges a node, if they are spread evenly over the pairs; a loop is none."""
        return 2 * self.expected_rows * (1 - 1 / self.nodes) / self.nodes

    @property
    def _expected_cost(self) -> float:
        excess = min(1.0, _APERY / max(self._degree, 1e-9))
        return (self.nodes - 1) * (self.grid.low + self.grid.span * excess)

    def _expected_bound(self, decay: Fraction) -> float:
        """W of a graph with weights spread evenly: its least cuts are single nodes, and that with
        the fewest of V Poisson numbers of edges counts. Of mean μ it has m or fewer edges where
        P(Poisson(μ) <= m) is 1/V; μ by the approximation of Wilson and Hilferty."""
        slow = float(decay) / self.rows_per_unit
        m = np.unique(np.geomspace(1, 1 + 20 / slow, 400).astype(np.int64)) - 1
        z = NormalDist().inv_cdf(1 - 1 / self.nodes)
        mean = (m + 1) * (1 - 1 / (9 * (m + 1)) + z / (3 * np.sqrt(m + 1))) ** 3
        part = np.minimum(1.0, mean / max(self._degree, 1e-9)) * np.exp(-slow * m)
        several = _several(slow, self.rows_per_unit)
        return min(float(self.sensitivity), several * self.grid.span * float(part.max()))


def _several(decay: float, rows: int) -> float:
    """1 + e^b + … + e^((k−1)b)."""
    return 1.0 if rows == 1 else math.expm1(rows * decay) / math.expm1(decay)


def _ways(query: Query) -> tuple[Way, ...]:
    method = query.option("method")
    if method == "local":
        raise InvalidPlan(
            "Local sensitivity is not private.",
            "Write method=smooth, which is; docs/smooth.md shows how the other gives a row away.",
        )
    if method is not None and (not isinstance(method, str) or method not in _WAYS):
        raise InvalidPlan("mst() has no such method.", f"Known: {', '.join(_WAYS)}.")
    return _WAYS["auto" if method is None else str(method)]


def _nodes(query: Query, schema: Schema) -> int:
    """How many nodes there are; a refusal follows from the schema alone."""
    first, second = (schema.column(name) for name in query.columns[:2])
    if first.type != "category" or second.type != "category":
        raise InvalidPlan("The nodes of mst() are two columns of type category.", EXAMPLE)
    for name in query.columns[:2]:
        schema.domain(name)
    if first.values != second.values:
        raise InvalidPlan(
            "The two columns of nodes of mst() have different values.",
            "Declare the same values in the same order for both.",
        )
    if not 2 <= len(first.values) <= MOST_NODES:
        raise InvalidPlan(
            f"mst() answers for 2 to {MOST_NODES} nodes.", "Declare fewer values, or merge some."
        )
    return len(first.values)
