"""One contingency table: what is counted, measured, forecast, and made of it in the end.

Claim    the released table is a vector of non-negative integers made from the noisy measurements
         and public numbers alone, so it costs what they cost; every published margin is its exact
         sum.
Needs    exact counts that an engine has bounded to the declared rows a unit.
Gaps     Errors are forecast for the unbiased table. Non-negative cells only improve sparse tables
         on the whole; single margins next to many empty cells may be off by a little more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sudare.facts.aggregate import MomentsRequest
from sudare.facts.cost import Cost
from sudare.facts.cube import Array, Dimension, Margin, margin_name, margin_of
from sudare.facts.errors import InvalidPlan
from sudare.facts.events import PrivacyEvent
from sudare.facts.release import NoiseFact
from sudare.facts.schema import Schema
from sudare.facts.table_plan import TablePlan
from sudare.randomness.bits import RandomBits
from sudare.tables.dimensions import Counted, dimensions_of
from sudare.tables.estimating import unbiased
from sudare.tables.fitting import Watch, non_negative, unwatched
from sudare.tables.invariants import Known, known_margin
from sudare.tables.margins import wanted_margins, weights_of
from sudare.tables.measures import Setting
from sudare.tables.planning import Goal
from sudare.tables.rounding import Counts, whole
from sudare.tables.spectrum import spectrum
from sudare.tables.spending import Spending, spend

# About fifteen arrays of eight bytes a cell are held at once: 6 GB for this many.
MOST_CELLS = 50_000_000
MOST_MARGINS = 512
# A margin that is shown but has weight 0 still gets a trace, so that its error is finite.
_TRACE = 1e-3
# √2 · erfinv(0.95), and ln 20 / √2: 95 % of a Gaussian, and of a single Laplace, whose tails are
# the longest that a sum of Laplace numbers can have.
_GAUSSIAN_95, _LAPLACE_95 = 1.959964, 2.118281


@dataclass(frozen=True)
class MarginForecast:
    """How wrong the cells of one margin will be: the root of the mean square over its cells, and
    what 95 % of the errors do not exceed."""

    margin: Margin
    name: str
    cells: int
    weight: float
    rmse: float
    error95: float


@dataclass(frozen=True)
class Tabulation:
    """A table that the schema allows, with its measurements; nothing has been read yet."""

    plan: TablePlan
    counted: tuple[Counted, ...]
    wanted: tuple[Margin, ...]
    weights: dict[Margin, float]
    known: Known | None
    variances: dict[Margin, float]
    spending: Spending

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return tuple(each.dimension for each in self.counted)

    @property
    def request(self) -> MomentsRequest:
        return MomentsRequest(axes=tuple(each.axis for each in self.counted))

    @property
    def events(self) -> tuple[PrivacyEvent, ...]:
        return tuple(measure.event() for measure in self.spending.measures)

    @property
    def cost(self) -> Cost:
        return self.spending.cost

    @property
    def cells(self) -> int:
        return math.prod(each.size(each.depth) for each in self.dimensions)

    def forecasts(self) -> tuple[MarginForecast, ...]:
        return tuple(self._forecast(margin) for margin in self.wanted)

    def noise_facts(self) -> tuple[NoiseFact, ...]:
        return tuple(measure.fact(self.dimensions) for measure in self.spending.measures)

    def exact(self, counts: Array) -> Array:
        """The finest cells from an engine's groups."""
        found = counts.reshape([each.axis.size for each in self.counted])
        for axis, each in enumerate(self.counted):
            found = each.gathered(found, axis)
        return found

    def release(self, exact: Array, bits: RandomBits, watch: Watch = unwatched) -> Counts:
        """The protected table; `exact` is not used once the noise is drawn."""
        shape = tuple(each.depth + 1 for each in self.dimensions)
        measured = [
            (
                measure.margin,
                measure.noisy(margin_of(exact, self.dimensions, measure.margin),
                              self.dimensions, bits),
                gains.reshape(shape),
            )
            for measure, gains in zip(self.spending.measures, self.spending.gains, strict=True)
        ]  # fmt: skip
        return self._finished(measured, watch)

    def _finished(self, measured: list[tuple[Margin, Array, Array]], watch: Watch) -> Counts:
        """Post-processing: it sees noisy and public numbers only."""
        dimensions, known = self.dimensions, self.known
        public = None if known is None else {known.margin: known.counts}
        precisions = np.sum([gains for _, _, gains in measured], axis=0)
        if known is not None:
            # What is public is stiffer than anything measured.
            precisions = np.where(known.mask, 1e3 * max(precisions.max(), 1e-9), precisions)
        estimate = unbiased(measured, dimensions, public)
        fitted = non_negative(estimate, precisions, dimensions, watch)
        exact = None if known is None else (known.margin, known.counts)
        return whole(fitted, dimensions, self._rounding_weights(), exact)

    def _rounding_weights(self) -> Mapping[Margin, float]:
        return {m: self.variances[m] for m in self.wanted if math.isfinite(self.variances[m])}

    def _forecast(self, margin: Margin) -> MarginForecast:
        variance = self.variances[margin]
        factor = _LAPLACE_95 if self.plan.mechanism == "laplace" else _GAUSSIAN_95
        # Rounding to whole numbers adds about 1/4; public margins are rounded to themselves.
        error = 0 if variance == 0 else math.ceil(factor * math.sqrt(variance + 0.25))
        cells = math.prod(d.size(level) for d, level in zip(self.dimensions, margin, strict=True))
        name = margin_name(self.dimensions, margin)
        weight = self.weights[margin]
        return MarginForecast(margin, name, cells, weight, math.sqrt(variance), float(error))


def compile_table(plan: TablePlan, schema: Schema) -> Tabulation:
    """Check a plan against a schema and choose its measurements. Reads no data."""
    counted = dimensions_of(plan.by, schema)
    dimensions = tuple(each.dimension for each in counted)
    _check_size(counted)
    wanted = wanted_margins(plan.margins, dimensions)
    weights = weights_of(plan.weights, wanted, dimensions)
    known = known_margin(schema, dimensions)
    tables = spectrum(dimensions)
    heaviest = max(weights.values())
    goal = Goal(
        tables,
        np.array([max(weights[m], _TRACE * heaviest) if m in weights else 0.0
                  for m in tables.margins]),
        np.zeros(len(tables.margins), dtype=bool) if known is None else known.mask.ravel(),
    )  # fmt: skip
    setting = Setting(dimensions, schema.table.neighbours, schema.table.rows_per_unit)
    spending = spend(goal, setting, plan)
    found = goal.variances(np.ones(len(spending.gains)), spending.gains)
    variances = dict(zip(tables.margins, found.tolist(), strict=True))
    return Tabulation(plan, counted, wanted, weights, known, variances, spending)


def _check_size(counted: tuple[Counted, ...]) -> None:
    cells = math.prod(each.axis.size for each in counted)
    if cells > MOST_CELLS:
        raise InvalidPlan(
            f"The table has {cells:,} cells; tabulate makes at most {MOST_CELLS:,}.",
            "Use fewer dimensions, or coarser levels.",
        )
    margins = math.prod(each.dimension.depth + 1 for each in counted)
    if margins > MOST_MARGINS:
        raise InvalidPlan(
            f"The table has {margins:,} margins; tabulate plans for at most {MOST_MARGINS:,}.",
            "Use fewer dimensions, or write paths that leave levels out: city/region.",
        )
