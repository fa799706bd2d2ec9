"""The truncated geometric mechanism: counts that stay inside their public range.

Claim    |f(x) - f(x')|_1 <= D  =>  clamp(f(x) + Z, low, high) is (D/s)-DP, Z two-sided geometric.
Source   Ghosh, Roughgarden, Sundararajan 2012 ("Universally utility-maximizing privacy
         mechanisms"); clamping as post-processing.
Symbols  s -> scale (a Fraction), D -> l1_sensitivity, r = e^(-1/s) the ratio of the geometric.
Needs    integer answers; `low` and `high` public, fixed before the data are read.
Gaps     Clamped answers are biased near the ends of the range; sums of clamped cells add the bias
         up. Use `DiscreteLaplace` where cells will be added.

Derivation. Before clamping this is the discrete Laplace mechanism, (D/s)-DP. Clamping looks at the
noisy answer and at public numbers alone, so it cannot raise the cost: the event "answer = low" is
the event "noisy answer <= low", and so on. It is as tight as before: for one count, low = f(x)
and f(x') = f(x) + D, the answer `low` has probability 1/(1+r) against r^D / (1+r).
For one count with D = 1, every user with a sensible loss and any prior gets, after remapping, the
least expected loss that any mechanism of the same ε can give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.facts.errors import InvalidPlan
from sudare.facts.events import LaplaceEvent
from sudare.facts.relation import Relation
from sudare.mechanisms.checks import require_positive
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.randomness.bits import RandomBits


@dataclass(frozen=True)
class TruncatedGeometric:
    """Two-sided geometric noise, clamped to [low, high]; `high` None leaves the top open."""

    relation: Relation
    l1_sensitivity: int
    scale: Fraction
    cells: int
    low: int = 0
    high: int | None = None

    def __post_init__(self) -> None:
        require_positive("sensitivity", self.l1_sensitivity)
        require_positive("scale", self.scale)
        require_positive("number of cells", self.cells)
        if self.high is not None and self.high <= self.low:
            raise InvalidPlan(
                "The range of a count is empty: its upper end is not above its lower end.",
                "Declare low < high, or leave the upper end open.",
            )

    @classmethod
    def for_epsilon(
        cls,
        relation: Relation,
        l1_sensitivity: int,
        epsilon: Fraction,
        cells: int,
        low: int = 0,
        high: int | None = None,
    ) -> TruncatedGeometric:
        """The mechanism that costs exactly `epsilon`."""
        require_positive("ε", epsilon)
        return cls(relation, l1_sensitivity, l1_sensitivity / epsilon, cells, low, high)

    def event(self) -> LaplaceEvent:
        """What an answer costs: the same as without clamping."""
        return self._noise.event()

    def apply(self, values: Sequence[int], bits: RandomBits) -> list[int]:
        """The noisy counts, inside their range."""
        noisy = [max(each, self.low) for each in self._noise.apply(values, bits)]
        return noisy if self.high is None else [min(each, self.high) for each in noisy]

    def apply_array(self, values: NDArray[np.int64], bits: RandomBits) -> NDArray[np.int64]:
        """The noisy counts of a large vector; the range must fit into int64."""
        noisy = np.maximum(self._noise.apply_array(values, bits), self.low)
        return noisy if self.high is None else np.minimum(noisy, self.high)

    @property
    def _noise(self) -> DiscreteLaplace:
        return DiscreteLaplace(self.relation, self.l1_sensitivity, self.scale, self.cells)
