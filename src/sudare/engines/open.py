"""Open a table for one run: the structure is checked here, before anything is charged."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from types import TracebackType
from typing import Protocol, Self

import pyarrow as pa

from sudare.engines.connection import attach, connect
from sudare.engines.duck import DuckSource
from sudare.engines.duck_types import physical_of
from sudare.engines.inputs.find import find_input
from sudare.engines.inputs.names import places_of
from sudare.engines.layout import layout_of
from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.errors import SudareError
from sudare.facts.schema import Schema


class Source(Protocol):
    """A table that answers with exact, bounded aggregates of its cleaned rows."""

    def moments(self, requests: Sequence[MomentsRequest], run_key: bytes) -> list[Moments]:
        """One answer a request, all over the same choice of rows."""

    def batches(
        self, columns: Sequence[str], run_key: bytes, rows: int = 100_000
    ) -> Iterator[pa.RecordBatch]:
        """The cleaned rows in no particular order: grid indices, labels, text as it is."""

    def close(self) -> None:
        """Forget the data."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def open_source(data: object, schema: Schema, columns: Collection[str]) -> Source:
    """Check the structure of `data` and read what `columns` (and the unit column) need.

    `data` is a path (.csv, .tsv, either with .gz, .parquet), a pattern of Parquet files, or an
    object with __arrow_c_stream__.
    """
    table = schema.table
    for name in columns:
        schema.column(name)
    units = () if table.unit == "row" else (table.unit,)
    wanted = tuple(dict.fromkeys((*sorted(columns), *units)))
    source = find_input(data, table.encoding, table.delimiter)
    # A count needs no column, but a view needs one; the first is never read.
    places = places_of(wanted, source.names) or [0]
    connection = connect()
    try:
        attached = attach(connection, source, places)
        layout = layout_of(schema, wanted, [physical_of(kind) for kind in attached.types])
        return DuckSource(connection, schema, layout, attached)
    except SudareError:
        connection.close()
        raise
