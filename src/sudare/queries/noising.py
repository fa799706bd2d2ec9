"""Noise for several blocks of one question that share its budget evenly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.events import PrivacyEvent
from sudare.facts.relation import Relation
from sudare.facts.release import NoiseFact
from sudare.mechanisms.box_noise import BoxNoise
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.queries.interval import Noise
from sudare.queries.measurement import Block, MechanismName
from sudare.randomness.bits import RandomBits


@dataclass(frozen=True)
class Noising:
    """One mechanism a block: under ε every one is Laplace, or a box holds all cells; under ρ every
    one is Gaussian."""

    mechanisms: tuple[DiscreteLaplace | DiscreteGaussian | BoxNoise, ...]

    @classmethod
    def of(
        cls, relation: Relation, blocks: Sequence[Block], name: MechanismName, amount: Fraction
    ) -> Noising:
        """The blocks with an even part of `amount` each: ε/b by basic composition, ρ/b."""
        part = amount / len(blocks)
        if name == "gaussian":
            return cls(
                tuple(
                    DiscreteGaussian.for_rho(relation, b.sensitivity.l2_squared, part, b.cells)
                    for b in blocks
                )
            )
        return cls(
            tuple(
                DiscreteLaplace.for_epsilon(relation, b.sensitivity.l1, part, b.cells)
                for b in blocks
            )
        )

    @classmethod
    def together(
        cls, relation: Relation, blocks: Sequence[Block], name: MechanismName, amount: Fraction
    ) -> Noising:
        """Blocks of one cell that a unit may move all at once: one box under ε (less noise than
        even parts), even parts under ρ (where nothing is lost by them)."""
        if name == "gaussian":
            return cls.of(relation, blocks, name, amount)
        return cls((BoxNoise(relation, tuple(b.sensitivity.l1 for b in blocks), amount),))

    def events(self) -> list[PrivacyEvent]:
        return [mechanism.event() for mechanism in self.mechanisms]

    def apply(self, exact: Sequence[Sequence[int]], bits: RandomBits) -> list[float]:
        """All noisy cells in a row; integers until the noise is in them."""
        if isinstance(self.mechanisms[0], BoxNoise):
            exact = [[cell for block in exact for cell in block]]
        return [
            float(cell)
            for mechanism, cells in zip(self.mechanisms, exact, strict=True)
            for cell in mechanism.apply(cells, bits)
        ]

    def deviations(self) -> list[float]:
        """The standard deviation of the noise of every cell."""
        return [
            deviation
            for each in self.mechanisms
            for deviation in (
                each.deviations().tolist()
                if isinstance(each, BoxNoise)
                else [math.sqrt(_noise(each).variance)] * each.cells
            )
        ]

    def noises(self) -> list[Noise]:
        """The noise of every block; a box has none that is its cells' own."""
        return [_noise(each) for each in self.mechanisms if not isinstance(each, BoxNoise)]

    def facts(self) -> tuple[NoiseFact, ...]:
        return tuple(map(_fact, self.mechanisms))


def _noise(mechanism: DiscreteLaplace | DiscreteGaussian) -> Noise:
    if isinstance(mechanism, DiscreteGaussian):
        return Noise("gaussian", float(mechanism.sigma))
    return Noise("laplace", float(mechanism.scale))


def _fact(mechanism: DiscreteLaplace | DiscreteGaussian | BoxNoise) -> NoiseFact:
    cells = mechanism.cells
    if isinstance(mechanism, BoxNoise):
        moved = f"L∞ = {mechanism.common}"
        return NoiseFact("discrete box", cells, f"s = {mechanism.scale}", moved)
    if isinstance(mechanism, DiscreteGaussian):
        squared = mechanism.l2_sensitivity_squared
        return NoiseFact("discrete Gaussian", cells, f"σ = {mechanism.sigma}", f"L2² = {squared}")
    reach = mechanism.l1_sensitivity
    return NoiseFact("discrete Laplace", cells, f"s = {mechanism.scale}", f"L1 = {reach}")
