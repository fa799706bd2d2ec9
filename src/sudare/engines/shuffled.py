"""Batches of reports in a uniformly random order, without all of them in memory.

Claim    if `assign` puts each row into a bucket drawn evenly and independently, and `order` gives a
         uniformly random permutation, every order of all rows is equally likely.
Source   Rao 1961, Sandelius 1962: split evenly at random, permute each part, string them together.
Needs    reports that are randomised already: what does not fit into memory waits in a nameless
         file beside the output, which is gone when the process is.

Rows travel as records of a few bytes: moving a record once is many times cheaper than moving every
column of it by itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.engines.ahead import ahead

BUCKETS = 64
# Reports held in memory before they are written out.
MOST_BYTES = 2**30

# How many rows → the bucket of each; how many rows → their new order.
Assign = Callable[[int], NDArray[Any]]
Order = Callable[[int], NDArray[np.int64]]
Records = NDArray[Any]


class Shuffled:
    """Takes batches in any order; gives them back as tables in a random one."""

    def __init__(self, kinds: pa.Schema, folder: Path, assign: Assign, order: Order) -> None:
        self._kinds, self._folder = kinds, folder
        self._assign, self._order = assign, order
        self._held: list[list[Records]] = [[] for _ in range(BUCKETS)]
        self._bytes = 0
        self._spilled: list[IO[bytes]] = []

    def add_all(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Spread the rows of every batch over the buckets."""
        for parts in ahead(self._spread, batches):
            for held, part in zip(self._held, parts, strict=True):
                held.append(part)
                self._bytes += part.nbytes
            if self._bytes > MOST_BYTES:
                self._spill()

    def tables(self) -> Iterator[pa.Table]:
        """Each bucket's rows in a random order; a bucket is forgotten when it was given."""
        return ahead(self._table, range(BUCKETS))

    def _spread(self, batch: pa.RecordBatch) -> list[Records]:
        buckets = self._assign(batch.num_rows)
        rows = _taken(records_of(batch), np.argsort(buckets, kind="stable"))
        ends = np.cumsum(np.bincount(buckets, minlength=BUCKETS))
        return np.split(rows, ends[:-1])

    def _table(self, bucket: int) -> pa.Table:
        parts = self._unspilled(bucket) + self._held[bucket]
        self._held[bucket] = []
        rows = np.concatenate([np.empty(0, record_type(self._kinds)), *parts])
        return table_of(_taken(rows, self._order(len(rows))), self._kinds)

    def _spill(self) -> None:
        if not self._spilled:
            for _ in range(BUCKETS):
                # Closed, and thereby gone, when it is read.
                self._spilled.append(tempfile.TemporaryFile(dir=self._folder))  # noqa: SIM115
        for file, held in zip(self._spilled, self._held, strict=True):
            for part in held:
                file.write(part.tobytes())
            held.clear()
        self._bytes = 0

    def _unspilled(self, bucket: int) -> list[Records]:
        if not self._spilled:
            return []
        with self._spilled[bucket] as file:
            file.seek(0)
            return [np.frombuffer(file.read(), record_type(self._kinds))]


def _taken(records: Records, order: NDArray[np.int64]) -> Records:
    """As `records[order]`, which NumPy does field by field; whole records are far faster."""
    opaque = records.view(np.dtype((np.void, records.dtype.itemsize)))
    return np.take(opaque, order).view(records.dtype)


def record_type(kinds: pa.Schema) -> np.dtype[Any]:
    """Each column's value, and for each whether it is there."""
    fields: list[Any] = []
    for place, kind in enumerate(kinds.types):
        fields.append((f"v{place}", _plain(kind)))
        fields.append((f"p{place}", np.bool_))
    return np.dtype(fields)


def _plain(kind: pa.DataType) -> Any:
    if pa.types.is_fixed_size_binary(kind):
        return np.dtype((np.void, kind.byte_width))
    return np.dtype(kind.to_pandas_dtype())


def records_of(batch: pa.RecordBatch) -> Records:
    found = np.empty(batch.num_rows, record_type(batch.schema))
    for place, column in enumerate(batch.columns):
        kind = _plain(column.type)
        start = column.offset * kind.itemsize
        if len(column):
            found[f"v{place}"] = np.frombuffer(column.buffers()[1], kind, len(column), start)
        found[f"p{place}"] = (
            column.is_valid().to_numpy(zero_copy_only=False) if column.null_count else True
        )
    return found


def table_of(records: Records, kinds: pa.Schema) -> pa.Table:
    arrays = []
    for place, kind in enumerate(kinds.types):
        values = np.ascontiguousarray(records[f"v{place}"])
        present = records[f"p{place}"]
        valid = None if present.all() else pa.array(present).buffers()[1]
        arrays.append(pa.Array.from_buffers(kind, len(records), [valid, pa.py_buffer(values)]))
    return pa.Table.from_arrays(arrays, schema=kinds)
