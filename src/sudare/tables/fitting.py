"""The non-negative table nearest to what was measured.

Claim    the result has no negative cell and approaches argmin over x >= 0 of
         Σ_B w_B |E_B (x − x̂)|², x̂ the unbiased table; w_B = τ_B^1.25 (in units of the least τ)
         grows with the precision τ_B of component B.
Source   a start from `leveling`, then the alternating direction method of multipliers (Boyd et al.
         2011, section 5.2); its linear step (W + ρ)⁻¹(W x̂ + ρ(z − d)) is
         x̂ + Σ_B ρ/(w_B + ρ) E_B (z − d − x̂), one pass.
Needs    noisy numbers and public ones alone: this is post-processing and costs nothing.
Gaps     It stops after a fixed number of rounds; whatever it has then is a valid table. Where many
         true cells are zero, zeros cannot be estimated below zero, so small cells are biased
         upwards a little while their error shrinks.

Why 1.25: with w = τ the clipped finest cells drag coarse margins along; a little more weight on
what is known well makes the clipping's bias stay among the finest cells (docs/tables.md has the
measured errors).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sudare.facts.cube import Array, Dimension
from sudare.tables.algebra import Factors, combined, differences, means, sums
from sudare.tables.leveling import leveled

ROUNDS = 20
# A round that moves no cell by more than this is the last: rounding moves cells by more.
_SETTLED = 0.01
_RELAXED = 1.6
_STIFFER = 1.25
Watch = Callable[[float], None]


def unwatched(share: float) -> None:
    """Nobody is watching."""


def non_negative(
    estimate: Array,
    precisions: Factors,
    dimensions: Sequence[Dimension],
    watch: Watch = unwatched,
    rounds: int = ROUNDS,
) -> Array:
    """x >= 0 near `estimate` in the metric of the components."""
    if not (estimate < 0).any():
        return estimate
    weights = _weights(precisions)
    rho = float(np.sqrt(weights.max()))
    factors = rho / (weights + rho)
    shifted = leveled(estimate, dimensions)
    first = np.maximum(shifted, 0.0)
    fitted = first.copy()
    # The multiplier of a clipped cell is what pulls it down, in the units of ρ.
    dual = np.minimum(shifted, 0.0) / rho
    for number in range(rounds):
        dual += _RELAXED * (
            estimate + combined(fitted - dual - estimate, factors, dimensions)
        ) + (1 - _RELAXED) * fitted  # fmt: skip
        before, fitted = fitted, np.maximum(dual, 0.0)
        dual -= fitted
        watch((number + 1) / rounds)
        before -= fitted
        if max(-before.min(), before.max()) < _SETTLED:
            break
    # A table too large for these rounds may have been nearer at the start.
    total = max(float(estimate.sum()), 0.0)
    choices = [_scaled_to(each, total) for each in (fitted, first)]
    return min(choices, key=lambda each: _distance(each - estimate, weights, dimensions))


def _distance(change: Array, weights: Factors, dimensions: Sequence[Dimension]) -> float:
    """Σ_B w_B |E_B x|², from the squares of the means of every margin."""
    coefficients = differences(weights)
    found = sums(change, dimensions)
    averages = means(found, dimensions)
    return sum(
        float(coefficients[margin]) * float((found[margin] * averages[margin]).sum())
        for margin in found
    )


def _weights(precisions: Factors) -> Factors:
    """1 for the component that is known least; nothing for one that is not known at all."""
    measured = precisions > 0
    if not measured.any():
        return np.ones_like(precisions)
    least = precisions[measured].min()
    return np.where(measured, (precisions / least) ** _STIFFER, 0.0)


def _scaled_to(fitted: Array, total: float) -> Array:
    held = float(fitted.sum())
    return fitted * (total / held) if held > 0 else fitted
