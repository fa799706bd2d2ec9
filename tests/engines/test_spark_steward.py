"""Validating what Spark reads: the counts of a file's own validation, without row numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from engines.tables import schema
from engines.test_validation import NAMES, PEOPLE, ROWS
from sudare.engines.draft import draft_schema
from sudare.engines.findings import ValidationReport
from sudare.engines.spark.session import lease
from sudare.engines.validation import validate
from sudare.facts.engine import EngineChoice


def counts(report: ValidationReport) -> dict[tuple[str, str | None], int]:
    return {(found.kind, found.column): found.count for found in report.findings}


def people() -> pa.Table:
    return pa.table(dict(zip(NAMES, map(list, zip(*ROWS, strict=True)), strict=True)))


def test_files_and_frames_are_counted_as_duckdb_counts(spark_master: str, tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    parquet.write_table(people(), path)
    expected = validate(path, PEOPLE)
    found = validate(path, PEOPLE, choice=EngineChoice("spark", spark_master))
    assert counts(found) == counts(expected)
    assert found.rows == expected.rows
    assert all(each.rows == () for each in found.findings)
    leased = lease(None, None)
    frame: Any = leased.session.read.parquet(str(path))
    assert counts(validate(frame, PEOPLE)) == counts(expected)
    leased.close()


def test_types_for_a_draft_are_those_of_the_storage(spark_master: str, tmp_path: Path) -> None:
    table = pa.table(
        {
            "n": pa.array([1], pa.int16()),
            "x": [0.5],
            "m": pa.array([1], pa.decimal128(9, 2)),
            "c": ["a"],
            "b": [True],
            "d": pa.array([1], pa.date32()),
            "t": pa.array([1], pa.timestamp("ms", "UTC")),
            "l": [[1]],
            "Odd Name": ["b"],
        }
    )
    (tmp_path / "t").mkdir()
    parquet.write_table(table, tmp_path / "t" / "1.parquet")
    choice = EngineChoice("spark", spark_master)
    far = draft_schema((tmp_path / "t").as_uri() + "/*.parquet", choice)
    assert far == draft_schema(table)
    # What lies here is asked without Spark, whoever is to read it later.
    assert draft_schema(table, choice) == far
    leased = lease(None, None)
    frame: Any = leased.session.read.parquet(str(tmp_path / "t"))
    assert draft_schema(frame) == far
    leased.close()


def test_a_person_over_the_limit_and_storage_that_does_not_fit(spark_master: str) -> None:
    table = pa.table({"id": ["a"] * 4 + ["b", None], "n": [1, 2, 3, 4, 5, 6], "l": [[1]] * 6})
    facts = schema(
        {
            "id": {"type": "key"},
            "n": {"type": "integer", "min": 0, "max": 3},
            "l": {"type": "text"},
            "gone": {"type": "text"},
        },
        unit="id",
        max_rows_per_unit=2,
    )
    found = validate(table, facts, choice=EngineChoice("spark", spark_master))
    assert counts(found) == {
        ("absent", "gone"): 1,
        ("unit-missing", "id"): 1,
        ("unit-over-limit", "id"): 2,
        ("unit-repeats", "id"): 1,
        ("above-max", "n"): 3,
        ("structure", "l"): 1,
    }
    by_row = schema({"id": {"type": "key"}, "n": {"type": "integer", "min": 0, "max": 9}})
    found = validate(table, by_row, choice=EngineChoice("spark", spark_master))
    assert counts(found)["key-repeats", "id"] == 1
    assert "the most in 4" in next(f.message for f in found.findings if f.kind == "key-repeats")
