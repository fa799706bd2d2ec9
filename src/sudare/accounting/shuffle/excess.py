"""An upper bound on E[(G₁ + … + Gₙ)₊] for independent copies of a variable with few values.

Claim    the returned number is at least E[(S)₊], S = G₁ + … + Gₙ, where G takes the value gₖ with
         probability pₖ and 0 otherwise.
Source   derived here and in docs/decisions/0011. With M(z) = E[e^{zG}] and θ > 0 let
         F(s) = M(θ+is)ⁿ e^{τ²(θ+is)²/2} / (θ+is)². F is the Fourier transform of
         f(x) = e^{−θx} E[(S + τV + x)₊], V standard normal, so by Poisson's summation formula
           (Δ/2π) Σⱼ F(jΔ) = f(0) + Σ_{m≠0} f(2πm/Δ).
         f is nowhere negative, hence the sum over all j is never below f(0) = E[(S + τV)₊], and
         this is never below E[(S)₊] by Jensen's inequality. Nothing is put on a lattice, so the
         work does not grow with n. Draws that are all 0 add nothing to E[(S)₊] but would to
         E[(S + τV)₊], so they are taken out: M(θ+is)ⁿ less p₀ⁿ, p₀ = 1 − Σpₖ, which is again the
         transform of a measure.
Symbols  θ -> tilt, τ -> blur, Δ -> step, pₖ -> masses, gₖ -> values.
Margins  what j beyond the last node could add is at most e^{−τ²s²/2}/(πs)·M(θ)ⁿe^{τ²θ²/2}, s the
         last node, and is added. So is the rounding: a node m = M(θ+is)/M(θ) computed with error
         at most η moves mⁿ by at most nη(|m|+η)^{n−1}; η is (K + 32) units in the last place of
         the sum of the absolute values of the K terms.
Needs    masses that sum to at most 1.
Gaps     the constant 32 covers exp, sin, cos and one complex product to within two units each, as
         the C library and numpy deliver them; that is measured by others, not proved here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

_UNIT = 2.0**-53
# The blur is the width of the sum over this; it adds 1/40,000 to the variance. With few people the
# sum has large atoms near 0, which the blur spreads over it, so that it has to be sharper.
_SHARP, _SHARPER, _FEW = 200.0, 800.0, 100
# The sum is taken over so many widths before it repeats.
_WIDTHS = 20.0
# The blur's transform is cut at e^{−36}.
_REACH = 8.5
_LARGEST_EXPONENT = 600.0


def excess(n: int, values: Array, masses: Array) -> float:
    """At least E[(G₁ + … + Gₙ)₊]."""
    top = float(values.max(initial=0.0))
    if top <= 0:
        return 0.0
    if n == 1:
        return float(masses @ np.maximum(values, 0.0)) * (1 + 64 * _UNIT * len(values))
    scale = float(np.abs(values).max())
    tilted = _tilt(n, values / scale, masses)
    return scale * _contour(n, values / scale, tilted)


@dataclass(frozen=True)
class _Tilted:
    """The variable under the tilt θ: its weights e^{θg}p/M(θ), n·log M(θ), the width of the sum,
    and the weight of n draws of 0, at most."""

    tilt: float
    log_total: float
    weights: Array
    width: float
    idle: float


def _tilt(n: int, values: Array, masses: Array) -> _Tilted:
    """The tilt at which n·log M(θ) − 2·log θ is least: there the terms of the sum cancel least.
    Any other is as valid, so the search is rough and stays where nothing overflows."""
    most = _LARGEST_EXPONENT / float(values.max())
    low = high = min(1.0, most)
    while _slope(n, values, masses, low) > 0:
        low /= 8
    while high < most and _slope(n, values, masses, high) < 0:
        high = min(8 * high, most)
    while high > low * 1.0005:
        middle = math.sqrt(low * high)
        if _slope(n, values, masses, middle) < 0:
            low = middle
        else:
            high = middle
    return _at(n, values, masses, high)


def _slope(n: int, values: Array, masses: Array, tilt: float) -> float:
    # Divided by e^{tilt·max}, so that no tilt overflows.
    shift = tilt * float(values.max())
    weights = masses * np.exp(tilt * values - shift)
    rest = (1 - float(masses.sum())) * math.exp(-shift)
    mean = float(weights @ values) / (float(weights.sum()) + max(rest, 0.0))
    return n * mean - 2 / tilt


def _at(n: int, values: Array, masses: Array, tilt: float) -> _Tilted:
    gain = float(masses @ np.expm1(tilt * values))
    weights = masses * np.exp(tilt * values) / (1 + gain)
    mean = float(weights @ values)
    spread = max(float(weights @ values**2) - mean**2, 0.0)
    width = math.sqrt(n * spread + 2 / tilt**2)
    log_total = n * math.log1p(gain)
    rest = 1 - float(masses.sum())
    unsure = n * (len(values) + 32) * _UNIT / rest if rest > 0 else 1.0
    idle = math.exp(n * math.log(rest) - log_total) * (1 - unsure) if unsure < 1 else 0.0
    return _Tilted(tilt, log_total, weights, width, idle)


def _contour(n: int, values: Array, tilted: _Tilted) -> float:
    """The sum over the nodes, with the margins of the module's claim, for values within ±1."""
    tilt, blur = tilted.tilt, tilted.width / (_SHARPER if n < _FEW else _SHARP)
    step = 2 * math.pi / (_WIDTHS * tilted.width)
    count = math.ceil(_REACH / blur / step)
    nodes = step * np.arange(count + 1, dtype=np.float64)
    gain = _transform(values, tilted.weights, step, count + 1)
    # log|1 + gain| and its angle, without losing what is small.
    squared = 2 * gain.real + gain.real**2 + gain.imag**2
    log_size = np.log1p(np.maximum(squared, -1 + 1e-300)) / 2
    turn = blur**2 * tilt * nodes - 2 * np.arctan2(nodes, tilt)
    fading = 1 / (tilt**2 + nodes**2) * np.exp(-((blur * nodes) ** 2) / 2)
    powers = np.exp(n * log_size) * np.cos(n * np.angle(1 + gain) + turn)
    terms = fading * (powers - tilted.idle * np.cos(turn))
    weight = np.full(count + 1, step / math.pi)
    weight[0] /= 2
    wrong = _rounding(n, values, tilted.weights, nodes, log_size)
    margin = float((weight * fading * (wrong + 64 * _UNIT * tilted.idle)).sum())
    end = float(nodes[-1])
    margin += math.exp(-((blur * end) ** 2) / 2) / (math.pi * end)
    total = max(float((weight * terms).sum()), 0.0) * (1 + 1e-12) + margin
    # The exponent's own rounding: log1p of a sum of terms that are no greater than these.
    slip = n * (len(values) + 32) * _UNIT * float(tilted.weights @ np.abs(tilt * values))
    return total * math.exp(min(tilted.log_total + slip + (blur * tilt) ** 2 / 2, 700.0))


def _transform(values: Array, weights: Array, step: float, count: int) -> NDArray[np.complex128]:
    """Σ wₖ(e^{isgₖ} − 1) at s = 0, step, 2·step, …: with s = a + b it is
    Σ w(e^{ia} − 1)e^{ib} + Σ w(e^{ib} − 1), a product of two matrices and a row."""
    fine = math.isqrt(count) + 1
    coarse = -(-count // fine)
    small = _turn(np.outer(step * np.arange(fine), values))
    large = _turn(np.outer(step * fine * np.arange(coarse), values))
    heavy = large * weights
    # Neither here nor with the nodes BLAS: its threads wait longer than such sums take.
    table = np.einsum("ak,bk->ab", heavy + weights, small) + heavy.sum(axis=1)[:, None]
    return np.asarray(table.ravel()[:count], dtype=np.complex128)


def _turn(angles: Array) -> NDArray[np.complex128]:
    """e^{ia} − 1, exact also for small angles."""
    return -2 * np.sin(angles / 2) ** 2 + 1j * np.sin(angles)


def _rounding(n: int, values: Array, weights: Array, nodes: Array, log_size: Array) -> Array:
    """By how much each node's n-th power may be off."""
    size = np.minimum(np.exp(log_size), 1.0)
    unsure = (len(values) + 32) * _UNIT * nodes * float(weights @ np.abs(values))
    powers = np.exp((n - 1) * np.log(np.minimum(size + unsure, 1.0)))
    return np.asarray(n * unsure * powers + 64 * _UNIT * np.exp(n * np.log(size)))
