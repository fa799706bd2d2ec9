"""Spark on a real standalone cluster: the same answers as DuckDB, functions beside the rows."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from engines.tables import KEY, schema
from sudare.engines.duck import open_duck
from sudare.engines.spark import session, start
from sudare.engines.spark.open import open_spark
from sudare.facts.aggregate import MomentsRequest, UniformAxis, ValuesAxis
from sudare.facts.errors import EngineUnavailable
from sudare.facts.query import Comparison
from support.spark import Cluster

ROWS = 250_000
LABELS = tuple(f"group {number:02d}" for number in range(100))
COLUMNS = {
    "income": {"type": "integer", "min": 0, "max": 20_000_000},
    "hours": {"type": "real", "min": 0, "max": 80},
    "g": {"type": "category", "values": LABELS},
    "a": {"type": "category", "values": ["n", "s", "e"], "other": "?"},
    "who": {"type": "key"},
}
FACTS = schema(COLUMNS)
BY_PERSON = schema(COLUMNS, unit="who", max_rows_per_unit=3)
BY_GROUP = (ValuesAxis("g", LABELS),)
ASKED = [
    MomentsRequest(),
    MomentsRequest(columns=("income",), monomials=((0,), (0, 0))),
    MomentsRequest(axes=BY_GROUP),
    MomentsRequest(axes=(*BY_GROUP, ValuesAxis("a", ("n", "s", "e"), True))),
    MomentsRequest(
        Comparison("a", "=", "n"), (UniformAxis("hours", 0, 2**20, 8),), ("hours",), ((0,),)
    ),
]


def made(rows: int = ROWS) -> pa.Table:
    """A made town; one person has a fifth of the rows."""
    rng = np.random.default_rng(11)
    who = np.where(rng.random(rows) < 0.2, 0, rng.integers(0, rows // 3, rows))
    return pa.table(
        {
            "income": np.exp(rng.normal(15.4, 1.0, rows)).astype(np.int64),
            "hours": rng.normal(35, 30, rows),
            "g": pa.array(LABELS).take(pa.array(rng.integers(0, 100, rows))),
            "a": pa.array(["n", "s", "e ", "x", None]).take(pa.array(rng.integers(0, 5, rows))),
            "who": who,
        }
    )


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Several files, so that both workers have something to read."""
    folder, table = tmp_path_factory.mktemp("warehouse"), made()
    for number in range(5):
        part = table.slice(number * ROWS // 5, ROWS // 5)
        parquet.write_table(part, folder / f"{number}.parquet")
    return str(folder / "*.parquet")


def test_a_cluster_answers_as_duckdb_does(spark_cluster: Cluster, town: str) -> None:
    columns = ("income", "hours", "g", "a")
    with open_spark(town, FACTS, columns, spark_cluster.url) as source:
        assert source.tables._lease.session.sparkContext.master == spark_cluster.url
        found = source.moments(ASKED, KEY)
    with open_duck(town, FACTS, columns) as duck:
        assert found == duck.moments(ASKED, KEY)


def test_a_cluster_keeps_the_rows_that_duckdb_keeps(spark_cluster: Cluster, town: str) -> None:
    asked = [ASKED[1], ASKED[3]]
    with open_spark(town, BY_PERSON, ("income", "g", "a"), spark_cluster.url) as source:
        found = source.moments(asked, KEY)
    with open_duck(town, BY_PERSON, ("income", "g", "a")) as duck:
        assert found == duck.moments(asked, KEY)


def told(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Where this runs, how many rows it saw, and a label it was given."""
    return pa.RecordBatch.from_pydict(
        {
            "process": [os.getpid()],
            "rows": [batch.num_rows],
            "sum": [sum(batch.column("income").to_pylist())],
            "knows": [importable("sudare") or importable("pandas")],
            "label": [batch.column("g")[0].as_py()],
        }
    )


def importable(name: str) -> bool:
    """Whether a worker has it by itself, and not from the archive that was sent to it."""
    from importlib.util import find_spec

    found = find_spec(name)
    return found is not None and "sudare-modules.zip" not in str(found.origin)


def test_a_function_runs_on_workers_that_do_not_know_sudare(
    spark_cluster: Cluster, tmp_path: Path
) -> None:
    table = made()
    parquet.write_table(table, tmp_path / "t.parquet")
    with open_spark(tmp_path / "t.parquet", FACTS, ("income", "g"), spark_cluster.url) as source:
        found = pa.Table.from_batches(source.map_batches(("income", "g"), KEY, told)).to_pylist()
        (exact,) = source.moments([ASKED[1]], KEY)
    assert os.getpid() not in {row["process"] for row in found}
    assert not any(row["knows"] for row in found)
    assert "sudare" in sys.modules
    # One partition of 250,000 rows: batches of 100,000, and what is left.
    assert sorted(row["rows"] for row in found) == [50_000, 100_000, 100_000]
    assert sum(row["sum"] for row in found) == exact.rows[0][1]
    assert {row["label"] for row in found} <= set(LABELS)


def quoting(batch: pa.RecordBatch) -> pa.RecordBatch:
    raise ValueError(f"CANARY {batch.column(0)[0]}")


def test_nothing_of_a_failure_stands_in_the_logs_of_workers(
    spark_cluster: Cluster, town: str
) -> None:
    with (
        open_spark(town, FACTS, ("income", "g"), spark_cluster.url) as source,
        pytest.raises(EngineUnavailable, match="function") as caught,
    ):
        list(source.map_batches(("income", "g"), KEY, quoting))
    assert "CANARY" not in str(caught.value)
    logs = [path.read_text() for path in spark_cluster.folder.rglob("stderr")]
    assert any("Executor" in log for log in logs)
    assert not any("CANARY" in log or LABELS[1] in log for log in logs)


@pytest.mark.slow
def test_a_cluster_without_a_free_worker(
    spark_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for ever. Here nobody waits at all, so that even a free worker is too slow."""
    session.stop()
    with monkeypatch.context() as patch:
        patch.setattr(start, "PATIENCE", 0.0)
        with pytest.raises(EngineUnavailable, match="no worker in time") as caught:
            open_spark(pa.table({"income": [1]}), FACTS, {"income"}, spark_cluster.url)
    assert caught.value.exit_code == 5
    with open_spark(pa.table({"income": [1]}), FACTS, {"income"}, spark_cluster.url) as source:
        assert source.moments([MomentsRequest()], KEY)[0].rows == ((1,),)
