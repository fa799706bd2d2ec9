"""What one fixed plan costs: the smallest of the bounds that are proved for its events.

Claim    the returned (ε, δ) and ρ each hold for the joint release of all events.
Source   basic: paper 003, Lemma 16.7 (= paper 001, Theorem 1); zCDP: Bun and Steinke 2016,
         Lemma 2.3 and Prop. 1.4 (ε-DP gives ε²/2); PLD: accounting/pld.py. Events with a δ of
         their own are added to the rest by basic composition, ε and δ apart (Dwork and Roth 2014,
         Theorem 3.16); they have no ρ.
Needs    independent noise per event, one neighbour relation for all events.
Gaps     none known.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sudare.accounting import pld, zcdp
from sudare.facts.cost import ATTO, NANO, NO_RHO, PICO, Cost, to_units
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import GaussianEvent, PrivacyEvent, PublicEvent, SmoothEvent
from sudare.facts.relation import Relation

# A δ is a risk of its own: it is spent only where it lowers ε by at least one per cent.
_WORTH_A_DELTA = 0.99


def rho_of_event(event: PrivacyEvent) -> Fraction:
    """The ρ-zCDP of one event."""
    match event:
        case PublicEvent():
            return Fraction(0)
        case GaussianEvent():
            return event.rho
        case _:
            return event.epsilon**2 / 2


def total_rho(events: Sequence[PrivacyEvent]) -> Fraction:
    return sum((rho_of_event(event) for event in events), Fraction(0))


def pure_epsilon(events: Sequence[PrivacyEvent]) -> Fraction | None:
    """Σε, or None where one event has no pure ε."""
    total = Fraction(0)
    for event in events:
        if isinstance(event, GaussianEvent):
            return None
        if not isinstance(event, PublicEvent):
            total += event.epsilon
    return total


def plan_cost(events: Sequence[PrivacyEvent], delta: Fraction) -> Cost:
    """The cost of releasing all events at once. δ is the plan's total: events that need one take
    theirs, and the rest is spent only where it lowers ε."""
    relations = {event.relation for event in events}
    if len(relations) != 1:
        raise ValueError("one plan has one neighbour relation")
    apart = [e for e in events if isinstance(e, SmoothEvent) and e.delta > 0]
    if not apart:
        return _cost(events, delta, relations.pop())
    taken = sum((event.delta for event in apart), Fraction(0))
    if taken > delta:
        raise ValueError("events take more δ than the plan has")
    rest = [event for event in events if event not in apart]
    relation = relations.pop()
    found = _cost(rest, delta - taken, relation) if rest else Cost(0, 0, 0, relation)
    epsilon = sum((event.epsilon for event in apart), Fraction(0))
    pure = pure_epsilon(rest)
    # A sum is rounded up once: parts that are rounded one by one could pass the total that people
    # wrote.
    if pure is not None and found.epsilon_nano == to_units(pure, NANO):
        total = to_units(pure + epsilon, NANO)
    else:
        total = found.epsilon_nano + to_units(epsilon, NANO)
    return Cost(
        total,
        found.delta_atto + to_units(taken, ATTO),
        NO_RHO,
        relation,
    )


def _cost(events: Sequence[PrivacyEvent], delta: Fraction, relation: Relation) -> Cost:
    pure, rho = pure_epsilon(events), total_rho(events)
    best = None if pure is None else to_units(pure, NANO)
    spent_delta = 0
    if delta > 0:
        relaxed = to_units(Fraction(_relaxed_epsilon(events, float(rho), float(delta))), NANO)
        if best is None or relaxed < best * _WORTH_A_DELTA:
            best, spent_delta = relaxed, to_units(delta, ATTO)
    if best is None:
        raise InvalidPlan(
            "Gaussian noise has no pure ε.", "Give a δ, for example --delta 1e-9, or use Laplace."
        )
    return Cost(best, spent_delta, to_units(rho, PICO), relation)


def _relaxed_epsilon(events: Sequence[PrivacyEvent], rho: float, delta: float) -> float:
    concentrated = zcdp.epsilon_of(rho, delta)
    if not pld.supports(events):
        return concentrated
    return min(concentrated, pld.epsilon_for_delta(events, delta))
