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
TABLE = pa.table({"who": ["a"] * len(VALUES) + ["b"], "v": [*VALUES, 50]})


def kept(source: Source) -> list[tuple[int, ...]]:
    with source:
        return [source.moments([BY_VALUE], bytes([run] * 32))[0].rows for run in range(3)]


@pytest.mark.parametrize("block", [2**20, 7])
def test_equal_rows_are_numbered_in_blocks(
    block: int, spark_master: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounding, "BLOCK", block)
    found = kept(open_spark(TABLE, FACTS, {"v"}, spark_master))
    assert found == kept(open_duck(TABLE, FACTS, {"v"}))
    assert all(sum(count for (count,) in rows) == 5 for rows in found)
    assert len(set(found)) > 1


def test_the_plan(spark_master: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows are ranked where they lie before they travel, and nobody reads the key off a plan."""
    with open_spark(TABLE, FACTS, {"v"}, spark_master) as source:
        source.moments([BY_VALUE], KEY)
        source.tables._lease.session.table("chosen").explain(extended=True)
    plan = capsys.readouterr().out
    before, _, after = plan.partition("Exchange hashpartitioning(u")
    assert "WindowGroupLimit" in before
    assert after.lstrip().split("WindowGroupLimit")[1].split("\n")[0].endswith("Partial")
    assert KEY.hex() not in plan
    assert "rand" not in plan
    assert "monotonically_increasing_id" not in plan


def test_nobody_over_the_limit(spark_master: str) -> None:
    table = pa.table({"who": ["a", "b", None, "a"], "v": [1, 2, 3, 1]})
    with open_spark(table, FACTS, {"v"}, spark_master) as source:
        assert source.moments([MomentsRequest()], KEY)[0].rows == ((3,),)
        assert source.tables.name == "settled"
