"""Batches on their way from Spark: few partitions at a time, functions that cannot travel."""

from __future__ import annotations

import threading
from typing import Any

import pyarrow as pa
import pytest

from engines.tables import KEY, schema
from sudare.engines.spark import stream
from sudare.engines.spark.open import open_spark
from sudare.facts.errors import UsageError

FACTS = schema({"v": {"type": "integer", "min": 0, "max": 10**6}, "memo": {"type": "text"}})
TABLE = pa.table({"v": range(30_000), "memo": [str(n) for n in range(30_000)]})
PARTS = 15


@pytest.fixture(scope="module")
def frame(spark_master: str) -> Any:
    with open_spark(TABLE, FACTS, (), spark_master) as source:
        yield source.tables._lease.session.createDataFrame(TABLE).repartition(PARTS)


def test_the_driver_holds_few_partitions(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    collect = stream._collected
    monkeypatch.setattr(
        stream,
        "_collected",
        lambda c, r, number, g: (started.append(number), collect(c, r, number, g))[1],
    )
    with open_spark(frame, FACTS, {"v", "memo"}) as source:
        seen, ahead = 0, []
        for seen, batch in enumerate(source.batches(["memo", "v"], KEY), start=1):
            ahead.append(len(started) - seen)
            assert batch.schema.names == ["memo", "v"]
            assert batch.column(0).to_pylist() == [str(v) for v in batch.column(1).to_pylist()]
        assert seen == PARTS == len(started)
        assert max(ahead) <= 4


def test_whoever_stops_early_stops_the_jobs(frame: Any) -> None:
    with open_spark(frame, FACTS, {"v"}) as source:
        batches = source.batches(["v"], KEY)
        next(batches)
        batches.close()  # type: ignore[attr-defined]
    tracker = frame.sparkSession.sparkContext.statusTracker()
    assert not tracker.getActiveJobsIds()


def test_partitions_with_too_many_rows_are_spread(
    spark_master: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "_MOST_ROWS", 4000)
    with open_spark(TABLE, FACTS, {"v"}, spark_master) as source:
        sizes = [batch.num_rows for batch in source.batches(["v"], KEY)]
    assert sum(sizes) == 30_000
    assert len(sizes) == 8
    assert max(sizes) <= 4000


def test_functions_of_any_kind(frame: Any) -> None:
    """A closure, a partial, a callable object: all of them go to the workers."""
    from functools import partial

    offset = 5

    def shifted(batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.RecordBatch.from_pydict({"sum": [sum(batch.column(0).to_pylist()) + offset]})

    with open_spark(frame, FACTS, {"v"}) as source:
        for function in (shifted, partial(times, 1), Times(1)):
            batches = list(source.map_batches(["v"], KEY, function))
            total = sum(batch.column(0)[0].as_py() for batch in batches)
            assert total == sum(range(30_000)) + offset * PARTS
        with pytest.raises(UsageError, match="cannot be sent"):
            next(source.map_batches(["v"], KEY, partial(times, threading.Lock())))


def times(factor: int, batch: pa.RecordBatch) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"sum": [factor * sum(batch.column(0).to_pylist()) + 5]})


class Times:
    def __init__(self, factor: int) -> None:
        self.factor = factor

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return times(self.factor, batch)
