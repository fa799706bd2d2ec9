"""A cost under one neighbour relation, counted in a ledger that holds the other.

Claim    (ε, δ)-DP and ρ-zCDP under add-remove  =>  (2ε, (1 + e^ε)δ)-DP and 4ρ-zCDP under
         replace-one: a replacement is one removal and one addition.
Source   group privacy of size 2: for ε and δ the definition applied twice, e^ε(e^ε p + δ) + δ;
         for ρ the k²ρ of Bun and Steinke 2016, with k = 2.
Needs    nothing of the mechanism.
Gaps     the converse does not hold (a release may publish the number of units under replace-one),
         so that direction is refused.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

from sudare.facts.cost import ATTO, NANO, Cost
from sudare.facts.errors import InvalidLedger
from sudare.facts.relation import Relation
from sudare.ledger.entries import Amount

_DIGITS = Context(prec=60)


def counted(cost: Cost, relation: Relation) -> Amount:
    """The cost as a ledger of this relation counts it, rounded up."""
    if cost.relation is relation:
        return Amount.of(cost)
    if cost.relation is Relation.REPLACE_ONE:
        raise InvalidLedger(
            "A replace-one release cannot be counted in an add-remove ledger.",
            "Keep it in another ledger file (--ledger), opened by a replace-one schema.",
        )
    return Amount(
        epsilon_nano=2 * cost.epsilon_nano,
        delta_atto=_delta_of_two(cost.epsilon_nano, cost.delta_atto),
        rho_pico=4 * cost.rho_pico,
    )


def _delta_of_two(epsilon_nano: int, delta_atto: int) -> int:
    """(1 + e^ε)δ rounded up, and never more than 1, which holds for every mechanism."""
    if delta_atto == 0:
        return 0
    # Past ε = 42 even the smallest δ, one atto, would count as more than 1.
    if epsilon_nano > 42 * NANO:
        return ATTO
    epsilon = Decimal(epsilon_nano).scaleb(-9)
    # exp() is correct to half a unit of the last digit, so the next number up lies above e^ε.
    above = Fraction(_DIGITS.next_plus(_DIGITS.exp(epsilon)))
    return min(math.ceil((1 + above) * delta_atto), ATTO)
