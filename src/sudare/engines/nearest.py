"""Rows and sums by nearest center, outside SQL: every row takes the same steps.

Claim    the center of a row is that of `NearestAxis.code`, bit for bit: every product and every sum
         of a line is an operation of its own on doubles, in the order of `Line.at`. Counts and sums
         are those of moments_query for the same columns.
Why      to find the least of some lines takes DuckDB a CASE of many comparisons, which costs more
         than the lines (docs/decisions/0017-learning.md).
Needs    the sum of a block stays below 2^53, where doubles that hold whole numbers are added
         exactly in any order; `is_nearest_sum` says for which columns that is so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.engines.adding import stored
from sudare.engines.ahead import ahead
from sudare.engines.sql.moments import Shape
from sudare.engines.sql.physical import Cell, Layout
from sudare.facts.aggregate import Line, NearestAxis
from sudare.facts.grid import exact_inverse

# Shorter blocks lie nearer to a core, but threads that hand the interpreter to each other after
# every step of a short one take longer than a single thread.
BLOCK = 131_072
_MOST = 2**53 // BLOCK
# Rows that one thread takes at a time.
PORTION = 8 * BLOCK
# Every center has so many places, which its rows take in turn: to add to the place that was added
# to last has to wait for that, so that rows in the order of their clusters would take longer.
_LANES = 4
_MOST_CENTERS = 2**12

Doubles = NDArray[np.float64]
Monomials = tuple[tuple[int, ...], ...]


def is_nearest_sum(shape: Shape, monomials: Monomials, layout: Layout) -> bool:
    """Whether nothing is asked but counts and sums of an axis' own columns by nearest center, and
    the declared bounds allow exact sums of blocks."""
    if shape.where is not None or len(shape.axes) != 1:
        return False
    (axis,) = shape.axes
    if not isinstance(axis, NearestAxis) or axis.size > _MOST_CENTERS:
        return False
    own = set(shape.columns) <= set(axis.columns) and all(len(each) < 2 for each in monomials)
    return own and all(_fits(layout[name]) for name in axis.columns)


def _fits(cell: Cell) -> bool:
    grid = cell.column.grid(cell.name)
    return max(abs(grid.low), abs(grid.high)) < _MOST


def placed(
    shape: Shape, monomials: Monomials, cells: Sequence[Cell], batches: Iterable[pa.RecordBatch]
) -> list[tuple[int, ...]]:
    """The code of every center with its count or sums. Batches have the cells of the axis in its
    order: indices, or what needs no more than a clip to become one (`can_add`)."""
    (axis,) = shape.axes
    assert isinstance(axis, NearestAxis)
    total = np.zeros((len(cells) + 1, axis.size), dtype=object)
    for part in ahead(partial(_portion, axis, cells), batches):
        total += part
    # The number of rows stands before the sums of the columns.
    wanted = [axis.columns.index(shape.columns[each[0]]) + 1 if each else 0 for each in monomials]
    return [(code, *(int(total[place, code]) for place in wanted)) for code in range(axis.size)]


def _portion(axis: NearestAxis, cells: Sequence[Cell], batch: pa.RecordBatch) -> NDArray[Any]:
    """Counts and sums of every center over some blocks, as Python's integers."""
    total = np.zeros((len(cells) + 1, axis.size), dtype=np.int64)
    room = _Room(axis, cells)
    columns = [stored(column) for column in batch.columns]
    for start in range(0, batch.num_rows, BLOCK):
        part = slice(start, min(start + BLOCK, batch.num_rows))
        values = [column[part] for column, _ in columns]
        there = [valid[part] for _, valid in columns if valid is not None]
        total += room.sums(values, there)
    return total.astype(object)


class _Room:
    """The memory for one block, used for one block after the other."""

    def __init__(self, axis: NearestAxis, cells: Sequence[Cell]) -> None:
        self.axis, self.cells = axis, cells
        self.indices = np.empty((len(cells), BLOCK))
        self.line, self.part, self.least = np.empty((3, BLOCK))
        self.codes, self.better = np.empty((2, BLOCK), np.uint16)
        self.lanes = np.arange(BLOCK, dtype=np.intp) % _LANES

    def sums(
        self, values: Sequence[NDArray[Any]], there: Sequence[NDArray[np.bool_]]
    ) -> NDArray[np.int64]:
        count = len(values[0])
        indices = self.indices[:, :count]
        gone = [~valid for valid in there]
        for cell, column, index in zip(self.cells, values, indices, strict=True):
            gone += _index(cell, column, index)
        codes = self._codes(indices)
        # Rows that lack a value belong to one center more, which is left out.
        for missing in gone:
            codes[missing] = self.axis.size
        places = codes * np.intp(_LANES) + self.lanes[:count]
        return np.stack([self._added(places, each) for each in (None, *indices)])

    def _codes(self, indices: Doubles) -> NDArray[np.uint16]:
        """The first center whose line is the least, zero standing before them."""
        count = indices.shape[1]
        line, least = self.line[:count], self.least[:count]
        codes, better = self.codes[:count], self.better[:count]
        least[:], codes[:] = 0.0, 0
        for number, each in enumerate(self.axis.lines, start=1):
            self._at(each, indices, line)
            np.multiply(line < least, np.uint16(number), out=better)
            # A later center is better than all before it or not, so the last of them is the least.
            np.maximum(codes, better, out=codes)
            np.minimum(line, least, out=least)
        return codes

    def _at(self, line: Line, indices: Doubles, found: Doubles) -> None:
        part = self.part[: len(found)]
        for number, (slope, index) in enumerate(zip(line.slopes, indices, strict=True)):
            np.multiply(index, slope, out=part if number else found)
            found += part if number else line.constant

    def _added(self, places: NDArray[np.intp], index: Doubles | None) -> NDArray[np.int64]:
        """The number of rows of every center, or the sum of their indices."""
        groups = self.axis.size
        found = np.bincount(places, index, (groups + 1) * _LANES)
        whole: NDArray[np.int64] = found.reshape(-1, _LANES).sum(axis=1)[:groups].astype(np.int64)
        return whole


def _index(cell: Cell, values: NDArray[Any], index: Doubles) -> Iterator[NDArray[np.bool_]]:
    """Write the grid indices of a column down; where there may be NaN, tell which. Wide integers
    lose digits beyond 2^53 alone, where they are out of bounds."""
    grid = cell.column.grid(cell.name)
    index[:] = values
    if cell.physical.kind == "index":
        return
    if cell.column.type == "integer":
        np.clip(index, float(grid.low), float(grid.high), out=index)
        return
    missing = np.isnan(index)
    np.clip(index, float(cell.column.min), float(cell.column.max), out=index)  # type: ignore[arg-type]
    inverse = exact_inverse(grid.step)
    if inverse is not None:
        index *= inverse
    else:
        index /= grid.step
    np.rint(index, out=index)
    np.copyto(index, 0.0, where=missing)
    yield missing
