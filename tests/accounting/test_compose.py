"""Composition inside one plan, checked against closed forms and against itself."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.accounting import pld, zcdp
from sudare.accounting.compose import plan_cost, pure_epsilon, total_rho
from sudare.facts.cost import NANO
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import (
    BoxEvent,
    GaussianEvent,
    LaplaceEvent,
    PrivacyEvent,
    PublicEvent,
    SelectionEvent,
    SmoothEvent,
)
from sudare.facts.relation import Relation
from support.tiers import examples

R = Relation.ADD_REMOVE
EVENTS: list[PrivacyEvent] = [
    LaplaceEvent(R, 1, Fraction(10), 1),
    LaplaceEvent(R, 10**7, Fraction(10**8), 1),
    LaplaceEvent(R, 130, Fraction(1300), 1),
    LaplaceEvent(R, 2, Fraction(20), 16),
    SmoothEvent(R, Fraction(1, 10), Fraction(0), Fraction(1, 80)),
    SmoothEvent(R, Fraction(1, 10), Fraction(1, 10**12), Fraction(1, 600)),
    BoxEvent(R, 60, Fraction(600), 4),
    SelectionEvent(R, Fraction(1), 100, Fraction(1, 10)),
    GaussianEvent(R, 1, Fraction(20), 1),
]


def laplace_delta(epsilon0: float, epsilon: float) -> float:
    """δ(ε) of one continuous Laplace answer (the limit of fine grids)."""
    return max(0.0, 1 - math.exp((epsilon - epsilon0) / 2))


@pytest.mark.parametrize("event", EVENTS, ids=repr)
@pytest.mark.parametrize("count", [2, 10])
def test_k_times_one_event_is_the_list_of_k(event: PrivacyEvent, count: int) -> None:
    """Composition must not depend on how a repetition is written (dp-accounting 0.6.0's `count`
    composed ten randomised responses as one)."""
    together = pld.epsilon_for_delta([event] * count, 1e-6)
    one = pld.epsilon_for_delta([event], 1e-6)
    assert together > 1.2 * one
    if not isinstance(event, GaussianEvent):
        assert together <= count * float(event.epsilon) * (1 + 1e-3) + 1e-6  # type: ignore[union-attr]


def test_pure_costs_add_up_exactly() -> None:
    events = [
        LaplaceEvent(R, 3, Fraction(10), 5),
        SelectionEvent(R, Fraction(1), 9, Fraction(1, 5)),
    ]
    cost = plan_cost(events, Fraction(0))
    assert cost.epsilon_nano == NANO // 2
    assert cost.delta_atto == 0
    assert pure_epsilon(events) == Fraction(1, 2)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=12))
def test_a_sum_never_loses_a_fraction(parts: list[int]) -> None:
    events = [LaplaceEvent(R, part, Fraction(7 * 10**6), 1) for part in parts]
    exact = sum((event.epsilon for event in events), Fraction(0))
    cost = plan_cost(events, Fraction(0))
    assert 0 <= Fraction(cost.epsilon_nano, NANO) - exact < Fraction(1, NANO)


@pytest.mark.parametrize("sensitivity", [1, 2, 63, 64, 65, 1000, 12_345])
def test_the_coarse_laplace_pair_dominates_the_fine_one(sensitivity: int) -> None:
    """Exact hockey stick of the discrete Laplace against the distribution that is used."""
    scale = Fraction(sensitivity)
    r = math.exp(-1 / float(scale))
    for epsilon in (0.0, 0.2, 0.5, 0.8, 0.95):
        exact = max(
            (1 - r ** (t + 1) / (1 + r)) - math.exp(epsilon) * r ** (sensitivity - t) / (1 + r)
            for t in range(sensitivity)
        )
        event = LaplaceEvent(R, sensitivity, scale, 1)
        found = pld.epsilon_for_delta([event], max(exact, 1e-12))
        assert found >= epsilon - 1e-3
        # And it is not wasteful where the grid is fine: within 5 % of the exact curve.
        if sensitivity >= 64 and epsilon >= 0.5:
            assert found <= epsilon * 1.05


def test_several_cells_are_not_taken_for_one() -> None:
    one = pld.epsilon_for_delta([LaplaceEvent(R, 64, Fraction(64), 1)], 1e-2)
    many = pld.epsilon_for_delta([LaplaceEvent(R, 64, Fraction(64), 3)], 1e-2)
    assert many > one


@examples(30)
@given(st.floats(1e-4, 10), st.floats(1e-12, 1e-3))
def test_zcdp_and_back(rho: float, delta: float) -> None:
    epsilon = zcdp.epsilon_of(rho, delta)
    assert zcdp.rho_of(epsilon, delta) == pytest.approx(rho, rel=1e-6)


@pytest.mark.parametrize(("sigma", "delta"), [(1.0, 1e-5), (4.0, 1e-9), (20.0, 1e-6)])
def test_zcdp_lies_above_the_exact_gaussian_curve(sigma: float, delta: float) -> None:
    """Balle and Wang 2018: δ(ε) = Φ(1/2σ − εσ) − e^ε Φ(−1/2σ − εσ) for sensitivity 1."""
    from scipy.stats import norm

    epsilon = zcdp.epsilon_of(1 / (2 * sigma**2), delta)
    exact = norm.cdf(1 / (2 * sigma) - epsilon * sigma) - math.exp(epsilon) * norm.cdf(
        -1 / (2 * sigma) - epsilon * sigma
    )
    assert exact <= delta
    # A conversion that is 15 % smaller would be wrong, so the bound is not idle.
    smaller = 0.85 * epsilon
    assert (
        norm.cdf(1 / (2 * sigma) - smaller * sigma)
        - math.exp(smaller) * norm.cdf(-1 / (2 * sigma) - smaller * sigma)
        > delta
    )


def test_gaussian_needs_a_delta_and_public_numbers_cost_nothing() -> None:
    gaussian = GaussianEvent(R, 4, Fraction(20), 7)
    with pytest.raises(InvalidPlan):
        plan_cost([gaussian], Fraction(0))
    assert total_rho([gaussian, PublicEvent(R)]) == Fraction(4, 800)
    free = plan_cost([PublicEvent(R)], Fraction(1, 10**6))
    assert (free.epsilon_nano, free.delta_atto, free.rho_pico) == (0, 0, 0)


def test_one_plan_one_relation() -> None:
    with pytest.raises(ValueError, match="relation"):
        plan_cost([PublicEvent(R), PublicEvent(Relation.REPLACE_ONE)], Fraction(0))


def test_parts_with_a_delta_of_their_own_are_rounded_up_once() -> None:
    """Shares that add up to a total cost that total, whatever their last digits are."""
    third = Fraction(1, 3)
    relation, delta = Relation.ADD_REMOVE, Fraction(1, 10**9)
    events = [
        SmoothEvent(relation, third, delta, Fraction(1, 100)),
        SmoothEvent(relation, third, Fraction(0), Fraction(1, 100)),
        SmoothEvent(relation, 1 - 2 * third, delta, Fraction(1, 100)),
    ]
    assert plan_cost(events, 2 * delta).epsilon_nano == NANO
