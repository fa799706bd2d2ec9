"""What every question has in common: it names its exact aggregates, its noise, its answer.

A measurement is made of blocks: integer vectors with a known sensitivity that are noised as one.
The blocks of a question share its budget evenly (ε/b each by basic composition, ρ/b under zCDP).
Forecast and released error come from one function, `estimate`: before the data it is fed the
cells that the schema would lead one to expect, afterwards the released ones.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.events import PrivacyEvent
from sudare.facts.fetch import Fetch
from sudare.facts.query import Query
from sudare.facts.relation import Relation
from sudare.facts.release import Answer, Clip, NoiseFact, Value
from sudare.facts.schema import Schema
from sudare.mechanisms.discrete_gaussian import DiscreteGaussian
from sudare.mechanisms.discrete_laplace import DiscreteLaplace
from sudare.mechanisms.geometric import TruncatedGeometric
from sudare.queries.axes import combined, group_axis
from sudare.queries.filters import expected_share
from sudare.queries.interval import Noise
from sudare.queries.sensitivity import Sensitivity, Setting
from sudare.randomness.bits import RandomBits

MechanismName = Literal["laplace", "gaussian", "geometric"]
# Where the schema declares no expected_rows, forecasts say that they assume this many.
ASSUMED_ROWS = 10_000


@dataclass(frozen=True)
class Share:
    """What one question may spend: a pure ε, or a ρ where the noise is Gaussian; beside it a δ of
    its own if it asked for one (`Measurement.needs_delta`)."""

    mechanism: MechanismName
    amount: Fraction
    delta: Fraction = Fraction(0)


@dataclass(frozen=True)
class Block:
    """An integer vector that is noised as one; counts may be held to their public range."""

    cells: int
    sensitivity: Sensitivity
    is_count: bool = False


@dataclass(frozen=True)
class Estimate:
    """Cells of an answer with their errors, and the size against which an error is relative."""

    values: Sequence[float | int]
    errors: Sequence[float]
    sizes: Sequence[float]


@dataclass(frozen=True)
class Forecast:
    """What the noise will do, known from plan and schema alone.

    `relative` is error95 against the size of the answer; `typical` is the one by which shares are
    evened out. They differ where error95 is a guarantee for any data, as for quantiles.
    """

    error95: float
    relative: float
    typical: float


class Measurement(ABC):
    """A question that has been checked against the schema."""

    # Whether its events take a part of the plan's δ that is its own.
    needs_delta: bool = False
    # The pure ε that it spends whatever the plan's total is, where the question itself fixes it.
    own_epsilon: Fraction | None = None

    def __init__(self, query: Query, schema: Schema) -> None:
        self.query = query
        self.schema = schema
        self.group_axes, self.labels = combined([group_axis(name, schema) for name in query.by])

    @property
    def relation(self) -> Relation:
        return self.schema.table.neighbours

    @property
    def groups(self) -> int:
        return len(self.labels)

    @property
    def setting(self) -> Setting:
        return Setting(self.relation, self.schema.table.rows_per_unit, self.groups)

    @property
    def expected_rows(self) -> float:
        """Rows a group, as the schema would lead one to expect."""
        rows = self.schema.table.public_rows or self.schema.table.expected_rows or ASSUMED_ROWS
        return rows * expected_share(self.query.where, self.schema) / self.groups

    def clips(self) -> tuple[Clip, ...]:
        columns = [self.schema.columns[name] for name in self.query.columns]
        return tuple(
            Clip(name, str(column.min), str(column.max))
            for name, column in zip(self.query.columns, columns, strict=True)
            if column.min is not None
        )

    @abstractmethod
    def used_columns(self) -> frozenset[str]:
        """Every column that has to be read."""

    @abstractmethod
    def events(self, share: Share) -> list[PrivacyEvent]:
        """What answering with this share does, before any data."""

    @abstractmethod
    def forecast(self, share: Share) -> Forecast: ...

    def require(self, share: Share) -> None:
        """Refuse a share that it has no proof for, once the shares are settled."""
        return

    @property
    def is_free(self) -> bool:
        return False

    @property
    def numbers(self) -> int:
        """How many noisy numbers it makes."""
        return self.groups

    @property
    def chosen_groups(self) -> int:
        """In how many groups it chooses a value privately."""
        return 0


class Single(Measurement):
    """A measurement that needs one request; those of a plan share passes over the rows."""

    request: MomentsRequest

    def used_columns(self) -> frozenset[str]:
        return self.request.used_columns()

    @abstractmethod
    def answer(
        self, moments: Moments, share: Share, epsilon: float, bits: RandomBits
    ) -> Answer: ...


class Iterative(Measurement):
    """A measurement that fetches what it needs as it goes, such as a round after noisy centres."""

    @abstractmethod
    def measure(self, fetch: Fetch, share: Share, epsilon: float, bits: RandomBits) -> Answer: ...


class Additive(Single):
    """A measurement answered by adding noise to its blocks."""

    blocks: tuple[Block, ...]

    @abstractmethod
    def exact(self, moments: Moments) -> list[list[int]]:
        """The blocks' cells from the engine's moments."""

    @abstractmethod
    def expected(self) -> list[list[float]]:
        """The blocks' cells of one group if every column were uniform over its bounds; groups
        are expected to be alike."""

    @abstractmethod
    def estimate(self, cells: Sequence[Sequence[float | int]], noises: list[Noise]) -> Estimate:
        """Answer cells and their 95 % errors from noisy (or expected) cells."""

    @property
    def numbers(self) -> int:
        return sum(block.cells for block in self.blocks)

    def mechanisms(
        self, share: Share
    ) -> list[DiscreteLaplace | DiscreteGaussian | TruncatedGeometric]:
        part = share.amount / len(self.blocks)
        return [self._mechanism(block, share.mechanism, part) for block in self.blocks]

    def _mechanism(
        self, block: Block, name: MechanismName, part: Fraction
    ) -> DiscreteLaplace | DiscreteGaussian | TruncatedGeometric:
        if name == "gaussian":
            return DiscreteGaussian.for_rho(
                self.relation, block.sensitivity.l2_squared, part, block.cells
            )
        if name == "geometric" and block.is_count:
            return TruncatedGeometric.for_epsilon(
                self.relation, block.sensitivity.l1, part, block.cells, low=0, high=None
            )
        return DiscreteLaplace.for_epsilon(self.relation, block.sensitivity.l1, part, block.cells)

    def events(self, share: Share) -> list[PrivacyEvent]:
        return [mechanism.event() for mechanism in self.mechanisms(share)]

    def forecast(self, share: Share) -> Forecast:
        noises = [_noise(mechanism) for mechanism in self.mechanisms(share)]
        estimate = self.estimate(self.expected(), noises)
        # Discrete noise of a large ε is 0 in more than 95 % of cases; shares need a measure that
        # still tells one ε from another.
        smooth = [Noise("gaussian", math.sqrt(2) * noise.scale) for noise in noises]
        typical = self.estimate(self.expected(), smooth)
        return Forecast(max(estimate.errors), _relative(estimate), _relative(typical))

    def answer(self, moments: Moments, share: Share, epsilon: float, bits: RandomBits) -> Answer:
        mechanisms = self.mechanisms(share)
        cells = [
            mechanism.apply(exact, bits)
            for mechanism, exact in zip(mechanisms, self.exact(moments), strict=True)
        ]
        estimate = self.estimate(cells, [_noise(mechanism) for mechanism in mechanisms])
        value = self.shape([self.present(cell) for cell in estimate.values])
        errors = self.shape(estimate.errors)
        return Answer(
            query=self.query.text,
            function=self.query.function,
            value=value,
            error95=float(max(estimate.errors)),
            epsilon=epsilon,
            errors95=errors if isinstance(errors, dict) else None,
            drowned=self.drowned(estimate),
            clips=self.clips(),
            columns=self.query.columns,
            by=self.query.by,
            noise=tuple(_fact(mechanism) for mechanism in mechanisms),
        )

    def shape(self, cells: Sequence[Any]) -> Value:
        """One number, or an object from label to number."""
        if not self.is_table:
            return cells[0]  # type: ignore[no-any-return]
        return dict(zip(self.labels, cells, strict=True))

    def present(self, cell: float | int) -> Any:
        """A cell as it is shown; dates override it."""
        return cell

    @property
    def is_table(self) -> bool:
        return bool(self.query.by)

    def drowned(self, estimate: Estimate) -> tuple[str, ...]:
        """Labels of the cells whose error reaches their value."""
        labels = self.labels if self.is_table else ("",)
        cells = zip(labels, estimate.values, estimate.errors, strict=True)
        return tuple(label for label, value, error in cells if error >= abs(value))


def _relative(estimate: Estimate) -> float:
    """The mean over the cells of the error against the size."""
    parts = [e / size for e, size in zip(estimate.errors, estimate.sizes, strict=True)]
    return math.fsum(parts) / len(parts)


def _noise(mechanism: DiscreteLaplace | DiscreteGaussian | TruncatedGeometric) -> Noise:
    if isinstance(mechanism, DiscreteGaussian):
        return Noise("gaussian", float(mechanism.sigma))
    return Noise("laplace", float(mechanism.scale))


def _fact(mechanism: DiscreteLaplace | DiscreteGaussian | TruncatedGeometric) -> NoiseFact:
    if isinstance(mechanism, DiscreteGaussian):
        return NoiseFact(
            "discrete Gaussian",
            mechanism.cells,
            f"σ = {mechanism.sigma}",
            f"L2² = {mechanism.l2_sensitivity_squared}",
        )
    name = "discrete Laplace" if isinstance(mechanism, DiscreteLaplace) else "truncated geometric"
    return NoiseFact(
        name, mechanism.cells, f"s = {mechanism.scale}", f"L1 = {mechanism.l1_sensitivity}"
    )
