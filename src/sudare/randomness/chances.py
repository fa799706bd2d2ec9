"""Probabilities of the form e^-x and e^-x / (1 + e^-x), to as many binary digits as asked.

Claim    `Chance.leading(k)` is exactly floor(p * 2^(32k)).
Source   docs/decisions/0003-digit-sampling.md, "Certain digits".
Symbols  x -> exponent (a positive Fraction), p -> the probability.
Needs    x > 0 rational: then p is irrational (Lindemann), so the search for certain digits ends.
Gaps     none known.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

WORD = 32


@dataclass(frozen=True)
class Chance:
    """The probability e^-x, or with `logistic` e^-x / (1 + e^-x), of a coin that lands heads."""

    exponent: Fraction
    logistic: bool = False

    def __post_init__(self) -> None:
        if self.exponent <= 0:
            raise ValueError("the exponent of a chance must be positive")

    def leading(self, words: int) -> int:
        """The first `words` words of the binary digits of p, as one integer."""
        return _leading(self, words)

    def digit(self, index: int) -> int:
        """The word of p that stands at `index`; 0 is the first after the binary point."""
        return self.leading(index + 1) & ((1 << WORD) - 1)

    def bounds(self, precision: int) -> tuple[int, int]:
        """Integers low <= p * 2^precision <= high."""
        low, high = exp_bounds(self.exponent, precision)
        if not self.logistic:
            return low, high
        # e / (1 + e) grows with e, so bounds go to bounds when rounded away from each other.
        one = 1 << precision
        return (low << precision) // (one + low), -((-high << precision) // (one + high))


def exp_bounds(x: Fraction, precision: int) -> tuple[int, int]:
    """Integers low <= e^-x * 2^precision <= high for x > 0.

    Every step rounds `low` down and `high` up, so the interval holds by construction, however
    wide it turns out; a caller who needs it narrower asks for more precision.
    """
    if x >= precision:
        return 0, 1  # because e^-x < 2^-x <= 2^-precision
    halvings = (x.numerator // x.denominator).bit_length() + 1
    work = precision + 2 * halvings + 16
    low, high = _series(x / 2**halvings, work)
    for _ in range(halvings):
        low, high = low * low >> work, -(-high * high >> work)
    return low >> (work - precision), -(-high >> (work - precision))


def _series(y: Fraction, work: int) -> tuple[int, int]:
    """Bounds on e^-y * 2^work for 0 < y <= 1/2, from the alternating series of y^k / k!."""
    low = high = term_low = term_high = 1 << work
    k = 0
    while term_high > 1:
        k += 1
        term_low = term_low * y.numerator // (y.denominator * k)
        term_high = -(-term_high * y.numerator // (y.denominator * k))
        if k % 2:
            low, high = low - term_high, high - term_low
        else:
            low, high = low + term_low, high + term_high
    # The terms shrink and alternate, so all that is left out is smaller than the last one.
    return max(low - term_high, 0), high + term_high


@lru_cache(maxsize=4096)
def _leading(chance: Chance, words: int) -> int:
    guard = WORD
    while True:
        low, high = chance.bounds(WORD * words + guard)
        # Only when both ends agree are the digits before the guard digits certain.
        if low >> guard == high >> guard:
            return low >> guard
        guard *= 2
