"""Generalization: the result is k^m-anonymous, whole subtrees climb, and no climb is needless."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sets.shared_data import BMS, browsing
from sudare.facts.baskets import Baskets
from sudare.facts.errors import UsageError
from sudare.facts.item_tree import Hierarchy
from sudare.sets.km.generalization import by_generalization
from support.tiers import examples

# Six items in three pairs, the first two pairs under one node, all under the root.
NAMES = ("a", "b", "c", "d", "e", "f", "ab", "cd", "ef", "abcd", "*")
PARENT = np.array([6, 6, 7, 7, 8, 8, 9, 9, 10, 10, -1], np.int32)
TREE = Hierarchy(NAMES, PARENT)
BELOW = {6: (0, 1), 7: (2, 3), 8: (4, 5), 9: (0, 1, 2, 3), 10: (0, 1, 2, 3, 4, 5)}
RECORDS = st.lists(st.lists(st.integers(0, 5), unique=True, max_size=4), min_size=1, max_size=9)


def baskets_of(records: list[list[int]]) -> Baskets:
    starts = np.cumsum([0, *map(len, records)]).astype(np.int64)
    items = np.array([item for record in records for item in record], np.int32)
    return Baskets(starts, items, NAMES[:6])


def rows(baskets: Baskets) -> list[set[str]]:
    return [
        {baskets.names[item] for item in baskets.items[lo:hi]}
        for lo, hi in pairwise(baskets.starts)
    ]


def fewest(records: list[set[str]] | list[set[int]], m: int) -> int | None:
    """The support of the rarest set that occurs."""
    counts = Counter(
        known
        for record in records
        for size in range(1, m + 1)
        for known in combinations(sorted(record), size)
    )
    return min(counts.values(), default=None)


def is_anonymous(records: list[list[int]], cut: tuple[int, ...], k: int, m: int) -> bool:
    least = fewest([{cut[item] for item in record} for record in records], m)
    return least is None or least >= k


def all_cuts() -> list[tuple[int, ...]]:
    """Every way to put a node above or at each item, no node below another."""
    found = []
    for cut in product((0, 6, 9, 10), (1, 6, 9, 10), (2, 7, 9, 10), (3, 7, 9, 10), (4, 8, 10)):
        for last in (5, 8, 10):
            whole = (*cut, last)
            if all(whole[i] == node for node in set(whole) & set(BELOW) for i in BELOW[node]):
                found.append(whole)
    return found


def loss_of(records: list[list[int]], cut: tuple[int, ...]) -> Fraction:
    places = [cut[item] for record in records for item in record]
    return Fraction(sum(len(BELOW.get(node, ())) for node in places), 6 * max(1, len(places)))


def test_a_rare_item_climbs_with_its_sibling_only() -> None:
    found = by_generalization(baskets_of([[0, 4], [1, 4], [0, 4], [4]]), TREE, 2, 1)
    # b is alone; with a it makes ab, which three records hold, and e stays itself.
    assert rows(found.baskets) == [{"ab", "e"}, {"ab", "e"}, {"ab", "e"}, {"e"}]
    assert found.cut.tolist() == [6, 6, 2, 3, 4, 5]
    # Three of seven occurrences stand for two of six items.
    assert found.loss == (3 * 2 / 6) / 7


def test_nothing_climbs_where_nothing_is_rare() -> None:
    for k in (1, 2):
        found = by_generalization(baskets_of([[0, 2], [0, 2]]), TREE, k, 2)
        assert rows(found.baskets) == [{"a", "c"}, {"a", "c"}]
        assert found.loss == 0


def test_items_that_fall_together_are_one() -> None:
    found = by_generalization(baskets_of([[4, 1, 0], [4, 0]]), TREE, 2, 2)
    assert rows(found.baskets) == [{"ab", "e"}, {"ab", "e"}]
    assert found.baskets.items.tolist() == [4, 6, 4, 6]


def test_too_few_records_for_the_root_leave_nothing() -> None:
    found = by_generalization(baskets_of([[0], [3], []]), TREE, 3, 1)
    assert rows(found.baskets) == [set(), set(), set()]
    assert found.loss == 1
    empty = by_generalization(baskets_of([[], []]), TREE, 3, 1)
    assert rows(empty.baskets) == [set(), set()]
    assert empty.loss == 0


@examples(200)
@given(RECORDS, st.integers(1, 4), st.integers(1, 3))
def test_no_set_is_too_rare_and_no_climb_needless(records: list[list[int]], k: int, m: int) -> None:
    found = by_generalization(baskets_of(records), TREE, k, m)
    cut = tuple(found.cut.tolist())
    assert cut in all_cuts()
    least = fewest(rows(found.baskets), m)
    if least is None:
        assert sum(map(bool, records)) < k
        return
    assert least >= k
    assert found.loss == pytest.approx(float(loss_of(records, cut)))
    for node in set(cut) & set(BELOW):
        finer = [
            other
            for other in all_cuts()
            if all(theirs == ours or ours == node for theirs, ours in zip(other, cut, strict=True))
            and other != cut
        ]
        assert finer
        assert not any(is_anonymous(records, other, k, m) for other in finer)


@examples(60)
@given(RECORDS, st.integers(2, 4), st.integers(1, 3))
def test_what_is_coarser_than_an_anonymous_cut_is_anonymous(
    records: list[list[int]], k: int, m: int
) -> None:
    """The claim on which each node is tried only once."""
    fine = [cut for cut in all_cuts() if is_anonymous(records, cut, k, m)]
    for cut in fine:
        for coarser in all_cuts():
            pairs = zip(cut, coarser, strict=True)
            if all(o == n or set(BELOW.get(o, (o,))) < set(BELOW.get(n, ())) for o, n in pairs):
                assert coarser in fine


def test_it_is_mostly_the_least_loss() -> None:
    draws = np.random.default_rng(11)
    best = 0
    for _ in range(40):
        hits = draws.random((14, 6)) < 0.3
        records = [np.flatnonzero(row).tolist() for row in hits]
        found = by_generalization(baskets_of(records), TREE, 2, 2)
        fine = [cut for cut in all_cuts() if is_anonymous(records, cut, 2, 2)]
        least = float(min(loss_of(records, cut) for cut in fine))
        assert found.loss >= least - 1e-12
        best += found.loss <= least + 1e-12
    assert best >= 34


def test_leaves_that_the_data_lacks_count() -> None:
    tree = Hierarchy(("a", "b", "ab", "c"), np.array([2, 2, -1, 2], np.int32))
    two = Baskets(np.array([0, 1, 2]), np.array([0, 1], np.int32), ("a", "b"))
    found = by_generalization(two, tree, 2, 1)
    assert rows(found.baskets) == [{"ab"}, {"ab"}]
    assert found.loss == 1


def test_a_tree_of_other_items_is_refused() -> None:
    two = Baskets(np.array([0, 1, 2]), np.array([0, 1], np.int32), ("a", "b"))
    other = Hierarchy(("b", "a", "*"), np.array([2, 2, -1], np.int32))
    over = Hierarchy(("a", "b", "*"), np.array([2, 0, -1], np.int32))
    top = Hierarchy(("a", "b", "*"), np.array([-1, 0, 0], np.int32))
    for tree in (other, over, top):
        with pytest.raises(UsageError, match="of other items"):
            by_generalization(two, tree, 2, 1)
    for k, m in ((0, 1), (2, 0)):
        with pytest.raises(UsageError, match="whole numbers from 1"):
            by_generalization(baskets_of([[0]]), TREE, k, m)


@pytest.mark.integration
def test_one_record_of_ten_thousand_items() -> None:
    """Its pairs are in no other record, so only the root is left."""
    size, k = 10_000, 3
    starts = np.concatenate([[0], size + np.arange(size * k + 1)]).astype(np.int64)
    items = np.concatenate([np.arange(size), np.repeat(np.arange(size), k)]).astype(np.int32)
    names = tuple(map(str, range(size)))
    tree = Hierarchy((*names, "*"), np.append(np.full(size, size), -1).astype(np.int32))
    found = by_generalization(Baskets(starts, items, names), tree, k, 2)
    assert found.loss == 1
    assert found.baskets.lengths.tolist() == [1] * (size * k + 1)


def test_it_tells_how_far_it_is() -> None:
    told: list[float] = []
    records = [[0, 1], [1, 2], [2, 3], [4, 5], [0, 4]] * 2
    watch = lambda _, share: told.append(share)  # noqa: E731
    by_generalization(baskets_of(records), TREE, 2, 2, watch)
    assert told == sorted(told)
    assert told[0] == 0
    assert 0.5 <= told[-1] < 1


@pytest.mark.parametrize("name", BMS)
def test_web_views(name: str) -> None:
    """Items by number, ten to a node; pairs counted here."""
    given_rows = browsing(name)
    order = np.argsort([int(item) for item in given_rows.names])
    names, parent, level = list(given_rows.names), [-1] * len(given_rows.names), order.tolist()
    while len(level) > 1:
        above = list(range(len(names), len(names) + -(-len(level) // 10)))
        for place, node in enumerate(level):
            parent[node] = above[place // 10]
        names += [f"node {node}" for node in above]
        parent += [-1] * len(above)
        level = above
    tree = Hierarchy(tuple(names), np.array(parent, np.int32))
    found = by_generalization(given_rows, tree, 5, 2)
    nodes = [set(found.baskets.items[lo:hi].tolist()) for lo, hi in pairwise(found.baskets.starts)]
    least = fewest(nodes, 2)
    assert least is not None
    assert least >= 5
    assert 0 < found.loss < 0.05
