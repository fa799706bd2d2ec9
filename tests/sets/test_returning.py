"""Putting back: nobody becomes exposed, and where nothing comes back any more, nothing could.

What is shown: a round of `put_back` in which nothing came back proves that no single suppressed
item could come back safely (in records with few sets to look at). `suppress` makes at most two
rounds, so that its releases need not be so; pairs of items that are safe only together stay out.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sets.brute import (
    HALF,
    KINDS,
    KNOWLEDGE,
    NOBODY,
    RHOS,
    attackers,
    begin,
    cases,
    held,
    random_case,
)
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule, drop
from sudare.sets.returning import put_back
from sudare.sets.suppress import silent, walk_down
from support.attackers import Case
from support.tiers import examples

On = tuple[Layout, State, Rule]


def missing(case: Case) -> list[tuple[int, int]]:
    pairs = zip(case.original, case.released, strict=True)
    return [(u, i) for u, (first, now) in enumerate(pairs) for i in sorted(first - now)]


def returned(
    case: Case, on: On, cells: list[tuple[int, int]], most: int | None, caps: np.ndarray | None
) -> int:
    layout, state, rule = on
    records, items = np.array(cells, np.int32).reshape(-1, 2).T.copy()
    limit = case.items if most is None else most
    most_records = np.diff(layout.owner_at) if caps is None else caps
    return int(put_back(layout, state, rule, records, items, limit, most_records))


def with_item(case: Case, u: int, i: int) -> Case:
    released = list(case.released)
    released[u] |= {i}
    return Case(case.original, tuple(released), case.called, case.everyone)


def check(case: Case, rho: Fraction, most: int | None, seed: int) -> None:
    layout, state, rule = on = begin(case, rho, str(seed))
    walk_down(layout, state, rule, case.items if most is None else most, silent)
    safe = held(case, layout, state)
    assert not attackers(safe, rho, most)
    order = np.random.default_rng(seed)
    came = 1
    while came:
        before = held(case, layout, state)
        came = returned(case, on, order.permutation(missing(before)).tolist(), most, None)
        now = held(case, layout, state)
        assert not attackers(now, rho, most)
        assert len(missing(before)) - len(missing(now)) == came
        assert all(record >= was for record, was in zip(now.released, before.released, strict=True))
        assert state.support.tolist() == [
            sum(i in record for record in now.released) for i in range(case.items)
        ]
        assert state.total[0] == sum(map(len, now.released))
    assert all(attackers(with_item(now, u, i), rho, most) for u, i in missing(now))


@examples(200)
@given(cases(), st.sampled_from(RHOS), st.sampled_from(KNOWLEDGE), st.integers(0, 99))
def test_nobody_is_exposed_and_no_single_item_is_left_out_in_vain(
    case: Case, rho: Fraction, most: int | None, seed: int
) -> None:
    check(case, rho, most, seed)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_the_same_with_more_records(kind: str, seed: int) -> None:
    check(random_case(seed, 40, 6, kind), HALF, None, seed)


def test_sets_of_rarer_items_and_the_one_that_comes_back_are_looked_at() -> None:
    """With 3, which nobody minds and which is not the rarest, back in the first record, {0} → 2
    and {3} → 2 have confidence 1/2 and 1/3, but {0, 3} → 2 has 1."""
    records = tuple(map(frozenset, ([0, 2, 3], [0], [3], [3])))
    case = Case(records, records, (NOBODY,) * 4, frozenset({2}))
    layout, state, rule = begin(case, HALF)
    drop(layout, state, 0, 3)
    now = held(case, layout, state)
    assert not attackers(now, HALF, None)
    assert {known for _, known in attackers(with_item(now, 0, 3), HALF, None)} == {
        frozenset({0, 3})
    }
    assert returned(case, (layout, state, rule), [(0, 3)], None, None) == 0
    assert returned(case, (layout, state, rule), [(0, 3)], 1, None) == 1


def test_no_item_gets_more_records_than_it_may_have() -> None:
    case = random_case(1, 30, 5, "mixed")
    layout, state, rule = begin(case, Fraction(1))
    for u, record in enumerate(case.original):
        for i in record:
            drop(layout, state, u, i)
    caps = np.diff(layout.owner_at) // 2
    came = returned(case, (layout, state, rule), missing(held(case, layout, state)), None, caps)
    assert state.support.tolist() == caps.tolist()
    assert came == caps.sum()


@pytest.mark.parametrize(("size", "comes_back"), [(8, True), (12, False)])
def test_a_record_with_too_many_sets_keeps_its_gap(size: int, comes_back: bool) -> None:
    """All subsets of 8 or 12 items are records: every rule has confidence ½, and every set is held
    by other records than its subsets. 2^11 sets are too many to look at, 2^8 are not."""
    whole = range(size)
    records = tuple(frozenset(c) for n in range(size + 1) for c in combinations(whole, n))
    case = Case(records, records, (NOBODY,) * len(records), frozenset({size - 1}))
    layout, state, rule = begin(case, HALF)
    drop(layout, state, len(records) - 1, size - 1)
    cells = [(len(records) - 1, size - 1)]
    assert returned(case, (layout, state, rule), cells, None, None) == comes_back
