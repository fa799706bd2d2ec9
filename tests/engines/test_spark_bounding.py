"""The choice of rows on Spark: how it is planned, and equal rows in very many."""

from __future__ import annotations

import pyarrow as pa
import pytest

from engines.tables import KEY, schema
from sudare.engines.duck import open_duck
from sudare.engines.source import Source
from sudare.engines.spark import bounding
from sudare.engines.spark.open import open_spark
from sudare.facts.aggregate import MomentsRequest, UniformAxis

FACTS = schema(
    {"who": {"type": "key"}, "v": {"type": "integer", "min": 0, "max": 99}},
    unit="who",
    max_rows_per_unit=4,
)
BY_VALUE = MomentsRequest(axes=(UniformAxis("v", 0, 100, 100),))
# One person with three kinds of rows, the first of them many times over.
VALUES = [7] * 600 + [8] * 300 + [9]
TABLE = pa.table(
    {"who": ["a"] * len(VALUES) + ["b"] + ["c"] * 60, "v": [*VALUES, 50, *range(20, 80)]}
)


def kept(source: Source) -> list[tuple[int, ...]]:
    with source:
        return [source.moments([BY_VALUE], bytes([run] * 32))[0].rows for run in range(3)]


@pytest.mark.parametrize(("many", "block"), [(2**16, 2**20), (500, 7)])
def test_few_rows_and_many(
    many: int, block: int, spark_master: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of a unit that meet on one worker, and rows that are spread and numbered in blocks."""
    monkeypatch.setattr(bounding, "MANY", many)
    monkeypatch.setattr(bounding, "BLOCK", block)
    found = kept(open_spark(TABLE, FACTS, {"v"}, spark_master))
    assert found == kept(open_duck(TABLE, FACTS, {"v"}))
    assert all(sum(count for (count,) in rows) == 9 for rows in found)
    assert len(set(found)) > 1


def test_the_plan(
    spark_master: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Many rows are ranked where they lie before they travel, and nobody reads the key off a
    plan."""
    monkeypatch.setattr(bounding, "MANY", 500)
    with open_spark(TABLE, FACTS, {"v"}, spark_master) as source:
        source.moments([BY_VALUE], KEY)
        source._tables._lease.session.table("chosen").explain(extended=True)
    plan = capsys.readouterr().out
    # Read from below: ranked in part, sent by unit, ranked to the end.
    steps = [line for line in plan.splitlines() if "WindowGroupLimit" in line or "Exchange" in line]
    kinds = [
        "Final" if "Final" in s else "Partial" if "Partial" in s else "Exchange" for s in steps
    ]
    assert ["Final", "Exchange", "Partial", "Exchange"] in [
        kinds[n : n + 4] for n in range(len(kinds))
    ]
    assert KEY.hex() not in plan
    assert "rand" not in plan
    assert "monotonically_increasing_id" not in plan


def test_nobody_over_the_limit(spark_master: str) -> None:
    table = pa.table({"who": ["a", "b", None, "a"], "v": [1, 2, 3, 1]})
    with open_spark(table, FACTS, {"v"}, spark_master) as source:
        assert source.moments([MomentsRequest()], KEY)[0].rows == ((3,),)
        assert source._tables.name == "settled"
