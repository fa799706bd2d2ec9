"""A walk finds an attacker exactly where brute force does, also when it looks only at what
changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

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
from sudare.sets import kept
from sudare.sets.compiled import chosen_by
from sudare.sets.crowds import Crowds, gathered, settled, spread
from sudare.sets.layout import Layout, State
from sudare.sets.machine import Machine
from sudare.sets.mending import Rule
from sudare.sets.walking import walk
from support.attackers import Case
from support.tiers import examples

On = tuple[Layout, State, Rule]
Forgets = Callable[[Crowds], None]
CASES = [random_case(seed, 12, 6, kind) for seed in range(20) for kind in KINDS]
# No set has so many items: none is fresh.
NEVER = 1_000_000


def walk_all(case: Case, on: On, most: int) -> tuple[int, int, Case]:
    """One walk over all sets: (suppressions, most known items, what is left)."""
    layout, state, rule = on
    crowds, changes, deepest = walk(layout, state, rule, gathered(layout, state, rule.lot), 1, most)
    spread(layout, state, crowds)
    return changes, deepest, held(case, layout, state)


@examples(150)
@given(cases(), st.sampled_from(RHOS), st.sampled_from(KNOWLEDGE), st.booleans())
def test_one_walk_changes_something_where_there_is_an_attacker_and_only_there(
    case: Case, rho: Fraction, most: int | None, by_lot: bool
) -> None:
    on = begin(case, rho, by_lot=by_lot)
    changes, _, left = walk_all(case, on, most or case.items)
    assert (changes > 0) == bool(attackers(case, rho, most))
    assert changes == sum(map(len, case.original)) - sum(map(len, left.released))
    assert all(now <= first for now, first in zip(left.released, case.original, strict=True))
    support = [sum(i in record for record in left.released) for i in range(case.items)]
    assert (on[1].support.tolist(), on[1].total.tolist()) == (support, [sum(support)])


def walks(
    case: Case, rho: Fraction, *, quiet: int = NEVER, forgets: Forgets | None = None
) -> Iterator[tuple[int, int, Case]]:
    """As suppress.py walks, all sizes from `quiet` on at once: (most known items, changes, what
    the walk had before it). A twin `forgets` what the last walk has taken."""
    layout, state, rule = begin(case, rho)
    crowds = gathered(layout, state, rule.lot)
    for size in range(1, min(case.items, quiet) + 1):
        most = case.items if size == quiet else size
        fresh, changes = size, 1
        while changes:
            spread(layout, state, crowds)
            before = held(case, layout, state)
            crowds, changes, _ = walk(layout, state, rule, crowds, fresh, most)
            crowds = settled(crowds, case.items)
            if forgets is not None:
                forgets(crowds)
            yield most, changes, before
            fresh = NEVER


@examples(150)
@given(cases(), st.sampled_from(RHOS), st.sampled_from([1, 2, 3, NEVER]))
def test_every_walk_through_what_changed_finds_what_brute_force_finds(
    case: Case, rho: Fraction, quiet: int
) -> None:
    for size, changes, before in walks(case, rho, quiet=quiet):
        assert (changes > 0) == bool(attackers(before, rho, size))


def all_of_it(crowds: Crowds) -> None:
    crowds.reach[:] = crowds.size


def some_of_it(crowds: Crowds) -> None:
    """All but the first item that was taken from each."""
    crowds.reach[:] = np.minimum(crowds.reach, crowds.size + 1)


def left(case: Case, forgets: Forgets | None = None) -> bool:
    """Whether the last walk, which changes nothing, leaves an attacker."""
    *_, (_, _, last) = walks(case, HALF, forgets=forgets)
    return bool(attackers(last, HALF, None))


def test_twins_that_look_at_less_leave_attackers() -> None:
    assert not any(left(case) for case in CASES)
    assert any(left(case, all_of_it) for case in CASES)
    # Two items of one record have to be taken in the same walk.
    larger = [random_case(seed, 40, 9, kind) for seed in range(20) for kind in KINDS]
    assert any(left(case, some_of_it) for case in larger)


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
    changes, deepest, _ = walk_all(case, begin(case, HALF), case.items)
    # {301} → 300 has confidence 1 and costs one item; nothing else is above one half.
    assert (changes, deepest) == (1, 1)


@pytest.mark.integration
def test_one_basket_of_ten_thousand_items() -> None:
    whole = frozenset(range(10_000))
    records = (whole, frozenset({0, 1}), frozenset({1, 2}), NOBODY)
    case = Case(records, records, (frozenset({3}), NOBODY, frozenset({0}), NOBODY))
    with chosen_by(Machine(kept.folder()).entry):
        changes, _, left = walk_all(case, begin(case, HALF), case.items)
    now = left.released
    # Item 3 goes from the large basket, the only one that has it: of Q = {4}, one in one holds it.
    assert 3 not in now[0]
    assert changes == 10_000 + 4 - sum(map(len, now)) < 10
