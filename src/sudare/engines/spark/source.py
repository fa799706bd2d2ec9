"""Spark as an engine: requests become one Spark query a pass; only grouped sums come to the driver.

Rows are grouped by what is stored, as the bare query would, and the few groups are coded. They come
as they are, and equal codes are added up here, which saves a second exchange between workers;
only if more groups come than a schema of that size explains does Spark bring them together itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
from sqlglot import exp

from sudare.engines.mapped import BatchFunction
from sudare.engines.passes import Monomials, in_passes
from sudare.engines.spark.exact import Exact
from sudare.engines.spark.lookup import inlined
from sudare.engines.spark.stream import streamed
from sudare.engines.spark.tables import Tables
from sudare.engines.sql.moments import Shape, moments_query
from sudare.engines.sql.records import labels_of, records_query
from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.whereabouts import NOWHERE, Whereabouts

# So many groups more than are declared may come to the driver: labels with blanks around them,
# numbers beyond their bounds, labels that nobody declared.
_MORE_GROUPS = 10_000


class SparkSource:
    """One opened table; see `sudare.engines.source.Source`."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    @property
    def places(self) -> Whereabouts:
        """A file's name says it all."""
        return NOWHERE

    @property
    def most_rows(self) -> int:
        """What footers say, or what Spark allows where there are none."""
        return self.tables.most

    def moments(self, requests: Sequence[MomentsRequest], run_key: bytes) -> list[Moments]:
        """One answer a request; requests that differ in monomials alone share a pass."""
        self.tables.choose(run_key)
        return in_passes(requests, self._ask)

    def batches(
        self, columns: Sequence[str], run_key: bytes, rows: int = 100_000
    ) -> Iterator[pa.RecordBatch]:
        """The cleaned rows in no particular order, a few partitions at a time."""
        return self._streamed(columns, run_key, rows, None)

    def map_batches(
        self,
        columns: Sequence[str],
        run_key: bytes,
        function: BatchFunction,
        rows: int = 100_000,
    ) -> Iterator[pa.RecordBatch]:
        """`function` of each batch, on the workers."""
        return self._streamed(columns, run_key, rows, function)

    def close(self) -> None:
        """Forget the data; Spark itself runs on."""
        self.tables.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _ask(self, shape: Shape, monomials: Monomials) -> list[tuple[Any, ...]]:
        tables, width = self.tables, len(shape.axes)
        cells = [tables.layout[name] for name in shape.columns]
        exact = Exact.of(monomials, cells, tables.most)
        groups: dict[tuple[Any, ...], list[int]] = {}
        for row in self._groups(shape, monomials, exact):
            sums = exact.together(row[width:])
            before = groups.get(row[:width], [0] * len(sums))
            groups[row[:width]] = [a + b for a, b in zip(before, sums, strict=True)]
        return [(*codes, *sums) for codes, sums in groups.items()]

    def _groups(self, shape: Shape, monomials: Monomials, exact: Exact) -> list[tuple[Any, ...]]:
        if not shape.axes:
            return self.tables.run(self._query(shape, monomials, exact, merged=True))
        most = _MORE_GROUPS + 2 * math.prod(axis.size for axis in shape.axes)
        query = inlined(self._query(shape, monomials, exact, merged=False))
        found = self.tables.run(query.limit(most + 1, copy=False))
        if len(found) <= most:
            return found
        return self.tables.run(self._query(shape, monomials, exact, merged=True))

    def _query(self, shape: Shape, monomials: Monomials, exact: Exact, merged: bool) -> exp.Select:
        return moments_query(
            shape,
            monomials,
            self.tables.layout,
            self.tables.name,
            summands=exact.parts,
            merged=merged,
            index=exact.index,
        )

    def _streamed(
        self, columns: Sequence[str], run_key: bytes, rows: int, function: BatchFunction | None
    ) -> Iterator[pa.RecordBatch]:
        self.tables.choose(run_key)
        cells = [self.tables.layout[name] for name in columns]
        frame = self.tables.frame(records_query(cells, self.tables.name))
        yield from streamed(frame, columns, labels_of(cells), rows, self.tables.most, function)
