"""Statistics of a table as its holder would publish them: exact, without a formal guarantee."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from sudare.engines.crossing import Crossed, Leveled, Tally, cross, tally
from sudare.engines.held import HeldRows, held_rows
from sudare.engines.microdata import columns_in
from sudare.engines.open import open_source
from sudare.engines.sharing import holders, people_by_cell
from sudare.engines.source import Batched, Mappable
from sudare.facts.engine import AUTO, EngineChoice
from sudare.facts.errors import InvalidPlan
from sudare.facts.rules import CompiledRule
from sudare.facts.schema import NUMERIC, Schema
from sudare.facts.sharing import Holders, Sharing
from sudare.facts.statistics import Floats, Marginal, NumberMoments, Statistics
from sudare.publish.counted_units import people_in
from sudare.queries.rules import compiled_rules
from sudare.randomness.bits import SystemBits, run_key
from sudare.synthesis.bearing import WHOLE, Shape, gathered, thinned
from sudare.synthesis.closeness import closeness
from sudare.synthesis.levels import MINIMUM, MOST_LABELS, bins_of, label_levels, levels_of
from sudare.synthesis.public_bins import clear_levels
from sudare.synthesis.rules.cutting import cuts_of, label_atoms

Preserve = Literal["tables", "moments"]
Progress = Callable[[str, float], None]
# Whether two columns are described together.
Near = Callable[[str, str], bool]


def silent(step: str, share: float) -> None:
    """Nobody is watching."""


def _all_near(left: str, right: str) -> bool:
    return True


def synthetic_columns(schema: Schema, asked: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """The columns that can be synthesised: numbers, dates, booleans and categories, or those that
    are asked for. Names and free text have no distribution to draw from, and the unit is a
    person."""
    found = tuple(
        name
        for name, column in schema.columns.items()
        if column.type in {*NUMERIC, "category"} and name != schema.table.unit
    )
    for name in asked or ():
        if schema.column(name) and name not in found:
            raise InvalidPlan(
                f"Column '{name}' cannot be synthesised.",
                "Numbers, dates, booleans and categories can; text, keys and the unit cannot.",
            )
    if asked is not None:
        found = tuple(name for name in found if name in asked)
    if not found:
        raise InvalidPlan(
            "The schema declares no column that can be synthesised.",
            "Declare numbers with bounds, or categories with values; text and keys are left out.",
        )
    for name in found:
        if schema.column(name).type == "category":
            schema.domain(name)
        else:
            schema.grid(name)
    return found


def ruled_by(schema: Schema, names: Iterable[str]) -> Schema:
    """The schema with those rules that speak of these columns alone: where a column is left out,
    there is nothing to keep its rules with."""
    known = frozenset(names)
    read = zip(schema.rules, compiled_rules(schema), strict=True)
    kept = tuple(rule for rule, compiled in read if compiled.columns <= known)
    return schema.model_copy(update={"rules": kept})


@dataclass(frozen=True, eq=False)
class Rows:
    """An opened table of which statistics are made: a row is a record; `people` is the column that
    says whose it is, None where every row is another person's. Where it is named, people are
    counted, and all rows have to be held for that."""

    source: Batched
    schema: Schema
    names: tuple[str, ...]
    rules: tuple[CompiledRule, ...]
    key: bytes
    people: str | None = None
    most: int | None = None
    near: Near = _all_near
    panel: dict[str, Any] | None = None

    def statistics(
        self,
        preserve: Preserve,
        minimum: int = MINIMUM,
        shape: Shape = WHOLE,
        *,
        held: HeldRows | None = None,
        progress: Progress = silent,
    ) -> Statistics:
        """Exact ones, of all rows or of those that are `held`."""
        if held is None and self.people is not None:
            held = self.held()
        whose = held if held is not None and held.is_repeated else None
        found = statistics_from(
            self.source if held is None else held, self.schema, self.names, self.rules,
            self.key, preserve, minimum=minimum, most=self.most, near=self.near, shape=shape,
            whose=whose, progress=progress,
        )  # fmt: skip
        return replace(found, panel=self.panel)

    def held(self, most: int | None = None) -> HeldRows:
        """The rows in memory; the first ones, if there are more than `most` and nobody has to be
        counted."""
        enough = None if self.people is not None else most
        return held_rows(self.source, self.names, self.people, self.key, enough)


@contextmanager
def table_rows(
    data: object,
    schema: Schema,
    columns: tuple[str, ...] | None = None,
    engine: EngineChoice = AUTO,
    people: str | None = None,
) -> Iterator[Rows]:
    """The rows of a table as they are counted: cleaned, and not more of a unit than declared."""
    names = synthetic_columns(schema, columns)
    kept = ruled_by(schema, names)
    key = run_key(SystemBits())
    own = () if people is None else (people,)
    with open_source(data, kept, {*names, *own}, engine) as source:
        yield Rows(source, kept, names, tuple(compiled_rules(kept)), key, people)


def exact_statistics(
    data: object,
    schema: Schema,
    preserve: Preserve = "tables",
    *,
    columns: tuple[str, ...] | None = None,
    minimum: int = MINIMUM,
    engine: EngineChoice = AUTO,
    progress: Progress = silent,
) -> Statistics:
    """The statistics of a table as fine as they can be, whatever they give away; nothing is
    charged, because nothing is protected."""
    people = people_in(schema, columns_in(data, schema, engine))
    with table_rows(data, schema, columns, engine, people) as rows:
        return judged(rows.statistics(preserve, minimum, progress=progress))


def judged(statistics: Statistics) -> Statistics:
    """Statistics that may leave: where people were counted, the numbers of people are left behind
    and only what they say of closeness goes along."""
    if statistics.sharing is None:
        return statistics
    return replace(statistics, closeness=closeness(statistics), sharing=None)


def statistics_from(
    source: Mappable,
    schema: Schema,
    names: Sequence[str],
    rules: Sequence[CompiledRule],
    key: bytes,
    preserve: Preserve,
    *,
    minimum: int = MINIMUM,
    most: int | None = None,
    near: Near = _all_near,
    shape: Shape = WHOLE,
    whose: HeldRows | None = None,
    progress: Progress = silent,
) -> Statistics:
    """The statistics of rows; columns that are not `near` each other are not described
    together, none has many more than `most` levels, and all are as coarse as `shape` says. `whose`
    are the same rows, where somebody has several: then the fewest of a bin are people."""
    progress("histograms", 0.0)
    tallies = tally(source, names, key)
    preserve = preserve if shape.tables else "moments"
    fewest = min((each for each in (most, shape.most) if each is not None), default=None)
    fineness = _Fineness(shape.fewest(minimum), fewest, shape.gathers)
    sharers = {} if whose is None else holders(whose, tallies)
    marginals = [
        _marginal(schema, name, tallies[name], rules, fineness, sharers.get(name)) for name in names
    ]
    progress("tables", 0.0)
    wanted = [(a, b) for a, b in wanted_pairs(marginals, preserve) if near(names[a], names[b])]
    telling = [(a, b) for a, b in _telling_presence(marginals) if near(names[a], names[b])]
    numbers = [each for each in marginals if each.is_number]
    centers = [_center(each) for each in numbers]
    leveled = [leveled_of(each) for each in marginals]
    crossed = cross(
        source,
        leveled,
        list(dict.fromkeys([*wanted, *telling])),
        [each.name for each in numbers],
        centers,
        key,
    )
    progress("tables", 1.0)
    found = _assembled(schema, marginals, crossed, centers, wanted, near)
    shared = None if whose is None else _sharing(whose, marginals, leveled, wanted)
    return replace(thinned(found, shape.pairs), loose=shape.is_loose, sharing=shared)


def _sharing(
    whose: HeldRows,
    marginals: Sequence[Marginal],
    leveled: Sequence[Leveled],
    wanted: Sequence[tuple[int, int]],
) -> Sharing:
    levels, cells = people_by_cell(whose, leveled, wanted)
    bins, _ = people_by_cell(whose, [_binned(each) for each in marginals], [])
    names = [each.name for each in marginals]
    return Sharing(
        dict(zip(names, bins, strict=True)),
        dict(zip(names, levels, strict=True)),
        {(names[a], names[b]): table for (a, b), table in cells.items()},
    )


def _center(each: Marginal) -> float:
    """A whole index near the mean: sums of squares around it lose no digits, however wide the
    declared bounds are."""
    total = float(each.counts.sum())
    assert each.means is not None
    return float(round(float(each.counts @ each.means) / total)) if total else float(each.low)


def wanted_pairs(marginals: Sequence[Marginal], preserve: Preserve) -> list[tuple[int, int]]:
    """All pairs of columns, or those of categories, which a covariance of 1-of-K columns tells."""
    pairs = combinations(range(len(marginals)), 2)
    if preserve == "tables":
        return list(pairs)
    return [(a, b) for a, b in pairs if not (marginals[a].is_number or marginals[b].is_number)]


def _telling_presence(marginals: Sequence[Marginal]) -> list[tuple[int, int]]:
    """Pairs whose tables say how often a number is there; they are used, and not published."""
    pairs = combinations(range(len(marginals)), 2)
    partial = [each.is_number and each.may_miss for each in marginals]
    return [(a, b) for a, b in pairs if partial[a] or partial[b]]


def leveled_of(each: Marginal) -> Leveled:
    if each.is_number:
        return Leveled(each.name, each.levels, each.may_miss, each.level_starts(), each.high)
    level_of = tuple(each.level_of.tolist())
    return Leveled(each.name, each.levels, each.may_miss, level_of=level_of)


def _binned(each: Marginal) -> Leveled:
    """Every bin as a level of its own, and one for what is missing."""
    size = each.bins + 1
    if each.is_number:
        return Leveled(each.name, size, True, each.starts, each.high)
    return Leveled(each.name, size, True, level_of=tuple(range(each.bins)))


@dataclass(frozen=True)
class _Fineness:
    """How finely a column is described: people a bin, levels, and whether labels of few people are
    stated together."""

    minimum: int
    most: int | None
    gathers: bool


def _marginal(
    schema: Schema,
    name: str,
    found: Tally,
    rules: Sequence[CompiledRule],
    fineness: _Fineness,
    whose: Holders | None,
) -> Marginal:
    column, minimum, most = schema.column(name), fineness.minimum, fineness.most
    missing = float(found.missing)
    if column.type == "category":
        labels = schema.domain(name)
        counts = np.zeros(len(labels))
        counts[found.values] = found.counts
        apart = apart_labels(rules, name, labels)
        rare: list[int] = []
        people = counts
        if whose is not None:
            whose = replace(whose, places=found.values[whose.places])
            people = whose.people(np.arange(len(labels)), len(labels)).astype(np.float64)
        if fineness.gathers:
            counts, rare = gathered(counts, minimum, apart, whose)
        level_of = label_levels(people, apart, most or MOST_LABELS, rare)
        return Marginal(name, "category", counts, level_of, missing, missing > 0, labels)
    grid = schema.grid(name)
    cuts = cuts_of(rules).get(name, frozenset())
    bins = bins_of(
        found.values, found.counts, grid.low, grid.high, cuts, minimum,
        width=2**found.shift, rest=found.rest, holders=whose,
    )  # fmt: skip
    level_of = (
        levels_of(bins.starts, bins.counts, grid.high, cuts)
        if most is None
        else clear_levels(bins.starts, bins.counts, 0.0, cuts, most)
    )
    return Marginal(
        name, column.type, bins.counts, level_of, missing, missing > 0, (),
        tuple(bins.starts.tolist()), grid.high, grid.step, bins.means, *declared_ends(schema, name),
    )  # fmt: skip


def declared_ends(schema: Schema, name: str) -> tuple[float, float]:
    """The declared bounds of a real column whose grid reaches beyond them by a part of a step."""
    column, grid = schema.column(name), schema.grid(name)
    if column.type != "real" or column.min is None or column.max is None:
        return -math.inf, math.inf
    low, high = (float(str(bound)) for bound in (column.min, column.max))
    return (
        low if grid.low * grid.step < low else -math.inf,
        high if grid.high * grid.step > high else math.inf,
    )


def apart_labels(rules: Sequence[CompiledRule], name: str, labels: Sequence[str]) -> frozenset[int]:
    """Labels that rules tell from the largest set of labels that they treat alike."""
    parts = sorted(label_atoms(rules, name, labels), key=len)
    return frozenset(labels.index(label) for part in parts[:-1] for label in part)


def _assembled(
    schema: Schema,
    marginals: Sequence[Marginal],
    crossed: Crossed,
    centers: Sequence[float],
    wanted: Sequence[tuple[int, int]],
    near: Near,
) -> Statistics:
    names = [each.name for each in marginals]
    crosses = {(names[a], names[b]): crossed.tables[a, b].astype(np.float64) for a, b in wanted}
    rules = tuple(rule.model_dump(by_alias=True, exclude_none=True) for rule in schema.rules)
    return Statistics(
        schema.table.name,
        "exact",
        float(crossed.rows),
        tuple(marginals),
        crosses,
        _moments(marginals, crossed, centers, near),
        _shifts(marginals, crossed, centers, near),
        rules=rules,
    )


def _moments(
    marginals: Sequence[Marginal], crossed: Crossed, centers: Sequence[float], near: Near
) -> NumberMoments | None:
    """Missing values stand at the mean: with u the deviation from the center and a its mean over
    the present, (u − a m)(v − b l) sums to Σuv − bΣul − aΣvm + abΣml; m and l say who is there."""
    numbers = [each for each in marginals if each.is_number]
    if not numbers or not crossed.rows:
        return None
    present = crossed.rows - np.array([each.missing for each in numbers])
    shift = crossed.sums / np.maximum(present, 1)
    with_present = crossed.sums[:, None] - _sums_where_missing(marginals, crossed)
    both = _both_present(marginals, crossed, present)
    centred = (
        crossed.products
        - shift[None, :] * with_present
        - shift[:, None] * with_present.T
        + shift[:, None] * shift[None, :] * both
    )
    steps = np.array([each.step for each in numbers])
    mean = (np.array(centers) + shift) * steps
    covariance = centred / crossed.rows * steps[:, None] * steps[None, :]
    known = np.array([[near(each.name, other.name) for other in numbers] for each in numbers])
    names = tuple(each.name for each in numbers)
    return NumberMoments(names, mean, np.where(known, covariance, 0.0), known)


def _sums_where_missing(marginals: Sequence[Marginal], crossed: Crossed) -> Floats:
    """[i, j]: Σu_i over the rows that lack number j."""
    ends = np.cumsum([each.levels for each in marginals]) - 1
    columns = [
        crossed.within[:, end] if each.may_miss else np.zeros(len(crossed.sums))
        for each, end in zip(marginals, ends, strict=True)
        if each.is_number
    ]
    return np.array(columns).T


def _both_present(marginals: Sequence[Marginal], crossed: Crossed, present: Floats) -> Floats:
    """[i, j]: how many rows have both numbers; where there is no table, nothing is missing."""
    places = [place for place, each in enumerate(marginals) if each.is_number]
    found = np.full((len(places), len(places)), float(crossed.rows))
    for i, a in enumerate(places):
        found[i, i] = present[i]
        for j, b in enumerate(places):
            table = crossed.tables.get((a, b))
            if table is not None:
                rows = table[: marginals[a].present_levels, : marginals[b].present_levels]
                found[i, j] = found[j, i] = float(rows.sum())
    return found


def _shifts(
    marginals: Sequence[Marginal], crossed: Crossed, centers: Sequence[float], near: Near
) -> dict[tuple[str, str], Floats]:
    """Σx within every level of every category."""
    offsets = np.cumsum([0, *(each.levels for each in marginals)])
    numbers = [each for each in marginals if each.is_number]
    found = {}
    for i, number in enumerate(numbers):
        for place, other in enumerate(marginals):
            if other.is_number or not near(number.name, other.name):
                continue
            sums = crossed.within[i, offsets[place] : offsets[place + 1]]
            there = _present_within(number, other, marginals, crossed)
            found[number.name, other.name] = (sums + centers[i] * there) * number.step
    return found


def _present_within(
    number: Marginal, other: Marginal, marginals: Sequence[Marginal], crossed: Crossed
) -> Floats:
    """How many rows of every level of a category have the number."""
    names = [each.name for each in marginals]
    a, b = names.index(number.name), names.index(other.name)
    if not number.may_miss:
        return other.level_counts
    table = crossed.tables[min(a, b), max(a, b)]
    whole: Floats = (table if a < b else table.T)[: number.present_levels].sum(axis=0)
    return whole.astype(np.float64)
