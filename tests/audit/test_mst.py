"""Audit of the cost of a minimum spanning tree by smooth sensitivity.

Exactly: on every pair of small neighbouring graphs the law of the released number is known in
closed form (differences of Student's distribution function at the middles between whole numbers),
and so is that of the released size; the largest log ratios, added up, are what the pair can show of
the claim. No pair may show more. A graph slides and dilates its noise at once, so small ones show
about half of the claim, which leaves room for both. A twin with 5 % too little noise must show more
on the same pair, by as much.

By samples: on that pair, thresholds and low bits of what `student` really draws; the bound must not
pass the pair's exact loss, must come near the best threshold, and must pass it for the twin.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.queries.measurement import Share
from sudare.queries.mst import SpanningTree
from sudare.queries.mst_cuts import Graph
from sudare.queries.smooth_noise import SmoothNoise
from sudare.queries.smooth_windows import as_bound
from sudare.randomness.student import student
from support.audit import audit, in_parts
from support.bits import CountedBits
from support.graphs import Universe, tree

pytestmark = pytest.mark.integration

EPSILON = Fraction(4)
SMALL = Universe(3, (0, 50), 0, 100, most=1)
REACH = 4000
SIZE = 2_000_000


def made(relation: str) -> tuple[SpanningTree, SmoothNoise]:
    job = tree("smooth", high=100, relation=relation)
    return job, job._noise("smooth", Share("laplace", EPSILON))


def scale_of(job: SpanningTree, noise: SmoothNoise, graph: Graph) -> Fraction:
    return noise.value.factor * as_bound(job.log_bound(graph, noise.decay))


def law(cost: int, scale: Fraction) -> NDArray[np.float64]:
    """P[cost + round(scale·T) = k] for k within REACH of 0, without cancellation in the tails:
    the upper tail of T is 1/(r² + tr)  with r = √(2 + t²)."""
    ends = (np.arange(-REACH, REACH + 2) - cost - 0.5) / float(scale)
    root = np.sqrt(2 + ends**2)
    upper = 1 / (root * (root + np.abs(ends)))
    centre = np.where(ends >= 0, 1 - upper, upper)
    same_side = ends[1:] * ends[:-1] >= 0
    found: NDArray[np.float64] = np.where(same_side, np.abs(np.diff(upper)), np.diff(centre))
    return found


def loss(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(np.abs(np.log(one) - np.log(other)).max())


def losses(relation: str, part: Fraction) -> dict[tuple[int, int], float]:
    """What every pair of neighbours shows, if the noise is `part` of what it should be."""
    job, noise = made(relation)
    counts = SMALL.all()
    graphs = [SMALL.graph(row) for row in counts]
    laws = [law(graph.cost, part * scale_of(job, noise, graph)) for graph in graphs]
    steps = [
        math.ceil(Fraction(job.log_bound(graph, noise.decay)) * 16 / noise.decay)
        for graph in graphs
    ]
    found = {}
    for a, b in itertools.combinations(range(len(graphs)), 2):
        moved = counts[b] - counts[a]
        came, went = int(np.maximum(moved, 0).sum()), int(np.maximum(-moved, 0).sum())
        if came + went == 1 or (relation == "replace-one" and came == went == 1):
            told = abs(steps[a] - steps[b]) * float(noise.size.epsilon) / 16
            found[a, b] = loss(laws[a], laws[b]) + told
    return found


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_the_claim_holds_on_every_small_pair(relation: str) -> None:
    _, noise = made(relation)
    assert sum(event.epsilon for event in noise.events()) == EPSILON  # type: ignore[union-attr]
    honest, twin = losses(relation, Fraction(1)), losses(relation, Fraction(95, 100))
    worst = max(honest, key=lambda pair: honest[pair])
    assert 0.4 * float(EPSILON) < honest[worst] <= float(EPSILON)
    # Pairs of graphs with the same tree and the same bound show nothing at all.
    shown = [pair for pair in honest if honest[pair] > 0]
    slid = max(shown, key=lambda pair: twin[pair] / honest[pair])
    assert twin[slid] > 1.04 * honest[slid]


def test_samples_show_what_the_law_says() -> None:
    job, noise = made("add-remove")
    empty, joined = SMALL.graph([0] * 6), SMALL.graph([1, 0, 0, 0, 0, 0])
    scales = [scale_of(job, noise, graph) for graph in (empty, joined)]
    laws = [law(g.cost, s) for g, s in zip((empty, joined), scales, strict=True)]
    exact = loss(*laws)
    tails = [np.cumsum(one[::-1])[::-1] for one in laws]
    # What lies beyond REACH is added to the thresholds' far ends.
    best = float(np.abs(np.log(tails[0][:REACH] + 1e-3) - np.log(tails[1][:REACH] + 1e-3)).max())
    found = {
        part: sampled((empty.cost, joined.cost), [part * s for s in scales], f"mst {part}")
        for part in (Fraction(1), Fraction(95, 100))
    }
    assert 0.9 * best < found[Fraction(1)] <= exact
    assert found[Fraction(95, 100)] > 1.02 * found[Fraction(1)]


def sampled(costs: tuple[int, int], scales: list[Fraction], label: str) -> float:
    bits = CountedBits(label)

    def drawn(place: int, count: int) -> NDArray[np.int64]:
        noise = student(bits, scales[place], count)
        # The tail is heavy; what passes 2^40 is one event.
        held = np.array([max(-(2**40), min(int(z), 2**40)) for z in noise], dtype=np.int64)
        return held + costs[place]

    return audit(in_parts(lambda n: drawn(0, n)), in_parts(lambda n: drawn(1, n)), SIZE).epsilon
