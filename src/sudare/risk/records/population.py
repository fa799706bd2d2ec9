"""From unique in the sample to unique in the population: two models, each with what it assumes.

Pitman   the classes of the population follow the Ewens-Pitman sampling formula with θ and α, fitted
         to the sample by greatest likelihood; E[population uniques] =
         N·Γ(θ+1)Γ(θ+α+N−1)/(Γ(θ+α)Γ(θ+N)), N = n/π. Source: Pitman 1995, Hoshino 2001.
Binomial the number F of people behind a sample unique is geometric, P(F = 1 | f = 1) = π, as the
         negative binomial model of μ-ARGUS has it (Benedetti, Franconi 1998).
Needs    the sample is drawn evenly, each person with probability π (sampling fraction), and every
         person is in one class; where some are in several, nothing is estimated.
Gaps     both are models, and neither sees the population. They are often far apart; together they
         say how much is known, not a bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from sudare.facts.coded import ClassSizes

_STEPS = 90
_GOLDEN = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Population:
    """What is estimated: the share of sample uniques that are unique in the population, by each
    model (None where there are none, or where the model says nothing)."""

    sampling_fraction: float
    size: int
    sample_uniques: int
    pitman_share: float | None
    pitman_uniques: float | None
    theta: float | None
    alpha: float | None
    binomial_share: float | None


def population(found: ClassSizes, sampling_fraction: float) -> Population:
    """Estimates for a sample of this fraction."""
    uniques = found.records_below(2)
    size = max(found.records, round(found.records / sampling_fraction))
    share = theta = alpha = expected = None
    if sampling_fraction == 1:
        share, expected = (1.0, float(uniques)) if uniques else (None, 0.0)
    elif found.is_partition and 0 < uniques < found.records and found.count > 1:
        theta, alpha = fit_pitman(found)
        expected = pitman_uniques(theta, alpha, size)
        share = min(1.0, expected * sampling_fraction / uniques)
    return Population(
        sampling_fraction=sampling_fraction,
        size=size,
        sample_uniques=uniques,
        pitman_share=share,
        pitman_uniques=expected,
        theta=theta,
        alpha=alpha,
        binomial_share=sampling_fraction if uniques and found.is_partition else None,
    )


def pitman_uniques(theta: float, alpha: float, size: int) -> float:
    """The expected number of classes of one among `size` people."""
    log = math.lgamma(theta + 1) + math.lgamma(theta + alpha + size - 1)
    log -= math.lgamma(theta + alpha) + math.lgamma(theta + size)
    return size * math.exp(log)


def fit_pitman(found: ClassSizes) -> tuple[float, float]:
    """(θ, α) of greatest likelihood. Sizes enter through α alone, so that the inner search over θ
    costs the same for every table."""
    pairs = [(int(s), int(c)) for s, c in zip(found.sizes, found.classes, strict=True)]
    n, u = found.records, found.count

    def over_theta(alpha: float) -> tuple[float, float]:
        sized = sum(c * (math.lgamma(s - alpha) - math.lgamma(1 - alpha)) for s, c in pairs)
        # θ > −α is searched by the logarithm of θ + α.
        place = _highest(lambda x: _classes_part(math.exp(x) - alpha, alpha, n, u), -20.0, 30.0)
        theta = math.exp(place) - alpha
        return sized + _classes_part(theta, alpha, n, u), theta

    alpha = _highest(lambda a: over_theta(a)[0], 1e-6, 1 - 1e-6)
    return over_theta(alpha)[1], alpha


def _classes_part(theta: float, alpha: float, n: int, u: int) -> float:
    """Σ_{i<u} ln(θ + iα) − Σ_{i<n} ln(θ + i)."""
    ratio = theta / alpha
    new = (u - 1) * math.log(alpha) + math.lgamma(ratio + u) - math.lgamma(ratio + 1)
    return new - math.lgamma(theta + n) + math.lgamma(theta + 1)


def _highest(value: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one hill is highest, by golden section."""
    a, b = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_a, at_b = value(a), value(b)
    for _ in range(_STEPS):
        if at_a < at_b:
            low, a, at_a = a, b, at_b
            b = low + _GOLDEN * (high - low)
            at_b = value(b)
        else:
            high, b, at_b = b, a, at_a
            a = high - _GOLDEN * (high - low)
            at_a = value(a)
    return (low + high) / 2
