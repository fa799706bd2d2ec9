"""Histograms and two-way tables of many columns in one pass over the rows.

Claim    counts are exact; every row counts once in every table, a missing value in the last level.
Needs    a source whose batches are cleaned: grid indices of numbers, codes of labels.
Gaps     sums of numbers are made in doubles around a given center: they are
         right to about 1e-12 of the range a row, which is enough for published moments and is
         never used where noise is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.engines.source import Mappable

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
# Of a column with more different values neighbours are counted together, two by two and so on.
MOST_VALUES = 2**20
# A table from index to level is quicker than a search, where it is short.
_SHORT = 2**22
_BATCH = 262_144


@dataclass(frozen=True, eq=False)
class Tally:
    """How often each value (a grid index, or the code of a label) occurs. `values` are multiples of
    2^shift; each stands for itself and the 2^shift − 1 above it, and `rest` is the sum of their
    distances from it."""

    values: Ints
    counts: Ints
    missing: int
    shift: int
    rest: Ints

    def __add__(self, other: Tally) -> Tally:
        shift = max(self.shift, other.shift)
        whole = np.concatenate([self.values, other.values])
        counts = np.concatenate([self.counts, other.counts])
        while True:
            both = (whole >> shift) << shift
            values, places = np.unique(both, return_inverse=True)
            if len(values) <= MOST_VALUES:
                break
            shift += 1
        rest = np.concatenate([self.rest, other.rest]) + counts * (whole - both)
        return Tally(
            values,
            np.bincount(places, counts, len(values)).astype(np.int64),
            self.missing + other.missing,
            shift,
            np.bincount(places, rest, len(values)).astype(np.int64),
        )


def _exact(values: Ints, counts: Ints, missing: int) -> Tally:
    return Tally(values, counts, missing, 0, np.zeros_like(values))


def tally(source: Mappable, columns: Sequence[str], run_key: bytes) -> dict[str, Tally]:
    """How often each value of each column occurs."""
    nothing = _exact(np.empty(0, np.int64), np.empty(0, np.int64), 0)
    found = dict.fromkeys(columns, nothing)
    for batch in source.map_batches(columns, run_key, _Tallies(), _BATCH):
        for name in columns:
            values, counts, missing = (
                batch.column(f"{part}{name}")[0].values.to_numpy(zero_copy_only=False)
                for part in "vcm"
            )
            found[name] = found[name] + _exact(values, counts, int(missing[0]))
    return found


@dataclass(frozen=True)
class _Tallies:
    """A batch's own tallies; it may be sent to other machines."""

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        found: dict[str, pa.Array] = {}
        for name, array in zip(batch.schema.names, batch.columns, strict=True):
            values, counts = np.unique(_present(array), return_counts=True)
            found[f"v{name}"] = _listed(values)
            found[f"c{name}"] = _listed(counts)
            found[f"m{name}"] = _listed(np.array([array.null_count], np.int64))
        return pa.RecordBatch.from_arrays(list(found.values()), list(found))


@dataclass(frozen=True)
class Leveled:
    """A column cut into levels: of a number by the `starts` of the levels, of a category by the
    level of each label; `size` counts the level of missing values, the last, where `may_miss`."""

    name: str
    size: int
    may_miss: bool
    starts: tuple[int, ...] = ()
    high: int = 0
    level_of: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Crossed:
    """Two-way tables by pair of positions; per number i: Σu_i, Σu_i u_j, and Σu_i within every
    level of every column, where u is the index less `centers`, and 0 where it is missing."""

    rows: int
    tables: dict[tuple[int, int], Ints]
    sums: Floats
    products: Floats
    within: Floats


def cross(
    source: Mappable,
    columns: Sequence[Leveled],
    pairs: Sequence[tuple[int, int]],
    numbers: Sequence[str],
    centers: Sequence[float],
    run_key: bytes,
) -> Crossed:
    """All tables of `pairs`, and the sums of `numbers`, in one pass."""
    names = list(dict.fromkeys([*(each.name for each in columns), *numbers]))
    job = _Cross(tuple(columns), tuple(pairs), tuple(numbers), tuple(centers))
    sizes = [columns[a].size * columns[b].size for a, b in pairs]
    counts, rows = np.zeros(sum(sizes), np.int64), 0
    width = sum(each.size for each in columns)
    sums = np.zeros(len(numbers) * (1 + len(numbers) + width))
    for batch in source.map_batches(names, run_key, job, _BATCH):
        counts += batch.column("counts")[0].values.to_numpy(zero_copy_only=False)
        sums += batch.column("sums")[0].values.to_numpy(zero_copy_only=False)
        rows += int(batch.column("rows")[0].as_py())
    parts = np.split(counts, np.cumsum(sizes)[:-1]) if sizes else []
    tables = {
        pair: part.reshape(columns[pair[0]].size, columns[pair[1]].size)
        for pair, part in zip(pairs, parts, strict=True)
    }
    each = len(numbers)
    return Crossed(
        rows,
        tables,
        sums[:each],
        sums[each : each + each * each].reshape(each, each),
        sums[each + each * each :].reshape(each, width),
    )


def histograms(source: Mappable, columns: Sequence[Leveled], run_key: bytes) -> list[Ints]:
    """How many rows each level of each column has."""
    names = [each.name for each in columns]
    counts = np.zeros(sum(each.size for each in columns), np.int64)
    for batch in source.map_batches(names, run_key, _Histograms(tuple(columns)), _BATCH):
        counts += batch.column("counts")[0].values.to_numpy(zero_copy_only=False)
    return np.split(counts, np.cumsum([each.size for each in columns])[:-1])


@dataclass(frozen=True)
class _Histograms:
    """A batch's own histograms; it may be sent to other machines."""

    columns: tuple[Leveled, ...]

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        found = [
            np.bincount(level_codes(each, batch.column(each.name)), minlength=each.size)
            for each in self.columns
        ]
        return pa.RecordBatch.from_arrays([_listed(np.concatenate(found))], ["counts"])


@dataclass(frozen=True)
class _Cross:
    """A batch's own tables; it may be sent to other machines."""

    columns: tuple[Leveled, ...]
    pairs: tuple[tuple[int, int], ...]
    numbers: tuple[str, ...]
    centers: tuple[float, ...]

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        codes = [level_codes(each, batch.column(each.name)) for each in self.columns]
        tables = [self._table(codes, a, b) for a, b in self.pairs]
        counts = np.concatenate(tables) if tables else np.empty(0, np.int64)
        deviations = [
            _deviations(batch.column(name), center)
            for name, center in zip(self.numbers, self.centers, strict=True)
        ]
        sums = list(self._sums(codes, deviations))
        listed = pa.array([np.concatenate(sums) if sums else np.empty(0)], pa.list_(pa.float64()))
        rows = pa.array([batch.num_rows], pa.int64())
        arrays = [rows, _listed(counts), listed]
        return pa.RecordBatch.from_arrays(arrays, ["rows", "counts", "sums"])

    def _table(self, codes: list[Ints], a: int, b: int) -> Ints:
        size = self.columns[b].size
        cells = codes[a] * size
        cells += codes[b]
        return np.bincount(cells, minlength=self.columns[a].size * size)

    def _sums(self, codes: list[Ints], deviations: list[Floats]) -> Iterator[Floats]:
        if not deviations:
            return
        whole = np.array(deviations)
        yield whole.sum(axis=1)
        yield (whole @ whole.T).ravel()
        for row in deviations:
            for each, code in zip(self.columns, codes, strict=True):
                yield np.bincount(code, row, each.size).astype(np.float64, copy=False)


def _present(array: pa.Array) -> Ints:
    if pa.types.is_dictionary(array.type):
        array = array.indices
    found: Ints = array.drop_null().to_numpy(zero_copy_only=False).astype(np.int64, copy=False)
    return found


def _filled(array: pa.Array, gap: int) -> tuple[Ints, NDArray[np.bool_] | None]:
    """Integers, and which of them are missing."""
    if pa.types.is_dictionary(array.type):
        array = array.indices
    missing = None
    if array.null_count:
        missing = array.is_null().to_numpy(zero_copy_only=False)
        array = array.fill_null(gap)
    return array.to_numpy(zero_copy_only=False).astype(np.int64, copy=False), missing


def level_codes(each: Leveled, array: pa.Array) -> Ints:
    """The level of every row, whatever is missing in the last one."""
    low = each.starts[0] if each.starts else 0
    values, missing = _filled(array, low)
    found: Ints
    if each.level_of:
        found = np.asarray(each.level_of, np.int64)[values]
    elif each.high - low < _SHORT and len(values) > each.high - low:
        starts = np.asarray(each.starts, np.int64)
        whole = np.arange(low, each.high + 1)
        found = (np.searchsorted(starts, whole, side="right") - 1)[values - low]
    else:
        found = np.searchsorted(np.asarray(each.starts, np.int64), values, side="right") - 1
    if missing is not None:
        found[missing] = each.size - 1
    return found


def _deviations(array: pa.Array, center: float) -> Floats:
    values, missing = _filled(array, 0)
    found: Floats = values.astype(np.float64) - center
    if missing is not None:
        found[missing] = 0.0
    return found


def _listed(values: Ints) -> pa.Array:
    offsets = pa.array([0, len(values)], pa.int32())
    return pa.ListArray.from_arrays(offsets, pa.array(values, pa.int64()))
