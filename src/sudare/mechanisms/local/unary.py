"""Unary codes: a label becomes v bits, one for each label, each randomised by itself.

Claim    `optimal` (OUE): ε-LDP with P(1 | own) = 1/2, P(1 | other) = q >= 1/(e^ε + 1).
         `symmetric` (one-hot with two-point bits of ε0 each): min(2, v−1)·ε0-LDP.
Source   Wang, Blocki, Li, Jha 2017 (OUE, SUE); paper 000, section 5, for one-hot codes, which it
         charges v·ε0 (papers/README.md: a change of label flips two bits at most).
Symbols  p, q -> the probability of a 1 in the own bit and in another.
Needs    fair bits.
Gaps     none known.

Derivation. Two labels i, j change the laws of the bits i and j only, so the greatest ratio is that
of the two bits together, p(1−q) / (q(1−p)), and is (1−q)/q <= e^ε for p = 1/2, since
q >= 1/(e^ε + 1). With p = 1 − q it is ((1−q)/q)² <= e^{2 ε0}. With v = 2 labels one bit is reported
(the other would be its opposite in the code), which costs ε0 once.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.mechanisms.local.mechanism import Reports, Scores
from sudare.mechanisms.local.shares import WORD, checked, least
from sudare.randomness.bits import RandomBits

_STEP = 2**18
_HALF = 2**16


def below(threshold: int, count: int, bits: RandomBits) -> NDArray[np.bool_]:
    """Bits that are 1 with probability threshold / 2^32: whether a word of 32 bits is below it.
    Its first half decides but in one of 2^16 cases; only then is the second half drawn."""
    first, second = divmod(threshold, _HALF)
    drawn = np.frombuffer(bits.take(2 * count), "<u2")
    found = drawn < np.uint16(first)
    ties = np.flatnonzero(drawn == np.uint16(first))
    found[ties] = np.frombuffer(bits.take(2 * len(ties)), "<u2") < np.uint16(second)
    return found


@dataclass(frozen=True)
class Unary:
    """v randomised bits, packed into bytes, the first label in the highest bit."""

    epsilon: Fraction
    values: int
    own: int
    other: int

    def __post_init__(self) -> None:
        checked(self.epsilon)

    @classmethod
    def optimal(cls, epsilon: Fraction, values: int) -> Unary:
        return cls(epsilon, values, WORD // 2, least(checked(epsilon)))

    @classmethod
    def symmetric(cls, epsilon: Fraction, values: int, paper: bool = False) -> Unary:
        """One-hot bits; in paper mode ε is split over all v of them instead of the two that can
        change."""
        each = epsilon / (values if paper else min(2, values - 1))
        low = least(checked(each))
        return cls(epsilon, values, WORD - low, low)

    @property
    def bits(self) -> int:
        """One bit is enough for two labels whose bits are equally noisy: 1 means the second."""
        return 1 if self.values == 2 and self.own + self.other == WORD else self.values

    @property
    def odds(self) -> Fraction:
        one = Fraction(self.own, self.other)
        zero = Fraction(WORD - self.other, WORD - self.own)
        return one if self.bits == 1 else one * zero

    @property
    def cells(self) -> None:
        """Reports are rows of bits."""

    def report(self, values: NDArray[Any], bits: RandomBits) -> Reports:
        """A row of bytes for each label."""
        found = np.empty((len(values), -(-self.bits // 8)), np.uint8)
        rows = max(1, _STEP // self.bits)
        for start in range(0, len(values), rows):
            found[start : start + rows] = self._packed(values[start : start + rows], bits).T
        return found

    def _packed(self, labels: NDArray[Any], bits: RandomBits) -> NDArray[np.uint8]:
        """The bytes of some rows, one line a byte: bit by bit for all rows at once."""
        count, width = len(labels), self.bits
        found = np.zeros((-(-width // 8), count), np.uint8)
        others = below(self.other, count * width, bits).reshape(width, count)
        own = below(self.own, count, bits)
        short = labels.astype(np.uint8 if width <= 256 else np.uint32)
        for place, ones in enumerate(others):
            # Two labels that share one bit: 1 means the second.
            mine = short == (place if width > 1 else 1)
            # As np.where(mine, own, ones), without a branch that the processor has to guess.
            mine &= ones ^ own
            mine ^= ones
            chosen = mine.view(np.uint8)
            chosen <<= np.uint8(7 - place % 8)
            found[place // 8] |= chosen
        return found

    def scores(self, reports: Reports) -> Scores:
        ones = np.unpackbits(reports, axis=1, count=self.bits)
        p, q = self.own / WORD, self.other / WORD
        found: Scores = (ones.astype(np.float64) - q) / (p - q)
        return found if self.bits > 1 else np.hstack([1 - found, found])

    def law(self) -> None:
        """Reports are no cells."""

    def variance(self, share: float) -> float:
        p, q = self.own / WORD, self.other / WORD
        hit = q + share * (p - q)
        return hit * (1 - hit) / (p - q) ** 2

    def parameters(self) -> dict[str, Any]:
        return {"values": self.values, "own": self.own, "other": self.other}
