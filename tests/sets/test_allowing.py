"""As many records have an item back as brute force allows, and not one more."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sets.brute import HALF, KINDS, KNOWLEDGE, RHOS, attackers, begin, cases, held, random_case
from sudare.sets.allowing import Ground, allowed_back
from sudare.sets.grouping import grouped
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule
from sudare.sets.pairing import paired
from sudare.sets.projecting import make_room
from sudare.sets.suppress import silent, walk_down
from support.attackers import Case, Record
from support.tiers import examples

On = tuple[Layout, State, Rule]


def gaps(case: Case) -> dict[tuple[Record, int], list[int]]:
    """The records that hold the same and lack the same item."""
    found: dict[tuple[Record, int], list[int]] = {}
    pairs = zip(case.original, case.released, strict=True)
    for u, (first, now) in enumerate(pairs):
        for i in sorted(first - now):
            found.setdefault((now, i), []).append(u)
    return found


def most_by_force(case: Case, rho: Fraction, most: int | None, us: list[int], i: int) -> int:
    for count in range(1, len(us) + 1):
        rows = list(case.released)
        for u in us[:count]:
            rows[u] |= {i}
        if attackers(Case(case.original, tuple(rows), case.called, case.everyone), rho, most):
            return count - 1
    return len(us)


def check(case: Case, on: On, rho: Fraction, most: int | None) -> int:
    """How many gaps there were, each allowed as brute force allows it."""
    layout, state, rule = on
    limit = most or case.items
    walk_down(layout, state, rule, limit, silent)
    now = held(case, layout, state)
    groups = grouped(layout, state)
    member = np.zeros(case.items, np.int32)
    ground = Ground(groups, paired(groups, case.items), member, make_room(groups, 0))
    for (_, i), us in gaps(now).items():
        records = np.array(us, np.int32)
        got = allowed_back(
            layout, state, rule, ground, groups.of[us[0]], records, i, limit, len(us)
        )
        assert got == most_by_force(now, rho, most, us, i)
    assert not member.any()
    return len(gaps(now))


@examples(150)
@given(cases(), st.sampled_from(RHOS), st.sampled_from(KNOWLEDGE))
def test_as_many_come_back_as_brute_force_allows(
    case: Case, rho: Fraction, most: int | None
) -> None:
    check(case, begin(case, rho), rho, most)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("copies", [1, 5])
def test_the_same_with_more_records(kind: str, copies: int) -> None:
    found = 0
    for seed in range(3):
        one = random_case(seed, 40 // copies, 6, kind)
        rows = one.original * copies
        case = Case(rows, rows, one.called * copies, one.everyone)
        found += check(case, begin(case, HALF), HALF, None)
    assert found > 5
