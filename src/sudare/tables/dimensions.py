"""From `--by` to the dimensions of a table: chains of levels, and what an engine counts for them.

A dimension starts at the named column or level and takes every coarser level that is declared on
top of it, as long as there is only one; where the schema branches, or to leave levels out, the
path is written: city/prefecture/region.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudare.facts.aggregate import ColumnAxis, CutsAxis, UniformAxis, ValuesAxis
from sudare.facts.cube import TOTAL, Array, Dimension, Tier, summed
from sudare.facts.errors import DomainMissing, InvalidPlan, Unconfirmed, UnknownColumn
from sudare.facts.grid import Grid
from sudare.facts.levels import base_of
from sudare.facts.limits import MOST_CUTS
from sudare.facts.schema import EPOCH, Column, Schema

# A number serves as groups of its own only while that stays a table one can read.
MOST_VALUES = 1000


@dataclass(frozen=True)
class Counted:
    """A dimension with the axis that an engine counts it by; `codes[i]` is the finest member that
    the engine's group i belongs to."""

    dimension: Dimension
    axis: ColumnAxis
    codes: NDArray[np.int64]

    def gathered(self, counts: Array, axis: int) -> Array:
        """The engine's groups along one axis, brought together into finest members."""
        size = self.dimension.size(self.dimension.depth)
        order = np.argsort(self.codes, kind="stable")
        if len(order) == size and (order == np.arange(size)).all():
            return counts
        held = np.bincount(self.codes, minlength=size)
        return summed(counts.take(order, axis=axis), axis, held.tolist())


def dimensions_of(by: Sequence[str], schema: Schema) -> tuple[Counted, ...]:
    """One dimension a name; every refusal depends on plan and schema alone."""
    found = tuple(_dimension(name, schema) for name in by)
    columns = [each.axis.column for each in found]
    if len(set(columns)) != len(columns):
        raise InvalidPlan(
            "Two dimensions are built on one column.", "Name each column once; levels come along."
        )
    return found


def _dimension(entry: str, schema: Schema) -> Counted:
    chain = _chain(entry, schema)
    base = base_of(chain[0], schema.levels)
    column = schema.column(base)
    for name in chain:
        if name in schema.levels and not schema.levels[name].confirmed:
            raise Unconfirmed(name)
        if name == TOTAL:
            raise InvalidPlan(
                "A column or level called 'total' cannot be a dimension.", "Rename it."
            )
    if column.type == "category":
        return _category(chain, base, schema)
    if column.type in ("text", "key"):
        raise InvalidPlan(
            f"Column '{base}' ({column.type}) has no declared groups.",
            "Use a category, a number with a level, or a boolean.",
        )
    return _number(chain, base, column, schema)


def _chain(entry: str, schema: Schema) -> list[str]:
    """Names from fine to coarse."""
    known = {*schema.columns, *schema.levels}
    path = [entry] if entry in known else [part.strip() for part in entry.split("/")]
    for name in path:
        if name not in known:
            raise UnknownColumn(name, (*schema.columns, *schema.levels))
    if len(path) > 1:
        for fine, coarse in itertools.pairwise(path):
            if fine not in _below(coarse, schema):
                raise InvalidPlan(
                    f"Level '{coarse}' is not built on '{fine}'.",
                    "Write the path from fine to coarse: city/prefecture.",
                )
        return path
    while True:
        above = [name for name, level in schema.levels.items() if level.of == path[-1]]
        if not above:
            return path
        if len(above) > 1:
            raise InvalidPlan(
                f"Several levels are built on '{path[-1]}'.",
                f"Write the one to use: {path[-1]}/{above[0]}.",
            )
        path.append(above[0])


def _below(name: str, schema: Schema) -> list[str]:
    found = []
    while name in schema.levels:
        name = schema.levels[name].of
        found.append(name)
    return found


def _category(chain: list[str], base: str, schema: Schema) -> Counted:
    column = schema.column(base)
    if not column.values:
        raise DomainMissing(base)
    # The label of every engine group at every level of the chain, from fine to coarse.
    labels = [_lifted(base, name, schema) for name in chain]
    place = {name: {m: i for i, m in enumerate(schema.members(name))} for name in chain}
    groups = range(len(labels[0]))
    keys = [
        tuple(place[name][own[i]] for name, own in zip(chain[::-1], labels[::-1], strict=True))
        for i in groups
    ]
    members = sorted(set(keys))
    number = {key: index for index, key in enumerate(members)}
    axis = ValuesAxis(base, column.values, column.other is not None)
    codes = np.array([number[key] for key in keys], dtype=np.int64)
    names = [list(schema.members(name)) for name in chain[::-1]]
    return Counted(_from_keys(chain[::-1], members, names), axis, codes)


def _lifted(base: str, name: str, schema: Schema) -> list[str]:
    """The label that every value of the base column has at a level."""
    steps = [name, *_below(name, schema)]
    steps = steps[: steps.index(base) + 1][::-1]
    labels = list(schema.members(base))
    for level in steps[1:]:
        above = {part: group for group, parts in schema.groups(level).items() for part in parts}
        labels = [above[label] for label in labels]
    return labels


def _from_keys(
    chain: Sequence[str], members: list[tuple[int, ...]], names: list[list[str]]
) -> Dimension:
    """Tiers from sorted keys, whose parts are a member's places from coarse to fine."""
    tiers = []
    for depth, name in enumerate(chain, start=1):
        heads = [key for key, _ in itertools.groupby(key[:depth] for key in members)]
        deeper = [k for k, _ in itertools.groupby(key[: depth + 1] for key in members)]
        counts = [len(list(each)) for _, each in itertools.groupby(k[:depth] for k in deeper)]
        is_finest = depth == len(chain)
        labels = tuple(names[depth - 1][head[-1]] for head in heads)
        tiers.append(Tier(name, labels, () if is_finest else tuple(counts)))
    return Dimension(tuple(tiers))


def _number(chain: list[str], base: str, column: Column, schema: Schema) -> Counted:
    grid = schema.grid(base)
    cuts = [_cuts(name, base, column, grid, schema) for name in chain]
    for fine, coarse in itertools.pairwise(cuts):
        if not set(coarse) <= set(fine):
            raise InvalidPlan(
                f"The levels of '{base}' are not nested.",
                "Every cut of a coarser level must be a cut of the finer one.",
            )
    tiers = []
    for place in range(len(chain) - 1, -1, -1):
        begins = (grid.low, *cuts[place])
        inner = (grid.low, *cuts[place - 1]) if place else ()
        edges = [*begins, grid.high + 1]
        children = tuple(
            sum(low <= cut < high for cut in inner) for low, high in itertools.pairwise(edges)
        )
        tiers.append(Tier(chain[place], _labels(edges, column, grid), children if place else ()))
    size = len(cuts[0]) + 1
    axis: ColumnAxis
    if size == grid.span + 1:
        axis = UniformAxis(base, grid.low, size, size)
    else:
        axis = CutsAxis(base, cuts[0])
    return Counted(Dimension(tuple(tiers)), axis, np.arange(size))


def _cuts(name: str, base: str, column: Column, grid: Grid, schema: Schema) -> tuple[int, ...]:
    """Grid indices at which the groups of a level begin, but for the first."""
    if name == base:
        if grid.span >= MOST_VALUES or not grid.is_exact:
            raise InvalidPlan(
                f"Column '{base}' has too many values to be a dimension of its own.",
                f'Declare a level: [levels.{base}_band] with of = "{base}" and width = 10.',
            )
        return tuple(range(grid.low + 1, grid.high + 1))
    level = schema.levels[name]
    if level.width is not None:
        edges = _multiples(Fraction(str(level.width)), column, grid)
    else:
        edges = [_exact(cut, column, name) for cut in level.cuts]
    cuts = tuple(grid.first_index(edge) for edge in edges)
    inside = tuple(cut for cut in cuts if grid.low < cut <= grid.high)
    if len(inside) > MOST_CUTS:
        raise InvalidPlan(
            f"Level '{name}' has {len(inside) + 1:,} groups; at most {MOST_CUTS:,} can be cut.",
            "Cut wider.",
        )
    if len(set(inside)) != len(inside):
        raise InvalidPlan(f"Level '{name}' has a group that no value can fall into.", "Cut wider.")
    return inside


def _multiples(width: Fraction, column: Column, grid: Grid) -> list[Fraction]:
    """Multiples of the width between the bounds; for dates, days from the first one on."""
    step = Fraction(grid.step)
    low, high = grid.low * step, grid.high * step
    origin = low if column.type == "date" else Fraction(0)
    if (high - low) / width > MOST_CUTS:
        raise InvalidPlan("A level's width makes too many groups.", "Choose a larger width.")
    first, last = math.floor((low - origin) / width) + 1, math.floor((high - origin) / width)
    return [origin + width * place for place in range(first, last + 1)]


def _exact(cut: Any, column: Column, name: str) -> Fraction:
    if isinstance(cut, dt.date) != (column.type == "date"):
        raise InvalidPlan(
            f"The cuts of level '{name}' are of another type than its column.",
            "Dates are cut at dates, numbers at numbers.",
        )
    return Fraction((cut - EPOCH).days) if isinstance(cut, dt.date) else Fraction(str(cut))


def _labels(edges: Sequence[int], column: Column, grid: Grid) -> tuple[str, ...]:
    """20–24 for whole numbers and dates, [0.5, 1) for others. The dash is not a hyphen, which
    spreadsheets would take for a date or a difference."""
    if column.type == "boolean":
        return ("false", "true")
    pairs = list(itertools.pairwise(edges))
    if grid.is_exact:
        shown = [(_edge(low, column), _edge(high - 1, column)) for low, high in pairs]
        return tuple(low if low == high else f"{low}–{high}" for low, high in shown)
    ends = [_decimal(edge * Fraction(grid.step)) for edge in (*edges[:-1], edges[-1] - 1)]
    last = len(pairs) - 1
    return tuple(f"[{ends[i]}, {ends[i + 1]}{']' if i == last else ')'}" for i in range(len(pairs)))


def _edge(index: int, column: Column) -> str:
    if column.type == "date":
        return (EPOCH + dt.timedelta(days=index)).isoformat()
    return str(index)


def _decimal(value: Fraction) -> str:
    return f"{float(value):.10g}"
