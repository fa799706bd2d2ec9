"""What Spark opens: files by path, pattern and address, text files, dataframes of either kind."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from engines.tables import KEY, ODD, SCHEMA, arrow, one, schema, write
from engines.test_every_engine import TRAPS, drawn
from sudare.engines.duck import open_duck
from sudare.engines.spark.open import open_spark
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.errors import InvalidFile, UsageError
from sudare.facts.schema import Schema

NUMBER = one("integer", min=0, max=1000)
SUM = MomentsRequest(columns=("v",), monomials=((0,),))


@pytest.fixture(scope="module")
def spark(spark_master: str) -> Any:
    """A session that is already there: the one that the other tests started."""
    with open_spark(pa.table({"v": [1]}), NUMBER, (), spark_master) as source:
        yield source.tables._lease.session


def total(data: object, master: str, facts: Schema = NUMBER, column: str = "v") -> tuple[int, ...]:
    request = MomentsRequest(columns=(column,), monomials=((0,),))
    with open_spark(data, facts, {column}, master) as source:
        return source.moments([request], KEY)[0].rows[0]


def test_files_by_any_name(spark_master: str, tmp_path: Path) -> None:
    """One file, a pattern through folders that look like columns, an address; odd signs in all."""
    names = ("year=2023", "人口 [1]*?'{a,b}")
    for number, folder in enumerate(names):
        (tmp_path / folder).mkdir()
        table = pa.table({"V": [100], "v": [number + 1], ODD: [7]})
        parquet.write_table(table, tmp_path / folder / "part $1.parquet")
    pattern = str(tmp_path / "*" / "*.parquet")
    assert total(pattern, spark_master) == (2, 3)
    assert total(tmp_path / names[1] / "part $1.parquet", spark_master) == (1, 2)
    assert total(f"file://{pattern}", spark_master) == (2, 3)
    odd = schema({ODD: NUMBER.columns["v"]})
    assert total(pattern, spark_master, odd, ODD) == (2, 14)
    with pytest.raises(InvalidFile, match="no column 'year'"):
        total(pattern, spark_master, schema({"year": NUMBER.columns["v"]}), "year")
    with open_spark(pattern, NUMBER, (), spark_master) as source:
        assert source.moments([MomentsRequest()], KEY)[0].rows == ((2,),)


def test_many_files_of_this_machine_are_found_without_a_job(
    spark: Any, spark_master: str, tmp_path: Path
) -> None:
    """Spark would start a task for each of them, only to see that it is there. By address, as if
    they were far away, it does."""
    for number in range(40):
        parquet.write_table(pa.table({"v": [number]}), tmp_path / f"{number}.parquet")
    books, jobs = spark.sparkContext._jsc.sc().dagScheduler(), []
    for data in (f"{tmp_path}/*.parquet", f"file://{tmp_path}/*.parquet"):
        before = books.numTotalJobs()
        assert total(data, spark_master) == (40, 780)
        jobs.append(books.numTotalJobs() - before)
    near, far = jobs
    assert near == far - 1


@pytest.mark.parametrize("prefix", ["", "file://"])
def test_files_that_are_refused(prefix: str, spark_master: str, tmp_path: Path) -> None:
    parquet.write_table(pa.table({"v": [1]}), tmp_path / "a.parquet")
    parquet.write_table(pa.table({"v": ["1"]}), tmp_path / "b.parquet")
    write(tmp_path / "c.parquet", b"PAR1" + b"\0" * 100 + b"PAR1")
    for name, said in (
        ("[ab].parquet", "different columns"),
        ("c.parquet", "not a whole Parquet file"),
        ("none.parquet", "There is no"),
    ):
        with pytest.raises(InvalidFile, match=said) as caught:
            open_spark(f"{prefix}{tmp_path}/{name}", NUMBER, {"v"}, spark_master)
        assert caught.value.__context__ is None
    with pytest.raises(InvalidFile, match="cannot be reached"):
        open_spark("nosuch://host/t.parquet", NUMBER, {"v"}, spark_master)
    with pytest.raises(UsageError, match="type list"):
        open_spark([1], NUMBER, {"v"}, spark_master)


def test_a_clip_does_not_believe_a_footer(spark_master: str, tmp_path: Path) -> None:
    """As in test_files.py: the statistics say that no value passes 5, and one does."""
    far = 999_999_999
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"v": [1, far]}), path, compression="none")
    content = path.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    true, false = far.to_bytes(8, "little"), (5).to_bytes(8, "little")
    assert true in content[footer:]
    path.write_bytes(content[:footer] + content[footer:].replace(true, false))
    assert total(path, spark_master, one("integer", min=0, max=100)) == (2, 101)


def test_text_files_and_frames(spark_master: str, tmp_path: Path) -> None:
    write(tmp_path / "t.csv", "v,sex\n1, F \n2000,M\n,x\n")
    frame = pd.DataFrame({"v": [1, 2000, None], "sex": [" F ", "M", "x"]})
    facts = schema({"v": NUMBER.columns["v"], "sex": {"type": "category", "values": ["F", "M"]}})
    by_sex = MomentsRequest(
        axes=(ValuesAxis("sex", ("F", "M")),), columns=("v",), monomials=((0,),)
    )
    for data in (tmp_path / "t.csv", frame):
        with open_spark(data, facts, {"v", "sex"}, spark_master) as source:
            assert source.moments([by_sex], KEY)[0].rows == ((1, 1), (1, 1000))


def global_views(spark: Any) -> list[str]:
    found = spark.sql("show views in global_temp").collect()
    return [row.viewName for row in found if row.namespace == "global_temp"]


def test_a_frame_of_sparks_own(spark: Any) -> None:
    """Every type that Spark and Arrow share, names in capitals and with dots and quotes, read as
    DuckDB reads the same rows; its session keeps its settings and its views."""
    rows = drawn(TRAPS, 200, None)
    names = list(SCHEMA.columns)
    frame = spark.createDataFrame(arrow(rows)).toDF(*names)
    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    spark.conf.set("spark.sql.ansi.enabled", "false")
    before = dict(spark.conf.getAll)
    with open_spark(frame, SCHEMA, names) as source, open_duck(arrow(rows), SCHEMA, names) as duck:
        found, expected = (
            sorted(repr(row) for batch in each.batches(names, KEY) for row in batch.to_pylist())
            for each in (source, duck)
        )
        assert global_views(spark)
    assert found == expected
    assert dict(spark.conf.getAll) == before
    assert not global_views(spark)
    assert not spark.sparkContext._jsc.sc().isStopped()


def test_types_that_only_spark_has(spark: Any) -> None:
    """Two kinds of timestamps, text that does not tell capitals apart, columns named alike but for
    capitals."""
    frame = spark.sql(
        "select timestamp'2000-01-02 23:30:00 UTC' as a, timestamp_ntz'2000-01-03 01:00:00' as b, "
        "'f' collate utf8_lcase as c, cast('x' as varchar(3)) as d, 5 as `V`, 6 as v, "
        "timestamp'2000-01-02 23:30:00.5 UTC' as e, array(1) as f"
    )
    day = {"type": "date", "min": dt.date(2000, 1, 1), "max": dt.date(2001, 1, 1)}
    labels = {"type": "category", "values": ["F"]}
    text = {"type": "text"}
    facts = schema(
        {"a": day, "b": day, "c": labels, "d": text, "v": NUMBER.columns["v"], "e": text, "f": text}
    )
    names = ["a", "b", "c", "d", "v", "e"]
    with open_spark(frame, facts, names) as source:
        (batch,) = source.batches(names, KEY)
    assert list(batch.to_pylist()[0].values()) == [
        10958,
        10959,
        None,
        "x",
        6,
        "2000-01-02 23:30:00.5+00",
    ]
    with pytest.raises(InvalidFile, match="stores it as another type"):
        open_spark(frame, facts, {"f"})
    with pytest.raises(UsageError, match="master already"):
        open_spark(frame, facts, {"v"}, "local[1]")


def test_old_timestamps_of_parquet(spark_master: str, tmp_path: Path) -> None:
    """INT96, as Hive and Impala write it."""
    moments = pa.array(
        [dt.datetime(2000, 1, 2, 23), dt.datetime(1600, 1, 1), None], pa.timestamp("us")
    )
    path = tmp_path / "t.parquet"
    table = pa.table({"d": moments, "t": moments})
    parquet.write_table(table, path, use_deprecated_int96_timestamps=True)
    day = {"type": "date", "min": dt.date(1900, 1, 1), "max": dt.date(2001, 1, 1)}
    facts = schema({"d": day, "t": {"type": "text"}})
    with open_spark(path, facts, ["d", "t"], spark_master) as source:
        (batch,) = source.batches(["d", "t"], KEY)
    low = facts.grid("d").low
    assert batch.column(0).to_pylist() == [10958, low, None]
    assert batch.column(1).to_pylist() == ["2000-01-02 23:00:00", "1600-01-01 00:00:00", None]
