"""The least ε with which a share of the rows comes out within τ with probability 1 − β.

Claim    with noise of scale s = Δ/ε, the released share û and the true one u of a table of at
         least N rows satisfy P(|û − u| > τ) <= `miss_of_pair` (`miss_of_count`), whatever u is.
Symbols  τ -> within, β -> beta, N -> rows, Δ -> sensitivity, r = e^(−1/s).
Pair     a rows satisfy p, b = n − a do not; û = (a + Z₁)/(n + Z₁ + Z₂), held to [0, 1].
         With v = u + τ <= 1 and a positive denominator, û − u > τ is the linear event
         (1 − v)Z₁ − vZ₂ > τn: no approximation of a ratio enters. Downwards v = u − τ >= 0 and
         the same by symmetry; beyond [0, 1] holding û there excludes the event. So
         P(miss) <= q(u + τ) + q(u − τ) + P(Z₁ + Z₂ <= −n), q(v) = P((1−v)Z₁ + vZ₂ > τn), where
         terms with v outside [0, 1] are 0.
Discrete Z is the quantile coupling of a Laplace X of scale s: Z = k >= 0 exactly where X lies
         between k − c and k + 1 − c, c = s·ln(2/(1 + r)) in (0, ½]; hence Z <= X + (1 − c), and
         q(v) is at most Q(v), the same for X₁, X₂ beyond t = τN − (1 − c).
Largest  Laplace noise is symmetric and log-concave, so Q falls as its weights (1 − v, v) even out
         (Proschan 1965, peakedness of convex combinations): Q depends on the distance d of v to
         the nearer of 0 and 1, and falls in d. Of u − τ and u + τ one is at distance >= 0 and
         the other at distance >= m = min(2τ, ½ − τ): the sum is at most Q(0) + Q(m). It is
         approached by u just above τ for τ <= 1/6.
         Q(0) = e^(−t/s)/2; for weights α > γ the characteristic function splits into partial
         fractions: Q = (α²e^(−t/αs) − γ²e^(−t/γs))/(2(α² − γ²)).
Small τN where t is so small that this says nothing, the chance that any noise is not 0 does.
Count    with a public n only a is noised: P(|Z| > τN) = 2r^(⌊τN⌋+1)/(1 + r), exactly.
Gaps     the ε is above the least one, by about 1/(2τN) of it, for the coupling (tests/queries/
         test_sq.py measures it).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.cost import NANO

MOST_EPSILON = 100


@dataclass(frozen=True)
class Tolerance:
    """Within `within` with probability 1 − `beta`, for at least `rows` rows."""

    within: Fraction
    beta: Fraction
    rows: int

    @property
    def margin(self) -> Fraction:
        """τN: by how many rows a count may be off."""
        return self.within * self.rows


def miss_of_pair(tolerance: Tolerance, scale: float) -> float:
    """A bound on the chance to miss where both counts are noised."""
    return min(_by_tails(tolerance, scale), _any_noise(scale))


def miss_of_count(tolerance: Tolerance, scale: float) -> float:
    """The chance to miss where the number of rows is public."""
    beyond = math.floor(tolerance.margin) + 1
    return 2 * math.exp(-beyond / scale) / (1 + math.exp(-1 / scale))


def least_epsilon_for(
    tolerance: Tolerance, sensitivity: int, miss: Callable[[Tolerance, float], float]
) -> Fraction | None:
    """The least ε on the ledger's grid, rounded up, or None where it would be beyond all use."""
    beta = float(tolerance.beta)

    def misses(epsilon: float) -> bool:
        return miss(tolerance, sensitivity / epsilon) > beta

    low, high = 1 / NANO, float(MOST_EPSILON)
    if misses(high):
        return None
    while high > low * (1 + 1e-7):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if misses(middle) else (low, middle)
    # Both chances fall as ε grows, so rounding up keeps the promise.
    return Fraction(math.ceil(high * NANO), NANO)


def _by_tails(tolerance: Tolerance, scale: float) -> float:
    margin = float(tolerance.margin)
    if margin < 1:
        return 1.0
    # (τN − 1)/s + c/s, written so that it grows with ε term by term.
    shift = math.log(2 / (1 + math.exp(-1 / scale)))
    reach = (margin - 1) / scale + shift
    whole = (tolerance.rows - 2) / scale + 2 * shift
    within = float(tolerance.within)
    return _tail(0.0, reach) + _tail(min(2 * within, 0.5 - within), reach) + _tail_of_sum(whole)


def _tail(weight: float, reach: float) -> float:
    """P((1 − w)X₁ + wX₂ > reach) for Laplace noise of scale 1 and w at most 1/3."""
    heavy, light = 1 - weight, weight
    lesser = light**2 * math.exp(-reach / light) if light else 0.0
    return (heavy**2 * math.exp(-reach / heavy) - lesser) / (2 * (heavy**2 - light**2))


def _tail_of_sum(reach: float) -> float:
    """P(X₁ + X₂ > reach): the denominator is not positive."""
    return math.exp(-reach) * (2 + reach) / 4 if reach > 0 else 1.0


def _any_noise(scale: float) -> float:
    """P(Z₁ ≠ 0 or Z₂ ≠ 0); P(Z = 0) = (1 − r)/(1 + r)."""
    return 1 - math.tanh(1 / (2 * scale)) ** 2
