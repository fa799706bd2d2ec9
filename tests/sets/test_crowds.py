"""Crowds are the records: as many together, and each holds what its crowd does."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sets.brute import HALF, begin, cases, held, random_case
from sudare.sets.crowds import Crowds, gathered, settled, spread
from sudare.sets.thinning import thin, with_room
from support.attackers import Case, Record
from support.tiers import examples


def members(crowds: Crowds, crowd: int) -> list[int]:
    found, record = [], int(crowds.first[crowd])
    while record >= 0:
        found.append(record)
        record = int(crowds.after[record])
    return found


def contents(crowds: Crowds, crowd: int) -> tuple[Record, Record]:
    """What a crowd holds, and what it held before the last walk."""
    start = crowds.at[crowd]
    now, before = crowds.size[crowd], crowds.reach[crowd]
    held = crowds.held[start : start + before].tolist()
    return frozenset(held[:now]), frozenset(held)


def check(crowds: Crowds, now: list[Record], before: list[Record]) -> None:
    seen: list[int] = []
    for crowd in range(int(crowds.used[0])):
        if crowds.weight[crowd] == 0:
            continue
        records = members(crowds, crowd)
        assert len(records) == crowds.weight[crowd]
        assert {(now[u], before[u]) for u in records} == {contents(crowds, crowd)}
        seen += records
    assert sorted(seen) == list(range(len(now)))


def taken(
    data: st.DataObject, crowds: Crowds, now: list[Record], before: list[Record]
) -> tuple[Crowds, list[Record]]:
    """Some steps of a walk, each an item of some records of a crowd."""
    now = list(now)
    for _ in range(data.draw(st.integers(0, 6))):
        full = [c for c in range(int(crowds.used[0])) if crowds.weight[c] and crowds.size[c]]
        if not full:
            break
        crowd = data.draw(st.sampled_from(full))
        item = data.draw(st.sampled_from(sorted(contents(crowds, crowd)[0])))
        count = data.draw(st.integers(1, int(crowds.weight[crowd])))
        for u in members(crowds, crowd)[:count]:
            now[u] -= {item}
        crowds = with_room(crowds, 1, int(crowds.reach[crowd]))
        thin(crowds, crowd, item, count)
        check(crowds, now, before)
    return crowds, now


@examples(100)
@given(cases(), st.data())
def test_what_is_taken_from_crowds_is_taken_from_their_records(
    case: Case, data: st.DataObject
) -> None:
    layout, state, rule = begin(case, HALF)
    now = before = list(case.original)
    crowds = gathered(layout, state, rule.lot)
    check(crowds, now, before)
    for _ in range(2):
        crowds, after = taken(data, crowds, now, before)
        crowds = settled(crowds, case.items)
        check(crowds, after, now)
        # Those that are alike are one, where anything is new.
        kinds = set(zip(after, now, strict=True))
        assert crowds.used[0] == len(kinds) or after == now
        now, before = after, now
    spread(layout, state, crowds)
    assert held(case, layout, state).released == tuple(now)


def test_within_a_crowd_records_stand_by_lot() -> None:
    case = random_case(3, 100, 3, "fixed")
    layout, state, rule = begin(case, HALF)
    crowds = gathered(layout, state, rule.lot)
    lots = [rule.lot[members(crowds, crowd)] for crowd in range(int(crowds.used[0]))]
    assert max(map(len, lots)) > 10
    assert all((np.diff(each) > 0).all() for each in lots)
