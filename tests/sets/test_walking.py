"""A walk finds an attacker exactly where brute force does, also when it looks only at what
changed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
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
from sudare.sets.walking import walk
from support.attackers import Case

CASES = [random_case(seed, 12, 6, kind) for seed in range(20) for kind in KINDS]
# No set has so many items: none is fresh.
NEVER = 1_000_000


@settings(max_examples=150, deadline=None)
@given(cases(), st.sampled_from(RHOS), st.sampled_from(KNOWLEDGE))
def test_one_walk_changes_something_where_there_is_an_attacker_and_only_there(
    case: Case, rho: Fraction, most: int | None
) -> None:
    layout, state, rule = begin(case, rho)
    dirty, changed = np.ones(len(case.original), np.uint8), np.zeros(len(case.original), np.uint8)
    roots = np.arange(case.items, dtype=np.int32)
    changes, _ = walk(layout, state, rule, dirty, changed, NEVER, most or case.items, roots)
    assert (changes > 0) == bool(attackers(case, rho, most))
    now = held(case, layout, state).released
    assert changes == sum(map(len, case.original)) - sum(map(len, now))
    touched = [u for u, record in enumerate(case.original) if now[u] != record]
    assert np.flatnonzero(changed).tolist() == touched


def walks(
    case: Case,
    rho: Fraction,
    *,
    quiet: int = NEVER,
    forgets: bool = False,
    drops_old: bool = False,
) -> Iterator[tuple[int, int, Case]]:
    """As suppress.py walks, all sizes from `quiet` on at once: (most known items, changes, what
    the walk had before it). A twin that `forgets` does not look at changed records again, one
    that `drops_old` reads them as they are now."""
    layout, state, rule = begin(case, rho)
    roots = np.arange(case.items, dtype=np.int32)
    dirty = np.zeros(len(case.original), np.uint8)
    for size in range(1, min(case.items, quiet) + 1):
        most = case.items if size == quiet else size
        fresh, changes = size, 1
        while changes:
            before, now = held(case, layout, state), state.alive.copy()
            changed = np.zeros_like(dirty)
            changes, _ = walk(layout, state, rule, dirty, changed, fresh, most, roots)
            yield most, changes, before
            state.before[:] = state.alive if drops_old else now
            dirty = np.zeros_like(dirty) if forgets else changed
            fresh = NEVER


@settings(max_examples=150, deadline=None)
@given(cases(), st.sampled_from(RHOS), st.sampled_from([1, 2, 3, NEVER]))
def test_every_walk_through_what_changed_finds_what_brute_force_finds(
    case: Case, rho: Fraction, quiet: int
) -> None:
    for size, changes, before in walks(case, rho, quiet=quiet):
        assert (changes > 0) == bool(attackers(before, rho, size))


def left(case: Case, **twin: bool) -> bool:
    """Whether the last walk, which changes nothing, leaves an attacker."""
    *_, (_, _, last) = walks(case, HALF, **twin)
    return bool(attackers(last, HALF, None))


def test_twins_that_look_at_less_leave_attackers() -> None:
    assert not any(left(case) for case in CASES)
    assert any(left(case, forgets=True) for case in CASES)
    assert any(left(case, drops_old=True) for case in CASES)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_many_records_at_once(kind: str, seed: int) -> None:
    case = random_case(seed, 200, 7, kind)
    for size, changes, before in walks(case, HALF):
        assert (changes > 0) == bool(attackers(before, HALF, size))


def test_sets_that_the_same_records_hold_are_looked_at_once() -> None:
    """Two records share 300 items, which is 2^300 sets with the same owners."""
    common = frozenset(range(300))
    records = (common | {300}, common, frozenset({300, 301}))
    case = Case(records, records, (NOBODY,) * 3, frozenset({300}))
    layout, state, rule = begin(case, HALF)
    dirty, changed = np.ones(3, np.uint8), np.zeros(3, np.uint8)
    roots = np.arange(case.items, dtype=np.int32)
    changes, deepest = walk(layout, state, rule, dirty, changed, NEVER, case.items, roots)
    # {301} → 300 has confidence 1 and costs one item; nothing else is above one half.
    assert (changes, deepest) == (1, 1)


def test_one_basket_of_ten_thousand_items() -> None:
    whole = frozenset(range(10_000))
    records = (whole, frozenset({0, 1}), frozenset({1, 2}), NOBODY)
    case = Case(records, records, (frozenset({3}), NOBODY, frozenset({0}), NOBODY))
    layout, state, rule = begin(case, HALF)
    dirty, changed = np.ones(4, np.uint8), np.zeros(4, np.uint8)
    roots = np.arange(case.items, dtype=np.int32)
    changes, _ = walk(layout, state, rule, dirty, changed, NEVER, case.items, roots)
    now = held(case, layout, state).released
    # Item 3 goes from the large basket, the only one that has it: of Q = {4}, one in one holds it.
    assert 3 not in now[0]
    assert changes == 10_000 + 4 - sum(map(len, now)) < 10
