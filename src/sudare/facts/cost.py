"""What a release costs, in integers, so that a sum of charges can never lose a fraction.

Units    ε in nano (1e-9), δ in atto (1e-18), ρ of zCDP in pico (1e-12).
Rounding always up: the ledger may overstate a cost by less than one unit, never understate it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.relation import Relation

NANO = 10**9
PICO = 10**12
ATTO = 10**18
# An (ε, δ) event need not have any ρ. It is charged one that no ρ budget can pay, so that it is
# refused there, and stays so if the schema goes over to ρ later.
NO_RHO = 10**6 * PICO


def to_units(value: Fraction | float | int | str, units: int) -> int:
    """Round a non-negative amount up to whole units; decimal text and floats are read exactly
    as people write them (0.1 is one tenth, not its binary neighbour)."""
    exact = value if isinstance(value, Fraction) else Fraction(str(value))
    return math.ceil(exact * units)


@dataclass(frozen=True)
class Cost:
    """(ε, δ) of one release, and the ρ of zCDP that it also satisfies, under one relation."""

    epsilon_nano: int
    delta_atto: int
    rho_pico: int
    relation: Relation

    def __post_init__(self) -> None:
        if min(self.epsilon_nano, self.delta_atto, self.rho_pico) < 0:
            raise ValueError("a cost is never negative: budget is never refunded")

    @property
    def epsilon(self) -> float:
        return self.epsilon_nano / NANO

    @property
    def delta(self) -> float:
        return self.delta_atto / ATTO

    @property
    def rho(self) -> float | None:
        """None where no ρ is known."""
        return None if self.rho_pico >= NO_RHO else self.rho_pico / PICO
