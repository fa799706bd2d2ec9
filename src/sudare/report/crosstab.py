"""A released table as text: tidy (one cell of one margin a row) and crossed (two ways).

Tidy      margin, one column for every level of every dimension, count, error95. A level that is
          summed over says "total"; a coarser level of the same dimension is filled in.
Crossed   the last dimension runs across, all others down; every dimension starts with its total
          and lists groups before their members. Cells of margins that were not asked for are empty.
Text begins with a byte order mark and is safe in spreadsheets, as in `report.tables`.
"""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sudare.facts.cube import TOTAL, Dimension, Margin
from sudare.facts.tabulated import ReleasedMargin, Tabulated
from sudare.report.columns import text_width
from sudare.report.tables import BOM, safe


class Entry(NamedTuple):
    """A member of a dimension at some level; level 0 is the total."""

    level: int
    place: int
    label: str


def tidy_csv(table: Tabulated) -> Iterator[str]:
    """The lines, in pieces: a table of millions of cells is never one text."""
    names = [tier.name for dimension in table.dimensions for tier in dimension.tiers]
    yield BOM + csv_line(["margin", *(safe(name) for name in names), "count", "error95"]) + "\n"
    for margin in table.margins:
        yield from margin_lines(table, margin)


def margin_lines(table: Tabulated, margin: ReleasedMargin) -> Iterator[str]:
    levels = zip(table.dimensions, margin.levels, strict=True)
    paths = [[csv_line(path) for path in _paths(dimension, level)] for dimension, level in levels]
    counts = table.margin(margin.levels).reshape(-1, len(paths[-1]))
    name, end = csv_line([safe(margin.name)]), f",{margin.error95:g}\n"
    for outer, row in zip(itertools.product(*paths[:-1]), counts, strict=True):
        head = ",".join((name, *outer))
        yield "".join(
            f"{head},{last},{count}{end}"
            for last, count in zip(paths[-1], row.tolist(), strict=True)
        )


def _paths(dimension: Dimension, level: int) -> list[list[str]]:
    """For every member of a level its label and those of the groups it lies in, coarse to fine,
    and "total" for the finer levels."""
    found: list[list[str]] = [[] for _ in range(dimension.size(level))]
    for coarse in range(1, level + 1):
        held = _held(dimension, coarse, level)
        labels = np.repeat(np.arange(dimension.size(coarse)), held)
        for path, place in zip(found, labels.tolist(), strict=True):
            path.append(safe(dimension.labels(coarse)[place]))
    return [path + [TOTAL] * (dimension.depth - level) for path in found]


def _held(dimension: Dimension, coarse: int, fine: int) -> list[int]:
    """How many members of `fine` each member of `coarse` holds."""
    held = [1] * dimension.size(fine)
    for level in range(fine - 1, coarse - 1, -1):
        parts = iter(held)
        held = [sum(itertools.islice(parts, count)) for count in dimension.children(level)]
    return held


def entries(dimension: Dimension) -> list[Entry]:
    """The total, then every group before its members."""
    found = [Entry(0, 0, TOTAL)]
    taken = [0] * (dimension.depth + 1)

    def walk(level: int) -> None:
        place = taken[level]
        taken[level] += 1
        found.append(Entry(level, place, dimension.labels(level)[place]))
        if level < dimension.depth:
            for _ in range(dimension.children(level)[place]):
                walk(level + 1)

    for _ in range(dimension.size(1)):
        walk(1)
    return found


def crosstab(table: Tabulated) -> Iterator[list[str | int | None]]:
    """The header, then the rows; None is a cell that was not asked for."""
    *down, across = table.dimensions
    columns = entries(across)
    margins = {margin.levels: table.margin(margin.levels) for margin in table.margins}
    head: list[str | int | None] = [dimension.name for dimension in down]
    yield [*head, *(entry.label for entry in columns)]
    for row in itertools.product(*(entries(dimension) for dimension in down)):
        levels = tuple(entry.level for entry in row)
        places = tuple(entry.place for entry in row)
        lines = _across(margins, levels, places, across.depth)
        if any(line is not None for line in lines):
            cells = [None if (line := lines[e.level]) is None else line[e.place] for e in columns]
            yield [*(entry.label for entry in row), *cells]


def shown_rows(table: Tabulated, width: int, most: int) -> tuple[list[list[str]], int]:
    """What is shown on a screen of this width, at most `most` rows under the header, and how many
    numbers are left out: crossed where that fits, else one number a row."""
    columns = len(entries(table.dimensions[-1]))
    # Two places a column and two between them are the least there can be.
    rows = crosstab(table) if 4 * columns <= width + 2 else iter(())
    crossed = [_shown(row) for row in itertools.islice(rows, most + 1)]
    if crossed:
        lines = [max(map(text_width, column)) for column in zip(*crossed, strict=True)]
        if sum(lines) + 2 * (len(lines) - 1) <= width:
            return crossed, sum(cell is not None for row in rows for cell in row[-columns:])
    names = [dimension.name for dimension in table.dimensions]
    numbers = _one_by_one(table)
    shown = [[*names, "count"], *itertools.islice(numbers, most)]
    total = sum(table.margin(margin.levels).size for margin in table.margins)
    return shown, total - (len(shown) - 1)


def _one_by_one(table: Tabulated) -> Iterator[list[str]]:
    """Every number of the crossed table in a row of its own, after its labels."""
    rows, down = crosstab(table), len(table.dimensions) - 1
    heads = next(rows)[down:]
    for row in rows:
        for label, cell in zip(heads, row[down:], strict=True):
            if cell is not None:
                yield _shown([*row[:down], label, cell])


def _shown(row: list[str | int | None]) -> list[str]:
    return ["" if cell is None else str(cell) for cell in row]


def _across(
    margins: dict[Margin, np.ndarray[tuple[int, ...], np.dtype[np.int64]]],
    levels: Margin,
    places: tuple[int, ...],
    depth: int,
) -> list[list[int] | None]:
    """The numbers of one row, for every level of the dimension that runs across."""
    found: list[list[int] | None] = []
    for level in range(depth + 1):
        array = margins.get((*levels, level))
        found.append(None if array is None else array[places].tolist())
    return found


def crosstab_csv(table: Tabulated) -> Iterator[str]:
    yield BOM
    for row in crosstab(table):
        yield csv_line(["" if cell is None else _text(cell) for cell in row]) + "\n"


def _text(cell: str | int) -> str:
    return safe(cell) if isinstance(cell, str) else str(cell)


def csv_line(fields: list[str]) -> str:
    sheet = io.StringIO()
    csv.writer(sheet, lineterminator="").writerow(fields)
    return sheet.getvalue()
