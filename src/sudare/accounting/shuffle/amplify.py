"""What shuffling gives: all bounds that hold, the tightest of them, and the way back.

Claim    n shuffled reports, each ε₀-LDP and of the given law, are (ε, δ)-DP under replace-one.
Source   theorem.py, clones.py, blanket.py, binary.py; the least of several valid ε is valid.
Needs    one law for all n people; nobody knows who sent which report; who takes part is public.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from sudare.accounting.shuffle import binary, blanket, clones, theorem
from sudare.accounting.shuffle.catalog import LARGEST_EPSILON
from sudare.accounting.shuffle.law import Law

# Why a bound is missing.
OUTSIDE_CONDITION = "condition"
UNKNOWN_LAW = "unknown"
TOO_LARGE = "large"
NO_DELTA = "delta"
APPROXIMATE = "delta0"
LOCAL_DELTA = "n_delta0"
_CLOSE = 1e-4
# No ε₀ above this is ever proposed.
_MOST = 1000.0
# What the search for ε may return above the least.
_INSIDE = 1 - 3e-5


@dataclass(frozen=True)
class Amplified:
    """The central ε at δ: the tightest, and every bound by itself with the reason if missing."""

    n: int
    epsilon0: float
    delta: float
    epsilon: float
    theorem4: float | None = None
    clones: float | None = None
    blanket: float | None = None
    reasons: dict[str, str] = field(default_factory=dict)


def amplified(
    n: int, epsilon0: float, delta: float, law: Law | None = None, delta0: float = 0.0
) -> Amplified:
    """Shuffle n reports that are (ε₀, δ₀)-LDP each; `law` is that of a report where it is known.
    Only the theorem is proved for δ₀ > 0."""
    _check(n, epsilon0, delta, law, delta0)
    reasons: dict[str, str] = {}
    closed = theorem.epsilon_of(n, epsilon0, delta, delta0)
    if closed is None:
        inside = delta > 0 and delta0 > 0 and theorem.holds(n, epsilon0, delta)
        reasons["theorem4"] = (
            LOCAL_DELTA if inside else OUTSIDE_CONDITION if delta > 0 else NO_DELTA
        )
    copied = known = None
    if delta0 > 0:
        reasons.update(clones=APPROXIMATE, blanket=APPROXIMATE)
    else:
        copied = clones.epsilon_of(epsilon0, n, delta)
        known = _of_law(law, n, delta)
        if known is None:
            reasons["blanket"] = TOO_LARGE if epsilon0 > LARGEST_EPSILON else UNKNOWN_LAW
    # Without any bound the local guarantee itself is left.
    least = min(each for each in (epsilon0, closed, copied, known) if each is not None)
    return Amplified(n, epsilon0, delta, least, closed, copied, known, reasons)


def largest_epsilon0(
    n: int, epsilon: float, delta: float, law_of: Callable[[float], Law | None]
) -> float:
    """The ε₀, to within a ten-thousandth, up to which the tightest bound proves ε; `law_of` makes
    the law of a report from its ε₀."""
    _check(n, epsilon, delta, None, 0.0)
    wanted = epsilon * _INSIDE

    def fits(epsilon0: float) -> bool:
        closed = theorem.epsilon_of(n, epsilon0, delta)
        if closed is not None and closed <= wanted:
            return True
        if delta == 0:
            return False
        law = law_of(epsilon0)
        return _delta(law, n, wanted) <= delta or (
            epsilon0 <= clones.LARGEST_EPSILON
            and blanket.delta_of(clones.clones(epsilon0), n, wanted) <= delta
        )

    low, high = epsilon, 2 * epsilon
    while high <= _MOST and fits(high):
        low, high = high, 2 * high
    while high > low * (1 + _CLOSE):
        middle = math.sqrt(low * high)
        if fits(middle):
            low = middle
        else:
            high = middle
    return low


def _of_law(law: Law | None, n: int, delta: float) -> float | None:
    if law is None:
        return None
    if delta == 0:
        return law.epsilon
    known = blanket.epsilon_of(law, n, delta)
    return min(known, binary.epsilon_of(law.epsilon, n, delta)) if law.binary else known


def _delta(law: Law | None, n: int, epsilon: float) -> float:
    if law is None:
        return 1.0
    known = blanket.delta_of(law, n, epsilon)
    return min(known, binary.delta_of(law.epsilon, n, epsilon)) if law.binary else known


def _check(n: int, epsilon: float, delta: float, law: Law | None, delta0: float) -> None:
    if n < 1:
        raise ValueError("at least one person reports")
    if not (epsilon >= 0 and math.isfinite(epsilon)):
        raise ValueError("ε is a number from 0")
    if not 0 <= delta0 <= delta < 1:
        raise ValueError("δ lies from δ₀, which is at least 0, to below 1")
    if law is not None and law.epsilon > epsilon * (1 + 1e-9):
        raise ValueError("the law does not satisfy this ε₀")
