"""Streams of batches: their sizes."""

from __future__ import annotations

import pyarrow as pa
import pytest

from engines.tables import KEY, schema
from sudare.engines.duck import open_duck
from sudare.engines.mapped import of_size


def batches(*sizes: int) -> list[pa.RecordBatch]:
    starts = [sum(sizes[:place]) for place in range(len(sizes))]
    return [
        pa.record_batch({"v": pa.array(range(start, start + size), pa.int64())})
        for start, size in zip(starts, sizes, strict=True)
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((), []),
        ((0,), [0]),
        ((4, 4), [4, 4]),
        ((3, 3, 3), [4, 4, 1]),
        ((9, 1), [4, 4, 2]),
        ((1, 0, 12, 3), [4, 4, 4, 4]),
    ],
)
def test_batches_have_the_size_that_was_asked_for(
    given: tuple[int, ...], expected: list[int]
) -> None:
    found = list(of_size(batches(*given), 4))
    assert [batch.num_rows for batch in found] == expected
    values = [value for batch in found for value in batch.column(0).to_pylist()]
    assert values == list(range(sum(given)))


def test_duckdb_fills_its_batches_also_where_units_are_bounded() -> None:
    facts = schema(
        {"who": {"type": "key"}, "v": {"type": "integer", "min": 0, "max": 9}},
        unit="who",
        max_rows_per_unit=2,
    )
    rows = 30_000
    table = pa.table({"who": [i // 3 for i in range(rows)], "v": [i % 10 for i in range(rows)]})
    with open_duck(table, facts, ["v"]) as source:
        sizes = [batch.num_rows for batch in source.batches(["v"], KEY, 3_000)]
    assert sizes == [3_000] * 6 + [2_000]
