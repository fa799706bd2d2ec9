"""Files of reports: every mechanism's reports come back as they were written, on every engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from engines.tables import KEY
from local.test_ways import MIXED, plan, schema
from sudare.engines.duck import open_duck
from sudare.engines.reports import ReportWriter, as_batch, on_rows, open_reports
from sudare.engines.spark.open import open_spark
from sudare.facts.errors import InvalidFile
from sudare.local.compile import compile_local
from sudare.local.randomizer import Randomizer
from sudare.mechanisms.local.named import mechanism_of
from support.bits import CountedBits

ROWS = 500


def as_shown(table: pa.Table) -> list[Any]:
    return [tuple(row.values()) for row in table.to_pylist()]


def people() -> pa.Table:
    numbers = np.arange(ROWS)
    return pa.table(
        {
            "age": pa.array([None if n % 50 == 0 else n % 101 for n in numbers.tolist()]),
            "born": pa.array(numbers * 30, pa.int32()).cast(pa.date32()),
            "sex": pa.array([("m", "f", "x", None)[n % 4] for n in numbers]),
            "県": pa.array([str(n % 50) for n in numbers]),
        }
    )


MECHANISMS = ["two-point", "piecewise", "hybrid", "laplace", "square-wave", "grr", "oue", "olh"]


CHANGES: list[dict[str, Any]] = [
    {"epsilon": 1.0},
    {"epsilon": "8"},
    {"epsilon": 10**400},
    {"epsilon": float("inf")},
    {"asked": 0},
    {"asked": 99},
    {"domains": {"age": {"is": "number", "type": "integer", "low": 5, "high": 5, "step": 1.0,
                         "complete": False}}},
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_facts_that_do_not_fit_each_other_are_refused(
    change: dict[str, Any], tmp_path: Path
) -> None:
    """An ε below that of an item, a number of reports that cannot be, a column of one value."""
    job = compile_local(plan("8"), schema(MIXED))
    none: Any = {name: (np.empty(0, np.int64), None) for name in job.facts.domains}
    table = pa.Table.from_batches([as_batch(Randomizer(job.facts)(none, 0), 0)])
    for told, is_sound in ((job.facts.to_dict(), True), (job.facts.to_dict() | change, False)):
        path = tmp_path / f"{is_sound}.parquet"
        parquet.write_table(table.replace_schema_metadata({"sudare": json.dumps(told)}), path)
        if is_sound:
            assert open_reports(path).facts == job.facts
        else:
            with pytest.raises(
                InvalidFile, match=r"does not fit together|not one of randomised reports"
            ):
                open_reports(path)


@pytest.mark.parametrize("budget", ["split", "sample"])
@pytest.mark.parametrize("mechanism", [*MECHANISMS, "one-hot"])
def test_reports_come_back(mechanism: str, budget: Any, tmp_path: Path) -> None:
    job = compile_local(plan("8", mechanism, budget=budget), schema(MIXED))
    bits = CountedBits(mechanism)
    randomizer = Randomizer(job.facts, lambda: bits)
    seen: list[Any] = []

    def kept(columns: Any, rows: int) -> Any:
        seen.append(randomizer(columns, rows))
        return seen[-1]

    names = list(job.facts.domains)
    with open_duck(people(), schema(MIXED), names) as source:
        batches = [on_rows(job.facts, kept)(batch) for batch in source.batches(names, KEY)]
    path = tmp_path / "r.parquet"
    with ReportWriter(path, job.facts, batches[0].schema) as writer:
        for batch in batches:
            writer.write(batch)
    found = open_reports(path)
    assert found.facts == job.facts
    assert found.rows == ROWS
    (read,), (written,) = list(found.batches()), seen
    for name, (own, reports) in written.items():
        assert np.array_equal(read.reports[name][1], reports), name
        if own is not None:
            assert read.reports[name][0] is not None
            assert np.array_equal(read.reports[name][0], own)
    for item in job.facts.items:
        scores: Any = mechanism_of(item)
        assert len(scores.scores(read.reports[item.name][1])) > 0


def test_an_empty_table_has_a_file_too(tmp_path: Path) -> None:
    job = compile_local(plan("8"), schema(MIXED))
    none: Any = {name: (np.empty(0, np.int64), None) for name in job.facts.domains}
    batch = as_batch(Randomizer(job.facts)(none, 0), 0)
    with ReportWriter(tmp_path / "r.parquet", job.facts, batch.schema) as writer:
        writer.write(batch)
    assert open_reports(tmp_path / "r.parquet").rows == 0


def test_other_files_are_refused(tmp_path: Path) -> None:
    parquet.write_table(people(), tmp_path / "raw.parquet")
    (tmp_path / "text.parquet").write_text("no Parquet")
    facts = compile_local(plan("8"), schema(MIXED)).facts
    parquet.write_table(
        people().replace_schema_metadata({"sudare": str(facts.to_dict())}), tmp_path / "odd.parquet"
    )
    for name in ("raw", "text", "odd"):
        with pytest.raises(InvalidFile, match="not one of randomised reports"):
            open_reports(tmp_path / f"{name}.parquet")
    with pytest.raises(InvalidFile, match="not there"):
        open_reports(tmp_path / "none.parquet")


def test_the_same_function_runs_on_spark_s_workers(spark_master: str) -> None:
    """At an ε where reports hardly stray: the labels of all rows come back from the workers."""
    columns = {"県": MIXED["県"]}
    job = compile_local(plan("16"), schema(columns))
    function = on_rows(job.facts, Randomizer(job.facts))
    with open_spark(people(), schema(columns), ["県"], spark_master) as source:
        found = pa.Table.from_batches(source.map_batches(["県"], KEY, function))
    counts = np.bincount(found.column("県").to_numpy(), minlength=48)
    assert found.num_rows == ROWS
    # 47 declared labels of ten rows each, and 30 rows of labels that nobody declared.
    assert np.abs(counts - np.array([10] * 47 + [30])).max() <= 2


def test_a_damaged_page_is_a_refusal(tmp_path: Path) -> None:
    job = compile_local(plan("8"), schema(MIXED))
    randomizer = Randomizer(job.facts)
    given: Any = {
        name: (np.zeros(ROWS, np.int64) + getattr(domain, "low", 0), None)
        for name, domain in job.facts.domains.items()
    }
    batch = as_batch(randomizer(given, ROWS), ROWS)
    path = tmp_path / "r.parquet"
    with ReportWriter(path, job.facts, batch.schema) as writer:
        writer.write(batch)
    whole = bytearray(path.read_bytes())
    # Behind the first four bytes of the format lie the pages.
    whole[4:60] = bytes(56)
    path.write_bytes(whole)
    with pytest.raises(InvalidFile, match="damaged"):
        list(open_reports(path).batches())
