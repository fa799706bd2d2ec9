"""How a question by smooth sensitivity spends its ε: on its noise, and on telling its error.

The error of such an answer depends on the smooth bound S, which is a fact of the data and stays
secret. But ln S moves by at most β, so it can be told privately (mechanisms/smooth_size.py): a part
of the ε buys an upper bound on S, and the error that is reported follows from it.

Student  β = ε/8 at most, and 2β (at least ε/10) for the size: of values spread evenly S grows like
         1/β, so that the noise S/(ε - 4β) is least there. A larger ε takes the β that is wanted.
Laplace  β is so small that a tenth of the ε tells the size well.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sudare.facts.events import PrivacyEvent
from sudare.facts.relation import Relation
from sudare.facts.release import NoiseFact
from sudare.mechanisms.laplace_smooth import LaplaceSmooth
from sudare.mechanisms.smooth_size import CHANCE_LOW, SmoothSize
from sudare.mechanisms.student_smooth import StudentSmooth
from sudare.queries.smooth_windows import as_bound
from sudare.randomness.bits import RandomBits

Method = Literal["smooth", "smooth-laplace"]
_TENTH = Fraction(1, 10)
# The noise may pass what is reported in the rest of the 5 %.
CHANCE_FAR = 0.05 - CHANCE_LOW


@dataclass(frozen=True)
class Noised:
    """A noisy whole number; its noise is within `reach`, and S within `size`, as claimed."""

    value: int
    reach: float
    size: float


@dataclass(frozen=True)
class SmoothNoise:
    """A noisy number and the size of its smooth bound, for one ε in all."""

    value: StudentSmooth | LaplaceSmooth
    size: SmoothSize

    @property
    def decay(self) -> Fraction:
        return self.value.decay

    def events(self) -> list[PrivacyEvent]:
        return [self.value.event(), self.size.event()]

    def apply(self, exact: int, log: float, bits: RandomBits, chance: float) -> Noised:
        """`log` is that of the smooth bound; beyond `reach` the noise gets with probability
        `chance`, given that the size was not told too low."""
        noisy = self.value.apply(exact, as_bound(log), bits)
        size = self.size.apply(log, bits)
        return Noised(noisy, self.value.reach(chance) * size + 0.5, size)

    def facts(self, cells: int) -> tuple[NoiseFact, ...]:
        """As the certificate states them; the scale itself is secret."""
        name = "Student's t" if isinstance(self.value, StudentSmooth) else "Laplace"
        decay = f"smooth, β = {float(self.decay):.9g}"
        return (
            NoiseFact(f"rounded {name}", cells, f"{float(self.value.factor):.9g} S", decay),
            NoiseFact("discrete Laplace", cells, f"s = {16 / self.size.epsilon}", "L1 = 16"),
        )


def smooth_noise(
    relation: Relation, method: Method, epsilon: Fraction, delta: Fraction, wanted: Fraction
) -> SmoothNoise:
    """Split an ε; `wanted` is the largest decay that is of use to the question."""
    if method == "smooth-laplace":
        laplace = LaplaceSmooth(relation, epsilon * (1 - _TENTH), delta)
        return SmoothNoise(laplace, SmoothSize(relation, epsilon * _TENTH, laplace.decay))
    decay = min(epsilon / 8, wanted)
    told = max(2 * decay, epsilon * _TENTH)
    return SmoothNoise(
        StudentSmooth(relation, epsilon - told, decay), SmoothSize(relation, told, decay)
    )
