"""How large a smooth bound is, told privately, so that an answer can state its error.

Claim    S is β-smooth, so ln S moves by at most β between neighbours; in steps of β/16, rounded
         up, it moves by at most 16. Discrete Laplace noise makes it ε-DP, and the released bound is
         below S with probability at most `CHANCE_LOW`.
Source   Nissim, Raskhodnikova, Smith 2007, Definition 2.1 (smoothness); the rest is derived here.
Symbols  β -> decay, b = 16/ε the scale of the noise in steps.
Needs    logarithms whose own error is inside the smoothness (queries/smooth_windows.py).
Gaps     none known.

Derivation. ⌈a⌉ - ⌈b⌉ < a - b + 1, so whole numbers that come from a - b <= 16 differ by at most 16.
P[Z < -z] = r^(z+1) / (1 + r) <= r^z / 2 with r = e^(-1/b). What is released is raised by
z = ⌈b ln(1 / (2 CHANCE_LOW))⌉, so it falls short of ⌈ln S / (β/16)⌉ with probability at most
CHANCE_LOW.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.events import LaplaceEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.randomness.bits import RandomBits

CHANCE_LOW = 0.02
_STEPS = 16


@dataclass(frozen=True)
class SmoothSize:
    """An upper bound on a smooth bound, from its noisy logarithm."""

    relation: Relation
    epsilon: Fraction
    decay: Fraction

    @property
    def _noise(self) -> DiscreteLaplace:
        return DiscreteLaplace.for_epsilon(self.relation, _STEPS, self.epsilon, 1)

    def event(self) -> LaplaceEvent:
        """What telling the size costs; known before any data is read."""
        return self._noise.event()

    def apply(self, log_bound: float, bits: RandomBits) -> float:
        """A number that is at least e^log_bound with probability 1 - CHANCE_LOW."""
        unit = self.decay / _STEPS
        exact = math.ceil(Fraction(log_bound) / unit)
        (noisy,) = self._noise.apply([exact], bits)
        log = (noisy + self._margin) * unit
        return math.exp(min(700.0, max(-700.0, float(log))))

    @property
    def excess(self) -> float:
        """By what factor the released bound usually lies above the true one."""
        return math.exp(min(700.0, float(self._margin * self.decay / _STEPS)))

    @property
    def _margin(self) -> int:
        return math.ceil(float(self._noise.scale) * math.log(1 / (2 * CHANCE_LOW)))
