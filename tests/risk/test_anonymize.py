"""Anonymizing codes: optimal, safe and complete, against trying everything on small tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from risk.mondrian_slowly import mondrian_slowly
from sudare.facts.errors import UsageError
from sudare.risk.anonymize.composition import composed
from sudare.risk.anonymize.demand import Demand, Secret, met
from sudare.risk.anonymize.hierarchy import hierarchy, is_coarser, losses
from sudare.risk.anonymize.keys import grouped, in_order
from sudare.risk.anonymize.lattice import Lattice, Verdict
from sudare.risk.anonymize.mondrian import mondrian, ranges
from sudare.risk.anonymize.suppress import suppress
from support.tiers import examples

codes = st.integers(0, 5)
rows = st.lists(st.tuples(codes, codes, st.integers(0, 2)), min_size=4, max_size=40)
demands = st.builds(
    Demand,
    k=st.integers(2, 4),
    diversity=st.integers(1, 2),
    closeness=st.none() | st.sampled_from([0.2, 0.5]),
    suppress=st.sampled_from([0.0, 0.1, 0.3]),
)
PAIRS = hierarchy("a", list("pqrstu"), [("pairs", list("001122")), ("most", list("aaaabb"))])
THIRDS = hierarchy("b", list("pqrstu"), [("thirds", list("001122"))])


def secret(values: list[int], ordered: bool = False) -> Secret:
    shares = np.bincount(values, minlength=3) / len(values)
    return Secret(np.array(values), 3, ordered, shares)


def failing(keys: list[object], values: list[int], demand: Demand) -> list[bool]:
    """For each record, whether its class fails; slowly and from the definitions."""
    inside: dict[object, Counter[int]] = defaultdict(Counter)
    for key, value in zip(keys, values, strict=True):
        inside[key][value] += 1
    overall = Counter(values)

    def fails(own: Counter[int]) -> bool:
        far = sum(abs(own[v] / own.total() - overall[v] / len(values)) for v in overall) / 2
        is_far = demand.closeness is not None and far > demand.closeness + 1e-9
        return own.total() < demand.k or len(own) < demand.diversity or is_far

    return [fails(inside[key]) for key in keys]


@examples(150)
@given(table=rows, demand=demands)
def test_the_search_finds_what_trying_everything_finds(
    table: list[tuple[int, int, int]], demand: Demand
) -> None:
    values = [row[2] for row in table]
    levels = (PAIRS, THIRDS)
    limit = demand.limit(len(table))

    def verdict(node: tuple[int, ...]) -> Verdict:
        keys: list[object] = [
            tuple(
                int(h.steps[n].groups[row[i]])
                for i, (h, n) in enumerate(zip(levels, node, strict=True))
            )
            for row in table
        ]
        lone = Demand(demand.k, demand.diversity, None, demand.suppress)
        holds = sum(failing(keys, values, lone)) <= limit
        return Verdict(holds, holds and sum(failing(keys, values, demand)) <= limit)

    lost = [losses(h, np.bincount([row[i] for row in table], minlength=6))
            for i, h in enumerate(levels)]  # fmt: skip
    lattice = Lattice(lost, verdict)
    every = {node: verdict(node) for node in product(range(4), range(3))}
    good = [(float(lattice.loss[node]), node) for node, each in every.items() if each.good]
    assert lattice.best() == (min(good)[1] if good else None)
    # What the search concludes from others is what judging would have said.
    for node, each in every.items():
        assert not (lattice._fails[node] and each.holds)
        assert not (lattice._holds[node] and not each.holds)


def test_the_search_judges_few_nodes() -> None:
    judged = []

    def verdict(node: tuple[int, ...]) -> Verdict:
        judged.append(node)
        return Verdict(sum(node) >= 12, sum(node) >= 12)

    lattice = Lattice([[n / 5 for n in range(6)]] * 4, verdict)
    best = lattice.best()
    assert best is not None
    assert sum(best) == 12
    assert len(judged) == len(set(judged)) < 6**4 / 2


@examples(100)
@given(table=rows, demand=demands)
def test_every_published_class_meets_the_demand(
    table: list[tuple[int, int, int]], demand: Demand
) -> None:
    columns = [np.array([row[i] for row in table]) for i in (0, 1)]
    values = [row[2] for row in table]
    hidden = secret(values)
    found = suppress(columns, [hidden], demand)
    keys = [
        tuple("*" if starred else str(code) for starred, code in zip(stars, row, strict=False))
        for stars, row in zip(found.starred, table, strict=True)
    ]
    kept = [key for key, is_kept in zip(keys, found.kept, strict=True) if is_kept]
    if kept:
        ids = np.unique([" ".join(key) for key in kept], return_inverse=True)[1]
        assert met(ids, [hidden.part(found.kept)], demand).all()
    whole = failing([row[:2] for row in table], values, demand)
    # Records of good classes lose nothing; nobody is dropped who could be published in "*".
    assert [bool(stars.any()) for stars in found.starred[~np.array(whole)]] == [False] * (
        len(whole) - sum(whole)
    )
    lone = Demand(demand.k)
    assert (~suppress(columns, [], lone).kept).sum() < demand.k


@examples(100)
@given(table=rows, demand=demands)
def test_mondrian_parts_meet_the_demand(table: list[tuple[int, int, int]], demand: Demand) -> None:
    columns = [np.array([row[i] for row in table]) for i in (0, 1)]
    hidden = secret([row[2] for row in table])
    parts = mondrian(columns, [hidden], demand)
    everybody = met(np.zeros(len(table), int), [hidden], demand)[0]
    assert (parts is not None) == everybody
    if parts is not None:
        assert set(parts) == set(range(parts.max() + 1))
        assert met(parts, [hidden], demand).all()
    slowly = mondrian_slowly(columns, [hidden], demand)
    assert (parts is None) == (slowly is None)
    if parts is not None and slowly is not None:
        assert len({*zip(parts, slowly, strict=True)}) == parts.max() + 1 == slowly.max() + 1


def test_mondrian_cuts_at_medians() -> None:
    ages = np.array([20, 21, 22, 23, 60, 61, 62, 63]) - 20
    sexes = np.array([0, 1] * 4)
    parts = mondrian([ages, sexes], [], Demand(2))
    assert parts is not None
    assert sorted(Counter(parts.tolist()).values()) == [2, 2, 2, 2]
    labels = [str(age) for age in range(20, 64)]
    assert {"20–23", "60–63"} == set(ranges(parts // 2, ages, labels, 44))
    assert set(ranges(parts * 0, sexes, ["F", "M"], 0)) == {"F|M"}
    assert ranges(parts * 0, np.array([0, 1] * 4), ["7", ""], 1) == ["7|"]


def test_losses_are_shares_of_merged_values() -> None:
    # Of six values pairs merge one of five others; four of them lose three of five, two lose one.
    counts = np.array([1, 1, 1, 1, 1, 1])
    assert losses(PAIRS, counts) == pytest.approx([0, 1 / 5, 14 / 30, 1])
    assert losses(THIRDS, np.array([5, 0, 0, 0, 0, 5])) == pytest.approx([0, 0, 1])
    assert losses(THIRDS, np.array([5, 0, 0, 0, 0, 0])) == [0, 0, 0]
    assert is_coarser(PAIRS.steps[1], PAIRS.steps[2])
    halves = hierarchy("a", list("pqrstu"), [("halves", list("aaabbb"))])
    assert not is_coarser(PAIRS.steps[1], halves.steps[1])


@examples(100)
@given(table=st.lists(st.tuples(codes, codes, codes), min_size=1, max_size=30))
def test_two_files_together(table: list[tuple[int, int, int]]) -> None:
    one, two = defaultdict(set), defaultdict(set)
    for first, second, value in table:
        one[first].add(value)
        two[second].add(value)
    ids = [grouped([np.array([row[i] for row in table])]) for i in (0, 1)]
    found = composed(ids[0], ids[1], np.array([row[2] for row in table]), 6)
    common = [one[first] & two[second] for first, second, _ in table]
    assert found.first == sum(len(one[row[0]]) == 1 for row in table)
    assert found.second == sum(len(two[row[1]]) == 1 for row in table)
    assert found.together == sum(len(left) == 1 for left in common)
    fewer = [len(left) < min(len(one[row[0]]), len(two[row[1]]))
             for left, row in zip(common, table, strict=True)]  # fmt: skip
    assert found.narrowed == sum(fewer)
    assert found.smallest_joint == min(Counter(row[:2] for row in table).values())


def test_two_files_disclose_what_neither_does() -> None:
    # Each file alone leaves two diseases for everybody; the person in both classes has one.
    first, second = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    found = composed(first, second, np.array([0, 1, 1, 2]), 3)
    assert (found.first, found.second) == (0, 0)
    assert found.together == 2


@pytest.mark.parametrize(
    "wrong",
    [{"k": 1}, {"k": 2, "diversity": 0}, {"k": 2, "closeness": -0.1}, {"k": 2, "closeness": 2.0},
     {"k": 2, "suppress": 1.0}, {"k": 2, "suppress": float("nan")}],
)  # fmt: skip
def test_demands_that_make_no_sense(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Demand(**wrong)  # type: ignore[arg-type]


def test_a_share_of_records_is_a_whole_number() -> None:
    assert Demand(2, suppress=0.05).limit(1000) == 50
    assert Demand(2, suppress=0.29).limit(100) == 29
    assert Demand(2, suppress=0.0).limit(7) == 0


@examples(100)
@given(
    table=st.lists(
        st.tuples(*[st.sampled_from([0, 1, 2, 2**20, 2**30])] * 4), min_size=1, max_size=20
    )
)
def test_keys_keep_the_order_of_many_columns(table: list[tuple[int, ...]]) -> None:
    columns = [np.array(column) for column in zip(*table, strict=True)]
    ranks = {row: place for place, row in enumerate(sorted(set(table)))}
    assert grouped(columns).tolist() == [ranks[row] for row in table]
    assert [table[place] for place in in_order(columns)] == sorted(table)
