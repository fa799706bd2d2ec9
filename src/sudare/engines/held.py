"""Cleaned rows in memory that can be read again and in parts, whoever holds the table.

Gaps     8 bytes a value are held. Of a table of more than `most` rows the batches that came first
         are: whoever looks at them looks at a shorter table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sudare.engines.mapped import MISSING, BatchFunction, indices_of, mapped
from sudare.engines.microdata import value_column
from sudare.engines.source import Batched
from sudare.facts.microdata import Microdata
from sudare.facts.schema import Schema

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class HeldRows:
    """Grid indices and codes by column; `who` is the number of each row's person, from 0."""

    columns: Mapping[str, Ints]
    who: Ints
    is_all: bool = True

    @property
    def rows(self) -> int:
        return len(self.who)

    @property
    def people(self) -> int:
        return int(self.who.max()) + 1 if len(self.who) else 0

    @property
    def is_repeated(self) -> bool:
        """Whether somebody has several rows."""
        return len(np.unique(self.who)) < self.rows

    def first(self, rows: int) -> HeldRows:
        """No more than so many rows, whose people are numbered anew."""
        if self.rows <= rows:
            return self
        found = {name: values[:rows] for name, values in self.columns.items()}
        who = np.unique(self.who[:rows], return_inverse=True)[1].astype(np.int64)
        return HeldRows(found, who, False)

    def part(self, rows: NDArray[np.bool_]) -> HeldRows:
        """These rows, whose people keep their numbers."""
        found = {name: values[rows] for name, values in self.columns.items()}
        return HeldRows(found, self.who[rows])

    def map_batches(
        self,
        columns: Sequence[str],
        run_key: bytes,
        function: BatchFunction,
        rows: int = 100_000,
    ) -> Iterator[pa.RecordBatch]:
        return mapped(self._batches(columns, rows), function)

    def microdata(self, schema: Schema) -> Microdata:
        """The rows as values and labels."""
        return Microdata(
            tuple(value_column(schema, name, values) for name, values in self.columns.items())
        )

    def _batches(self, columns: Sequence[str], rows: int) -> Iterator[pa.RecordBatch]:
        for first in range(0, self.rows, rows):
            part = [self.columns[name][first : first + rows] for name in columns]
            arrays = [pa.array(each, pa.int64(), mask=each == MISSING) for each in part]
            yield pa.RecordBatch.from_arrays(arrays, list(columns))


def held_rows(
    source: Batched, names: Sequence[str], people: str | None, run_key: bytes, most: int | None
) -> HeldRows:
    """Read a source once, all of it or no more than the batches that have the first `most` rows;
    `people` is the column that says whose row each is. Rows without a value there are one
    person's."""
    own = () if people is None else (people,)
    parts: list[list[Ints]] = [[] for _ in names]
    whose: list[pa.Array] = []
    count, is_all = 0, True
    for batch in source.batches([*names, *own], run_key):
        if most is not None and count >= most:
            is_all = False
            break
        for part, array in zip(parts, batch.columns, strict=False):
            part.append(indices_of(array))
        whose += [each.cast(pa.large_string()) for each in batch.columns[len(names) :]]
        count += batch.num_rows
    columns = {
        name: np.concatenate(part) if part else np.empty(0, np.int64)
        for name, part in zip(names, parts, strict=True)
    }
    who = _numbered(whose) if whose else np.arange(count, dtype=np.int64)
    return HeldRows(columns, who, is_all)


def _numbered(names: Sequence[pa.Array]) -> Ints:
    encoded = pa.chunked_array(names).dictionary_encode("encode").combine_chunks()
    return np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)
