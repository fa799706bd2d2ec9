"""Long records lose what their rest tells before the first walk, as brute force sees it."""

from __future__ import annotations

import numpy as np
import pytest

from sets.brute import HALF, KINDS, NOBODY, after, begin, held, random_case
from sudare.sets.grouping import grouped
from sudare.sets.suppress import suppress
from sudare.sets.telling import drop_told
from sudare.sets.verify.attackers import verify
from support.attackers import Case, Record
from support.bits import CountedBits

SHORT, LONG = 7, 12


def telling(case: Case, record: Record, e: int, most: int) -> Record:
    """The rarest of the others, as many as an attacker may know."""
    support = [sum(i in other for other in case.original) for i in range(case.items)]
    return frozenset(sorted(record - {e}, key=lambda i: support[i])[:most])


def is_told(case: Case, record: Record, e: int, most: int) -> bool:
    known = telling(case, record, e, most)
    owners = [other for other in case.original if known <= other]
    return 2 * sum(e in other for other in owners) > len(owners)


def expected(case: Case, u: int, most: int) -> Record:
    record, minded = case.original[u], case.called[u] | case.everyone
    if len(record) <= SHORT:
        return record
    told = record if len(record) > LONG else {e for e in record if is_told(case, record, e, most)}
    return record - (minded & told)


def even(case: Case) -> bool:
    """Whether no two items are equally frequent, so that the rarest are the same to all."""
    support = [sum(i in other for other in case.original) for i in range(case.items)]
    return len(set(support)) == len(support)


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_rest_tells_goes_and_nothing_else(kind: str) -> None:
    told = 0
    for seed in range(20):
        case = random_case(seed, 40, 16, kind)
        layout, state, rule = begin(case, HALF)
        count, known = drop_told(layout, state, rule, case.items)
        now = held(case, layout, state)
        assert now.released == tuple(expected(case, u, 16) for u in range(40))
        assert count == sum(map(len, case.original)) - sum(map(len, now.released))
        assert not count or known >= SHORT
        told += count
    assert told > 100


def test_with_bounded_knowledge_the_rarest_tell() -> None:
    told = 0
    for seed in range(300):
        case = random_case(seed, 150, 11, "mixed")
        if not even(case):
            continue
        layout, state, rule = begin(case, HALF)
        told += drop_told(layout, state, rule, SHORT)[0]
        now = held(case, layout, state)
        assert now.released == tuple(expected(case, u, SHORT) for u in range(150))
    assert told > 20


def test_attackers_who_know_little_are_left_to_the_walk() -> None:
    layout, state, rule = begin(random_case(1, 40, 16, "fixed"), HALF)
    assert drop_told(layout, state, rule, SHORT - 1) == (0, 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("copies", [1, 4])
def test_long_records_and_their_copies_are_released_safely(kind: str, copies: int) -> None:
    for seed in range(4):
        one = random_case(seed, 15, 20, kind)
        rows = one.original * copies
        case = Case(rows, rows, one.called * copies, one.everyone)
        baskets, sensitive = case.baskets(rows), case.sensitive()
        found = suppress(baskets, sensitive, HALF, CountedBits(str(seed)))
        verify(baskets, baskets.kept(found.kept), sensitive, HALF, max_knowledge=None)
        gone = sum(map(sum, found.steps)) - found.put_back
        assert gone == sum(map(len, rows)) - sum(map(len, after(case, found.kept).released)) > 0


def test_copies_of_a_long_record_keep_half_of_what_the_rest_would_tell() -> None:
    rows = (frozenset(range(10)),) * 8
    case = Case(rows, rows, (NOBODY,) * 8, frozenset({3}))
    baskets = case.baskets(rows)
    found = suppress(baskets, case.sensitive(), HALF, CountedBits("copies"))
    assert int((~found.kept).sum()) == 4


def test_groups_hold_the_same_and_weigh_as_many_as_they_are() -> None:
    case = random_case(5, 200, 5, "fixed")
    layout, state, _ = begin(case, HALF)
    groups = grouped(layout, state)
    many = int(groups.used[0])
    assert many == len(set(case.original))
    assert np.bincount(groups.of, minlength=many).tolist() == groups.weight[:many].tolist()
    for u, record in enumerate(case.original):
        start = groups.at[groups.of[u]]
        stretch = groups.held[start : start + groups.size[groups.of[u]]].tolist()
        assert stretch == sorted(record)
