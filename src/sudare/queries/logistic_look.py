"""One look of a logistic regression at the table: exact integers, then noise.

At coefficients β that are public (a start, or what noise gave before) a row with scaled predictors
y in [−1, 1], ỹ = (1, y), label t in {0, 1} and score η = βᵀỹ adds to
    the gradient   (t − p)·ỹ         p = 1/(1 + e^−η)
    the curvature  p(1 − p)·ỹỹᵀ
Both weights are functions of a bin of η on a public grid, and integers: P_b = round(R·p) and
W_b = round(R·p(1−p)) at the bin's middle. So both are exact sums over bins and labels of the
engine's moments, in every engine alike, before any float is made.

Claim    gradient: cell j is a sum of integers of at most R_b·s_j in size, R_b the largest of P_b
         and R − P_b over all bins, s_j the span (1 for the intercept). Curvature: weighted second
         moments, the blocks of queries/second_moments.py with `weight` max W_b. The cells of the
         gradient are one box under ε (mechanisms/box_noise.py), since a row moves all of them;
         blocks share their part evenly, and so do cells under ρ. A look costs both parts.
Needs    β and bins chosen before the look, from public or released numbers alone.
Gaps     none for privacy. Rounding η to bins moves p by less than 0.008 in a row and on average by
         the square of that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from sudare.facts.aggregate import Axis, Moments, MomentsRequest, ScoreAxis
from sudare.facts.events import PrivacyEvent
from sudare.facts.grid import Grid
from sudare.facts.query import Predicate
from sudare.mechanisms.box_noise import BoxNoise
from sudare.queries.logistic_model import drawn_to
from sudare.queries.measurement import Block, MechanismName
from sudare.queries.noising import Noising
from sudare.queries.second_moments import Array, SecondMoments, drawn
from sudare.queries.sensitivity import Setting, of_sum
from sudare.randomness.bits import RandomBits
from sudare.randomness.floats import uniforms

# Chances are whole numbers of 1/R.
R = 2**16
# Bins of the score, 1/16 wide; beyond ±10 a chance is 0 or 1 to within 5e-5.
REACH, BINS = 10.0, 320
# What noise in the gradient moves stays in the answer; noise in the curvature only bends the last
# step, which is short, and is drawn to a model (queries/logistic_model.py). What the model is made
# of comes from the first look. benchmarks/learning.py is where other parts were worse.
GRADIENT_PART = Fraction(4, 5)
FIRST_GRADIENT_PART = Fraction(2, 5)


@dataclass(frozen=True)
class Seen:
    """A noisy gradient and curvature in units of y, the same with fresh noise, and the deviation
    of the noise in the cells of the curvature and in its number of rows."""

    gradient: Array
    curvature: Array
    gradients_again: Array
    curvatures_again: Array
    noise: float
    count_deviation: float

    def drawn_to(self, model: Array) -> Seen:
        """The same with a curvature that is drawn to the one that scores lead one to expect."""
        found = drawn_to(model, self.curvature, self.curvatures_again)
        again = self.curvatures_again - self.curvature + found
        return replace(self, curvature=found, curvatures_again=again)


@dataclass(frozen=True)
class Look:
    """The first look (`beta` None) is at β = 0, where every row counts alike; others are at β."""

    grids: tuple[Grid, ...]
    setting: Setting
    beta: tuple[float, ...] | None

    @property
    def chances(self) -> tuple[int, ...]:
        """P_b of every bin."""
        if self.beta is None:
            return (R // 2,)
        width = 2 * REACH / BINS
        middles = [-REACH + (b + 0.5) * width for b in range(BINS)]
        return tuple(round(R / (1 + math.exp(-middle))) for middle in middles)

    @property
    def weights(self) -> tuple[int, ...]:
        """W_b of every bin; in the first look rows simply count."""
        if self.beta is None:
            return (1,)
        return tuple(max(1, round(Fraction(p * (R - p), R))) for p in self.chances)

    @property
    def moments(self) -> SecondMoments:
        return SecondMoments(self.grids, self.setting, None, max(self.weights))

    def gradient_blocks(self) -> tuple[Block, ...]:
        largest = max(max(p, R - p) for p in self.chances)
        reaches = [largest * span for span in (1, *(grid.span for grid in self.grids))]
        return tuple(Block(1, of_sum(self.setting, -reach, reach)) for reach in reaches)

    def request(
        self, where: Predicate | None, columns: tuple[str, ...], label: Axis
    ) -> MomentsRequest:
        scores = (
            () if self.beta is None else (score_axis(columns, self.grids, self.beta, REACH, BINS),)
        )
        return MomentsRequest(where, (*scores, label), columns, self.moments.monomials)

    def exact(self, moments: Moments) -> tuple[list[list[int]], list[list[int]]]:
        """The cells of gradient and curvature; rows stand by bin, then label."""
        d = len(self.grids)
        pulls = [0] * (d + 1)
        weighted = [0] * len(moments.rows[0])
        bins = zip(self.chances, self.weights, strict=True)
        for (chance, weight), place in zip(bins, range(0, len(moments.rows), 2), strict=True):
            off, on = moments.rows[place], moments.rows[place + 1]
            for j in range(d + 1):
                pulls[j] += (R - chance) * on[j] - chance * off[j]
            for j, (a, b) in enumerate(zip(off, on, strict=True)):
                weighted[j] += weight * (a + b)
        centred = [
            2 * pulls[j + 1] - (grid.low + grid.high) * pulls[0]
            for j, grid in enumerate(self.grids)
        ]
        return [[pulls[0]], *([cell] for cell in centred)], self.moments.exact(weighted)

    def noisings(self, name: MechanismName, amount: Fraction) -> tuple[Noising, Noising]:
        """Gradient and curvature with their parts of the look's budget."""
        relation = self.setting.relation
        part = GRADIENT_PART if self.beta is not None else FIRST_GRADIENT_PART
        pull = Noising.together(relation, self.gradient_blocks(), name, amount * part)
        return pull, Noising.of(relation, self.moments.blocks, name, amount * (1 - part))

    def events(self, name: MechanismName, amount: Fraction) -> list[PrivacyEvent]:
        pull, curve = self.noisings(name, amount)
        return [*pull.events(), *curve.events()]

    def gradient_deviations(self, pull: Noising) -> Array:
        """The deviations of the noise in the gradient, in units of y."""
        return np.array(pull.deviations()) / self._gradient_units()

    def _gradient_units(self) -> Array:
        return np.array([float(R), *(float(R * grid.span) for grid in self.grids)])

    def see(
        self, moments: Moments, pull: Noising, curve: Noising, draws: int, bits: RandomBits
    ) -> Seen:
        """Noise the cells, then bring them to units of y."""
        pulls, curves = self.exact(moments)
        gradient = np.array(pull.apply(pulls, bits)) / self._gradient_units()
        cells = np.array(curve.apply(curves, bits)) / self.moments.units()
        again = gradient + redrawn(self.gradient_deviations(pull), pull, draws, bits)
        scale = 1.0 if self.beta is None else max(self.weights) / R
        return Seen(
            gradient,
            self.moments.matrices(cells) * scale,
            again,
            self.moments.simulated(cells, curve.noises(), draws, bits) * scale,
            self.moments.deviation(curve.noises()) * scale,
            self.moments.count_deviation(curve.noises()),
        )


def redrawn(deviations: Array, pull: Noising, draws: int, bits: RandomBits) -> Array:
    """Noise of these deviations and of the law of `pull` as real numbers, for simulations."""
    cells = len(deviations)
    if not isinstance(pull.mechanisms[0], BoxNoise):
        return drawn("gaussian", deviations, draws, bits)
    # The half width of the cube has the gamma law of cells + 1 steps.
    even = uniforms(bits, draws * (2 * cells + 1)).reshape(draws, -1)
    halves = -np.log1p(-even[:, cells:]).sum(axis=1)
    wide = deviations / math.sqrt((cells + 1) * (cells + 2) / 3)
    found: Array = (2 * even[:, :cells] - 1) * halves[:, None] * wide
    return found


def score_axis(
    columns: tuple[str, ...], grids: tuple[Grid, ...], beta: Sequence[float], reach: float,
    bins: int,
) -> ScoreAxis:  # fmt: skip
    """The score βᵀ(1, y) as a function of grid indices, in bins over ±reach."""
    per_index = [2 * w / grid.span for w, grid in zip(beta[1:], grids, strict=True)]
    middles = [(grid.low + grid.high) / 2 for grid in grids]
    offset = beta[0] - sum(w * m for w, m in zip(per_index, middles, strict=True))
    return ScoreAxis(columns, tuple(per_index), offset, -reach, reach, bins)
