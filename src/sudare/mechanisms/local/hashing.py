"""Optimised local hashing (OLH): a label is hashed to one of few, and that is randomised.

Claim    ε-LDP; scores are unbiased up to 2^−60.
Source   Wang, Blocki, Li, Jha 2017; hashes: Carter, Wegman 1979.
Symbols  g -> groups, ⌊e^ε + 1/2⌋ + 1 by default; h(j) = ((a·j + b) mod P) mod g with a, b drawn for
         each person and reported beside the answer; P = 2^31 − 1.
Needs    fair bits; fewer than P labels.
Gaps     none known.

Derivation. a and b are drawn without looking at the label, so given them the answer is randomised
response over g values of h(label): ε-LDP (response.py). For two labels (a·i + b, a·j + b) mod P is
uniform on pairs, as i ≠ j; so another label's hash equals the reported group with a probability
that differs from 1/g by less than g/P² of rounding, and a report says of label j
(1{h(j) = y} − 1/g) / (p − 1/g), p the probability that the own group is kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.mechanisms.local.mechanism import Reports, Scores
from sudare.mechanisms.local.response import Response
from sudare.mechanisms.local.shares import checked
from sudare.randomness.bits import RandomBits, words32

PRIME = 2**31 - 1
# Values handled in one step.
BLOCK = 2**14


@dataclass(frozen=True)
class Hashing:
    """Reports are rows (a, b, group)."""

    epsilon: Fraction
    values: int
    groups: int

    def __post_init__(self) -> None:
        checked(self.epsilon)

    @classmethod
    def optimal(cls, epsilon: Fraction, values: int) -> Hashing:
        return cls(epsilon, values, round(math.exp(float(checked(epsilon)))) + 1)

    @cached_property
    def response(self) -> Response:
        return Response(self.epsilon, self.groups)

    @property
    def odds(self) -> Fraction:
        return self.response.odds

    @property
    def cells(self) -> None:
        """Reports carry a hash function."""

    def report(self, values: NDArray[Any], bits: RandomBits) -> Reports:
        found = np.empty((len(values), 3), np.uint32)
        for start in range(0, len(values), BLOCK):
            rows, labels = found[start : start + BLOCK], values[start : start + BLOCK]
            a, b = (_coefficients(bits, len(labels)) for _ in range(2))
            groups = self._hashed(a, b, labels.astype(np.int64))
            rows[:, 0], rows[:, 1] = a, b
            rows[:, 2] = self.response.report(groups, bits)
        return found

    def scores(self, reports: Reports) -> Scores:
        a, b, answer = (reports[:, place, np.newaxis].astype(np.int64) for place in range(3))
        hit = self._hashed(a, b, np.arange(self.values)) == answer
        p = self.response.shares.chance_near
        found: Scores = (hit - 1 / self.groups) / (p - 1 / self.groups)
        return found

    def law(self) -> None:
        """Reports are no cells."""

    def variance(self, share: float) -> float:
        p, even = self.response.shares.chance_near, 1 / self.groups
        hit = even + share * (p - even)
        return hit * (1 - hit) / (p - even) ** 2

    def parameters(self) -> dict[str, Any]:
        return {"values": self.values, "groups": self.groups}

    def _hashed(
        self, a: NDArray[np.int64], b: NDArray[np.int64], labels: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        mixed = a * labels
        mixed += b
        # 2^31 is 1 modulo P = 2^31 − 1: the digits above the 31st are added to those below, twice,
        # as a·j + b < 2^62.
        for _ in range(2):
            mixed = (mixed & PRIME) + (mixed >> 31)
        mixed[mixed >= PRIME] -= PRIME
        mixed -= mixed // self.groups * self.groups
        return mixed


def _coefficients(bits: RandomBits, count: int) -> NDArray[np.int64]:
    """Uniform on 0 ... P−1: 31 digits, drawn again if all are 1."""
    drawn = words32(bits, count) & np.uint32(PRIME)
    while (over := np.flatnonzero(drawn == PRIME)).size:
        drawn[over] = words32(bits, over.size) & np.uint32(PRIME)
    return drawn.astype(np.int64)
