"""A plan: what is asked, how, and for how much. Known in full before any row is read."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sudare.facts.cost import ATTO, NANO
from sudare.facts.errors import InvalidPlan
from sudare.facts.limits import MOST_QUESTIONS
from sudare.facts.numbers import exact_number

Mechanism = Literal["laplace", "gaussian", "geometric"]
MECHANISMS: tuple[Mechanism, ...] = ("laplace", "gaussian", "geometric")
LARGEST_EPSILON = 1000


@dataclass(frozen=True)
class Plan:
    """Questions and the total (ε, δ) they may spend; ε may be left out where each has its own."""

    questions: tuple[str, ...]
    epsilon: Fraction | None = None
    delta: Fraction = Fraction(0)
    mechanism: Mechanism = "laplace"

    def __post_init__(self) -> None:
        if not self.questions:
            raise InvalidPlan("The plan asks nothing.", 'Add a question such as "count()".')
        if len(self.questions) > MOST_QUESTIONS:
            raise InvalidPlan(
                f"The plan asks {len(self.questions):,} questions; one plan asks at most "
                f"{MOST_QUESTIONS}.",
                "Ask for groups with by (…), or make several plans.",
            )
        if self.mechanism not in MECHANISMS:
            raise InvalidPlan(
                f"There is no mechanism '{self.mechanism}'.", f"Known: {', '.join(MECHANISMS)}."
            )
        if self.mechanism == "gaussian" and self.delta == 0:
            raise InvalidPlan(
                "Gaussian noise needs a δ above 0.", "Add --delta 1e-9, or use --mechanism laplace."
            )

    def digest(self, schema_digest: str) -> str:
        """SHA-256 of the plan under its schema: what an idempotency key stands for."""
        parts = [list(self.questions), str(self.epsilon), str(self.delta), self.mechanism]
        text = json.dumps([schema_digest, parts], ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def read_epsilon(value: Fraction | float | int | str) -> Fraction:
    """An ε as people write it, exact, on the ledger's grid of nano-ε."""
    exact = _read(value, "ε")
    if exact <= 0:
        raise InvalidPlan("ε must be above 0.", "Typical totals lie between 0.1 and 3.")
    if exact > LARGEST_EPSILON:
        raise InvalidPlan(
            f"ε above {LARGEST_EPSILON} protects nobody.", "Typical totals lie between 0.1 and 3."
        )
    whole = math.floor(exact * NANO)
    if whole == 0:
        raise InvalidPlan("ε is below 1e-9, the ledger's smallest unit.", "Use a larger ε.")
    return Fraction(whole, NANO)


def read_delta(value: Fraction | float | int | str) -> Fraction:
    """A δ in [0, 1), 0 or at least the ledger's smallest unit."""
    exact = _read(value, "δ")
    if exact < 0 or float(exact) >= 1:
        raise InvalidPlan("δ must be at least 0 and below 1.", "Use far less than 1/rows.")
    if 0 < exact < Fraction(1, ATTO):
        raise InvalidPlan("δ is below 1e-18, the ledger's smallest unit.", "Use 0 or a larger δ.")
    return exact


def _read(value: Fraction | float | int | str, name: str) -> Fraction:
    found = exact_number(value)
    if found is None:
        raise InvalidPlan(
            f"{name} must be a finite number.", f"Example: {'1.0' if name == 'ε' else '1e-9'}."
        )
    return found
