"""No value ends a query of Spark's: every storage at its extremes, read as DuckDB reads it.

One table holds a column of every storage, and its cleaned rows are compared as a whole, because an
opening takes Spark long; see test_totality.py for the reasons.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from engines.tables import KEY, schema
from engines.test_totality import COLUMNS, DECLARED, broken_text, parquet_file
from sudare.engines.duck import open_duck
from sudare.engines.spark.open import open_spark
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.errors import InvalidFile
from sudare.facts.schema import Schema

LONGEST = max(map(len, COLUMNS.values()))
NUMBER = {"type": "integer", "min": 0, "max": 1000}
TOLD = {**DECLARED, "text": {"type": "text"}, "key": {"type": "key"}}
# DuckDB takes these nanoseconds for infinities, and writes no 0 before the point of numbers that
# have all of their digits behind it.
INFINITIES = {2**63 - 1, -(2**63) + 1}
# It writes these days as infinities; as dates they clamp alike.
FAR_DAYS = {2**31 - 1, -(2**31) + 1}
NO_ZERO = {"decimal128(38,38)"}
# Spark reads no Parquet of these types, so they are refused as "another type".
NOT_IN_PARQUET = {"float16", "uuid", "decimal256", "decimal256 fraction"}


def padded(column: pa.Array) -> pa.ChunkedArray:
    missing = pa.nulls(LONGEST - len(column), column.type)
    return pa.chunked_array([column, missing], column.type)


def every_storage(names: list[str]) -> pa.Table:
    numbers = {"place": pa.chunked_array([pa.array(range(LONGEST))])}
    return pa.table(numbers | {name: padded(COLUMNS[name]) for name in names})


def fitting(data: Any, names: list[str], declared: dict[str, Any]) -> list[str]:
    """The columns that can be read under a declared type."""
    found = []
    for name in names:
        try:
            open_duck(data, schema({name: declared}), {name}).close()
            found.append(name)
        except InvalidFile:
            continue
    return found


def rows(source: Any, names: list[str]) -> list[dict[str, Any]]:
    with source:
        found = [
            row for batch in source.batches(["place", *names], KEY) for row in batch.to_pylist()
        ]
    return sorted(found, key=lambda row: int(row["place"]))


def is_infinite(name: str, kind: str) -> list[bool]:
    if name == "date32" and kind in ("text", "key"):
        return [v in FAR_DAYS for v in padded(COLUMNS[name]).cast(pa.int32()).to_pylist()]
    if "timestamp(ns" not in name:
        return [False] * LONGEST
    return [value in INFINITIES for value in padded(COLUMNS[name]).cast(pa.int64()).to_pylist()]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, list[str]]]:
    """The table in memory, and as much of it as Parquet takes as a file."""
    names = [name for name in COLUMNS if COLUMNS[name].type != pa.null()]
    folder = tmp_path_factory.mktemp("storages")
    filed = [
        name
        for name in names
        if name not in NOT_IN_PARQUET
        and parquet_file(name, pa.table({"v": COLUMNS[name]}), folder / "one.parquet") is not None
    ]
    parquet.write_table(every_storage(filed), folder / "all.parquet")
    return [(every_storage(names), names), (folder / "all.parquet", filed)]


# Each takes Spark some ten seconds: the fast suite has one kind of each way of reading.
FAST = {"wide integer", "wide real", "category with other", "date", "text"}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[] if kind in FAST else pytest.mark.slow) for kind in TOLD]
)
def test_extremes_are_read_as_duckdb_reads_them(
    kind: str, stored: list[tuple[Any, list[str]]], spark_master: str
) -> None:
    for data, names in stored:
        read = fitting(data, names, TOLD[kind])
        facts = schema({"place": NUMBER, **dict.fromkeys(read, TOLD[kind])})
        expected = rows(open_duck(data, facts, ["place", *read]), read)
        found = rows(open_spark(data, facts, ["place", *read], spark_master), read)
        assert len(read) >= 2
        for name in read:
            if name in NO_ZERO and kind in ("text", "key"):
                continue
            told = [
                [
                    row[name]
                    for row, own in zip(each, is_infinite(name, kind), strict=True)
                    if not own
                ]
                for each in (found, expected)
            ]
            assert told[0] == told[1], (name, type(data).__name__)


def test_what_spark_cannot_read_is_refused(spark_master: str, tmp_path: Path) -> None:
    for name in NOT_IN_PARQUET:
        parquet.write_table(
            pa.table({"v": COLUMNS[name], "n": range(len(COLUMNS[name]))}), tmp_path / "t"
        )
        (tmp_path / "t").rename(tmp_path / "t.parquet")
        facts = schema({"v": {"type": "text"}, "n": NUMBER})
        with pytest.raises(InvalidFile, match="stores it as another type"):
            open_spark(tmp_path / "t.parquet", facts, {"v"}, spark_master)
    # A column that the run does not read is nobody's business.
    with open_spark(tmp_path / "t.parquet", facts, {"n"}, spark_master) as source:
        assert source.moments([MomentsRequest()], KEY)[0].rows[0][0] == len(COLUMNS[name])


def damaged_decimals(digits: int, size: int) -> pa.Array:
    """Twice the greatest number of the type, and 1."""
    values = b"".join(number.to_bytes(16, "little") for number in (size, 100))
    return pa.Array.from_buffers(pa.decimal128(digits, 2), 2, [None, pa.py_buffer(values)])


def test_storage_that_breaks_its_own_rules(spark_master: str, tmp_path: Path) -> None:
    """Broken text and too long decimals are missing; those that Spark itself refuses are refused
    before anything is paid."""
    broken = pa.table({"t": broken_text(pa.string()), "d": [*damaged_decimals(5, 10**8), None]})
    parquet.write_table(broken, tmp_path / "t.parquet", store_decimal_as_integer=True)
    facts: Schema = schema(
        {
            "t": {"type": "category", "values": ["1", "2"], "other": "rest"},
            "d": {"type": "integer", "min": 0, "max": 9},
        }
    )
    by_label = MomentsRequest(axes=(ValuesAxis("t", ("1", "2"), True),))
    total = MomentsRequest(columns=("d",), monomials=((0,),))
    with open_spark(tmp_path / "t.parquet", facts, {"t", "d"}, spark_master) as source:
        assert [each.rows for each in source.moments([by_label, total], KEY)] == [
            ((1,), (1,), (1,)),
            ((1, 1),),
        ]
        labels = [v for b in source.batches(["t"], KEY) for v in b.column(0).to_pylist()]
    assert sorted(labels) == ["1", "2", "rest"]
    units = schema({"t": {"type": "key"}}, unit="t", max_rows_per_unit=1)
    with open_spark(tmp_path / "t.parquet", units, (), spark_master) as source:
        assert source.moments([MomentsRequest()], KEY)[0].rows == ((2,),)
    parquet.write_table(pa.table({"d": damaged_decimals(30, 10**30 * 2)}), tmp_path / "l.parquet")
    with pytest.raises(InvalidFile, match="damaged"):
        open_spark(tmp_path / "l.parquet", facts, {"d"}, spark_master)


def test_texts_of_very_many_digits(spark_master: str) -> None:
    """Java would try ways to read these for hours."""
    many = 200_000
    texts = ["1" * many + "x", "0" * many + "7", "1" * many, "-" + "1" * many, " " * many + "x"]
    texts += [
        "0" * many + "x",
        "7." + "0" * many,
        "1e" + "0" * many + "1",
        "." * many,
        "1" * many + ".",
    ]
    table = pa.table({"n": texts, "x": texts, "d": texts, "b": texts, "c": texts})
    bounds = {"min": -10, "max": 10}
    facts = schema(
        {
            "n": {"type": "integer", **bounds},
            "x": {"type": "real", "step": 1, **bounds},
            "d": DECLARED["date"],
            "b": {"type": "boolean"},
            "c": {"type": "category", "values": ["7"]},
        }
    )
    names = list(facts.columns)
    expected = [
        list(row.values())
        for batch in open_duck(table, facts, names).batches(names, KEY)
        for row in batch.to_pylist()
    ]
    with open_spark(table, facts, names, spark_master) as source:
        found = [
            list(row.values()) for batch in source.batches(names, KEY) for row in batch.to_pylist()
        ]
    assert sorted(found, key=repr) == sorted(expected, key=repr)
    assert {row[0] for row in found} == {None, 7, 10, -10}


def test_the_greatest_sums(spark_master: str) -> None:
    """Squares of 2^62 over a frame of unknown length, whose sum has 38 digits and more."""
    facts = schema({"v": {"type": "integer", "min": -(2**62), "max": 2**62}})
    values = np.array([2**62, -(2**62), 2**62, 2**62 - 1, -1, 2**62, 2**62, 2**62], dtype=np.int64)
    table = pa.table({"v": values})
    request = MomentsRequest(columns=("v",), monomials=((0,), (0, 0)))
    numbers = [int(value) for value in values]
    with open_spark(table, facts, {"v"}, spark_master) as source:
        frame = source.tables._lease.session.createDataFrame(table)
        with open_spark(frame, facts, {"v"}) as other:
            found = [each.moments([request], KEY)[0].rows for each in (source, other)]
    assert found == [((8, sum(numbers), sum(n * n for n in numbers)),)] * 2
    assert found[0][0][2] > 10**38
