"""The schema's budget as the ledger's cap."""

from __future__ import annotations

from fractions import Fraction

from sudare.accounting.zcdp import rho_of
from sudare.facts.cost import ATTO, NANO, PICO
from sudare.facts.errors import InvalidSchema
from sudare.facts.schema import Schema
from sudare.ledger.charge import Cap


def cap_of(schema: Schema) -> Cap:
    """The data set's cap in the ledger's units, rounded down: a cap is never overstated."""
    budget = schema.budget
    if budget is None:
        raise InvalidSchema(
            "The schema declares no budget.", "Add [budget] with epsilon = 1.0 to the schema."
        )
    # Budgets are read as people write them: 0.1 is one tenth, not its binary neighbour.
    epsilon = int(Fraction(str(budget.epsilon)) * NANO)
    delta = int(Fraction(str(budget.delta)) * ATTO)
    if budget.composition == "basic":
        return Cap(epsilon, delta)
    rho = int(rho_of(budget.epsilon, budget.delta) * PICO)
    return Cap(epsilon, delta, "zcdp", rho)
