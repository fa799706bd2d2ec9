"""Noise for a few cells that one unit may move all at once, each by its own reach.

Claim    |f(x)_j − f(x')_j| <= D_j for every cell j  =>  the released vector is ε-DP.
Source   Hardt and Talwar, "On the Geometry of Differential Privacy", STOC 2010: the K-norm
         mechanism, K a box; here on whole numbers.
Symbols  D_j -> reaches; c_j = C/D_j -> steps, whole; C -> a common multiple of the reaches.
Derivation
         f(x)_j·c_j is whole and moves by at most C in every cell. Z has P[Z = z] ∝ e^(−|z|_max/s),
         s = C/ε, so P[c·f(x) + Z = t] changes between neighbours by a factor of at most
         e^(|c·f(x) − c·f(x')|_max/s) <= e^(C/s) = e^ε: the triangle inequality of the largest
         entry; the normalizing constant is the same. What is released is a function of that: it is
         divided by c_j. Equality where a cell moves by its reach and the noise lies beyond it.
Why      m cells with a budget of their own each would have noise of variance 2(mD/ε)². Here it is
         (m + 1)(m + 2)/3·(D/ε)²: for four cells a third, for ten two ninths.
Needs    whole f(x); C so large that the sampler wastes little (randomness/box.py).
Gaps     none known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.facts.events import BoxEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.checks import require_cells, require_positive
from sudare.randomness.bits import RandomBits
from sudare.randomness.box import discrete_box


@dataclass(frozen=True)
class BoxNoise:
    """An integer vector whose cells are noised together."""

    relation: Relation
    reaches: tuple[int, ...]
    epsilon: Fraction

    def __post_init__(self) -> None:
        require_positive("ε", self.epsilon)
        require_positive("number of cells", len(self.reaches))
        for reach in self.reaches:
            require_positive("sensitivity", reach)

    @property
    def cells(self) -> int:
        return len(self.reaches)

    @property
    def common(self) -> int:
        """C: what a unit moves in steps; fine enough for the sampler."""
        whole = math.lcm(*self.reaches)
        return whole * max(1, math.ceil(self.cells**2 * self.epsilon / whole))

    @property
    def scale(self) -> Fraction:
        return self.common / self.epsilon

    @property
    def steps(self) -> tuple[int, ...]:
        return tuple(self.common // reach for reach in self.reaches)

    def event(self) -> BoxEvent:
        """What an answer costs; known before any data is read."""
        return BoxEvent(self.relation, self.common, self.scale, self.cells)

    def apply(self, values: Sequence[int], bits: RandomBits) -> list[Fraction]:
        """The noisy answers, on lattices that are fine enough for all of them."""
        require_cells(self.cells, len(values))
        (noise,) = discrete_box(bits, self.scale, self.cells, 1)
        parts = zip(values, noise.tolist(), self.steps, strict=True)
        return [Fraction(value * step + drawn, step) for value, drawn, step in parts]

    def deviations(self) -> NDArray[np.float64]:
        """The standard deviation of each cell's noise, that of real numbers."""
        wide = math.sqrt((self.cells + 1) * (self.cells + 2) / 3)
        return np.array([wide * float(reach / self.epsilon) for reach in self.reaches])
