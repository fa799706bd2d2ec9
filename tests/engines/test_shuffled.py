"""The order of shuffled rows: uniform, complete, and the same with or without spilling."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from engines.test_reports import as_shown
from sudare.engines import shuffled
from sudare.engines.ahead import ahead
from sudare.engines.shuffled import BUCKETS, Shuffled, records_of, table_of
from sudare.randomness.choice import permutation
from support.bits import CountedBits
from support.goodness import fits

KINDS = pa.schema({"n": pa.int64(), "b": pa.binary(3), "m": pa.uint16()})


def batch(start: int, rows: int) -> pa.RecordBatch:
    numbers = list(range(start, start + rows))
    return pa.record_batch(
        {
            "n": pa.array(numbers, pa.int64()),
            "b": pa.array([f"{n % 1000:03d}".encode() for n in numbers], pa.binary(3)),
            "m": pa.array([None if n % 3 else n % 7 for n in numbers], pa.uint16()),
        }
    )


def order_of(label: str, batches: list[pa.RecordBatch], folder: Path) -> pa.Table:
    bits = CountedBits(label)
    found = Shuffled(
        KINDS,
        folder,
        lambda rows: np.frombuffer(bits.take(rows), np.uint8) % np.uint8(BUCKETS),
        lambda rows: permutation(bits, rows),
    )
    found.add_all(batches)
    return pa.concat_tables(found.tables())


def test_records_keep_every_value_and_every_gap() -> None:
    rows = batch(5, 100).slice(7, 60)
    assert table_of(records_of(rows), KINDS).to_pylist() == rows.to_pylist()


@pytest.mark.parametrize("limit", [10**9, 1000])
def test_all_rows_come_out_once(limit: int, tmp_path: Path, monkeypatch: Any) -> None:
    """Also where they have to wait on the disk, of which nothing is left."""
    monkeypatch.setattr(shuffled, "MOST_BYTES", limit)
    given = [batch(start, 1000) for start in range(0, 10_000, 1000)]
    found = order_of("once", given, tmp_path)
    rows = as_shown(found)
    assert rows != as_shown(pa.Table.from_batches(given))
    assert sorted(rows, key=repr) == sorted(as_shown(pa.Table.from_batches(given)), key=repr)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.integration
def test_every_order_is_equally_likely(tmp_path: Path, monkeypatch: Any) -> None:
    """All 6 orders of three rows in two batches over two buckets (false-alarm rate 1e-6). The twin
    does not permute inside a bucket."""
    monkeypatch.setattr(shuffled, "BUCKETS", 2)
    orders = {order: place for place, order in enumerate(itertools.permutations(range(3)))}
    bits = CountedBits("orders of three")

    def one(permute: bool) -> int:
        found = Shuffled(
            KINDS,
            tmp_path,
            lambda rows: np.frombuffer(bits.take(rows), np.uint8) % np.uint8(2),
            lambda rows: permutation(bits, rows) if permute else np.arange(rows),
        )
        found.add_all([batch(0, 2), batch(2, 1)])
        return orders[tuple(pa.concat_tables(found.tables()).column("n").to_pylist())]

    even = dict.fromkeys(range(6), 1 / 6)
    assert fits(np.array([one(True) for _ in range(1000)]), even)
    assert not fits(np.array([one(False) for _ in range(1000)]), even)


def test_work_ahead_keeps_the_order_and_the_error() -> None:
    assert list(ahead(lambda n: n * n, range(50))) == [n * n for n in range(50)]
    with pytest.raises(ZeroDivisionError):
        list(ahead(lambda n: 1 // (n - 3), range(50)))
