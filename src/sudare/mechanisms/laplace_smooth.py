"""Laplace noise scaled by a smooth bound of the local sensitivity: (ε, δ), for ε < 1.

Claim    If S is a β-smooth bound (S(x) >= |f(x) - f(x')| and S(x) <= e^β S(x') for all neighbours)
         with β = ε / (2 ln(2/δ)), then round(f(x) + (2 S(x)/ε) X) is (ε, δ)-DP, X ~ Laplace(1).
Source   Nissim, Raskhodnikova, Smith 2007, Lemma 2.7 and Example 3, with the correction of paper
         003 that docs/smooth.md states: it is not ε-DP, and the proof needs ε < 1.
Symbols  β -> decay, S -> bound (a Fraction).
Needs    integer f; S > 0; 0 < δ <= 1/2; noise that is exactly a rounded real one.
Gaps     The coins of a scale that was not seen before take longer to work out.

Derivation. Sliding by at most ε/2 in units of the scale changes a density by at most e^(ε/2).
Dilating by |λ| <= β: ln(h(t) / (e^λ h(e^λ t))) = |t|(e^λ - 1) - λ. For λ <= 0 it is at most
β <= ε/2, since 2 ln(2/δ) >= 2. For λ > 0 and |t| <= L = ln(2/δ), which all but a chance of δ/2
obeys, it is at most L(e^β - 1) - β <= ε/2 + β(0.57·ε/2 - 1) <= ε/2, because β <= 0.37. Together
P[x] <= e^ε P[x'] + e^(ε/2) δ/2, and e^(ε/2) < 2 for ε < 1. Rounding is post-processing, as in
mechanisms/student_smooth.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.errors import InvalidPlan
from sudare.facts.events import SmoothEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.checks import require_positive
from sudare.randomness.bits import RandomBits
from sudare.randomness.rounded_laplace import rounded_laplace

_FINE = 10**12


@dataclass(frozen=True)
class LaplaceSmooth:
    """An integer with noise in proportion to its smooth sensitivity, at (ε, δ)."""

    relation: Relation
    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        require_positive("ε", self.epsilon)
        if not 0 < self.delta <= Fraction(1, 2):
            raise InvalidPlan(
                "Laplace noise scaled by smooth sensitivity needs a δ.",
                "Give one, for example --delta 1e-9, or write method=smooth, which needs none.",
            )

    @property
    def decay(self) -> Fraction:
        return laplace_decay(self.epsilon, self.delta)

    @property
    def factor(self) -> Fraction:
        """What the smooth bound is multiplied by."""
        return 2 / self.epsilon

    def event(self) -> SmoothEvent:
        """What an answer costs; known before any data is read."""
        return SmoothEvent(self.relation, self.epsilon, self.delta, self.decay)

    def apply(self, value: int, bound: Fraction, bits: RandomBits) -> int:
        """The noisy value; `bound` is a smooth bound at `decay`, and stays secret."""
        require_proved(self.epsilon)
        require_positive("smooth bound", bound)
        return value + int(rounded_laplace(bits, self.factor * bound, 1)[0])

    def reach(self, chance: float) -> float:
        """How many smooth bounds the noise passes with probability `chance`, not counting what
        rounding adds: P[|X| > t] = e^-t."""
        return float(self.factor) * -math.log(chance)


def require_proved(epsilon: Fraction) -> None:
    """Refuse an ε for which there is no proof."""
    if epsilon >= 1:
        raise InvalidPlan(
            "Laplace noise scaled by smooth sensitivity is proved for ε below 1 only.",
            "Write method=smooth, which holds for every ε, or give the question less: @ 0.9.",
        )


def laplace_decay(epsilon: Fraction, delta: Fraction) -> Fraction:
    """ε / (2 ln(2/δ)), rounded down: the logarithm is taken up by far more than its error."""
    log = Fraction(math.ceil(math.log(2 / delta) * _FINE) + 1, _FINE)
    return epsilon / (2 * log)
