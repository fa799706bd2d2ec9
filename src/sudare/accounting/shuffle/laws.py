"""The laws of the local mechanisms.

Claim    for each mechanism at ε the law lies above that of every pair of values, in the order ≼
         of `law.py`; so does a product of such laws above the report of several attributes,
         whichever of them differ. Proofs: docs/decisions/0011. In short, e = e^ε:
         * corner: u and v lie in [1, e] with mean 1/γ. Spreading each to the ends 1 and e keeps
           the means, and replacing equal masses at (e, e) and (1, 1) by (e, 1) and (1, e) spreads
           αu − βv further. What is left depends on e and γ alone, so it bounds every mechanism
           that satisfies ε and has a blanket of mass γ.
         * same values: where a swap of outcomes exchanges u and v and keeps b, a pair that agrees
           in this attribute lies below the pair that differs: u, v → (u, u), (v, v) has the same
           sum of αu − βv over the two outcomes, and the smaller difference.
         * mixed inputs: a mechanism whose laws are mixtures of those of some values is no worse
           than at these, since the bound is convex in (p₀, p₁).
Source   the mechanisms: paper 000, Algorithms 1-3; Wang and others 2019 (piecewise, hybrid);
         Wang, Blocki, Li, Jha 2017 (OUE, OLH); Li and others 2020 (square wave); paper 001 (PRAM).
Needs    the ε of the mechanism as it runs. One whose integer thresholds or grid make it satisfy
         more (a smaller ε) is a post-processing of, or a mixture with a constant, and covered.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sudare.accounting.shuffle.compact import compact
from sudare.accounting.shuffle.law import Law, from_ratios, mixture, power

# Above this ε Wang and others' hybrid uses the piecewise mechanism at all.
HYBRID_FROM = 0.61


def corner(epsilon: float, gamma: float) -> Law:
    """Any mechanism that satisfies ε and whose blanket has mass γ = Σ_y min_x P(y | x)."""
    if not (epsilon > 0 and math.exp(-epsilon) * (1 - 1e-9) <= gamma <= 1):
        raise ValueError("γ lies between e^−ε and 1")
    # Rounded up: 1 − γ has lost digits where γ is near 1, and more mass far out is the safe side.
    return _corners(epsilon, gamma, (1 - gamma + 2**-52) / math.expm1(epsilon))


def window(epsilon: float, share: float) -> Law:
    """High probability on a share of the outcomes that the value chooses, e^ε times lower on all
    others: GRR (one of v), subset selection, the piecewise mechanism, the square wave."""
    gamma = 1 / (1 + share * math.expm1(epsilon))
    return _corners(epsilon, gamma, share * gamma)


def _corners(epsilon: float, gamma: float, far: float) -> Law:
    """The corner law, with the mass that each of u and v has at e^ε."""
    e, overlap = math.exp(epsilon), max(0.0, 2 * far - gamma)
    masses = [max(0.0, far - overlap)] * 2 + [max(0.0, gamma - 2 * far), overlap]
    return from_ratios(masses, [e, 1, 1, e], [1, e, 1, e], epsilon, symmetric=True)


def two_point(epsilon: float) -> Law:
    """One bit: Algorithms 1 and 3 with (a, b), where ε = ln((b + a)/(b − a))."""
    e, mass = math.exp(epsilon), 1 / (math.exp(epsilon) + 1)
    return from_ratios([mass, mass], [e, 1], [1, e], epsilon, symmetric=True, binary=True)


def grr(epsilon: float, values: int) -> Law:
    """Randomised response over v values."""
    return two_point(epsilon) if values == 2 else window(epsilon, 1 / values)


def pram(retention: float, values: int) -> Law:
    """Retention and replacement: randomised response in other words."""
    odds = (1 + (values - 1) * retention) / (1 - retention)
    return grr(math.log(odds), values)


def unary(epsilon: float, values: int, keep: float) -> Law:
    """One bit a value; that of the true value is 1 with probability `keep`, the others with the q
    that makes the pair cost ε in total."""
    e = math.exp(epsilon)
    q = keep / (keep + (1 - keep) * e)
    spare = -math.expm1((values - 2) * math.log(q)) if values > 2 else 0.0
    low = (1 - keep) / (1 - q)
    masses = [q * (1 - keep), q * (1 - keep), (1 - q) * (1 - keep)]
    masses += [q * q * spare * low, q ** (values - 1) * keep]
    return from_ratios(masses, [e, 1, 1, e, 1], [1, e, 1, e, 1], epsilon, symmetric=True)


def oue(epsilon: float, values: int) -> Law:
    """Optimised unary encoding."""
    return unary(epsilon, values, 0.5)


def one_hot(epsilon: float, values: int) -> Law:
    """A category of v values as v bits of Algorithm 3 at ε/2 each: changing it flips two."""
    if values == 2:
        return power(two_point(epsilon / 2), 2)
    return unary(epsilon, values, 1 / (1 + math.exp(-epsilon / 2)))


def olh(epsilon: float, cells: int | None = None) -> Law:
    """Optimised local hashing into g cells, the hash function seen in the report: where it
    separates two values this is randomised response over g, where not they are the same."""
    return grr(epsilon, cells if cells is not None else max(2, round(math.exp(epsilon)) + 1))


def piecewise(epsilon: float) -> Law:
    """Algorithm 2, on the line: the window is 1/(e^{ε/2} + 1) of it, the blanket e^{−ε/2}."""
    return window(epsilon, 1 / (math.exp(epsilon / 2) + 1))


def hybrid(epsilon: float, alpha: float | None = None) -> Law:
    """Piecewise with probability α, else two-point."""
    chosen = -math.expm1(-epsilon / 2) if epsilon > HYBRID_FROM else 0.0
    weight = chosen if alpha is None else alpha
    return mixture([(weight, piecewise(epsilon)), (1 - weight, two_point(epsilon))])


def square_wave(epsilon: float) -> Law:
    """The square wave with the half-width b of Li and others, for values in [0, 1]."""
    if epsilon < 1e-3:
        half = 0.5 - epsilon / 3
    else:
        half = (epsilon + math.expm1(-epsilon)) / (2 * (math.expm1(epsilon) - epsilon))
    return window(epsilon, 2 * half / (2 * half + 1))


def laplace(epsilon: float, cells: int = 16) -> Law:
    """Laplace noise of scale 2/ε on [−1, 1]. The ends are the worst pair (docs/decisions/0011);
    there one of u, v is 1 and the other e^{ε|y|} at a report y within [−1, 1], constant beyond.
    Within each of the cells it is spread to the cell's ends."""
    height = epsilon / cells
    ratios = np.exp(height * np.arange(cells + 1))
    falling = 0.5 * math.exp(-epsilon / 2) / np.sqrt(ratios[:-1])
    mass = falling * -math.expm1(-height / 2)
    # What keeps the cell's mean of the ratio, without the loss of a difference.
    above = falling * (4 * math.sinh(height / 4) ** 2 / math.expm1(height))
    arm = np.zeros(cells + 1)
    arm[:-1] += mass - above
    arm[1:] += above
    arm[-1] += 0.5 * math.exp(-epsilon)
    return _two_arms(arm, ratios, epsilon)


def grid_laplace(epsilon: float, steps: int, cells: int = 16) -> Law:
    """Two-sided geometric noise of ratio e^{−ε/steps} on the places 0 … steps: Laplace on a grid.
    Places are spread to the ends of the cells."""
    gap = epsilon / steps
    place = np.arange(steps // 2 + 1)
    # The less likely end's probability of this place; what lies beyond place 0 counts there.
    low = np.exp(-gap * (steps - place)) * math.tanh(gap / 2)
    low[0] = math.exp(-epsilon) / (1 + math.exp(-gap))
    if steps % 2 == 0:
        low[-1] /= 2
    height, levels = epsilon / cells, gap * (steps - 2 * place)
    below = np.clip(np.floor(levels / height).astype(np.int64), 0, cells - 1)
    above = np.clip(np.expm1(levels - height * below) / math.expm1(height), 0.0, 1.0)
    arm = np.zeros(cells + 1)
    arm += np.bincount(below, low * (1 - above), cells + 1)
    arm += np.bincount(below + 1, low * above, cells + 1)
    return _two_arms(arm, np.exp(height * np.arange(cells + 1)), epsilon)


def _two_arms(masses: NDArray[np.float64], ratios: NDArray[np.float64], epsilon: float) -> Law:
    """(u, 1) and (1, v) with the same masses."""
    ones = np.ones_like(ratios)
    first, second = np.concatenate([ratios, ones]), np.concatenate([ones, ratios])
    twice = np.concatenate([masses, masses])
    return compact(from_ratios(twice, first, second, epsilon, symmetric=True))


def from_table(table: NDArray[np.float64]) -> Law:
    """A mechanism given by its table P(y | x), a row a value x."""
    least = table.min(axis=0)
    there = table.max(axis=0) > 0
    if (least[there] <= 0).any():
        raise ValueError("an outcome is impossible for one value: the mechanism has no ε")
    ratio = float((table[:, there].max(axis=0) / least[there]).max())
    return corner(math.log(ratio) * (1 + 1e-14), float(least.sum()) * (1 - 1e-14))
