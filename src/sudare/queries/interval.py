"""95 % error bounds from the plan and the released values alone.

Claim    P(|Σ wᵢZᵢ| > half_width95) <= 5 %, Zᵢ independent discrete Laplace or Gaussian.
Derivation
         One discrete Laplace: P(|Z| > k) = 2r^{k+1}/(1 + r), r = e^{−1/s}; solved for k.
         Otherwise standard deviation × c, where c grows from 1.96 (Gaussian) to ln 20/√2 = 2.118
         (one Laplace). With v the variances, κ = √(Σ_Laplace v²)/Σv is the root of the kurtosis
         relative to one Laplace; c = 1.96 + 0.158·κ lies above the true value for every mixture
         tried by tests/queries/test_interval.py (numerical inversion of the characteristic
         function); it overstates the bound by less than 3 %.
         A ratio N/D (Fieller): the truth u satisfies |N − uD| <= half_width95(noise of N − uD)
         with probability 95 %; the bound is the largest |û − u| among those u.
Gaps     discreteness is ignored where several cells enter; it matters only for scales below 1,
         where one unit is added.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

GAUSSIAN_95 = 1.959964
LAPLACE_EXCESS = math.log(20) / math.sqrt(2) - GAUSSIAN_95


@dataclass(frozen=True)
class Noise:
    """The noise in each cell of a block, as far as errors are concerned."""

    kind: Literal["laplace", "gaussian", "none"]
    scale: float

    @property
    def variance(self) -> float:
        if self.kind == "none":
            return 0.0
        if self.kind == "gaussian":
            return self.scale**2
        # 2r/(1−r)² of the discrete Laplace, written so that neither end over- or underflows.
        half = 1 / (2 * self.scale)
        return 0.0 if half > 350 else 1 / (2 * math.sinh(half) ** 2)


def half_width95(terms: list[tuple[float, Noise]]) -> float:
    """The 95 % half width of Σ weight·noise."""
    live = [(abs(w), noise) for w, noise in terms if w != 0 and noise.variance > 0]
    if not live:
        return 0.0
    if len(live) == 1 and live[0][1].kind == "laplace":
        return live[0][0] * _laplace95(live[0][1].scale)
    variances = [w * w * noise.variance for w, noise in live]
    laplace = [v for v, (_, n) in zip(variances, live, strict=True) if n.kind == "laplace"]
    total = math.fsum(variances)
    root_kurtosis = math.sqrt(math.fsum(v * v for v in laplace)) / total
    width = math.sqrt(total) * (GAUSSIAN_95 + LAPLACE_EXCESS * root_kurtosis)
    narrow = [w for w, noise in live if noise.kind == "laplace" and noise.scale < 1]
    return width + max(narrow, default=0.0)


def _laplace95(scale: float) -> int:
    """The least k with P(|Z| > k) <= 5 %."""
    ratio = math.exp(-1 / scale)
    return max(0, math.ceil(scale * math.log(40 / (1 + ratio)) - 1e-9) - 1)


def ratio_error95(
    denominator: float,
    estimate: float,
    weights: Callable[[float], tuple[float, float]],
    noise: Noise,
    low: float,
    high: float,
) -> float:
    """Fieller's bound for u = N/D in [low, high]; `weights(u)` are those of the two noises in
    N − uD. Where the noise swamps the denominator the whole range is possible."""
    widest = max(estimate - low, high - estimate)
    steepest = half_width95([(1.0, noise), (1.0, noise)])
    if denominator <= steepest:
        return widest
    error = 0.0
    for _ in range(60):
        ends = (max(low, estimate - error), min(high, estimate + error))
        reach = max(half_width95([(w, noise) for w in weights(end)]) for end in ends)
        grown = reach / denominator
        if grown <= error * (1 + 1e-9):
            break
        error = grown
    return min(widest, error)
