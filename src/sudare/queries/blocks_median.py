"""The median of the blocks' answers, by permute-and-flip.

Claim    pure ε: one choice among public cells by a score of sensitivity 1 (blocks_places.py).
Error    with probability 95 % at most t = (2/ε)·ln(cells/0.05) blocks have to change their answer
         until the released cell is their median; this holds for any data and is told in details.
         In units of the output no plan can know it; the 95 % error is a forecast (see there).
Gaps     none known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sudare.facts.events import PrivacyEvent
from sudare.facts.relation import Relation
from sudare.facts.release import NoiseFact
from sudare.queries.blocks_places import Cells, Choice, Counts
from sudare.queries.blocks_way import FORECAST, Found
from sudare.randomness.bits import RandomBits


@dataclass(frozen=True)
class Median:
    """One output's median over `blocks` answers."""

    relation: Relation
    span: int
    blocks: int
    epsilon: Fraction
    name = "median"

    @property
    def choice(self) -> Choice:
        return Choice(self.relation, Cells(self.span), Fraction(1, 2), self.epsilon)

    def events(self) -> list[PrivacyEvent]:
        return [self.choice.mechanism.event(Cells(self.span).size)]

    def forecast(self) -> float:
        """The 95 % error in places."""
        cells = Cells(self.span)
        chances = self.choice.law(cells.assumed(self.blocks))
        away = np.abs(np.arange(cells.size) - (cells.size - 1) / 2)
        order = np.argsort(away, kind="stable")
        reached = int(np.searchsorted(np.cumsum(chances[order]), 0.95))
        far = float(away[order[min(reached, cells.size - 1)]])
        return min(far * cells.per_cell + cells.per_cell / 2, self.span)

    def release(self, places: Counts, bits: RandomBits) -> Found:
        cells = Cells(self.span)
        chosen = self.choice.apply(places, bits)
        within = 2 / float(self.epsilon) * math.log(cells.size / 0.05)
        error = self.forecast()
        told = {"blocks_within95": within, "error_is": FORECAST}
        return Found(cells.middle(chosen), error, error >= self.span / 2, told=told)

    def noise(self) -> list[NoiseFact]:
        size = Cells(self.span).size
        return [NoiseFact("permute-and-flip", size, f"ε = {float(self.epsilon):.9g}", "Δ = 1")]
