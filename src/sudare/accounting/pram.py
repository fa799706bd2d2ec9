"""PRAM by retention and replacement: retention probability ↔ ε ↔ Pk-anonymity.

A value of |V| possible ones is kept with probability ρ and otherwise replaced by one drawn evenly
from all |V| (so that it may stay by chance); attributes are treated independently, records are
published without their order.

Claim    ε = ln((1 + (|V|−1)ρ)/(1−ρ)) under replace-one, the sum over attributes for a record;
         ρ = (e^ε − 1)/(e^ε + |V| − 1). Whoever knows all n original records names the record of
         a person with probability at most 1/k, k = 1 + (n−1)·e^{−2ε}, and on some data with
         exactly that probability.
Source   paper 001, section 4 (PRAM); Pk-anonymity: Ikarashi, Kikuchi, Chida, Takahashi 2015. The
         derivation is in docs/accounting.md, "Keeping values by chance".
Symbols  ρ -> retention, |V| -> values, n -> records.
Needs    every person has one record; the attacker holds no other release of the same records.
Gaps     none known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Attribute:
    """One attribute of |V| values: what it costs and how often it is kept."""

    values: int
    epsilon: float
    retention: float

    @property
    def unchanged(self) -> float:
        """The probability that the published value is the true one, kept or drawn."""
        return self.retention + (1 - self.retention) / self.values


def by_epsilon(epsilon: float, values: int) -> Attribute:
    """The attribute that costs ε."""
    # Divided by e^ε, so that no ε overflows.
    shrunk = math.exp(-epsilon)
    return Attribute(values, epsilon, -math.expm1(-epsilon) / (1 + (values - 1) * shrunk))


def by_retention(retention: float, values: int) -> Attribute:
    """The attribute whose values are kept with this probability, below 1."""
    return Attribute(
        values, math.log1p((values - 1) * retention) - math.log1p(-retention), retention
    )


def shared(epsilon: float, values: Sequence[int]) -> tuple[Attribute, ...]:
    """A total ε in equal parts over attributes."""
    return tuple(by_epsilon(epsilon / len(values), each) for each in values)


def record_epsilon(attributes: Sequence[Attribute]) -> float:
    """What a whole record costs: the attributes are randomised independently, so it adds up."""
    return math.fsum(attribute.epsilon for attribute in attributes)


def pk(epsilon: float, records: int) -> float:
    """The k of Pk-anonymity of n records that cost ε each."""
    return 1 + (records - 1) * math.exp(-2 * epsilon)


def epsilon_for_pk(k: float, records: int) -> float:
    """The ε of a record at which n records have this k, 1 < k < n."""
    return math.log((records - 1) / (k - 1)) / 2
