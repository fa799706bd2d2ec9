"""One attacker at a time: who succeeds, and that whoever does is stopped."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sets.brute import HALF, KINDS, RHOS, attackers, begin, cases, held, random_case
from sudare.sets.targets import look, try_all
from support.attackers import Case, known_sets
from support.tiers import examples

Attackers = list[tuple[int, list[int]]]


def all_of(case: Case, size: int) -> Attackers:
    """Every attacker with so many known items, in the order of what they know."""
    found = [
        (u, sorted(known))
        for u, record in enumerate(case.original)
        for known in known_sets(record, size, with_base_rate=False)
        if len(known) == size
    ]
    return sorted(found, key=lambda attacker: attacker[1][::-1])


def arrays(found: Attackers) -> tuple[np.ndarray, np.ndarray]:
    targets = np.array([u for u, _ in found], np.int32)
    return targets, np.array([i for _, known in found for i in known], np.int32)


def tried(case: Case, rho: Fraction, size: int, *, mends: bool, literal: bool) -> tuple[int, Case]:
    layout, state, rule = begin(case, rho, literal=literal)
    changed = np.zeros(max(len(case.original), 1), np.uint8)
    found = arrays(all_of(case, size))
    hits = try_all(layout, state, rule, *found, size, mends, changed)
    now = held(case, layout, state)
    touched = [u for u, r in enumerate(case.original) if now.released[u] != r]
    assert np.flatnonzero(changed).tolist() == touched
    if mends:
        while try_all(layout, state, rule, *found, size, True, changed):
            pass
        now = held(case, layout, state)
        # Nobody of these is left, and nobody is found.
        assert not [each for each in attackers(now, rho, size) if len(each[1]) == size]
    return hits, now


@examples(150)
@given(cases(), st.sampled_from(RHOS), st.integers(1, 4))
def test_who_succeeds_is_who_does_by_brute_force(case: Case, rho: Fraction, size: int) -> None:
    hits, now = tried(case, rho, size, mends=False, literal=False)
    expected = [each for each in attackers(case, rho, size) if len(each[1]) == size]
    assert hits == len(expected)
    assert now.released == case.original


@examples(100)
@given(cases(), st.sampled_from(RHOS), st.integers(1, 4), st.booleans())
def test_all_can_be_stopped(case: Case, rho: Fraction, size: int, literal: bool) -> None:
    hits, now = tried(case, rho, size, mends=True, literal=literal)
    assert (hits > 0) == (now.released != case.original)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("literal", [False, True])
def test_the_same_with_more_records(kind: str, literal: bool) -> None:
    case = random_case(3, 80, 6, kind)
    for size in (1, 2, 3):
        hits, _ = tried(case, HALF, size, mends=False, literal=literal)
        expected = [each for each in attackers(case, HALF, size) if len(each[1]) == size]
        assert hits == len(expected) > 0
        tried(case, HALF, size, mends=True, literal=literal)


def test_only_what_the_target_minds_counts() -> None:
    records = tuple(map(frozenset, ([0, 1], [0, 1], [0])))
    case = Case(records, records, tuple(map(frozenset, ([], [1], [1, 2]))))
    layout, state, rule = begin(case, HALF)
    scratch = np.empty(3, np.int32), np.zeros(3, np.int64), np.empty(3, np.int32)
    changed, known = np.zeros(3, np.uint8), np.array([0], np.int32)
    assert look(layout, state, rule, 0, known, 1, *scratch, changed) == (0, 0)
    # The third record has no 1, and must not be suspected of it.
    assert look(layout, state, rule, 2, known, 1, *scratch, changed) == (1, 1)
    assert scratch[1].tolist() == [0, 0, 0]
    assert look(layout, state, rule, 1, known, 1, *scratch, changed) == (0, 0)
