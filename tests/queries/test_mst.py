"""The cost of a minimum spanning tree: its smooth sensitivity against the definition on small
multigraphs, units of several rows, both relations, answers and refusals."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sudare.facts.errors import InvalidPlan
from sudare.facts.plan import Mechanism, Plan
from sudare.publish.pricing import price
from sudare.queries import mst
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from sudare.queries.mst_cuts import Graph
from support.bits import CountedBits
from support.graphs import MISSING, Edges, Universe, roads, tree

ONE = Share("laplace", Fraction(1))
TWICE = Universe(3, (0, 1), 0, 2, most=2)
LIFTED = Universe(3, (1, 2), 1, 4, most=2)
SQUARE = Universe(4, (0, 1), 0, 2, most=1)


def local(universe: Universe, costs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The local sensitivity of every graph of a universe to one edge more or less."""
    counts = universe.all()
    found = np.zeros(len(counts))
    for kind in range(len(universe.kinds)):
        step = (universe.most + 1) ** (len(universe.kinds) - 1 - kind)
        places = np.flatnonzero(counts[:, kind] < universe.most)
        moved = np.abs(costs[places] - costs[places + step])
        np.maximum.at(found, places, moved)
        np.maximum.at(found, places + step, moved)
    return found


@pytest.mark.parametrize("decay", [0.1, 0.7])
@pytest.mark.parametrize("universe", [TWICE, LIFTED, SQUARE], ids=["twice", "lifted", "square"])
def test_smooth_is_the_definition(universe: Universe, decay: float) -> None:
    counts = universe.all()
    graphs = [universe.graph(row) for row in counts]
    moves = local(universe, np.array([graph.cost for graph in graphs]))
    assert moves.max() == universe.high - universe.low
    larger = 0
    for place in range(0, len(graphs), max(1, len(graphs) // 150)):
        distance = np.abs(counts - counts[place]).sum(axis=1)
        truth = (moves * np.exp(-decay * distance)).max()
        assert graphs[place].smooth(decay) == pytest.approx(truth, rel=1e-12)
        larger += truth > moves[place]
    assert larger > 10


def test_smooth_on_larger_graphs_is_the_formula_over_all_cuts() -> None:
    rng = np.random.default_rng(5)
    for edges in (0, 5, 12, 40, 200):
        ones, others = rng.integers(0, 7, (2, edges))
        weights = rng.integers(3, 21, edges)
        graph = Graph(7, 3, 20, ones, others, weights)
        for decay in (0.05, 0.3):
            assert graph.smooth(decay) == pytest.approx(
                over_cuts(7, 3, 20, ones, others, weights, decay), rel=1e-12
            )


def over_cuts(
    nodes: int, low: int, high: int, ones: Any, others: Any, weights: Any, decay: float
) -> float:
    best = 0.0
    for side in range(1, 2 ** (nodes - 1)):
        crosses = ((side >> ones) & 1) != ((side >> others) & 1)
        lightest = np.sort(weights[crosses & (weights < high)])
        padded = np.concatenate([lightest, [high, high]])
        for t in range(len(padded) - 1):
            new = padded[t] - low
            gone = padded[t + 1] - padded[0] if len(lightest) else 0
            best = max(best, math.exp(-decay * t) * max(new, gone))
    return best


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_the_bound_holds_and_is_smooth_for_units(relation: str, k: int) -> None:
    decay = Fraction(1, 4)
    job = tree("smooth", relation=relation, k=k)
    counts = TWICE.all()
    graphs = [TWICE.graph(row) for row in counts]
    costs = np.array([graph.cost for graph in graphs])
    logs = np.array([job.log_bound(graph, decay) for graph in graphs])
    attained = 0.0
    for place in range(len(graphs)):
        moved = counts - counts[place]
        came, went = np.maximum(moved, 0).sum(axis=1), np.maximum(-moved, 0).sum(axis=1)
        near = (came <= k) & (went <= k)
        if relation == "add-remove":
            near &= (came == 0) | (went == 0)
        change = np.abs(costs[near] - costs[place]).max()
        assert change <= math.exp(logs[place])
        assert change <= job.sensitivity
        assert np.abs(logs[near] - logs[place]).max() <= float(decay)
        attained = max(attained, change / job.sensitivity)
    assert attained == 1


def test_the_cost_against_trees_of_the_definition() -> None:
    rng = np.random.default_rng(7)
    for edges in (0, 1, 4, 9, 30):
        ones, others = rng.integers(-1, 6, (2, edges))
        weights = rng.integers(0, 10, edges)
        weights[::7] = MISSING
        graph = Graph(5, 0, 9, ones, others, weights)
        lightest: dict[tuple[int, int], int] = dict.fromkeys(itertools.combinations(range(5), 2), 9)
        for x, y, w in zip(ones.tolist(), others.tolist(), weights.tolist(), strict=True):
            pair = (min(x, y), max(x, y))
            if pair in lightest and w != MISSING:
                lightest[pair] = min(lightest[pair], w)
        assert graph.cost == min(
            sum(lightest[pair] for pair in chosen)
            for chosen in itertools.combinations(lightest, 4)
            if connected(chosen)
        )


def connected(edges: tuple[tuple[int, int], ...]) -> bool:
    seen = {0}
    for _ in edges:
        seen |= {y for x, y in edges if x in seen} | {x for x, y in edges if y in seen}
    return len(seen) == 5


@pytest.mark.parametrize("method", ["smooth", "smooth_laplace", "global"])
def test_the_answer_is_the_cost_and_the_noise_of_its_way(method: str) -> None:
    share = Share("laplace", Fraction(9, 10), Fraction(1, 10**6))
    job = tree(method, nodes=4, high=1000)
    table = Edges([0, 1, 2, 0], [1, 2, 3, 0], [10, 20, 30, 1])
    answer = job.measure(table, share, 0.9, CountedBits("mst"))
    bits = CountedBits("mst")
    graph = Graph(4, 0, 1000, *table.rows(["a", "b", "w"]))
    assert graph.cost == 60
    way = job.way(share)
    if method == "global":
        (noisy,) = job._laplace(share).apply([60], bits)
    else:
        noise = job._noise(way, share)
        noisy = noise.apply(60, job.log_bound(graph, noise.decay), bits, 0.04).value
    assert answer.value == max(0, min(noisy, 3000))
    assert answer.details is not None
    assert answer.details["method"] == method.replace("_", "-")
    assert answer.clips[0].high == "1000"


@pytest.mark.parametrize("method", ["smooth", "smooth_laplace", "global"])
def test_the_interval_holds(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # 200 answers; a binomial test at 1e-6 against 95 %. The bound is found once: it is the same.
    rng = np.random.default_rng(11)
    table = Edges(*rng.integers(0, 6, (2, 100)), rng.integers(0, 99, 100))
    graph = Graph(6, 0, 100, *table.rows(["a", "b", "w"]))
    job = tree(method, nodes=6, high=100, relation="replace-one")
    share = Share("laplace", Fraction(9, 10), Fraction(1, 10**6))
    if method != "global":
        log = job.log_bound(graph, job._noise(job.way(share), share).decay)
        monkeypatch.setattr(job, "log_bound", lambda graph, decay: log)
    bits, missed = CountedBits(f"interval {method}"), 0
    for _ in range(200):
        answer = job.measure(table, share, 0.9, bits)
        assert isinstance(answer.interval, tuple)
        missed += not answer.interval[0] <= graph.cost <= answer.interval[1]
    assert stats.binom.sf(missed - 1, 200, 0.05) > 1e-6


@pytest.mark.parametrize(
    "rows",
    [([], [], []), ([0], [0], [1]), ([MISSING] * 3, [1] * 3, [1] * 3), ([0], [1], [MISSING])],
    ids=["none", "a loop", "missing", "no weight"],
)
@pytest.mark.parametrize("method", ["smooth", "smooth_laplace", "global", "auto"])
def test_a_graph_without_edges_is_answered(method: str, rows: Any) -> None:
    job = tree(method, nodes=3, high=50)
    share = Share("laplace", Fraction(1, 2), Fraction(1, 10**6))
    answer = job.measure(Edges(*rows), share, 0.5, CountedBits("empty"))
    assert isinstance(answer.value, int)
    assert 0 <= answer.value <= 100
    assert math.isfinite(answer.error95)


def test_one_heavy_bundle_of_edges_is_answered() -> None:
    # Every pair is joined so often that the smooth bound is as good as nothing.
    pairs = np.array(list(itertools.combinations(range(3), 2)) * 3000).T
    job = tree("smooth", nodes=3, high=50)
    table = Edges(pairs[0], pairs[1], np.zeros(9000, dtype=np.int64))
    answer = job.measure(table, ONE, 1.0, CountedBits("bundle"))
    assert answer.value == 0


@pytest.mark.parametrize("most", [1, 2**22], ids=["rows", "counts"])
def test_rows_and_counts_make_the_same_graph(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mst, "MOST_CELLS", most)
    rng = np.random.default_rng(17)
    table = Edges(*rng.integers(0, 5, (2, 400)), rng.integers(3, 12, 400))
    table._columns[0][::9] = MISSING
    table._columns[2][::11] = MISSING
    job = tree("smooth", nodes=4, low=3, high=11)
    graph = job._graph(table)
    truth = Graph(4, 3, 11, *table.rows(["a", "b", "w"]))
    assert graph.cost == truth.cost
    assert graph.smooth(0.1) == truth.smooth(0.1)


def test_labels_outside_the_domain_and_of_other_are_no_edges() -> None:
    graph = Graph(3, 0, 9, *(np.array(c) for c in ([0, 3, -1, 0], [1, 1, 1, 3], [4, 1, 1, 1])))
    assert graph.cost == 4 + 9


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_events_fit_the_share(relation: str, mechanism: Mechanism) -> None:
    for amount in (Fraction(1, 100), Fraction(1, 2), Fraction(20)):
        share = Share(mechanism, amount)
        for method in ("smooth", "global", "auto"):
            job = tree(method, nodes=9, high=500, relation=relation, k=2)
            spent = [event.epsilon for event in job.events(share)]  # type: ignore[union-attr]
            if mechanism == "laplace":
                assert sum(spent) == amount
            else:
                assert sum(e * e / 2 for e in spent) <= amount


def test_auto_follows_the_forecast() -> None:
    crowded = tree(nodes=20, high=1000, expected_rows=20_000)
    sparse = tree(nodes=150, high=1000, expected_rows=100)
    assert crowded.way(ONE) == "smooth"
    assert sparse.way(ONE) == "global"
    for job in (crowded, sparse):
        ways = [tree(m, nodes=job.nodes, high=1000, expected_rows=job.schema.table.expected_rows)
                for m in ("smooth", "global")]  # fmt: skip
        assert job.forecast(ONE).typical == min(way.forecast(ONE).typical for way in ways)


def test_the_forecast_is_near_what_even_graphs_have() -> None:
    rng = np.random.default_rng(13)
    job = tree("smooth", nodes=30, high=2**16, expected_rows=5000)
    decay = Fraction(1, 8)
    bounds, costs = [], []
    for _ in range(5):
        graph = Graph(30, 0, 2**16, *rng.integers(0, 30, (2, 5000)), rng.integers(0, 2**16, 5000))
        bounds.append(math.exp(job.log_bound(graph, decay)))
        costs.append(graph.cost)
    assert job._expected_bound(decay) == pytest.approx(float(np.median(bounds)), rel=0.3)
    assert job._expected_cost == pytest.approx(float(np.median(costs)), rel=0.3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mst(a, b, w) by (a)", "no groups and no filter"),
        ("mst(a, b, w) where w > 1", "no groups and no filter"),
        ("mst(a, b, w; method=local)", "not private"),
        ("mst(a, b, w; method=best)", "no such method"),
        ("mst(a, b, w; method=3)", "no such method"),
        ("mst(a, w, b)", "two columns of type category"),
        ("mst(a, c, w)", "different values"),
        ("mst(a, b, d)", "cannot be used as a number"),
        ("mst(a, b)", "mst\\(\\) takes"),
    ],
)
def test_refusals(text: str, said: str) -> None:
    with pytest.raises(InvalidPlan, match=said) as refused:
        compile_question(text, roads())
    assert refused.value.hint


@pytest.mark.parametrize("nodes", [1, 201])
def test_too_few_or_too_many_nodes(nodes: int) -> None:
    with pytest.raises(InvalidPlan, match="2 to 200 nodes"):
        tree(nodes=nodes)


def test_smooth_laplace_needs_a_delta_a_small_epsilon_and_no_rho() -> None:
    text = "mst(a, b, w; method=smooth_laplace)"
    tiny = Fraction(1, 10**9)
    price(roads(), Plan((text,), Fraction(9, 10), tiny))
    with pytest.raises(InvalidPlan, match="needs a δ"):
        price(roads(), Plan((text,), Fraction(9, 10)))
    with pytest.raises(InvalidPlan, match="below 1 only"):
        price(roads(), Plan((text,), Fraction(2), tiny))
    with pytest.raises(InvalidPlan, match="no ρ"):
        price(roads(), Plan((text,), Fraction(1, 2), tiny, "gaussian"))
