"""The clones of Feldman, McMillan and Talwar: what shuffling gives to any ε₀-LDP randomiser.

Claim    n shuffled reports of ε₀-LDP randomisers are (ε, δ)-DP for δ at least the hockey-stick
         divergence between (A + Δ, C − A + 1 − Δ) and (A + 1 − Δ, C − A + Δ), where
         C ~ Bin(n−1, e^{−ε₀}), A ~ Bin(C, 1/2), Δ ~ Bernoulli(e^{ε₀}/(e^{ε₀}+1)).
Source   Feldman, McMillan, Talwar 2021 (Hiding among the clones), Theorem 3.2. The sharper theorem
         of their paper of 2023 is not used: it has an erratum for randomisers in general.
Why      that pair is itself a shuffle: one report of two outcomes with odds e^{ε₀} for the first
         or the second value, among n−1 people of whom each adds, with probability e^{−ε₀}, an even
         coin. So it is a Law whose blanket is the coin, and for it blanket.py's bound is an
         equality.
Needs    replace-one neighbours, a permutation that nobody knows.
"""

from __future__ import annotations

import math

from sudare.accounting.shuffle import blanket
from sudare.accounting.shuffle.law import Law, from_ratios

# Above this no number of people below 10^12 has clones worth counting.
LARGEST_EPSILON = 60.0


def clones(epsilon0: float) -> Law:
    """The pair of the claim as a law."""
    mass = math.exp(-epsilon0) / 2
    likely = 1 / (1 + math.exp(-epsilon0))
    unlikely = math.exp(-epsilon0) * likely
    high, low = likely / mass, unlikely / mass
    return from_ratios([mass, mass], [high, low], [low, high], epsilon0, symmetric=True)


def epsilon_of(epsilon0: float, n: int, delta: float) -> float:
    """The least ε that the clones prove at this δ; never above ε₀."""
    if epsilon0 <= 0 or epsilon0 > LARGEST_EPSILON:
        return max(epsilon0, 0.0)
    return blanket.epsilon_of(clones(epsilon0), n, delta)
