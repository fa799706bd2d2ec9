"""Rows on their way from the workers to this process: batches of Arrow, a few partitions at a time.

Every partition is a job of its own, and only a few are under way or here at once; so the driver's
memory does not grow with the table. A partition's batches are handed on when all of them have
come: of a task that was tried again nothing is seen twice. A function that is to see the batches
runs on the workers, and goes there with everything of sudare that it needs (ship.py): they need
Python, PySpark, pyarrow and what the function imports, and not sudare.
"""

from __future__ import annotations

import itertools
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from sudare.engines.mapped import BatchFunction, function_failed
from sudare.engines.spark.border import gave_up, guarded
from sudare.engines.spark.ship import ship
from sudare.engines.sql.records import Labels, labelled
from sudare.facts.errors import UsageError
from sudare.facts.schema import MAX_ROWS

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext
    from pyspark.sql import DataFrame, Row

# Partitions under way or here at a time, and the rows that one of them may have.
_AT_A_TIME = 4
_MOST_ROWS = 1_000_000
_ROWS = "spark.sql.execution.arrow.maxRecordsPerBatch"
_BYTES = "spark.sql.execution.arrow.maxBytesPerBatch"
_EVERYWHERE = {"builtins", "__main__"}
_numbers = itertools.count()
_Work = Callable[[pa.RecordBatch], bytes | None]


def streamed(
    frame: DataFrame,
    names: Sequence[str],
    labels: Labels,
    rows: int,
    most: int,
    function: BatchFunction | None = None,
) -> Iterator[pa.RecordBatch]:
    """`function` of each batch of at most `rows` rows, under their names and with their labels;
    the frame has at most `most` rows."""
    work = partial(_worked, tuple(names), labels, function)
    spread = guarded(lambda: _spread(frame, most), gave_up())
    rdd = guarded(lambda: _packed(spread, rows, work, function), _unpackable())
    for found in _partitions(rdd):
        for row in found:
            if row.batch is None:
                raise function_failed()
            yield from pa.ipc.open_stream(bytes(row.batch))


def _unpackable() -> UsageError:
    return UsageError(
        "The function cannot be sent to Spark's workers.",
        "It must not hold files, locks, connections or a Spark session.",
    )


def _spread(frame: DataFrame, most: int) -> DataFrame:
    """More partitions where one could have too many rows: a few megabytes of Parquet may hold
    millions. How many there are of a DataFrame of Spark's is not known; its own are taken."""
    wanted = -(-most // _MOST_ROWS)
    few = most < MAX_ROWS and frame.rdd.getNumPartitions() < wanted
    return frame.repartition(wanted) if few else frame


def _packed(frame: DataFrame, rows: int, work: _Work, function: object) -> RDD[Row]:
    conf = frame.sparkSession.conf
    conf.set(_ROWS, str(rows))
    # Batches end by their number of rows alone.
    conf.set(_BYTES, str(2**31 - 1))
    ship(frame.sparkSession.sparkContext)
    with _by_value(function):
        return frame.mapInArrow(partial(_in_packets, work), "batch binary").rdd


def _worked(
    names: tuple[str, ...], labels: Labels, function: BatchFunction | None, batch: pa.RecordBatch
) -> bytes | None:
    """On a worker: the batch that goes back, as bytes; None if the function failed. It must not
    raise, because what it says would stand in the worker's log, and could quote a row."""
    found = labelled(batch, names, labels)
    try:
        if function is not None:
            found = function(found)
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, found.schema) as writer:
            writer.write_batch(found)
        return bytes(sink.getvalue())
    except Exception:
        return None


def _in_packets(work: _Work, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield pa.RecordBatch.from_arrays([pa.array([work(batch)], pa.binary())], ["batch"])


@contextmanager
def _by_value(function: object) -> Iterator[None]:
    """Send functions of this room and of the caller's module themselves, not their names."""
    from pyspark import cloudpickle

    while isinstance(function, partial):
        function = function.func
    own = getattr(function, "__module__", None) or type(function).__module__
    names = {"sudare.engines"} if own.startswith("sudare.") else {"sudare.engines", own}
    modules = [sys.modules[name] for name in names - _EVERYWHERE if name in sys.modules]
    for module in modules:
        cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)  # type: ignore[no-untyped-call]


def _partitions(rdd: RDD[Row]) -> Iterator[list[Row]]:
    """The rows of each partition, in turn; whoever stops early stops the jobs."""
    context, group = rdd.context, f"sudare stream {next(_numbers)}"
    left = iter(range(guarded(rdd.getNumPartitions, gave_up())))
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        under_way: deque[Future[list[Row]]] = deque()

        def start() -> None:
            for number in itertools.islice(left, 1):
                under_way.append(pool.submit(_collected, context, rdd, number, group))

        try:
            for _ in range(_AT_A_TIME):
                start()
            while under_way:
                found = guarded(under_way.popleft().result, gave_up())
                start()
                yield found
        finally:
            for each in under_way:
                each.cancel()
            guarded(lambda: context.cancelJobGroup(group), gave_up())


def _collected(context: SparkContext, rdd: RDD[Row], number: int, group: str) -> list[Row]:
    context.setJobGroup(group, "sudare", interruptOnCancel=True)
    # A function of Python's own, because the workers do not know ours by name.
    return context.runJob(rdd, iter, [number])
