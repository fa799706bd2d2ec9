"""A worker that dies, a task that is run twice at once: the same answers, the same rows kept."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from engines.tables import KEY
from engines.test_spark_cluster import ASKED, BY_PERSON, made
from sudare.engines.duck import open_duck
from sudare.engines.spark import session
from sudare.engines.spark.open import open_spark
from support.spark import Cluster

COLUMNS = ("income", "g", "a")
REQUESTS = [ASKED[1], ASKED[3]]
PARTS = 12
Batches = Iterable[pa.RecordBatch]


def spread(spark: Any, table: pa.Table, work: Callable[[Batches], Iterator[pa.RecordBatch]]) -> Any:
    """The table in several partitions that have been on another worker before; `work` sees them."""
    frame = spark.createDataFrame(table).repartition(PARTS)
    return frame.mapInArrow(work, frame.schema)


def slow_until(mark: Path) -> Callable[[Batches], Iterator[pa.RecordBatch]]:
    """Work that takes a while, until somebody leaves a mark; made here, because the workers do not
    know this module."""
    place = str(mark)

    def slowly(batches: Batches) -> Iterator[pa.RecordBatch]:
        import os
        import time

        for batch in batches:
            time.sleep(0.0 if os.path.exists(place) else 0.5)
            yield batch

    return slowly


def expected(table: pa.Table) -> Any:
    with open_duck(table, BY_PERSON, COLUMNS) as duck:
        kept = sorted(row for b in duck.batches(COLUMNS, KEY) for row in map(repr, b.to_pylist()))
        return duck.moments(REQUESTS, KEY), kept


class Killer(threading.Thread):
    """Kills a worker when the first tasks of a stage are done and others are running."""

    def __init__(self, spark: Any, cluster: Cluster, mark: Path) -> None:
        super().__init__(daemon=True)
        self.tracker, self.cluster = spark.sparkContext.statusTracker(), cluster
        self.mark = mark
        self.killed: int | None = None

    def run(self) -> None:
        for _ in range(3000):
            stages = map(self.tracker.getStageInfo, self.tracker.getActiveStageIds())
            if any(s and s.numCompletedTasks >= 2 and s.numActiveTasks >= 2 for s in stages):
                self.killed = self.cluster.kill_a_worker()
                self.mark.touch()
                return
            time.sleep(0.02)


def test_a_worker_that_dies_changes_nothing(spark_cluster: Cluster, tmp_path: Path) -> None:
    table, mark = made(30_000), tmp_path / "killed"
    leased = session.lease(None, spark_cluster.url)
    spark = leased.session
    killer = Killer(spark, spark_cluster, mark)
    with open_spark(spread(spark, table, slow_until(mark)), BY_PERSON, COLUMNS) as source:
        killer.start()
        found = source.moments(REQUESTS, KEY)
        killer.join()
        kept = [row for b in source.batches(COLUMNS, KEY) for row in map(repr, b.to_pylist())]
    leased.close()
    assert killer.killed is not None
    assert killer.killed not in spark_cluster.workers
    assert (found, sorted(kept)) == expected(table)


@pytest.mark.slow
def test_a_task_that_runs_twice_changes_nothing(spark_cluster: Cluster, tmp_path: Path) -> None:
    """Speculative execution: one task hangs, and its twin on the other worker is faster."""
    from pyspark.sql import SparkSession

    session.stop()
    settings = {"interval": "20ms", "multiplier": "1.1", "quantile": "0.3", "minTaskRuntime": "1s"}
    builder = SparkSession.builder.master(spark_cluster.url).config("spark.speculation", "true")
    for name, value in settings.items():
        builder = builder.config(f"spark.speculation.{name}", value)
    marks, table = str(tmp_path), made(30_000)

    def hesitate(batches: Batches) -> Iterator[pa.RecordBatch]:
        import time

        from pyspark import TaskContext

        task = TaskContext.get()
        assert task is not None
        open(f"{marks}/{task.partitionId()} {task.attemptNumber()}", "w").close()
        if task.partitionId() == PARTS - 1 and task.attemptNumber() == 0:
            time.sleep(20)
        yield from batches

    spark = builder.getOrCreate()
    try:
        with open_spark(spread(spark, table, hesitate), BY_PERSON, COLUMNS) as source:
            found = source.moments(REQUESTS, KEY)
            kept = [row for b in source.batches(COLUMNS, KEY) for row in map(repr, b.to_pylist())]
        assert {f"{PARTS - 1} 0", f"{PARTS - 1} 1"} <= set(os.listdir(marks))
        assert (found, sorted(kept)) == expected(table)
    finally:
        spark.stop()
