"""What is measured of a table under ε: every histogram, every two-way table, and once more the
tables that looked most dependent, all with noise.

Claim    releasing the noisy histograms and two-way tables costs what `cost` says, in total,
         whatever the levels are that the histograms led to.
Derivation
         Every row counts in exactly one cell of every table, since a missing value is a level too.
         k rows of a unit that come or go move a table by at most k in L1 and k² in squared L2 (all
         in one cell); rows that are replaced by 2k and 2k² (all leave one cell for another). A
         table of one cell moves by k and k². The levels of the two-way tables are chosen from the
         noisy histograms, and the tables that are measured again from the noisy tables, so that
         the whole is adaptive; sums of ε, and of ρ, hold for adaptively chosen mechanisms (paper
         001, Theorem 1; Bun and Steinke 2016, Lemma 2.3), because how many tables there are and
         every scale are fixed beforehand.
Needs    counts that an engine has bounded to k rows a unit.
Gaps     none known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sudare.accounting.compose import plan_cost
from sudare.accounting.zcdp import rho_of
from sudare.facts.cost import NANO, PICO, Cost
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import PrivacyEvent
from sudare.facts.relation import Relation
from sudare.facts.release import NoiseFact
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.randomness.bits import RandomBits

# The share of the budget that goes to histograms, on which all levels hang. It was chosen by hand:
# no benchmark varies it.
ONE_WAY = Fraction(2, 5)
# Of what is left, the share of the second look at tables, and the share of the tables that get it.
# With few tables a second look finds nothing that the first did not.
SECOND_LOOK = Fraction(3, 5)
LOOKED_AT_AGAIN = Fraction(2, 5)
_FEW_PAIRS = 10
MANY = 2**20
# Where the schema declares no number of rows, as forecasts of questions take it.
ASSUMED_ROWS = 10_000


@dataclass(frozen=True)
class Measuring:
    """How much of the budget one histogram gets (`one`), one two-way table (`two`), and each of the
    `chosen` tables that are measured again (`again`); ρ with δ, else ε."""

    columns: int
    pairs: int
    relation: Relation
    rows_per_unit: int
    delta: Fraction
    one: Fraction
    two: Fraction
    chosen: int
    again: Fraction
    cost: Cost

    @property
    def noise_one(self) -> float:
        """Standard deviation of a cell of a histogram."""
        return math.sqrt(self._mechanism(self.one, MANY).variance)

    @property
    def noise_two(self) -> float:
        return math.sqrt(self._mechanism(self.two, MANY).variance) if self.pairs else 0.0

    @property
    def noise_again(self) -> float:
        """Of a cell of a table that was measured twice, both put together by their precision."""
        if not self.chosen:
            return self.noise_two
        shares = (self.two, self.again)
        precision = sum(1.0 / self._mechanism(share, MANY).variance for share in shares)
        return 1.0 / math.sqrt(precision)

    def histogram(self, counts: NDArray[np.int64], bits: RandomBits) -> NDArray[np.int64]:
        return self._noisy(self.one, counts, bits)

    def table(self, counts: NDArray[np.int64], bits: RandomBits) -> NDArray[np.int64]:
        return self._noisy(self.two, counts, bits)

    def second_look(
        self, first: NDArray[np.float64], counts: NDArray[np.int64], bits: RandomBits
    ) -> NDArray[np.float64]:
        """The first noisy table and a second one together."""
        second = self._noisy(self.again, counts, bits)
        weights = [1.0 / self._mechanism(each, MANY).variance for each in (self.two, self.again)]
        found: NDArray[np.float64] = (weights[0] * first + weights[1] * second) / sum(weights)
        return found

    def events(self) -> list[PrivacyEvent]:
        found: list[PrivacyEvent] = []
        found += [self._mechanism(self.one, MANY).event()] * self.columns
        found += [self._mechanism(self.two, MANY).event()] * self.pairs
        return found + [self._mechanism(self.again, MANY).event()] * self.chosen

    def facts(self) -> tuple[NoiseFact, ...]:
        found = [(f"histogram of each of {self.columns} columns", self.one)]
        if self.pairs:
            found.append((f"each of {self.pairs} two-way tables", self.two))
        if self.chosen:
            found.append((f"again each of {self.chosen} that looked most dependent", self.again))
        return tuple(self._fact(name, share) for name, share in found)

    def _noisy(
        self, share: Fraction, counts: NDArray[np.int64], bits: RandomBits
    ) -> NDArray[np.int64]:
        mechanism = self._mechanism(share, counts.size)
        return mechanism.apply_array(counts.ravel().astype(np.int64), bits).reshape(counts.shape)

    def _mechanism(self, share: Fraction, cells: int) -> DiscreteGaussian | DiscreteLaplace:
        k = self.rows_per_unit
        both = 2 if self.relation is Relation.REPLACE_ONE and cells > 1 else 1
        if self.delta > 0:
            return DiscreteGaussian.for_rho(self.relation, both * k**2, share, cells)
        return DiscreteLaplace.for_epsilon(self.relation, both * k, share, cells)

    def _fact(self, name: str, share: Fraction) -> NoiseFact:
        one = self._mechanism(share, MANY)
        if isinstance(one, DiscreteGaussian):
            reach = f"L2² {one.l2_sensitivity_squared}"
            return NoiseFact(f"discrete Gaussian: {name}", 1, f"{float(one.sigma):.6g}", reach)
        reach = f"L1 {one.l1_sensitivity}"
        return NoiseFact(f"discrete Laplace: {name}", 1, f"{float(one.scale):.6g}", reach)


def measuring(
    columns: int,
    pairs: int,
    relation: Relation,
    rows_per_unit: int,
    epsilon: Fraction,
    delta: Fraction,
) -> Measuring:
    """Share a total out over the histograms of so many columns and the tables of so many pairs.
    Reads no data."""
    total, unit = epsilon, NANO
    if delta > 0:
        unit = PICO
        total = Fraction(math.floor(rho_of(float(epsilon), float(delta)) * PICO), PICO)
    for_one = total * (ONE_WAY if pairs else 1)
    one = Fraction(math.floor(for_one / columns * unit), unit)
    chosen = math.ceil(LOOKED_AT_AGAIN * pairs) if pairs >= _FEW_PAIRS else 0
    rest = total - one * columns
    first = rest * (1 - SECOND_LOOK) if chosen else rest
    two = Fraction(math.floor(first / pairs * unit), unit) if pairs else one
    left = rest - two * pairs
    again = Fraction(math.floor(left / chosen * unit), unit) if chosen else one
    if min(one, two, again) <= 0:
        raise InvalidPlan(
            "ε is too small for this many columns.", "Raise --epsilon, or name fewer --columns."
        )
    nothing = Cost(0, 0, 0, relation)
    found = Measuring(
        columns, pairs, relation, rows_per_unit, delta, one, two, chosen, again, nothing
    )
    cost = plan_cost(found.events(), delta)
    asked = int(epsilon * NANO)
    if cost.epsilon_nano > asked:
        raise AssertionError("the measurements cost more than the plan's total")
    # What flooring leaves is not drawn upon; the books show what was asked.
    return replace(found, cost=replace(cost, epsilon_nano=asked))
