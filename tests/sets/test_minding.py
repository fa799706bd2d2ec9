"""Who minds what, and who owned a set, against the definitions."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sets.brute import HALF, begin, cases
from sudare.sets.mending import drop
from sudare.sets.minding import keep_minded, minds, owns, rarest
from support.attackers import Case


def sorted_array(items: Iterable[int]) -> np.ndarray:
    return np.array(sorted(items), np.int32)


@settings(deadline=None)
@given(cases())
def test_a_record_minds_its_own_items_and_everyones(case: Case) -> None:
    layout, _, _ = begin(case, HALF)
    for u in range(len(case.original)):
        found = {e for e in range(case.items) if minds(layout, u, e)}
        assert found == case.wanted(u)


def test_long_lists_are_read_right_also_where_they_are_uneven() -> None:
    draws = np.random.default_rng(7)
    spread = [draws.random(400) ** power for power in (0.2, 1, 5)]
    called = [frozenset((each * 600).astype(int).tolist()) for each in spread]
    called += [frozenset({599}), frozenset({0}), frozenset(range(600)), frozenset()]
    rows = (frozenset({0, 599}),) * len(called)
    layout, _, _ = begin(Case(rows, rows, tuple(called)), HALF)
    for u, wanted in enumerate(called):
        assert {e for e in range(600) if minds(layout, u, e)} == wanted


@settings(deadline=None)
@given(cases(), st.frozensets(st.integers(0, 5), min_size=1))
def test_owners_are_those_of_the_original_record(case: Case, known: frozenset[int]) -> None:
    known = frozenset(i for i in known if i < case.items)
    assume(known)
    layout, state, _ = begin(case, HALF)
    items = sorted_array(known)
    for u, record in enumerate(case.original):
        assert owns(layout, u, items, len(items)) == (known <= record)
        for i in record:
            drop(layout, state, u, i)
    assert [owns(layout, u, items, len(items)) for u in range(len(case.original))] == [
        known <= record for record in case.original
    ]
    supports = {i: sum(i in record for record in case.original) for i in known}
    assert supports[rarest(layout, items, len(items))] == min(supports.values())


@settings(deadline=None)
@given(cases())
def test_what_any_original_owner_minds_is_kept_in_its_order(case: Case) -> None:
    layout, _, _ = begin(case, HALF)
    for record in case.original:
        for known in (record, frozenset(sorted(record)[:1]), frozenset(sorted(record)[1:3])):
            if not known:
                continue
            inferred = sorted_array(range(case.items))[::-1].copy()
            items = sorted_array(known)
            many = keep_minded(layout, items, len(items), inferred, len(inferred))
            owners = [u for u, other in enumerate(case.original) if known <= other]
            expected = frozenset[int]().union(*(case.wanted(u) for u in owners))
            assert inferred[:many].tolist() == sorted(expected, reverse=True)
