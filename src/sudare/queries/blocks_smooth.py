"""The median of the blocks' answers with noise in proportion to its smooth sensitivity.

Claim    with Student's t pure ε, with Laplace noise (ε, δ) for ε < 1.
Derivation
         n is public and one unit replaces one of n answers, so the median is the answer of a fixed
         rank m; W of smooth_windows.py with A = B = m and k = 1 is the smooth bound of Nissim,
         Raskhodnikova, Smith 2007 under replacement. Cells are integers, and the mechanisms hold
         for any integer with a smooth bound. The released cell is moved into the declared range
         afterwards.
Source   as said; mechanisms/student_smooth.py, mechanisms/laplace_smooth.py.
Error    a forecast, as for the median by permute-and-flip: the smooth bound itself is secret.
Gaps     those of the mechanisms.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.events import PrivacyEvent
from sudare.facts.relation import Relation
from sudare.facts.release import NoiseFact
from sudare.mechanisms.laplace_smooth import LaplaceSmooth
from sudare.mechanisms.student_smooth import StudentSmooth
from sudare.queries.blocks_places import Cells, Counts
from sudare.queries.blocks_way import FORECAST, Found
from sudare.queries.smooth_windows import Ranks, as_bound, log_window, ranks_of
from sudare.randomness.bits import RandomBits


@dataclass(frozen=True)
class Smooth:
    """One output's median over `blocks` answers."""

    span: int
    blocks: int
    mechanism: StudentSmooth | LaplaceSmooth
    name = "smooth"

    @property
    def rank(self) -> int:
        return (self.blocks + 1) // 2

    def events(self) -> list[PrivacyEvent]:
        return [self.mechanism.event()]

    def forecast(self) -> float:
        cells = Cells(self.span)
        bound = self.bound(ranks_of(cells.counts(cells.assumed(self.blocks))))
        far = float(bound) * self.mechanism.reach(0.05) + 1
        return min(far * cells.per_cell, self.span)

    def bound(self, ranks: Ranks) -> Fraction:
        """The smooth sensitivity in cells, a little above."""
        return as_bound(log_window(ranks, self.rank, self.rank, self.mechanism.decay, 1))

    def release(self, places: Counts, bits: RandomBits) -> Found:
        cells = Cells(self.span)
        ranks = ranks_of(cells.counts(places))
        noisy = self.mechanism.apply(ranks.value(self.rank), self.bound(ranks), bits)
        chosen, error = min(max(noisy, 0), cells.size - 1), self.forecast()
        told = {"error_is": FORECAST}
        return Found(cells.middle(chosen), error, error >= self.span / 2, told=told)

    def noise(self) -> list[NoiseFact]:
        kind = "Student's t" if isinstance(self.mechanism, StudentSmooth) else "Laplace"
        scale = f"s = {float(self.mechanism.factor):.9g} S*"
        return [NoiseFact(f"rounded {kind}", 1, scale, f"β = {float(self.mechanism.decay):.9g}")]


def student_median(relation: Relation, span: int, blocks: int, epsilon: Fraction) -> Smooth:
    # An eighth of ε a step, twice, leaves three quarters for the noise itself.
    return Smooth(span, blocks, StudentSmooth(relation, epsilon, epsilon / 8))


def laplace_median(
    relation: Relation, span: int, blocks: int, epsilon: Fraction, delta: Fraction
) -> Smooth:
    return Smooth(span, blocks, LaplaceSmooth(relation, epsilon, min(delta, Fraction(1, 2))))
