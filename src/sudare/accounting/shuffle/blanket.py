"""The privacy blanket: what shuffling n reports of a known law gives.

Claim    whoever sees the shuffled reports, and knows all values but one, distinguishes two values
         of that one by at most (ε, δ(ε)),
           δ(ε) ≤ (1/n)·E[(G₁ + … + Gₙ)₊],
         Gᵢ independent, G = (p₀ − e^ε p₁)/b with probability b for every class, else 0.
Source   Balle, Bell, Gascón, Nissim 2019, Lemma 5.3. In short: every other person's report is
         drawn, with probability γ = Σb, from the blanket, whatever the value. Tell the attacker
         who did not, and what they said. What is left is one report of the unknown person among
         m − 1 draws from the blanket; given the m reports without order, the first value has
         density (1/m)Σ p₀/ω and the second (1/m)Σ p₁/ω against m draws from ω = b/γ, hence
         δ ≤ E[(1/m)(Σ p₀/ω − e^ε p₁/ω)₊]; with m − 1 ~ Bin(n−1, γ) the weight of m is
         m/(γn) times that of Bin(n, γ), which is the claim.
Symbols  n -> people, p₀, p₁, b -> Law.
Needs    one law for all n people, a permutation that nobody knows, replace-one neighbours.
Margins  excess.py for the expectation; the ratios' rounding η (law.slack) costs 2η of ε and a
         factor (1 + η)(1 + η)ⁿ of δ.
"""

from __future__ import annotations

import math

import numpy as np

from sudare.accounting.shuffle.excess import excess
from sudare.accounting.shuffle.law import Array, Law
from sudare.accounting.shuffle.search import smallest

# δ falls with n, so that a greater n may be read as this one; rounding stays small up to here.
MOST_PEOPLE = 10**12
_MOST_VALUES = 512


def delta_of(law: Law, n: int, epsilon: float) -> float:
    """The δ at this ε, for either direction of the replacement."""
    n = min(n, MOST_PEOPLE)
    forth = _one_way(law, n, epsilon)
    return forth if law.symmetric else max(forth, _one_way(law.swapped(), n, epsilon))


def epsilon_of(law: Law, n: int, delta: float) -> float:
    """The least ε that the bound proves at this δ; never above what holds without shuffling."""
    return smallest(lambda epsilon: delta_of(law, n, epsilon), delta, law.epsilon)


def _one_way(law: Law, n: int, epsilon: float) -> float:
    if epsilon >= law.epsilon:
        return 0.0
    reduced = math.exp(epsilon - 2 * law.slack)
    values = (law.first - reduced * law.second) / law.blanket
    values, masses = _fewer(values, law.blanket)
    grown = (1 + 4 * law.slack) * math.exp(2 * n * law.slack)
    return min(1.0, excess(n, values, masses) / n * grown + law.lost)


def _fewer(values: Array, masses: Array) -> tuple[Array, Array]:
    """Many values are spread over the points of a grid that is finer near 0; means stay."""
    if len(values) <= _MOST_VALUES:
        return values, masses
    typical = math.sqrt(float((masses * values**2).sum())) / 8 or 1.0
    ends = np.arcsinh(np.array([values.min(), values.max()]) / typical)
    grid = np.sinh(np.linspace(ends[0], ends[1], _MOST_VALUES)) * typical
    grid[0], grid[-1] = values.min(), values.max()
    below = np.clip(np.searchsorted(grid, values, side="right") - 1, 0, _MOST_VALUES - 2)
    above = np.clip((values - grid[below]) / (grid[below + 1] - grid[below]), 0.0, 1.0)
    under = np.bincount(below, masses * (1 - above), _MOST_VALUES)
    return grid, np.asarray(under + np.bincount(below + 1, masses * above, _MOST_VALUES))
