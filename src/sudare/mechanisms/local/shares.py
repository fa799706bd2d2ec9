"""Integer shares of a word whose ratio is at most e^ε, whatever rounding does.

Claim    `least(ε)` / (2^32 − `least(ε)`) >= e^−ε; for `shared`, high / low <= e^ε.
Source   paper README, 000: thresholds that are ε-LDP by construction.
Symbols  e^−ε is enclosed between integers by randomness/chances.py; the safe end is taken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.errors import InvalidPlan
from sudare.randomness.chances import Chance, exp_bounds

WORD = 2**32
LONG = 2**64
# Beyond this the least probability is a handful of words in 2^32, and one word more or less is a
# difference of many per cent; nobody who asks for such an ε is protected anyway.
GREATEST_EPSILON = 16
LEAST_EPSILON = Fraction(1, 10**6)
_PRECISION = 160


def checked(epsilon: Fraction) -> Fraction:
    """An ε that local mechanisms take."""
    if not LEAST_EPSILON <= epsilon <= GREATEST_EPSILON:
        raise InvalidPlan(
            "A local mechanism takes an ε between 0.000001 and 16.",
            "Give another --epsilon; with many attributes each gets a part of it.",
        )
    return epsilon


def least(epsilon: Fraction) -> int:
    """⌈2^32 / (e^ε + 1)⌉: what the less likely answer of two keeps of a word."""
    return Chance(epsilon, logistic=True).leading(1) + 1


def exponential(epsilon: Fraction) -> Fraction:
    """A rational number that is at most e^ε, and less by a factor of 1 − 2^−130 at most."""
    _, high = exp_bounds(epsilon, _PRECISION)
    return Fraction(2**_PRECISION, high)


@dataclass(frozen=True)
class Shares:
    """Of `words` words, each of `near` cells gets `high` and each of `far` cells gets `low`; what
    is left over is drawn again."""

    words: int
    near: int
    far: int
    high: int
    low: int

    @property
    def used(self) -> int:
        return self.near * self.high + self.far * self.low

    @property
    def odds(self) -> Fraction:
        return Fraction(self.high, self.low)

    @property
    def chance_near(self) -> float:
        """The probability of one near cell; `chance_far` that of a far one."""
        return self.high / self.used

    @property
    def chance_far(self) -> float:
        return self.low / self.used


def shared(epsilon: Fraction, near: int, far: int, words: int) -> Shares:
    """As much as fits into `words`, in the ratio of e^ε or a little less."""
    factor = exponential(epsilon)
    low = math.floor(words / (near * factor + far))
    if low < 1:
        raise InvalidPlan(
            "There are too many labels for this ε.",
            "Group the labels, or use --mechanism olh for this column.",
        )
    return Shares(words, near, far, math.floor(factor * low), low)
