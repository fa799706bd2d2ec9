"""Theorem 3 of paper 000 (Theorem 4 for Protocol 1): a closed form for shuffled ε₀-LDP reports.

Claim    n shuffled reports of (ε₀, δ₀)-LDP randomisers are (ε, δ)-DP, with e = e^{ε₀},
           ε = ln(1 + (e−1)/(e+1)·(8√(e·ln(4/d))/√n + 8e/n)),
           δ = d + (e^ε + 1)(1 + e^{−ε₀}/2)·n·δ₀,
         for every d in (0, 1] with ε₀ ≤ ln(n/(16·ln(2/d))).
Source   Feldman, McMillan, Talwar 2021, Theorem 3.8, as paper 000 simplifies it.
Needs    the condition: outside it the formula is false (n = 1000, ε₀ = 4, δ = 1e-10 gives 2.33
         where binary randomised response needs 3.99), so it is refused there.
Margins  a relative 1e-12 on ε for rounding.
"""

from __future__ import annotations

import math

_ROUNDING = 1 + 1e-12


def holds(n: int, epsilon0: float, delta: float) -> bool:
    """The condition, with rounding on the safe side."""
    if not 0 < delta <= 1:
        return False
    return epsilon0 * _ROUNDING <= limit(n, delta)


def epsilon_of(n: int, epsilon0: float, delta: float, delta0: float = 0.0) -> float | None:
    """The ε of the theorem at this total δ, or None where its condition fails."""
    if delta0 <= 0:
        return _formula(n, epsilon0, delta) if holds(n, epsilon0, delta) else None
    return _with_delta0(n, epsilon0, delta, delta0)


def limit(n: int, delta: float) -> float:
    """The greatest ε₀ of the condition; below 0 where no ε₀ satisfies it (figures 1 and 2)."""
    return math.log(n / (16 * math.log(2 / delta)))


def largest_epsilon0(n: int, epsilon: float, delta: float) -> float | None:
    """The greatest ε₀ for which the theorem alone proves ε, or None where it proves none."""
    low, high = 0.0, limit(n, delta) / _ROUNDING**2
    if high <= 0:
        return None
    for _ in range(60):
        middle = (low + high) / 2
        if _formula(n, middle, delta) <= epsilon:
            low = middle
        else:
            high = middle
    return low or None


def _formula(n: int, epsilon0: float, delta: float) -> float:
    e = math.exp(epsilon0)
    inner = 8 * math.sqrt(e * math.log(4 / delta) / n) + 8 * e / n
    return math.log1p(math.tanh(epsilon0 / 2) * inner) * _ROUNDING


def _with_delta0(n: int, epsilon0: float, delta: float, delta0: float) -> float | None:
    """δ₀'s part depends on ε and so on d: a d that fits is looked for by halving, then enlarged."""
    low = delta / 2
    while not _fits(n, epsilon0, low, delta, delta0):
        low /= 2
        if low < delta * 1e-9 or not holds(n, epsilon0, low):
            return None
    high = 2 * low
    for _ in range(50):
        middle = (low + high) / 2
        if _fits(n, epsilon0, middle, delta, delta0):
            low = middle
        else:
            high = middle
    return _formula(n, epsilon0, low)


def _fits(n: int, epsilon0: float, part: float, delta: float, delta0: float) -> bool:
    if not holds(n, epsilon0, part):
        return False
    epsilon = _formula(n, epsilon0, part)
    extra = (math.exp(epsilon) + 1) * (1 + math.exp(-epsilon0) / 2) * n * delta0
    return (part + extra) * _ROUNDING <= delta
