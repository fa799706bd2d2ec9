"""Permute-and-flip: a private choice of a candidate with a high score.

Claim    every score changes by at most D between neighbours  =>  the chosen index is ε-DP.
Source   McKenna, Sheldon 2020 ("Permute-and-Flip"); Ding et al. 2021 for the exponential view.
Symbols  D -> score_sensitivity, q_i = s_i * unit -> the scores, L = ε / (2 D).
Needs    exact scores in integer multiples of a public unit, at least one candidate.
Gaps     none known.

The paper visits the candidates in random order and flips for each a coin of chance
e^(-L (max q - q_i)), until the first heads. No coin is flipped twice and the best candidate's coin
always lands heads, so all coins may be flipped beforehand; the first heads in a random order is
then a uniform choice among the heads. That is what `apply` does, with the same work for every
outcome.

Derivation. Let E_i be independent exponential times of rate L and let the largest q_i + E_i win.
E_i clears max q - q_i with the chance of coin i; the winner is among those that clear; what they
have beyond is, by memorylessness, again exponential of rate L for each, so the winner is uniform
among them: the same mechanism. Now fix E_j for all j other than i, and let t be the largest
q_j + E_j. Then i wins if E_i > t - q_i. For a neighbour the right side grows by at most 2 D, and
P[E_i > a + 2 D] >= e^(-2 D L) P[E_i > a] = e^-ε P[E_i > a] for every a. Averaging over the E_j
gives P'[i] >= e^-ε P[i]. Equality: two candidates with equal scores, of which i then loses D and
the other gains D.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.facts.events import SelectionEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.checks import require_positive
from sudare.randomness.bits import RandomBits
from sudare.randomness.choice import flip_powers, uniform_below


@dataclass(frozen=True)
class PermuteAndFlip:
    """A choice among candidates by their scores."""

    relation: Relation
    score_sensitivity: Fraction
    epsilon: Fraction

    def __post_init__(self) -> None:
        require_positive("sensitivity", self.score_sensitivity)
        require_positive("ε", self.epsilon)

    def event(self, candidates: int) -> SelectionEvent:
        """What one choice costs, whatever the number of candidates."""
        require_positive("number of candidates", candidates)
        return SelectionEvent(self.relation, self.score_sensitivity, candidates, self.epsilon)

    def apply(self, scores: NDArray[np.int64], unit: Fraction, bits: RandomBits) -> int:
        """The index of the chosen candidate; candidate i has the score scores[i] * unit."""
        return int(self.apply_rows(scores[np.newaxis, :], unit, bits)[0])

    def apply_rows(
        self, scores: NDArray[np.int64], unit: Fraction, bits: RandomBits
    ) -> NDArray[np.int64]:
        """One independent choice for each row of scores; each row costs its own event."""
        require_positive("unit", unit)
        require_positive("number of candidates", scores.shape[1])
        # As unsigned numbers the gaps are right even where the scores span all of int64.
        unsigned = np.ascontiguousarray(scores).view(np.uint64)
        gaps = scores.max(axis=1, keepdims=True).view(np.uint64) - unsigned
        rate = self.epsilon * unit / (2 * self.score_sensitivity)
        heads = flip_powers(bits, rate, gaps.ravel()).reshape(scores.shape)
        ranks = uniform_below(bits, heads.sum(axis=1))
        # The candidate of that rank among the heads is where their running number exceeds it.
        chosen: NDArray[np.int64] = np.argmax(heads.cumsum(axis=1) > ranks[:, np.newaxis], axis=1)
        return chosen
