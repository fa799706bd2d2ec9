"""Where rows come from, as a DataFrame of a session of ours: columns r0, r1, ... by their place.

Names never reach a query. They may hold any sign and differ in capitals alone.
"""

from __future__ import annotations

import itertools
import os
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from sudare.engines.choose import is_remote, is_spark_frame
from sudare.engines.inputs.find import find_input
from sudare.engines.inputs.names import checked_names, places_of
from sudare.engines.inputs.parquet_input import ParquetInput
from sudare.engines.spark.files import ParquetFiles, local_files, remote_files
from sudare.engines.spark.session import Lease
from sudare.engines.spark.storage import Storage, from_arrow, from_spark
from sudare.facts.schema import MAX_ROWS, Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Rows of a table in memory that go to Spark as one partition.
_LEAST_ROWS, _MOST_ROWS = 10_000, 1_000_000
_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
_IN_PLAN = "spark.sql.execution.arrow.localRelationThreshold"
_ARROW = {
    "void": pa.int32(),
    "tinyint": pa.int8(),
    "smallint": pa.int16(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "decimal(20,0)": pa.decimal128(20, 0),
    "string": pa.string(),
}
_numbers = itertools.count()


@dataclass(frozen=True)
class Rows:
    """Columns by their storage, None where there is none that Spark reads; at most `most` rows;
    `frame` gives them once every storage is known to be readable."""

    storages: tuple[Storage | None, ...]
    most: int
    frame: Callable[[], DataFrame]
    is_file: bool = False


def rows_of(data: object, table: Table, wanted: Sequence[str], lease: Lease) -> Rows:
    """The wanted columns of a path, an address, a DataFrame of Spark's or one of Arrow's."""
    if is_spark_frame(data):
        return _of_spark(data, wanted, lease)  # type: ignore[arg-type]
    if isinstance(data, str) and is_remote(data):
        return _of_files(remote_files(lease.session, data), wanted, lease.session)
    source = find_input(data, table.encoding, table.delimiter)
    if isinstance(source, ParquetInput):
        return _of_files(local_files(source.paths), wanted, lease.session)
    places = places_of(wanted, source.names)
    return _of_arrow(source.table(places or [0]), len(places), lease.session)


def names_of(data: object, table: Table, lease: Lease) -> list[str]:
    """The names of the columns of files or of a table of Arrow's."""
    if isinstance(data, str) and is_remote(data):
        return list(remote_files(lease.session, data).names)
    return list(find_input(data, table.encoding, table.delimiter).names)


def _of_files(files: ParquetFiles, wanted: Sequence[str], session: SparkSession) -> Rows:
    storages = files.storages(places_of(wanted, files.names))

    def frame() -> DataFrame:
        read = {name: kind for name, kind in zip(wanted, storages, strict=True) if kind is not None}
        return _by_place(files.frame(session, read))

    return Rows(tuple(storages), files.rows, frame, is_file=True)


def _of_spark(data: DataFrame, wanted: Sequence[str], lease: Lease) -> Rows:
    """A view that all sessions of the same Spark see carries the DataFrame into ours."""
    places = places_of(wanted, checked_names(data.columns))
    kinds = [data.schema.fields[place].dataType for place in places]

    def frame() -> DataFrame:
        plain = _by_place(data)
        shown = plain.select(*(f"r{place}" for place in places or [0]))
        name = f"sudare_{os.getpid()}_{next(_numbers)}"
        shown.createGlobalTempView(name)
        lease.at_end(lambda: data.sparkSession.catalog.dropGlobalTempView(name))
        return _by_place(lease.session.table(f"global_temp.{name}"))

    return Rows(tuple(map(from_spark, kinds)), MAX_ROWS, frame)


def _of_arrow(table: pa.Table, width: int, session: SparkSession) -> Rows:
    columns = [_named(column) for column in table.columns[:width]]
    storages = [from_arrow(column.type) for column in columns]

    def frame() -> DataFrame:
        plain = [
            _plain(column, storage.name)
            for column, storage in zip(columns, storages, strict=True)
            if storage is not None
        ] or [pa.chunked_array([pa.nulls(table.num_rows, pa.int32())])]
        share = -(-table.num_rows // session.sparkContext.defaultParallelism)
        session.conf.set(_BATCH, str(min(max(share, _LEAST_ROWS), _MOST_ROWS)))
        # Rows that count as part of the plan would be cleaned by the planner, one at a time.
        session.conf.set(_IN_PLAN, "0")
        return session.createDataFrame(pa.table(plain, [f"r{n}" for n in range(len(plain))]))

    return Rows(tuple(storages), table.num_rows, frame)


def _named(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """UUIDs as their text; Spark has no type for them."""
    if not isinstance(column.type, pa.UuidType):
        return column
    texts = [
        None if value is None else str(uuid.UUID(bytes=bytes(value.bytes)))
        for value in column.to_pylist()
    ]
    return pa.chunked_array([pa.array(texts, pa.string())])


def _plain(column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """The column in the Arrow type that becomes `name` in Spark."""
    kind = _ARROW.get(name, column.type)
    return column if column.type == kind else column.cast(kind)


def _by_place(frame: DataFrame) -> DataFrame:
    return frame.toDF(*(f"r{number}" for number in range(len(frame.columns))))
