"""Two-point: a number becomes one bit, more often 1 the greater it is.

Claim    ε-LDP, and the score ±1/c is unbiased for x in [−1, 1] up to 2^−32.
Source   paper 000, Algorithm 1 (Nguyên et al. 2016) and Algorithm 3 with its (a, b), of which only
         c = a/b matters (papers/README.md, figure 4); Theorem 1.
Symbols  half -> c·2^31: P(1) = ⌈2^31 + half·x⌉ / 2^32, kept between m and 2^32 − m, m = least(ε).
Needs    fair bits.
Gaps     x² cannot be read off, a score squared is always 1/c²; it has to be reported by itself.

Derivation. A bit is 1 if a word of 32 bits is below a threshold T, an integer between m and
2^32 − m whatever x is: even for x outside [−1, 1], even after rounding. So P(1), and P(0) = 1 −
P(1), lie in [m, 2^32 − m]/2^32 for every x, and no ratio of two of them exceeds
(2^32 − m)/m = 2^32/m − 1 <= (e^ε + 1) − 1 = e^ε, because m >= 2^32/(e^ε + 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidPlan
from sudare.mechanisms.local.mechanism import Reports, Scores
from sudare.mechanisms.local.shares import WORD, checked, exponential, least
from sudare.randomness.bits import RandomBits, words32

# Values handled in one step, so that words and thresholds stay in the cache.
BLOCK = 2**15


@dataclass(frozen=True)
class TwoPoint:
    """The mechanism of Algorithm 1, or with a smaller `half` of Algorithm 3."""

    epsilon: Fraction
    half: int

    def __post_init__(self) -> None:
        checked(self.epsilon)
        if not 0 < self.half <= WORD // 2 - least(self.epsilon):
            raise InvalidPlan(
                "The two-point mechanism's a and b ask for more than ε allows.",
                "Theorem 1 needs 0 < a < b and (a+b)/(b−a) <= e^ε; leave them out for the best.",
            )

    @classmethod
    def best(cls, epsilon: Fraction) -> TwoPoint:
        """The least noisy one: Algorithm 1."""
        return cls(epsilon, WORD // 2 - least(checked(epsilon)))

    @classmethod
    def of(cls, epsilon: Fraction, a: Fraction, b: Fraction) -> TwoPoint:
        """Algorithm 3. On the boundary of Theorem 1's condition this is `best`."""
        if not 0 < a < b or (a + b) / (b - a) > exponential(epsilon) * (1 + Fraction(1, 10**9)):
            return cls(epsilon, 0)
        return cls(epsilon, min(int(WORD // 2 * a / b), cls.best(epsilon).half))

    @property
    def odds(self) -> Fraction:
        return Fraction(WORD // 2 + self.half, WORD // 2 - self.half)

    @property
    def cells(self) -> int:
        return 2

    @property
    def scale(self) -> float:
        """b/a: the size of a score."""
        return WORD / 2 / self.half

    def report(self, values: NDArray[Any], bits: RandomBits) -> Reports:
        """One bit for each number; whatever is no number counts as the middle."""
        found = np.empty(len(values), np.uint8)
        low, high = float(WORD // 2 - self.half), float(WORD // 2 + self.half)
        for start in range(0, len(values), BLOCK):
            wanted = values[start : start + BLOCK] * float(self.half)
            wanted += WORD / 2
            # NaN passes through clip, and is then below no word: it has to be caught by name.
            np.copyto(wanted, WORD / 2, where=np.isnan(wanted))
            np.clip(wanted, low, high, out=wanted)
            np.less(
                words32(bits, len(wanted)),
                wanted,
                out=found[start : start + BLOCK],
                casting="unsafe",
            )
        return found

    def scores(self, reports: Reports) -> Scores:
        return np.where(reports == 1, self.scale, -self.scale)

    def squares(self, reports: Reports) -> None:
        """A bit does not tell x²."""

    def variance(self, x: Scores) -> Scores:
        found: Scores = self.scale**2 - x**2
        return found

    def square_variance(self, x: Scores) -> None:
        """There is none."""

    def parameters(self) -> dict[str, Any]:
        return {"half": self.half}
