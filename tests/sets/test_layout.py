"""Records by rank, owners, constraints by rank, and the way back to the baskets."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sets.brute import HALF, begin, cases, held
from sudare.facts.baskets import Baskets, Sensitive
from sudare.sets.layout import Layout, kept_of, lay_out, start
from sudare.sets.mending import drop
from support.attackers import Case


def rows(starts: np.ndarray, values: np.ndarray) -> list[list[int]]:
    return [values[low:high].tolist() for low, high in pairwise(starts)]


def named(layout: Layout, ranks: list[int]) -> set[int]:
    return set(layout.item[ranks].tolist())


@settings(deadline=None)
@given(cases(), st.data())
def test_everything_is_there_by_rank(case: Case, data: st.DataObject) -> None:
    given_order = st.permutations(range(case.items)).map(np.array)
    order = data.draw(st.one_of(st.none(), given_order))
    layout = lay_out(case.baskets(case.original), case.sensitive(), order)
    records = rows(layout.at, layout.original)
    assert records == [sorted(record) for record in records]
    assert [named(layout, record) for record in records] == list(case.original)
    own = rows(layout.own_at, layout.own)
    assert own == [sorted(record) for record in case.called]
    assert named(layout, np.flatnonzero(layout.everyone).tolist()) == case.everyone
    minded = case.everyone.union(*case.called)
    assert named(layout, np.flatnonzero(layout.minded).tolist()) == minded
    for rank, owners in enumerate(rows(layout.owner_at, layout.owner)):
        assert owners == [u for u, r in enumerate(case.original) if layout.item[rank] in r]
    if order is not None:
        assert layout.item.tolist() == order.tolist()


def test_rare_items_come_first_and_equals_in_the_order_of_codes() -> None:
    records = tuple(map(frozenset, ([0, 1, 3], [0, 2, 3], [0])))
    case = Case(records, records, (frozenset(),) * 3)
    layout = lay_out(case.baskets(case.original), case.sensitive())
    assert layout.item.tolist() == [1, 2, 3, 0]
    assert np.diff(layout.owner_at).tolist() == [1, 1, 2, 3]


def test_the_order_of_items_in_the_file_is_found_again() -> None:
    baskets = Baskets(np.array([0, 3, 5]), np.array([2, 0, 1, 1, 2], np.int32), ("a", "b", "c"))
    layout = lay_out(baskets, Sensitive.fixed(np.zeros(3, np.bool_), 2))
    state = start(layout)
    rank = layout.item.tolist().index(2)
    drop(layout, state, 0, rank)
    assert kept_of(layout, state).tolist() == [False, True, True, True, True]


@settings(deadline=None)
@given(cases(), st.data())
def test_what_is_dropped_is_gone_and_all_else_stays(case: Case, data: st.DataObject) -> None:
    layout, state, _ = begin(case, HALF)
    assert held(case, layout, state).released == case.original
    cells = [(u, i) for u, r in enumerate(case.original) for i in sorted(r)]
    gone = data.draw(st.lists(st.sampled_from(cells), unique=True)) if cells else []
    for u, i in gone:
        drop(layout, state, u, i)
    released = held(case, layout, state).released
    assert released == tuple(
        frozenset(i for i in r if (u, i) not in gone) for u, r in enumerate(case.original)
    )
    assert state.total[0] == sum(map(len, released))
    assert state.support.tolist() == [sum(i in r for r in released) for i in range(case.items)]
    assert state.first_support.tolist() == [
        sum(i in r for r in case.original) for i in range(case.items)
    ]
    # What was held before can still be read: `drop` only moves an item behind those held.
    assert [set(record) for record in rows(layout.at, state.held)] == list(case.original)


@pytest.mark.parametrize("others", [0, 1])
def test_what_anyone_minds_is_found_among_many_constraints(others: int) -> None:
    """300,000 people mind the first item, and the last of them another one, too."""
    people = 300_000
    baskets = Baskets(np.arange(people + 1), np.zeros(people, np.int32), ("x", "y", "z"))
    own = np.append(np.zeros(people, np.int32), np.full(others, 2, np.int32))
    starts = np.append(np.arange(people), len(own))
    layout = lay_out(baskets, Sensitive(np.zeros(3, np.bool_), starts, own))
    minded = np.flatnonzero(layout.minded).tolist()
    assert named(layout, minded) == ({0, 2} if others else {0})


@pytest.mark.parametrize("items", [0, 3])
def test_no_records_at_all(items: int) -> None:
    baskets = Baskets(np.zeros(1, np.int64), np.empty(0, np.int32), ("x",) * items)
    layout = lay_out(baskets, Sensitive.fixed(np.ones(items, np.bool_), 0))
    assert layout.records == 0
    assert kept_of(layout, start(layout)).tolist() == []
