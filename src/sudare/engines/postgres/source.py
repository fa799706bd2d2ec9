"""PostgreSQL as an engine: requests are statements, and only their aggregates come out.

Nothing can be laid down in a read-only transaction, so the choice of rows is part of the
statement. It is the same in every statement of a run, and the same as DuckDB's, because it follows
from the run key and the rows alone. The key goes as a parameter, apart from the statement's text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
from sqlglot import exp

from sudare.engines.mapped import BatchFunction, mapped
from sudare.engines.passes import Monomials, in_passes, passes_of
from sudare.engines.postgres.dialect import render
from sudare.engines.postgres.link import Link
from sudare.engines.postgres.statement import Tables, gathered
from sudare.engines.postgres.sums import Sums
from sudare.engines.postgres.view import fenced
from sudare.engines.sql import nodes as sql
from sudare.engines.sql.moments import Shape, moments_query
from sudare.engines.sql.records import records_query, with_labels
from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.relation import Relation
from sudare.facts.schema import NUMERIC, Column
from sudare.facts.whereabouts import Whereabouts

_Found = list[tuple[Any, ...]]


class PostgresSource:
    """One opened table; see `sudare.engines.source.Source`."""

    def __init__(self, link: Link, tables: Tables, places: Whereabouts) -> None:
        self._link = link
        self._tables = tables
        self.places = places

    @cached_property
    def most_rows(self) -> int | None:
        """The catalogue has an estimate alone, so the server counts, where that tells nothing
        secret: under replace-one the number of rows is public. A view is not counted, since its
        expressions may fail on a value."""
        table = self._tables.counted
        if table is None or self._tables.facts.neighbours is not Relation.REPLACE_ONE:
            return None
        return int(self._link.run(render(sql.select(sql.count()).from_(table)))[0][0])

    def moments(self, requests: Sequence[MomentsRequest], run_key: bytes) -> list[Moments]:
        """One answer a request. If units have to be bounded, one statement serves all requests,
        so that the rows are chosen once."""
        wanted = passes_of(requests)
        if not self._tables.bounded or len(wanted) < 2:
            return in_passes(requests, lambda shape, asked: self._alone(shape, asked, run_key))
        found = self._together(wanted, run_key)
        return in_passes(requests, lambda shape, _: found[shape])

    def batches(
        self, columns: Sequence[str], run_key: bytes, rows: int = 100_000
    ) -> Iterator[pa.RecordBatch]:
        """The cleaned rows in no particular order; run no other query before the last batch."""
        cells = [self._tables.layout[name] for name in columns]
        kinds = [_arrow_type(cell.column) for cell in cells]
        statement = render(self._tables.before(records_query(cells, self._tables.name)))
        for found in self._link.stream(statement, self._tables.given(run_key), rows):
            values = zip(kinds, zip(*found, strict=True), strict=True)
            arrays = [pa.array(each, kind) for kind, each in values]
            yield with_labels(pa.RecordBatch.from_arrays(arrays, list(columns)), cells)

    def map_batches(
        self,
        columns: Sequence[str],
        run_key: bytes,
        function: BatchFunction,
        rows: int = 100_000,
    ) -> Iterator[pa.RecordBatch]:
        """`function` of each batch, in this process: a server runs no code of ours."""
        return mapped(self.batches(columns, run_key, rows), function)

    def close(self) -> None:
        """End the transaction and the connection."""
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _sums(self, shape: Shape, monomials: Monomials) -> Sums:
        cells = tuple(self._tables.layout[name] for name in shape.columns)
        return Sums(monomials, cells, self._tables.small)

    def _moments(self, shape: Shape, sums: Sums) -> exp.Select:
        return moments_query(
            shape,
            sums.asked,
            self._tables.layout,
            self._tables.name,
            marked=True,
            summands=sums.summands,
            index=sums.index,
            once=fenced if sums.once else None,
            layered=fenced,
        )

    def _alone(self, shape: Shape, monomials: Monomials, run_key: bytes) -> _Found:
        sums, width = self._sums(shape, monomials), len(shape.axes)
        found = self._run(self._moments(shape, sums), run_key)
        return [(*row[:width], *sums.read(row[width:])) for row in found]

    def _together(self, wanted: dict[Shape, Monomials], run_key: bytes) -> dict[Shape, _Found]:
        asked = {shape: self._sums(shape, monomials) for shape, monomials in wanted.items()}
        query = gathered([self._moments(*each) for each in asked.items()])
        found: dict[Shape, _Found] = {shape: [] for shape in wanted}
        shapes = list(wanted)
        for number, numbers in self._run(query, run_key, shared=True):
            shape, width = shapes[number], len(shapes[number].axes)
            sums = asked[shape].read(numbers[width:])
            found[shape].append((*numbers[:width], *sums))
        return found

    def _run(self, query: exp.Query, run_key: bytes, shared: bool = False) -> _Found:
        statement = render(self._tables.before(query, shared))
        return self._link.run(statement, self._tables.given(run_key))


def _arrow_type(column: Column) -> pa.DataType:
    """Indices and codes of labels are whole numbers, the rest is text."""
    return pa.int64() if column.type in (*NUMERIC, "category") else pa.string()
