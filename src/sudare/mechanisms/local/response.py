"""Randomised response over v labels: keep the label with high probability, else another evenly.

Claim    ε-LDP; scores are unbiased. PRAM with retention ρ is the same mechanism at
         ε = ln((1 + (v−1)ρ)/(1−ρ)).
Source   paper 001, section 4 (randomised response, table 6; PRAM); k-ary: Kairouz, Bonawitz,
         Ramage 2016.
Symbols  v -> values; p, q -> probabilities of the own label and of each other one.
Needs    fair bits.
Gaps     none known.

Derivation. A window of one cell among v, see window.py. A report y says of label j
(1{y = j} − q)/(p − q): its mean is (p − q)/(p − q) = 1 if j is the own label, else 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.mechanisms.local.mechanism import Reports, Scores
from sudare.mechanisms.local.shares import WORD, Shares, checked, shared
from sudare.mechanisms.local.window import draw
from sudare.randomness.bits import RandomBits


@dataclass(frozen=True)
class Response:
    """Generalised randomised response (GRR)."""

    epsilon: Fraction
    values: int

    def __post_init__(self) -> None:
        checked(self.epsilon)

    @cached_property
    def shares(self) -> Shares:
        return shared(self.epsilon, 1, self.values - 1, WORD)

    @property
    def odds(self) -> Fraction:
        return self.shares.odds

    @property
    def cells(self) -> int:
        return self.values

    def report(self, values: NDArray[Any], bits: RandomBits) -> Reports:
        return draw(values, self.shares, bits)

    def law(self) -> Scores:
        p, q = self.shares.chance_near, self.shares.chance_far
        found: Scores = np.full((self.values, self.values), q)
        np.fill_diagonal(found, p)
        return found

    def scores(self, reports: Reports) -> Scores:
        p, q = self.shares.chance_near, self.shares.chance_far
        found = np.full((len(reports), self.values), -q / (p - q))
        found[np.arange(len(reports)), reports] += 1 / (p - q)
        return found

    def variance(self, share: float) -> float:
        p, q = self.shares.chance_near, self.shares.chance_far
        hit = q + share * (p - q)
        return hit * (1 - hit) / (p - q) ** 2

    def parameters(self) -> dict[str, Any]:
        return {"values": self.values}
