"""Made-up records that hide how many people are in which organisations.

Claim    every class (the people whom just these parties hold) gets D dummies, D = t + Z, Z
         discrete Laplace of scale s = 2/ε given |Z| <= t. Then the sizes of all classes together
         are (ε, δ)-DP for one person, who may move from any class to any other, appear or leave.
Source   derived here; truncation: Geng, Ding, Guo, Kumar 2020 treat its continuous sister.
Symbols  r = e^{−1/s}; t -> shift, the least whole number with 1 − (1 − p)² <= δ, where
         p = P(D = 0) = (1−r)·r^t/(1 + r − 2r^{t+1}).
Needs    a secret that the members of a class share and nobody else has; the dummies' keys follow
         from it, so that they meet at the collector as a person's records do.
Gaps     a class's own members know how many dummies it has: towards them nothing is hidden that
         they see of its size. The sizes are all that (ε, δ) is about; see `membership`.

Derivation. Replacing one person takes one from the size of the class she leaves and adds one to
that of the class she enters, at most two sizes and each by one. Of one size, seen as n + D: on
every number that is possible under n and under n + 1 the two probabilities differ by the factor r
or 1/r exactly, because the truncated law is the untruncated one divided by a constant. Possible
under n alone is D = 0 (and under n + 1 alone D = 2t), of probability p. Two sizes: where both are
possible under both, the ratio is at most e^{2/s} = e^ε; the rest has probability 1 − (1 − p)². That
is δ(ε) itself, no bound of it.

Dummies report numbers in the middle and labels drawn evenly, randomised as everyone's; estimates
take out their expected number t (local/estimates/made.py).
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidPlan
from sudare.facts.randomized import LabelDomain, Randomized
from sudare.facts.reported import Column
from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import uniform_below
from sudare.randomness.laplace import discrete_laplace

# More dummies a class than this are refused: every party would send them for every class.
MOST_DUMMIES = 10_000_000
# Rounding is moved to the safe side.
_SLACK = 1e-9


@dataclass(frozen=True)
class DummyLaw:
    """How many dummies a class gets: `shift` on average, at most twice as many."""

    epsilon: Fraction
    shift: int

    @property
    def scale(self) -> Fraction:
        return 2 / self.epsilon

    @property
    def delta(self) -> float:
        """The δ of all sizes at ε."""
        edge = _edge(self.epsilon, self.shift)
        return edge * (2 - edge)


def dummy_law(epsilon: Fraction, delta: Fraction) -> DummyLaw:
    """The fewest dummies that keep (ε, δ)."""
    low, high = 0, 1
    while DummyLaw(epsilon, high).delta > delta * (1 - _SLACK):
        low, high = high, 2 * high
        if high > MOST_DUMMIES:
            raise InvalidPlan(
                f"Hiding the sizes of classes this well takes more than {MOST_DUMMIES} dummies.",
                "Raise epsilon or delta under [dummies].",
            )
    while high > low + 1:
        middle = (low + high) // 2
        is_enough = DummyLaw(epsilon, middle).delta <= delta * (1 - _SLACK)
        low, high = (low, middle) if is_enough else (middle, high)
    return DummyLaw(epsilon, high)


def _edge(epsilon: Fraction, shift: int) -> float:
    """P(D = 0)."""
    rate = float(epsilon) / 2
    r = math.exp(-rate)
    return (
        -math.expm1(-rate) * math.exp(-rate * shift) / (1 + r - 2 * math.exp(-rate * (shift + 1)))
    )


def dummy_counts(law: DummyLaw, bits: RandomBits, count: int = 1) -> NDArray[np.int64]:
    """Independent numbers of dummies: what is out of reach is drawn again."""
    found = np.asarray(discrete_laplace(bits, law.scale, count)).astype(np.int64)
    while (over := np.flatnonzero(np.abs(found) > law.shift)).size:
        found[over] = np.asarray(discrete_laplace(bits, law.scale, over.size)).astype(np.int64)
    return found + law.shift


def classes(names: Sequence[str]) -> list[tuple[str, ...]]:
    """All classes, each in ring order; its first member draws its secret and its number of dummies
    and tells the others."""
    sizes = range(1, len(names) + 1)
    return [each for size in sizes for each in itertools.combinations(names, size)]


def dummy_keys(secret: bytes, members: Sequence[str], count: int) -> list[bytes]:
    """The keys of a class's dummies, the same for all its members. Nobody who lacks the secret can
    guess one, or tell its pseudonym from a person's."""
    told = "\x00".join(members).encode()
    return [
        b"\x00"
        + hashlib.blake2b(
            number.to_bytes(8, "little") + told, key=secret, digest_size=32, person=b"sudare dummy"
        ).digest()
        for number in range(count)
    ]


def dummy_columns(facts: Randomized, count: int, bits: RandomBits) -> dict[str, Column]:
    """Rows for a party's randomizer: every number missing, which is the middle, and labels even."""
    found: dict[str, Column] = {}
    for name, domain in facts.domains.items():
        if isinstance(domain, LabelDomain):
            limits = np.full(count, len(domain.labels), np.int64)
            found[name] = uniform_below(bits, limits), None
        else:
            found[name] = np.zeros(count, np.int64), np.ones(count, np.bool_)
    return found


def membership(law: DummyLaw, class_epsilons: Sequence[float], delta: float) -> tuple[float, float]:
    """(ε, δ) of everything that is seen for a person who changes classes, reports included: given
    the sizes, her record in the class she leaves stands where otherwise a dummy's would, and in
    the class she enters likewise; each is one report replaced, at that class's own (ε, δ)."""
    dearest = sorted(class_epsilons, reverse=True)[:2]
    # (ε₁, δ₁) and then (ε₂, δ₂): basic composition.
    return float(law.epsilon) + sum(dearest), law.delta + len(dearest) * delta
