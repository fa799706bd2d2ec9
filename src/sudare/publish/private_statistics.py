"""Statistics under ε: reserve, histograms with noise, levels from them, two-way tables with noise.

The order is that of `ask`: what may refuse refuses before the charge, the charge is durable before
a row is counted. The levels follow from noisy numbers and the schema; whatever is made of the
released statistics afterwards is post-processing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np

from sudare.engines.crossing import Leveled, cross, histograms
from sudare.engines.open import open_source
from sudare.engines.panels import open_panel, wide_rows
from sudare.engines.source import Mappable, Source
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidSchema, SudareError
from sudare.facts.panel import PanelFacts
from sudare.facts.release import Release
from sudare.facts.rules import CompiledRule
from sudare.facts.schema import Schema
from sudare.facts.statistics import Floats, Marginal, Statistics
from sudare.ledger.charge import StoredRelease
from sudare.publish.charging import open_ledger
from sudare.publish.panels import panel_facts, wide_schema
from sudare.publish.possible import check_possible
from sudare.publish.recording import (
    charge_for,
    found_at,
    release_for,
    released_before,
    source_facts,
)
from sudare.publish.statistics import (
    Progress,
    apart_labels,
    declared_ends,
    leveled_of,
    ruled_by,
    silent,
    synthetic_columns,
)
from sudare.queries.rules import compiled_rules
from sudare.randomness.bits import RandomBits, SystemBits, run_key
from sudare.synthesis.denoising import simplex
from sudare.synthesis.dependent import most_dependent
from sudare.synthesis.measuring import ASSUMED_ROWS, Measuring, measuring
from sudare.synthesis.panel.rules import wide_rules
from sudare.synthesis.public_bins import clear_labels, clear_levels, public_starts
from sudare.synthesis.rules.cutting import cuts_of

_CLEAR = 3.0
_FAINT = 2.0


@dataclass(frozen=True)
class PrivatePlan:
    """What is to be measured, and for how much."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)
    columns: tuple[str, ...] | None = None
    lags: int | None = None

    def digest(self, schema_digest: str) -> str:
        """SHA-256 of the plan under its schema: what an idempotency key stands for."""
        parts = [str(self.epsilon), str(self.delta), self.columns, self.lags]
        text = json.dumps(["synthesize", schema_digest, parts], ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class _Layout:
    """The columns that are measured, of rows or of whole persons, and which pairs of them."""

    schema: Schema
    names: tuple[str, ...]
    rules: tuple[CompiledRule, ...]
    panel: PanelFacts | None

    @property
    def pairs(self) -> list[tuple[int, int]]:
        every = combinations(range(len(self.names)), 2)
        if self.panel is None:
            return list(every)
        return [(a, b) for a, b in every if self.panel.near(self.names[a], self.names[b])]


def _layout(schema: Schema, plan: PrivatePlan) -> _Layout:
    if schema.panel is None:
        chosen = synthetic_columns(schema, plan.columns)
        schema = ruled_by(schema, chosen)
        return _Layout(schema, chosen, compiled_rules(schema), None)
    if schema.table.unit != schema.panel.person:
        raise InvalidSchema(
            "Under ε a panel protects persons, but the schema's unit is another.",
            "Set unit under [table] to the panel's person, and max_rows_per_unit.",
        )
    facts = panel_facts(schema, plan.lags, plan.columns)
    names = (*facts.fixed, *facts.places)
    schema = ruled_by(schema, facts.long)
    rules = wide_rules(compiled_rules(schema), facts)
    return _Layout(wide_schema(schema, facts), names, rules, facts)


def price_statistics(schema: Schema, plan: PrivatePlan) -> Measuring:
    """What the statistics cost and how noisy they will be; reads no data."""
    schema.require_confirmed()
    layout = _layout(schema, plan)
    # A wide record is a whole person, so a person is one row of every table.
    rows = 1 if layout.panel is not None else schema.table.rows_per_unit
    pairs = len(layout.pairs)
    relation = schema.table.neighbours
    return measuring(len(layout.names), pairs, relation, rows, plan.epsilon, plan.delta)


def private_statistics(
    data: object,
    schema: Schema,
    plan: PrivatePlan,
    *,
    ledger: str | Path,
    analyst: str | None = None,
    key: str | None = None,
    engine: EngineChoice = AUTO,
    bits: RandomBits | None = None,
    progress: Progress = silent,
) -> Release:
    """One release, whose `statistics` are all that a synthesiser needs."""
    layout, priced = _layout(schema, plan), price_statistics(schema, plan)
    # Statistics of which no row can be made afterwards are not worth their price.
    check_possible(layout.schema, layout.names, layout.rules)
    charge = charge_for(
        data, schema, priced.cost, plan.digest(schema.digest()), "synthesize", analyst, key
    )
    if (before := released_before(ledger, charge)) is not None:
        return before
    with (
        _opened(data, schema, layout, engine) as source,
        open_ledger(ledger, schema) as books,
    ):
        reserved = books.reserve(found_at(charge, source))
        if isinstance(reserved, StoredRelease):
            return Release.repeated(reserved.bytes)
        drawn = bits or SystemBits()
        try:
            secret = run_key(drawn)
            rows = _rows_of(source, layout, secret)
            found = _measured(rows, layout, priced, secret, drawn, progress)
        except SudareError as error:
            error.hint += " What was charged stays charged."
            raise
        mechanism = "gaussian" if plan.delta > 0 else "laplace"
        release = release_for(
            schema,
            charge,
            mechanism,
            reserved,
            books,
            source_facts(data, engine),
            statistics={
                **found.to_dict(),
                "measured": [fact.__dict__ for fact in priced.facts()],
            },
        )
        books.commit(reserved, release.to_bytes())
    return release


def statistics_of(release: Release) -> Statistics:
    """The statistics of a release, citing it."""
    told = dict(release.statistics or {})
    told["provenance"] = {
        "release": release.id,
        "guarantee": release.guarantee,
        "measured": told.pop("measured", []),
        **release.provenance,
    }
    return Statistics.from_json(json.dumps(told))


def _opened(data: object, schema: Schema, layout: _Layout, engine: EngineChoice) -> Source:
    if layout.panel is not None:
        return open_panel(data, schema, layout.panel, engine)
    return open_source(data, schema, set(layout.names), engine)


def _rows_of(source: Source, layout: _Layout, key: bytes) -> Mappable:
    """The rows, or of a panel the persons."""
    return source if layout.panel is None else wide_rows(source, layout.panel, key)


def _measured(
    source: Mappable,
    layout: _Layout,
    priced: Measuring,
    key: bytes,
    bits: RandomBits,
    progress: Progress,
) -> Statistics:
    schema, names, rules = layout.schema, layout.names, layout.rules
    progress("histograms", 0.0)
    bins = [_public(schema, name, rules, priced.noise_one) for name in names]
    noisy = [
        priced.histogram(counts, bits).astype(np.float64)
        for counts in histograms(source, bins, key)
    ]
    rows = float(schema.table.public_rows or _rows(noisy))
    marginals = [
        _marginal(schema, each, counts, rules, rows, priced.noise_one)
        for each, counts in zip(bins, noisy, strict=True)
    ]
    progress("tables", 0.0)
    leveled = [leveled_of(each) for each in marginals]
    pairs = layout.pairs
    crossed = cross(source, leveled, pairs, (), (), key)
    progress("noise", 0.0)
    crosses = {
        (names[a], names[b]): priced.table(crossed.tables[a, b], bits).astype(np.float64)
        for a, b in pairs
    }
    noise = {(name, name): priced.noise_one for name in names}
    noise |= dict.fromkeys(crosses, priced.noise_two)
    texts = tuple(rule.model_dump(by_alias=True, exclude_none=True) for rule in schema.rules)
    found = Statistics(
        schema.table.name, "private", rows, tuple(marginals), crosses, noise=noise,
        rules=texts, panel=None if layout.panel is None else layout.panel.to_dict(),
    )  # fmt: skip
    places = {(names[a], names[b]): (a, b) for a, b in pairs}
    for pair in most_dependent(found, priced.chosen):
        exact = crossed.tables[places[pair]]
        crosses[pair] = priced.second_look(crosses[pair], exact, bits)
        noise[pair] = priced.noise_again
    return found


def _public(schema: Schema, name: str, rules: Sequence[CompiledRule], noise: float) -> Leveled:
    """Bins that the schema fixes, as levels; whether a value is missing is not known beforehand."""
    column = schema.column(name)
    if column.type == "category":
        labels = schema.domain(name)
        misses = column.other is None
        return Leveled(name, len(labels) + misses, misses, level_of=tuple(range(len(labels))))
    grid = schema.grid(name)
    rows = schema.table.public_rows or schema.table.expected_rows or ASSUMED_ROWS
    starts = public_starts(grid, cuts_of(rules).get(name, frozenset()), rows, noise)
    misses = not column.complete
    return Leveled(name, len(starts) + misses, misses, tuple(starts.tolist()), grid.high)


def _marginal(
    schema: Schema,
    bins: Leveled,
    noisy: Floats,
    rules: Sequence[CompiledRule],
    rows: float,
    noise: float,
) -> Marginal:
    """A histogram with its levels: the nearest to the noisy one that is not negative and adds up.
    Missing values are kept where they stand clear of the noise."""
    may_miss = bins.may_miss and float(noisy[-1]) >= _CLEAR * noise
    kept = noisy if may_miss or not bins.may_miss else noisy[:-1]
    if bins.starts:
        # A long tail of bins would otherwise be filled with the upper half of their noise.
        drowned = kept < _FAINT * noise
        kept = np.where(drowned, np.minimum(kept, 0.0), kept) if not drowned.all() else kept
    found = simplex(kept / rows) * rows
    counts, missing = (found[:-1], float(found[-1])) if may_miss else (found, 0.0)
    name, column = bins.name, schema.column(bins.name)
    if column.type == "category":
        labels = schema.domain(name)
        level_of = clear_labels(counts, noise, apart_labels(rules, name, labels))
        return Marginal(name, "category", counts, level_of, missing, may_miss, labels)
    grid = schema.grid(name)
    starts = np.array(bins.starts, np.int64)
    level_of = clear_levels(starts, counts, noise, cuts_of(rules).get(name, frozenset()))
    return Marginal(
        name, column.type, counts, level_of, missing, may_miss, (), bins.starts, grid.high,
        grid.step, None, *declared_ends(schema, name),
    )  # fmt: skip


def _rows(noisy: Sequence[Floats]) -> float:
    """The average of what the histograms say, those with fewer cells weighing more."""
    weights = np.array([1.0 / len(counts) for counts in noisy])
    totals = np.array([float(counts.sum()) for counts in noisy])
    return max(float(weights @ totals / weights.sum()), 1.0)
