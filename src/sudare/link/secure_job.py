"""A secure computation as plan and schemas fix it: cells, noise, cost. Nothing here sees data.

Claim    what is opened is ε-DP under replace-one for a person's rows in all organisations, ε the
         sum over the blocks; sensitivities in reaching.py.
Source   discrete Laplace noise: mechanisms/discrete_laplace.py. Cells of different units have
         different scales: Σ_c |change_c|/scale_c <= ε is all that its derivation uses.
Symbols  a block's cells have scale unit·L/ε_b; unit -> the reach of a number, the product of two
         reaches, 1/w for the count, 1 for a cell of a table.
Needs    collector and helper each add the noise in full, so that either one's honesty is enough.
Gaps     ε is shared evenly between the block of numbers and the tables.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from sudare.accounting.compose import plan_cost
from sudare.facts.cost import Cost
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import LaplaceEvent
from sudare.facts.randomized import Domain
from sudare.facts.relation import Relation
from sudare.link.reaching import (
    TABLE_SENSITIVITY,
    attributes_sensitivity,
    count_weight,
    numbers_sensitivity,
)
from sudare.link.secure_layout import Layout
from sudare.link.vectors import Vector

# Where no greatest number of rows is planned.
MOST_ROWS = 2**30
# A discrete Laplace number is beyond so many scales with probability 2e-22.
_FAR = 50


@dataclass(frozen=True)
class SecureJob(Layout):
    """`epsilon` is what everything together may cost, `rows` the most common rows there can be."""

    epsilon: Fraction
    rows: int

    def __post_init__(self) -> None:
        names = [name for vector in self.vectors for name, _ in vector.columns]
        if len(set(names)) != len(names):
            raise ValueError("columns of a secure computation have names of their own")
        if self.epsilon <= 0:
            raise InvalidPlan("The total ε must be positive.", "Example: epsilon = 1")
        if not self.blocks:
            raise InvalidPlan(
                "No two organisations have columns that can be multiplied or crossed.",
                "A covariance needs numbers on both sides, a table categories on both sides.",
            )
        if any(2 * _FAR * s + self.rows * t >= 2**63 for s, t in self._sizes()):
            raise InvalidPlan(
                "The sums or their noise could pass 2^63.",
                "Raise ε, lower max_rows, or name fewer columns.",
            )

    @cached_property
    def blocks(self) -> tuple[LaplaceEvent, ...]:
        """What is released, every cell in its own unit; the numbers first."""
        shape: list[tuple[int, int]] = []
        if self.has_numbers:
            shape.append((numbers_sensitivity(self.counts), self.number_cells))
        shape += [(TABLE_SENSITIVITY, table.product.cells) for table in self.tables]
        share = self.epsilon / len(shape) if shape else self.epsilon
        return tuple(
            LaplaceEvent(Relation.REPLACE_ONE, reach, reach / share, cells)
            for reach, cells in shape
        )

    @cached_property
    def scales(self) -> tuple[Fraction, ...]:
        """The scale of each cell's noise, as integers are counted."""
        units = self._number_units()
        found = [unit * self.blocks[0].scale for unit in units]
        for event in self.blocks[1 if units else 0 :]:
            found += [event.scale] * event.cells
        return tuple(found)

    def _number_units(self) -> list[Fraction]:
        reaches = {place: number.reach for place, number in self.numbers}
        units = [Fraction(reach) for reach in reaches.values()]
        for product in self.pairs:
            left = [reaches[product.first + i] for i in range(product.rows)]
            right = [reaches[product.second + j] for j in range(product.columns)]
            units += [Fraction(a * b) for a in left for b in right]
        return [*units, Fraction(1, count_weight(self.counts))] if units else []

    def _sizes(self) -> list[tuple[Fraction, Fraction]]:
        """Scale, and the most that one row adds, of every cell."""
        most = [max(unit, Fraction(1)) for unit in self._number_units()]
        most += [Fraction(1)] * (len(self.scales) - len(most))
        return list(zip(self.scales, most, strict=True))

    def cost(self) -> Cost:
        """What every organisation pays from its own ledger: one person's rows may change in all of
        them, and leaving the common rows changes everybody's sums."""
        return plan_cost(self.blocks, Fraction(0))

    def attributes_epsilon(self, party: str) -> Fraction:
        """What the result tells of one organisation's attributes where it is known anyway who is in
        its table: never more than ε."""
        place, total = self.parties.index(party), Fraction(0)
        tables = self.blocks
        if self.has_numbers:
            total += attributes_sensitivity(self.counts, place) / self.blocks[0].scale
            tables = self.blocks[1:]
        for table, event in zip(self.tables, tables, strict=True):
            total += event.epsilon if party in table.parties else 0
        return total


def compile_secure(
    parties: Sequence[tuple[str, dict[str, Domain]]],
    epsilon: Fraction,
    rows: int | None = None,
    statistics: Sequence[str] = (),
) -> SecureJob:
    """The job of organisations in ring order, each with its columns as they are named in the
    result; `statistics` as in the plan, none for all that the columns allow."""
    vectors = tuple(Vector(name, tuple(domains.items())) for name, domains in parties)
    return SecureJob(vectors, tuple(statistics), epsilon, rows or MOST_ROWS)


def noise_variance(scale: Fraction) -> float:
    """Of both sides' discrete Laplace noise together: 2·2r/(1−r)², r = e^{−1/scale}."""
    half = 1 / (2 * float(scale))
    return 0.0 if half > 350 else 1 / math.sinh(half) ** 2
