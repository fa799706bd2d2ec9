"""Counts that can be worked out though they were withheld, or never published.

Two kinds are listed: a row whose count was withheld, if its interval is narrow and narrower than
what the row says itself; and a combination of attributes in no row, if surely somebody, and surely
only few, fit it. Rows that share people with other rows of their table are not measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import prod

import numpy as np

from sudare.facts.disclosure import Description, Interval, Narrow
from sudare.risk.tables.deadline import Deadline
from sudare.risk.tables.grid import Cells, Grid, Places, as_ints
from sudare.risk.tables.intervals import Ruler
from sudare.risk.tables.parts import Limits

FEW = 5
MOST_COMBINATIONS = 2000


def find_narrow(
    grid: Grid, limits: Sequence[Limits], ruler: Ruler, narrow: int, deadline: Deadline
) -> Iterator[Narrow]:
    """Withheld rows first, then combinations, as long as there is time."""
    tables = [each for each in limits if each.part.kind == "table"]
    for table in tables:
        yield from _withheld(table, ruler, narrow, deadline)
    listed: list[Narrow] = []
    for found in _combinations(grid, tables, ruler, narrow, deadline):
        # A longer description with the same count tells of the same people.
        if not any(set(e.who) < set(found.who) and e.count == found.count for e in listed):
            listed.append(found)
    yield from listed


def _withheld(table: Limits, ruler: Ruler, narrow: int, deadline: Deadline) -> Iterator[Narrow]:
    shared = {row for group in table.shared for row in group}
    for row, (said, number) in enumerate(zip(table.counts, table.numbers, strict=True)):
        cells = _cells_of_row(table, row)
        if said.width == 0 or row in shared or deadline.over():
            continue
        if ruler.seen(cells).width <= narrow:
            count = ruler.measure(cells)
            if count.width <= narrow and count.width < said.width:
                yield Narrow((), table.part.name, number, count)


def _combinations(
    grid: Grid, tables: Sequence[Limits], ruler: Ruler, narrow: int, deadline: Deadline
) -> Iterator[Narrow]:
    published = {places.tobytes() for table in tables for places in _places_of_rows(table)}
    names = _short_enough(grid)
    total = sum(prod(grid.shape[a] for a in axes) for axes in names)
    done = 0
    for axes in names:
        for values in product(*(range(grid.shape[a]) for a in axes)):
            deadline.tell("measuring", done, total)
            done += 1
            who: Description = tuple(
                (grid.names[a], grid.values[grid.names[a]][v])
                for a, v in zip(axes, values, strict=True)
            )
            places = grid.places({name: (value,) for name, value in who})
            if places.tobytes() not in published and not deadline.over():
                count = _few(ruler, grid.mask(places), narrow)
                if count is not None:
                    yield Narrow(who, None, None, count)


def _short_enough(grid: Grid) -> list[tuple[int, ...]]:
    """Sets of attributes, short ones first, up to MOST_COMBINATIONS combinations in all."""
    found: list[tuple[int, ...]] = []
    total = 0
    for length in range(1, len(grid.shape) + 1):
        for axes in combinations(range(len(grid.shape)), length):
            total += prod(grid.shape[a] for a in axes)
            if total > MOST_COMBINATIONS:
                return found
            found.append(axes)
    return found


def _few(ruler: Ruler, cells: Cells, narrow: int) -> Interval | None:
    """The count, where surely somebody and surely few are there, and nearly how many is known."""
    seen = ruler.seen(cells)
    if seen.low < 1 or seen.low > FEW or seen.width > narrow:
        return None
    count = ruler.measure(cells)
    return count if count.low >= 1 and count.width <= narrow else None


def _cells_of_row(table: Limits, row: int) -> Cells:
    return np.asarray([row in rows for rows in table.fits], dtype=np.bool_)[table.labels]


def _places_of_rows(table: Limits) -> list[Places]:
    """The cells that each row counts, by number and in order."""
    found: list[list[Places]] = [[] for _ in table.counts]
    order = np.argsort(table.labels, kind="stable")
    ends = np.searchsorted(table.labels[order], range(len(table.fits) + 1))
    for label, rows in enumerate(table.fits):
        for row in rows:
            found[row].append(order[ends[label] : ends[label + 1]])
    return [np.sort(np.concatenate([*each, as_ints([])])).astype(np.int64) for each in found]
