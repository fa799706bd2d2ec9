"""Plans of many events: the same bound, found in time."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sudare.accounting import pld
from sudare.accounting.compose import plan_cost
from sudare.facts.events import GaussianEvent, LaplaceEvent, SelectionEvent
from sudare.facts.relation import Relation

DELTA = Fraction(1, 10**9)


def laplace(scale: int, cells: int = 1) -> LaplaceEvent:
    return LaplaceEvent(Relation.ADD_REMOVE, 1, Fraction(scale), cells)


@pytest.mark.parametrize("cells", [1, 4])
def test_equal_events_gathered_are_the_events_one_by_one(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = [laplace(20, cells)] * 37
    gathered = pld.epsilon_for_delta(events, 1e-9)
    monkeypatch.setattr(pld, "_FEW", 100)
    assert gathered == pytest.approx(pld.epsilon_for_delta(events, 1e-9), rel=1e-6)


def test_many_that_differ_are_composed_otherwise() -> None:
    events = [laplace(1000 + each) for each in range(100)]
    assert not pld.supports(events)
    assert plan_cost(events, DELTA).epsilon < 0.1
    assert pld.supports(events[:32])


def test_events_beyond_floats_are_composed_otherwise() -> None:
    large = SelectionEvent(Relation.ADD_REMOVE, Fraction(1), 8, Fraction(1000))
    assert not pld.supports([large])
    assert plan_cost([large], DELTA).epsilon == 1000
    narrow = GaussianEvent(Relation.ADD_REMOVE, 240**2, Fraction(5), 1)
    assert not pld.supports([narrow])
    assert plan_cost([narrow], DELTA).epsilon > 1000
