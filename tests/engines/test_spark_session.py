"""Our own Spark: silent, encrypted, one a process; a Spark of others: used, and left as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from engines.tables import KEY, one, schema
from sudare.engines.spark import session, start
from sudare.engines.spark.master import Master
from sudare.engines.spark.open import open_spark
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.errors import EngineUnavailable, SudareError, UsageError

CANARY = "CANARY4711"
NUMBER = one("integer", min=0, max=10)
TABLE = pa.table({"v": [1, 2, 30]})
VISITS = schema({"who": {"type": "key"}, "t": {"type": "text"}}, unit="who", max_rows_per_unit=2)


def visits() -> pa.Table:
    """Rows that have to be shuffled: everybody has more than two."""
    people = [f"{CANARY}{number % 500}" for number in range(3000)]
    return pa.table({"who": people, "t": [f"{CANARY} {number}" for number in range(3000)]})


def files_of(spark: Any) -> list[Path]:
    """What lies in the folders where this Spark shuffles and spills."""
    folder = Path(spark.sparkContext.getConf().get("spark.local.dir"))
    return [path for path in folder.rglob("*") if path.is_file()]


def told_on_disk(spark: Any) -> bool:
    written = [path.read_bytes() for path in files_of(spark)]
    assert any(len(content) > 1000 for content in written)
    return any(CANARY.encode() in content for content in written)


def test_our_own_spark_has_its_part_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, group = "SPARK_DRIVER_MEMORY", tmp_path / "user" / "job"
    group.mkdir(parents=True)
    (tmp_path / "self").write_text("0::/user/job\n")
    monkeypatch.setattr(start, "_GROUP", tmp_path / "self")
    monkeypatch.setattr(start, "_GROUPS", tmp_path)
    machine = {"SC_PHYS_PAGES": 2**24, "SC_PAGE_SIZE": 2**12}
    monkeypatch.setattr(os, "sysconf", machine.__getitem__)
    for variable in (name, "SPARK_MEM"):
        monkeypatch.delenv(variable, raising=False)
    for place, limit, told in (
        (group, "max", "8192m"),
        (tmp_path, str(2**33), "2048m"),
        (group.parent, str(6 * 2**30), "1536m"),
        (group, "1000", "1024m"),
    ):
        (place / "memory.max").write_text(limit)
        with start._roomy(Master("local[2]")):
            assert os.environ[name] == told
        assert name not in os.environ
    with start._roomy(Master("spark://host:7077")):
        assert name not in os.environ
    monkeypatch.setenv(name, "3g")
    with start._roomy(Master("local[2]")):
        assert os.environ[name] == "3g"


TOLD = """
from sudare.engines.spark.master import Master
from sudare.engines.spark.start import memory, started
spark = started(Master("local[1]"))
print(memory(), spark.sparkContext._jvm.java.lang.Runtime.getRuntime().maxMemory())
"""


def test_java_is_told_how_much(spark_master: str) -> None:
    """In a process of its own: Java is started once a process, here by whichever test is first."""
    found = subprocess.run(
        [sys.executable, "-c", TOLD], capture_output=True, text=True, timeout=120, check=True
    )
    told, had = map(int, found.stdout.split())
    assert had == pytest.approx(told, rel=0.05)


def test_our_own_spark_shows_and_leaves_nothing(
    spark_master: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with open_spark(visits(), VISITS, {"t"}, spark_master) as source:
        assert source.moments([MomentsRequest()], KEY)[0].rows == ((1000,),)
        spark = source.tables._lease.session
        assert spark.sparkContext.uiWebUrl is None
        assert not told_on_disk(spark)
        conf = dict(spark.sparkContext.getConf().getAll())
        assert conf["spark.eventLog.enabled"] == "false"
        assert conf["spark.driver.host"] == "127.0.0.1"
        spark.catalog.dropTempView("settled")
        with pytest.raises(EngineUnavailable, match="could not finish") as caught:
            source.moments([MomentsRequest()], bytes(32))
    assert caught.value.__context__ is None
    assert capfd.readouterr() == ("", "")


def test_one_spark_a_process(spark_master: str) -> None:
    with open_spark(TABLE, NUMBER, {"v"}, spark_master) as first:
        with open_spark(TABLE, NUMBER, {"v"}, spark_master) as second:
            leases = [each.tables._lease.session for each in (first, second)]
        assert leases[0].sparkContext is leases[1].sparkContext
        assert leases[0] is not leases[1]
        with pytest.raises(UsageError, match="in use"):
            open_spark(TABLE, NUMBER, {"v"}, "local[1]")
    with open_spark(TABLE, NUMBER, {"v"}, "local[1]") as other:
        assert other.tables._lease.session.sparkContext.master == "local[1]"
        assert other.moments([MomentsRequest()], KEY)[0].rows == ((3,),)


@pytest.fixture
def theirs(spark_master: str) -> Iterator[Any]:
    """A session that somebody else has started."""
    from pyspark.sql import SparkSession

    session.stop()
    spark = (
        SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    yield spark
    assert not spark.sparkContext._jsc.sc().isStopped()
    spark.stop()


def test_a_spark_of_others_is_used_and_left_alone(theirs: Any, tmp_path: Path) -> None:
    theirs.conf.set("spark.sql.shuffle.partitions", "3")
    before = dict(theirs.conf.getAll)
    for given in (theirs, None):
        with open_spark(visits(), VISITS, {"t"}, session=given) as source:
            own = source.tables._lease.session
            assert source.moments([MomentsRequest()], KEY)[0].rows == ((1000,),)
            assert own.sparkContext is theirs.sparkContext
            assert own.conf.get("spark.sql.shuffle.partitions") == "3"
            assert own.conf.get("spark.sql.session.timeZone") == "UTC"
    session.stop()
    assert dict(theirs.conf.getAll) == before
    assert theirs.sql("show views").collect() == []
    assert theirs.range(3).count() == 3
    # It does not encrypt, so the check above can fail.
    assert told_on_disk(theirs)
    with pytest.raises(UsageError, match="another master"):
        open_spark(TABLE, NUMBER, {"v"}, "local[2]")
    with pytest.raises(UsageError, match="master already"):
        open_spark(TABLE, NUMBER, {"v"}, "local[1]", theirs)


def test_what_is_no_session_or_master(spark_master: str) -> None:
    with pytest.raises(UsageError, match="classic Spark"):
        open_spark(TABLE, NUMBER, {"v"}, session=object())
    with pytest.raises(UsageError, match="not a Spark master"):
        open_spark(TABLE, NUMBER, {"v"}, "loca")
    for cores in ("0", "99999", "x"):
        with pytest.raises(UsageError, match="not a Spark master"):
            open_spark(TABLE, NUMBER, {"v"}, f"local[{cores}]")


def test_a_master_that_is_not_there(spark_master: str) -> None:
    session.stop()
    with pytest.raises(EngineUnavailable, match="master cannot be reached") as caught:
        open_spark(TABLE, NUMBER, {"v"}, "spark://127.0.0.1:1")
    assert caught.value.exit_code == 5
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("name", "hosts"),
    [
        ("local", []),
        ("spark://a", [("a", 7077)]),
        ("spark://a:1,b:2", [("a", 1), ("b", 2)]),
        ("spark://[::1]:7", [("::1", 7)]),
    ],
)
def test_masters_by_name(name: str, hosts: list[tuple[str, int]]) -> None:
    master = Master.of(name)
    assert master.hosts == hosts
    assert master.is_local == (name == "local")
    near = name == "local" or "::1" in name
    assert ("spark.driver.host" in master.settings) == near


def test_no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(EngineUnavailable, match="Java") as caught:
        Master.of("local").check()
    assert "JAVA_HOME" in caught.value.hint


def test_no_pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "pyspark"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(EngineUnavailable, match="PySpark") as caught:
        open_spark(TABLE, NUMBER, {"v"})
    assert "sudare[spark]" in caught.value.hint
    assert caught.value.__context__ is None


def test_a_java_that_does_not_start(spark_master: str, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text("#!/bin/sh\necho too old >&2\nexit 1\n")
    java.chmod(0o755)
    program = (
        "import pyarrow as pa\nfrom sudare.engines.spark.open import open_spark\n"
        "from sudare.facts.schema import make_schema\n"
        "facts = make_schema({'table': {'name': 't'}, 'columns': {'v': {'type': 'boolean'}}})\n"
        "try:\n    open_spark(pa.table({'v': [1]}), facts, {'v'})\n"
        "except Exception as error:\n    print(error.what, error.exit_code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "JAVA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("Spark cannot be started. 5\n", "")


def test_hostile_labels_are_only_text(spark_master: str) -> None:
    labels = [
        "'); DROP VIEW rows; --",
        'a"b',
        "\\",
        "\\u0041",
        "${spark.app.name}",
        "%",
        "簾",
        "a\nb",
        "`",
        "\U0001f600",
    ]
    facts = one("category", values=labels)
    asked = MomentsRequest(axes=(ValuesAxis("v", tuple(labels)),))
    with open_spark(
        pa.table({"v": [*labels, "A", "sudare"]}), facts, {"v"}, spark_master
    ) as source:
        assert source.moments([asked], KEY)[0].rows == ((1,),) * len(labels)


def test_more_groups_than_anybody_declared(
    spark_master: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then Spark brings groups of one label together itself."""
    from sudare.engines.spark import source as module

    monkeypatch.setattr(module, "_MORE_GROUPS", 10)
    values = [" " * (n % 40) + "a" for n in range(400)] + [str(n) for n in range(400)]
    facts = one("category", values=["b", "a", " a"], other="rest")
    asked = MomentsRequest(axes=(ValuesAxis("v", ("b", "a", " a"), True),))
    with open_spark(pa.table({"v": values}), facts, {"v"}, spark_master) as source:
        assert source.moments([asked], KEY)[0].rows == ((0,), (400,), (0,), (400,))


def test_errors_name_no_value(spark_master: str) -> None:
    facts = one("integer", min=0, max=9)
    with pytest.raises(SudareError) as caught:
        open_spark(pa.table({"w": [CANARY]}), facts, {"v"}, spark_master)
    assert CANARY not in str(caught.value)
