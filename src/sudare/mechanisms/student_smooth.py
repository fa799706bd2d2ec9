"""Student's t scaled by a smooth bound of the local sensitivity: pure ε.

Claim    If S is a β-smooth bound (S(x) >= |f(x) - f(x')| and S(x) <= e^β S(x') for all neighbours),
         then round(f(x) + c·S(x)·T) is ε-DP for 3/(2√2)/c + 2β <= ε, T of Student's law with two
         degrees of freedom.
Source   Nissim, Raskhodnikova, Smith 2007, Lemma 2.5 (admissible noise); Bun and Steinke 2019,
         Section 3.1 (Student's t). docs/smooth.md proves it, the rounding included.
Symbols  β -> decay, c -> factor, S -> bound (a Fraction).
Needs    integer f; S > 0; noise that is exactly a rounded real one (randomness/student.py).
Gaps     Where S is long or tiny, drawing takes longer; see randomness/student.py.

Derivation. Let h(t) ∝ (1 + t²/2)^(-3/2) be the density of T. Sliding: |d ln h / dt| = 3|t|/(2 + t²)
is largest at t = √2, where it is 3/(2√2). Dilating: d/dλ ln(e^λ h(e^λ t)) = 1 - 3u²/(2 + u²) with
u = e^λ t lies in (-2, 1]. The outputs of neighbours differ by a slide of at most S(x)/(cS(x)) = 1/c
and a dilation of |λ| <= β, so the densities differ by a factor of at most e^(3/(2√2)/c + 2β)
everywhere. f is an integer, so round(f + cST) = f + round(cST): adding a rounded real number to f
is post-processing of the real mechanism. No law of the rounded noise is needed, nor would one do:
with a scale that depends on the data, noise made of integers has atoms whose ratios follow neither
slide nor dilation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.events import SmoothEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.checks import require_positive
from sudare.randomness.bits import RandomBits
from sudare.randomness.student import student

# 3/(2√2) = 1.06066017177..., rounded up.
SLIDE = Fraction(10_606_601_718, 10**10)


@dataclass(frozen=True)
class StudentSmooth:
    """An integer with noise in proportion to its smooth sensitivity, at a pure ε."""

    relation: Relation
    epsilon: Fraction
    decay: Fraction

    def __post_init__(self) -> None:
        require_positive("ε", self.epsilon)
        require_positive("decay", self.decay)
        require_positive("ε beyond twice the decay", self.epsilon - 2 * self.decay)

    @property
    def factor(self) -> Fraction:
        """c: what the smooth bound is multiplied by."""
        return SLIDE / (self.epsilon - 2 * self.decay)

    def event(self) -> SmoothEvent:
        """What an answer costs; known before any data is read."""
        return SmoothEvent(self.relation, self.epsilon, Fraction(0), self.decay)

    def apply(self, value: int, bound: Fraction, bits: RandomBits) -> int:
        """The noisy value; `bound` is a smooth bound at `decay`, and stays secret."""
        require_positive("smooth bound", bound)
        return value + int(student(bits, self.factor * bound, 1)[0])

    def reach(self, chance: float) -> float:
        """How many smooth bounds the noise passes with probability `chance`, not counting what
        rounding adds: P[|T| > t] = 1 - t/√(2 + t²)."""
        v = 1 - chance
        return float(self.factor) * v * math.sqrt(2 / (1 - v * v))
