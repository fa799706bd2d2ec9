"""A plan of one contingency table: dimensions, margins, weights, and what it may cost."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.errors import InvalidPlan
from sudare.facts.numbers import exact_share
from sudare.facts.plan import Mechanism


@dataclass(frozen=True)
class TablePlan:
    """`by` names a column or level a dimension; `margins` is all, none, a number of dimensions or
    a list of margins ("sex,region; age_band"); `weights` are pairs of a margin and its weight."""

    by: tuple[str, ...]
    epsilon: Fraction
    margins: str = "all"
    weights: tuple[tuple[str, Fraction], ...] = ()
    delta: Fraction = Fraction(0)
    mechanism: Mechanism = "laplace"

    def __post_init__(self) -> None:
        if not self.by:
            raise InvalidPlan("The table has no dimension.", "Add --by sex,region.")
        if self.mechanism == "geometric":
            raise InvalidPlan(
                "A table takes Laplace or Gaussian noise.",
                "Truncated noise would bias its sums; cells are never negative anyhow.",
            )
        if self.mechanism == "gaussian" and self.delta == 0:
            raise InvalidPlan(
                "Gaussian noise needs a δ above 0.", "Add --delta 1e-9, or use --mechanism laplace."
            )
        if self.mechanism == "laplace" and self.delta > 0:
            raise InvalidPlan(
                "A table with Laplace noise spends no δ.", "Leave --delta out, or use gaussian."
            )

    def digest(self, schema_digest: str) -> str:
        """SHA-256 of the plan under its schema: what an idempotency key stands for."""
        weights = [[name, str(weight)] for name, weight in self.weights]
        parts = [list(self.by), self.margins, weights, str(self.epsilon), str(self.delta)]
        text = json.dumps(["tabulate", schema_digest, parts, self.mechanism], ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def read_weights(texts: list[str] | tuple[str, ...]) -> tuple[tuple[str, Fraction], ...]:
    """Weights as people write them: "sex,region=4"."""
    return tuple(_weight(text) for text in texts)


def _weight(text: str) -> tuple[str, Fraction]:
    name, sign, amount = text.rpartition("=")
    weight = exact_share(amount)
    if not sign or not name.strip() or weight is None or not 0 <= weight <= 10**6:
        raise InvalidPlan(
            "A weight is not a margin, = and a number from 0 to 1000000.",
            'Example: --weight "sex,region=4".',
        )
    return name.strip(), weight
