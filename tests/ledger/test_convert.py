"""Counting an add-remove cost in a replace-one ledger."""

from __future__ import annotations

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.support import ADD_REMOVE, REPLACE_ONE
from sudare.facts.cost import ATTO, NANO, Cost
from sudare.facts.errors import InvalidLedger
from sudare.ledger.convert import counted


def test_the_same_relation_is_counted_as_it_is() -> None:
    for relation in (ADD_REMOVE, REPLACE_ONE):
        assert counted(Cost(5, 6, 7, relation), relation).under(relation) == Cost(5, 6, 7, relation)


def test_pure_epsilon_doubles_and_rho_quadruples() -> None:
    got = counted(Cost(NANO, 0, 10, ADD_REMOVE), REPLACE_ONE)
    assert (got.epsilon_nano, got.delta_atto, got.rho_pico) == (2 * NANO, 0, 40)


def test_replace_one_is_refused_in_an_add_remove_ledger() -> None:
    with pytest.raises(InvalidLedger, match="another ledger file"):
        counted(Cost(1, 0, 1, REPLACE_ONE), ADD_REMOVE)


@given(st.integers(1, 60 * NANO), st.integers(1, ATTO))
def test_delta_is_the_least_integer_above(epsilon: int, delta: int) -> None:
    got = counted(Cost(epsilon, delta, 1, ADD_REMOVE), REPLACE_ONE).delta_atto
    with mpmath.workdps(80):
        exact = (1 + mpmath.exp(mpmath.mpf(epsilon) / NANO)) * delta
        assert got == min(int(mpmath.ceil(exact)), ATTO)


def test_a_huge_epsilon_gives_the_trivial_delta_at_once() -> None:
    assert counted(Cost(10**30, 1, 1, ADD_REMOVE), REPLACE_ONE).delta_atto == ATTO
