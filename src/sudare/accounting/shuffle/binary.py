"""One bit a person: the exact curve of shuffled binary randomised response.

Claim    n people report one bit each, 1 with a probability in [q, p], p = e^{ε₀}/(e^{ε₀}+1) and
         q = 1 − p. Replacing one person's value is (ε, δ)-DP for
           δ = max over a of max over k of A·P(T ≥ k) − B·P(T ≥ k+1),
         T the sum of a bits of probability p and n−1−a of probability q,
         A = p − e^ε q, B = e^ε p − q.
Source   derived here. The reports without order are their sum. With f the law of the others' sum,
         δ = Σ (A f(k−1) − B f(k))₊ for the person's bit at p against q, which is the worst pair,
         since the divergence is convex in the pair of the person's laws, and exchanging 0 and 1
         turns the other direction into this one. f is a law of independent bits, so f(k−1)/f(k)
         grows with k and the positive terms are those above one k: the maximum over k of the
         claim. For each k that is linear in each other person's probability, so that its maximum
         is at probabilities p and q.
Why      the blanket of blanket.py tells the attacker which of the others answered at random;
         for a single bit nothing has to be told, and ε is a quarter smaller.
Cells    a is not tried one by one. One more person never raises δ (the attacker could leave the
         bit aside), so all a between two marks are bounded by the smaller number of both kinds.
         512 cells cost at most 1/512 of the people.
How      with F(z) = E[e^{zT}] and w(z) = (A − Be^{−z})/(1 − e^{−z}), Re z = θ > 0, the mean of
         F(z)e^{−zk}w(z) over N even angles is Σₘ e^{θNm}δ(k+Nm), where δ(k) is the bracket above:
         δ(k) itself, terms for m > 0 that are not negative, and terms for m < 0 that are at least
         −(B−A)e^{θNm}, which is added. |F| falls with the angle, so what is cut off is bounded by
         its value there. The best k is the mode of f tilted by log(B/A), within one of its mean
         (Darroch 1964).
Margins  p is rounded up; 1e-14 of ε; rounding of the exponent and of every term is added, at 32
         units in the last place of the sum of the absolute values.
"""

from __future__ import annotations

import math

import numpy as np

from sudare.accounting.shuffle.law import UNIT, Array
from sudare.accounting.shuffle.search import smallest

_CELLS = 512
_MOST_PEOPLE = 10**12
_SLACK = 1e-14


def epsilon_of(epsilon0: float, n: int, delta: float) -> float:
    """The least ε of the claim at this δ; never above ε₀."""
    return smallest(lambda epsilon: delta_of(epsilon0, n, epsilon), delta, epsilon0)


def delta_of(epsilon0: float, n: int, epsilon: float) -> float:
    """The δ of the claim at this ε."""
    p = math.nextafter(1 / (1 + math.exp(-epsilon0)) * (1 + 4 * UNIT), 2.0)
    if epsilon >= epsilon0 or p >= 1:
        return 0.0 if epsilon >= epsilon0 else 1.0
    grown = math.exp(epsilon - _SLACK)
    up, down = p - grown * (1 - p), grown * p - (1 - p)
    if up <= 0:
        return 0.0
    others = min(n, _MOST_PEOPLE) - 1
    count = min(others + 1, _CELLS)
    marks = np.array([cell * (others + 1) // count for cell in range(count + 1)], dtype=np.float64)
    return min(1.0, _worst(others + 1 - marks[1:], marks[:-1], p, up, down))


def _worst(likely: Array, unlikely: Array, p: float, up: float, down: float) -> float:
    """The maximum over cells and k."""
    q = 1 - p
    best = math.log(down / up)
    center = likely * _tilted(p, best) + unlikely * _tilted(q, best)
    width = float(np.sqrt((likely + unlikely).max() * p * q))
    tilt = max(best, 1 / max(width, 0.5))
    found = 0.0
    sums = _Sums(likely, unlikely, p, tilt, width)
    for shift in (-1, 0, 1, 2):
        found = max(found, sums.bound(np.floor(center) + shift, up, down))
    return found


def _tilted(p: float, tilt: float) -> float:
    return p / (p + (1 - p) * math.exp(-tilt))


class _Sums:
    """F(θ+is) of every cell on the angles, as size and phase."""

    def __init__(self, likely: Array, unlikely: Array, p: float, tilt: float, width: float) -> None:
        self.people = likely + unlikely
        self.tilt = tilt
        half = math.ceil(max(20 / tilt, 14 * width, min(float(self.people.max()), 64.0)))
        self.period = 2 * half + 1
        kinds = [(likely, p), (unlikely, 1 - p)]
        spread = sum(people * _variance(_tilted(chance, tilt)) for people, chance in kinds)
        reach = 12 / max(math.sqrt(float(np.min(spread))), 1e-3)
        last = min(half, math.ceil(reach * self.period / (2 * math.pi)))
        self.cut = last < half
        self.angles = 2 * math.pi / self.period * np.arange(last + 1)
        self.size = np.zeros((len(likely), last + 1))
        self.phase = np.zeros_like(self.size)
        self.total = np.zeros(len(likely))
        for people, chance in kinds:
            self._add(people, chance)
        self.size = np.exp(self.size)

    def _add(self, people: Array, chance: float) -> None:
        """Multiply by (1 − c + c·e^z) to the power of the people."""
        tilted = _tilted(chance, self.tilt)
        half_sine = np.sin(self.angles / 2) ** 2
        size = 0.5 * np.log1p(np.maximum(-4 * _variance(tilted) * half_sine, -1 + 1e-300))
        phase = np.arctan2(tilted * np.sin(self.angles), 1 - 2 * tilted * half_sine)
        self.size += people[:, None] * size
        self.phase += people[:, None] * phase
        self.total += people * math.log1p(chance * math.expm1(self.tilt))

    def bound(self, k: Array, up: float, down: float) -> float:
        """The claim's bracket at k for every cell, at most, and of these the greatest."""
        shrink = np.exp(-(self.tilt + 1j * self.angles))
        weight = (up - down * shrink) / (1 - shrink)
        turned = self.phase - k[:, None] * self.angles + np.angle(weight)
        sizes = self.size * np.abs(weight)
        sizes[:, 1:] *= 2
        unsure = 32 * UNIT * (1 + (self.people + np.abs(k))[:, None] * self.angles)
        sums = (sizes * np.cos(turned) + sizes * unsure).sum(axis=1) / self.period
        if self.cut:
            low = math.exp(-self.tilt)
            sums += self.size[:, -1] * (up + down * low) / (1 - low)
        wrong = 32 * UNIT * (1 + np.abs(self.total) + np.abs(k) * self.tilt)
        scaled = np.maximum(sums, 0.0) * np.exp(self.total - k * self.tilt + wrong)
        back = math.exp(-self.tilt * self.period)
        return float(scaled.max()) * (1 + 1e-12) + (down - up) * back / (1 - back)


def _variance(chance: float) -> float:
    return chance * (1 - chance)
