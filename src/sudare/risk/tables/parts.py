"""Tables and facts as limits on counts, one part each, so that any set of parts can be tried.

Claim    A data set is consistent with a part iff every row's count lies in the row's interval,
         where a row counts (a) all who fit it, if it is a total or a subtotal, and otherwise
         (b) each person who fits at least one row of the table in exactly one row she fits.
Symbols  labels[c] -> which rows cell c fits; shared -> rows of kind (b) that overlap.
Needs    counts are exact: a table with noise must be left out.
Gaps     none known. For rows that do not overlap, (a) and (b) are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sudare.facts.disclosure import Interval, Part
from sudare.risk.tables.background import Background, Condition, TableFacts
from sudare.risk.tables.grid import Cells, Grid, Places, as_ints, is_total, reading
from sudare.risk.tables.published import Published, Row


@dataclass(frozen=True)
class Limits:
    """A part: which rows each cell fits, and what each row's count may be."""

    part: Part
    labels: Places
    fits: tuple[frozenset[int], ...]
    counts: tuple[Interval, ...]
    numbers: tuple[int | None, ...]
    shared: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class PersonLimits:
    """Somebody is known to be in the data: at least one person in these cells."""

    part: Part
    cells: Cells


def make_limits(
    grid: Grid,
    background: Background,
    tables: Sequence[Published],
    facts: Mapping[str, TableFacts],
) -> list[Limits]:
    """One part for the population, each known fact and each table."""
    found = []
    if background.population is not None:
        everyone = np.ones(grid.size, dtype=np.bool_)
        found.append(_simple(Part("population", ""), everyone, background.population))
    for known in background.known:
        grid.check(known.where, f"“{known.text}”")
        cells = grid.cells(known.where)
        if known.unless is not None:
            grid.check(known.unless, f"“{known.text}”")
            cells = cells & ~grid.cells(known.unless)
        found.append(_simple(Part("known", known.text), cells, known.count))
    return found + [_table(grid, background, table, facts[table.name]) for table in tables]


def make_persons(grid: Grid, persons: Mapping[str, Condition]) -> list[PersonLimits]:
    """One part a person of the facts file."""
    for name, condition in persons.items():
        grid.check(condition, f"Person '{name}'")
    return [PersonLimits(Part("person", n), grid.cells(c)) for n, c in persons.items()]


def _simple(part: Part, cells: Cells, count: Interval) -> Limits:
    return Limits(part, as_ints(cells), (frozenset(), frozenset({0})), (count,), (None,))


def row_condition(
    grid: Grid, background: Background, table: Published, facts: TableFacts, row: Row
) -> Condition:
    """Whom a row counts: what it shows, within what the whole table covers."""
    condition = dict(facts.where)
    for name, text in zip(table.attributes, row.cells, strict=True):
        values = reading(background, name, text)
        if values is not None:
            condition[name] = tuple(v for v in condition.get(name, values) if v in values)
    grid.check(condition, f"Row {row.number} of {table.name}")
    return condition


def _table(grid: Grid, background: Background, table: Published, facts: TableFacts) -> Limits:
    grid.check(facts.where, table.name)
    counts: list[Interval] = [row.count for row in table.rows]
    numbers: list[int | None] = [row.number for row in table.rows]
    members = [
        grid.places(row_condition(grid, background, table, facts, row)) for row in table.rows
    ]
    if facts.complete:
        # Whoever the table covers and no row counts does not exist.
        counted = grid.mask(np.concatenate(members))
        members.append(np.flatnonzero(grid.cells(facts.where) & ~counted))
        counts.append(Interval(0, 0))
        numbers.append(None)
    labels, fits = _labels(grid.size, members)
    once = {n for n, row in enumerate(table.rows) if not facts.subtotals and not _sums(row)}
    shared = tuple(_overlaps(fits, once))
    return Limits(Part("table", table.name), labels, fits, tuple(counts), tuple(numbers), shared)


def _sums(row: Row) -> bool:
    return any(is_total(text) for text in row.cells)


def _labels(size: int, members: Sequence[Places]) -> tuple[Places, tuple[frozenset[int], ...]]:
    """Number the sets of rows that cells fit; label 0 fits none."""
    labels = np.zeros(size, dtype=np.int64)
    fits: list[frozenset[int]] = [frozenset()]
    for row, places in enumerate(members):
        before = labels[places]
        for old in np.unique(before):
            fits.append(fits[old] | {row})
            labels[places[before == old]] = len(fits) - 1
    used = np.unique(np.append(labels, 0))
    return as_ints(np.searchsorted(used, labels)), tuple(fits[old] for old in used)


def _overlaps(fits: Sequence[frozenset[int]], once: set[int]) -> Iterator[tuple[int, ...]]:
    """Sets of rows that are linked by people who fit several of them."""
    groups: list[set[int]] = []
    for rows in (fit & once for fit in fits):
        if len(rows) > 1:
            touching = [group for group in groups if group & rows]
            groups = [group for group in groups if not group & rows]
            groups.append(set(rows).union(*touching))
    yield from (tuple(sorted(group)) for group in groups)
