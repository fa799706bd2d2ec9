"""The winsorised mean of the blocks' answers.

Claim    pure ε. A quarter of ε chooses a private lower quartile a, a quarter an upper one b (both
         by permute-and-flip, sensitivity 1: blocks_places.py). Let r = max(|b − a|, one cell) and
         [lo, hi] the interval of 2r around their middle, within the declared range: it follows
         from released places alone. Given it, the sum of the n answers, each moved into [lo, hi],
         moves by at most hi − lo when one answer is replaced; discrete Laplace noise of scale
         (hi − lo)/(ε/2) makes it (ε/2)-DP. The parts add up, the second chosen after the first
         (basic composition is adaptive: Dwork and Roth 2014, Theorem 3.16).
Source   Smith 2011 ("Privacy-preserving statistical estimation with optimal convergence rates").
Event    the noisy sum is stated as a pure ε/2 and no finer: its scale is known after the interval.
Error    of the noise, from the released interval and the plan. Winsorising itself may bias a mean
         whose blocks have heavy tails.
Gaps     none known.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sudare.facts.events import PrivacyEvent, SelectionEvent
from sudare.facts.relation import Relation
from sudare.facts.release import NoiseFact
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.queries.blocks_places import Cells, Choice, Counts, Floats
from sudare.queries.blocks_way import Found
from sudare.queries.interval import Noise, half_width95
from sudare.randomness.bits import RandomBits

QUARTER = Fraction(1, 4)


@dataclass(frozen=True)
class Winsorized:
    """One output's winsorised mean over `blocks` answers."""

    relation: Relation
    span: int
    blocks: int
    epsilon: Fraction
    name = "winsorized"

    @property
    def choices(self) -> tuple[Choice, Choice]:
        cells, part = Cells(self.span), self.epsilon / 4
        return (
            Choice(self.relation, cells, QUARTER, part),
            Choice(self.relation, cells, 1 - QUARTER, part),
        )

    def events(self) -> list[PrivacyEvent]:
        size = Cells(self.span).size
        chosen: list[PrivacyEvent] = [choice.mechanism.event(size) for choice in self.choices]
        # The whole range bounds what one answer can move, whichever interval was chosen.
        rest = SelectionEvent(self.relation, Fraction(self.span), self.span + 1, self.epsilon / 2)
        return [*chosen, rest]

    def forecast(self) -> float:
        cells = Cells(self.span)
        assumed = cells.assumed(self.blocks)
        laws = [choice.law(assumed) for choice in self.choices]
        low, high = self.interval(_at(laws[0], 0.025), _at(laws[1], 0.975))
        return min(self._error(low, high), self.span)

    def interval(self, a: int, b: int) -> tuple[int, int]:
        """Smith's interval in places, from two chosen cells."""
        cells = Cells(self.span)
        one, other = cells.middle(a), cells.middle(b)
        reach = max(abs(one - other), Fraction(cells.per_cell))
        middle = (one + other) / 2
        low, high = max(0, round(middle - 2 * reach)), min(self.span, round(middle + 2 * reach))
        # A range of two places, or an interval at the very end of one, still has a width.
        return (low, high) if low < high else (max(0, low - 1), min(self.span, low + 1))

    def release(self, places: Counts, bits: RandomBits) -> Found:
        low, high = self.interval(*(choice.apply(places, bits) for choice in self.choices))
        total = int(np.clip(places, low, high).sum())
        noisy = self.mechanism(low, high).apply([total], bits)[0]
        mean = min(max(Fraction(noisy, self.blocks), Fraction(low)), Fraction(high))
        error = self._error(low, high)
        told = {"error_is": "of the noise; winsorising may add a bias"}
        return Found(mean, error, error >= self.span / 2, (low, high), told)

    def mechanism(self, low: int, high: int) -> DiscreteLaplace:
        return DiscreteLaplace.for_epsilon(self.relation, high - low, self.epsilon / 2, 1)

    def noise(self) -> list[NoiseFact]:
        part = f"ε = {float(self.epsilon / 4):.9g}"
        half = f"s = (hi - lo) / {float(self.epsilon / 2):.9g}"
        chosen = NoiseFact("permute-and-flip", Cells(self.span).size, part, "Δ = 1")
        return [chosen, chosen, NoiseFact("discrete Laplace", 1, half, "L1 = hi - lo")]

    def _error(self, low: int, high: int) -> float:
        scale = float(self.mechanism(low, high).scale)
        return half_width95([(1 / self.blocks, Noise("laplace", scale))])


def _at(chances: Floats, share: float) -> int:
    """The cell of a quantile of a law."""
    return min(int(np.searchsorted(np.cumsum(chances), share)), len(chances) - 1)
