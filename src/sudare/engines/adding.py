"""Count and sum of one column, clipped, outside SQL: every row takes the same steps.

Claim    the count and the sum are those of moments_query for the same column: numbers are clipped
         to their bounds, reals are put on their grid by the IEEE operations of sql/clean.py, NULL
         and NaN are missing.
Why      a clip in SQL costs more than the sum itself, and takes longer for rows out of bounds
         (docs/decisions/0005-engines.md).
Needs    sums of one block stay below 2^63 for integers and 2^53 for doubles that hold integers,
         where addition is exact in any order; `can_add` says for which columns that is so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sudare.engines.sql.physical import Cell
from sudare.facts.grid import exact_inverse

# Rows clipped and added at a time. Fewer would stay in a core's own cache, but then threads spend
# their time on waiting for the interpreter, which each call takes for a moment.
BLOCK = 2**18
_MOST_INTEGER = 2**63 // BLOCK
_MOST_REAL = 2**53 // BLOCK
_LARGEST = 2**63 - 1
# Rows that one thread takes at a time; beyond so many threads the interpreter is the bottleneck.
_PORTION = 4 * BLOCK
_THREADS = 8

_Values = npt.NDArray[Any]
_Valid = npt.NDArray[np.bool_] | None
_Sums = Callable[[Iterable[pa.Array]], tuple[int, int]]


def can_add(cell: Cell) -> bool:
    """Whether the declared bounds and the storage allow exact sums of blocks."""
    declared, stored = cell.column.type, cell.physical
    if (declared, stored.kind) not in {("integer", "integer"), ("real", "float")}:
        return False
    grid = cell.column.grid(cell.name)
    most = _MOST_REAL if declared == "real" else _MOST_INTEGER
    # Of unsigned 64-bit numbers, those too large for int64 must still meet the upper bound.
    is_native = declared == "real" or stored.high <= _LARGEST or grid.low >= 0
    return is_native and max(abs(grid.low), abs(grid.high)) < most


def added(cell: Cell, chunks: Iterable[pa.Array], threads: int = 1) -> tuple[int, int]:
    """How many values are present, and the sum of their indices."""
    sums = _real_sums(cell) if cell.column.type == "real" else _integer_sums(cell)
    if threads == 1:
        return sums(chunks)
    with ThreadPoolExecutor(min(threads, _THREADS)) as pool:
        parts = list(pool.map(lambda part: sums([part]), _slices(chunks, _PORTION)))
    return sum(rows for rows, _ in parts), sum(total for _, total in parts)


def _slices(chunks: Iterable[pa.Array], size: int) -> Iterator[pa.Array]:
    for chunk in chunks:
        for start in range(0, len(chunk), size):
            yield chunk.slice(start, size)


def _integer_sums(cell: Cell) -> _Sums:
    grid = cell.column.grid(cell.name)

    def sums(chunks: Iterable[pa.Array]) -> tuple[int, int]:
        room, rows, total = np.empty(BLOCK, np.int64), 0, 0
        for values, valid in _blocks(chunks):
            if values.dtype.itemsize < 8:
                values = values.astype(np.int64)
            low, high = values.dtype.type(grid.low), values.dtype.type(grid.high)
            clipped = room[: len(values)].view(values.dtype)
            np.clip(values, low, high, out=clipped)
            if valid is not None:
                clipped *= valid
            rows += len(values) if valid is None else int(np.count_nonzero(valid))
            total += int(np.add.reduce(clipped))
        return rows, total

    return sums


def _real_sums(cell: Cell) -> _Sums:
    low, high = float(cell.column.min), float(cell.column.max)  # type: ignore[arg-type]
    step = cell.column.grid(cell.name).step
    inverse = exact_inverse(step)

    def sums(chunks: Iterable[pa.Array]) -> tuple[int, int]:
        room, rows, total = np.empty(BLOCK, np.float64), 0, 0
        for values, valid in _blocks(chunks):
            missing = np.isnan(values)
            if valid is not None:
                missing |= ~valid
            index = room[: len(values)]
            np.clip(values, low, high, out=index)
            if inverse is not None:
                index *= inverse
            else:
                index /= step
            np.rint(index, out=index)
            np.copyto(index, 0.0, where=missing)
            rows += len(values) - int(np.count_nonzero(missing))
            total += int(np.add.reduce(index))
        return rows, total

    return sums


def _blocks(chunks: Iterable[pa.Array]) -> Iterator[tuple[_Values, _Valid]]:
    """The values as they lie in memory, and which of them are there (None: all)."""
    for chunk in chunks:
        values, valid = stored(chunk)
        for start in range(0, len(values), BLOCK):
            end = start + BLOCK
            yield values[start:end], None if valid is None else valid[start:end]


def stored(chunk: pa.Array) -> tuple[_Values, _Valid]:
    """An array as it lies in memory, and which of its values are there (None: all)."""
    kind = chunk.type.to_pandas_dtype()
    if len(chunk) == 0:
        return np.empty(0, kind), None
    values = np.frombuffer(chunk.buffers()[1], kind, len(chunk), chunk.offset * kind().itemsize)
    if not chunk.null_count:
        return values, None
    return values, chunk.is_valid().to_numpy(zero_copy_only=False)
