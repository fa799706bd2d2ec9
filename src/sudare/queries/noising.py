"""Noise for several blocks of one question that share its budget evenly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sudare.facts.events import PrivacyEvent
from sudare.facts.relation import Relation
from sudare.facts.release import NoiseFact
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.queries.interval import Noise
from sudare.queries.measurement import Block, MechanismName
from sudare.randomness.bits import RandomBits


@dataclass(frozen=True)
class Noising:
    """One mechanism a block. Under ε every block is Laplace, under ρ every one is Gaussian."""

    mechanisms: tuple[DiscreteLaplace | DiscreteGaussian, ...]

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

    def events(self) -> list[PrivacyEvent]:
        return [mechanism.event() for mechanism in self.mechanisms]

    def apply(self, exact: Sequence[Sequence[int]], bits: RandomBits) -> list[float]:
        """All noisy cells in a row; integers until the noise is in them."""
        return [
            float(cell)
            for mechanism, cells in zip(self.mechanisms, exact, strict=True)
            for cell in mechanism.apply(cells, bits)
        ]

    def noises(self) -> list[Noise]:
        return [
            Noise("gaussian", float(each.sigma))
            if isinstance(each, DiscreteGaussian)
            else Noise("laplace", float(each.scale))
            for each in self.mechanisms
        ]

    def facts(self) -> tuple[NoiseFact, ...]:
        return tuple(map(_fact, self.mechanisms))


def _fact(mechanism: DiscreteLaplace | DiscreteGaussian) -> NoiseFact:
    cells = mechanism.cells
    if isinstance(mechanism, DiscreteGaussian):
        squared = mechanism.l2_sensitivity_squared
        return NoiseFact("discrete Gaussian", cells, f"σ = {mechanism.sigma}", f"L2² = {squared}")
    reach = mechanism.l1_sensitivity
    return NoiseFact("discrete Laplace", cells, f"s = {mechanism.scale}", f"L1 = {reach}")
