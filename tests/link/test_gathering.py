"""Rows that grow in place, and one row a key."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sudare.link.gathering import Growing, one_each


def test_rows_come_back_as_they_were_added() -> None:
    rng = np.random.default_rng(1)
    batches = [rng.integers(0, 256, (count, 5), np.uint8) for count in (3, 0, 70_000, 1, 200_000)]
    rows = Growing(5)
    for batch in batches:
        rows.add(batch)
    assert (rows.whole() == np.concatenate(batches)).all()


def test_no_rows() -> None:
    assert Growing(7).whole().shape == (0, 7)
    assert one_each(np.empty((0, 32), np.uint8), np.empty(0, np.int64)).tolist() == []


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 40), max_size=60), st.randoms(use_true_random=False))
def test_the_first_of_each_key_stays(keys: list[int], shuffler: object) -> None:
    points = np.zeros((len(keys), 32), np.uint8)
    # Keys that differ in their first byte alone, and in their last alone.
    for place, key in enumerate(keys):
        points[place, 0], points[place, 31] = key % 20, key // 20
    order = list(range(len(keys)))
    shuffler.shuffle(order)  # type: ignore[attr-defined]
    seen: set[int] = set()
    expected = [row for row in order if keys[row] not in seen and not seen.add(keys[row])]  # type: ignore[func-returns-value]
    assert one_each(points, np.array(order, np.int64)).tolist() == expected
