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
from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import uniform_below

PRIME = 2**31 - 1


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
        limits = np.full(2 * len(values), PRIME, np.int64)
        drawn = uniform_below(bits, limits).reshape(2, -1)
        groups = self._hashed(drawn[0], drawn[1], values.astype(np.int64))
        answers = self.response.report(groups, bits)
        return np.stack([*drawn, answers], axis=1).astype(np.uint32)

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
        found: NDArray[np.int64] = (a * labels + b) % PRIME % self.groups
        return found
