"""Cleaned rows as batches."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pyarrow as pa

from engines.tables import KEY, csv_text, schema, write
from sudare.engines.open import open_source

TABLE = schema(
    {
        "age": {"type": "integer", "min": 0, "max": 120},
        "x": {"type": "real", "min": 0, "max": 1, "step": 0.25},
        "day": {"type": "date", "min": dt.date(1970, 1, 1), "max": dt.date(1980, 1, 1)},
        "yes": {"type": "boolean"},
        "sex": {"type": "category", "values": ["F", "M"], "other": "other"},
        "id": {"type": "key"},
        "memo": {"type": "text"},
    }
)
NAMES = list(TABLE.columns)
ROWS = [
    ["130", "0.4", "1970-01-03", "yes", " F ", " 7 ", " hello "],
    ["", "x", "1960/01/01", "", "q", "", ""],
]
EXPECTED = [
    {"age": 120, "x": 2, "day": 2, "yes": 1, "sex": "F", "id": "7", "memo": " hello "},
    {"age": None, "x": None, "day": 0, "yes": None, "sex": "other", "id": None, "memo": None},
]


def test_text_becomes_indices_and_labels(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", csv_text(NAMES, ROWS))
    with open_source(path, TABLE, set(NAMES)) as source:
        rows = [row for batch in source.batches(NAMES, KEY) for row in batch.to_pylist()]
    assert sorted(rows, key=str) == sorted(EXPECTED, key=str)


def test_batches_have_a_size_and_keep_rows_together() -> None:
    data = pa.table({"age": [n % 100 for n in range(5000)], "memo": [str(n) for n in range(5000)]})
    with open_source(data, TABLE, {"age", "memo"}) as source:
        batches = list(source.batches(["memo", "age"], KEY, rows=2048))
    assert len(batches) >= 3
    assert max(batch.num_rows for batch in batches) <= 2048
    rows = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    assert sorted(rows) == sorted((str(n), n % 100) for n in range(5000))


def test_an_empty_table_gives_no_rows() -> None:
    with open_source(pa.table({"age": pa.array([], pa.int64())}), TABLE, {"age"}) as source:
        assert sum(batch.num_rows for batch in source.batches(["age"], KEY)) == 0
