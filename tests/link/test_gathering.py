"""Rows that grow in place, and one row a key."""

from __future__ import annotations

import mmap
from collections import Counter
from typing import NoReturn

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.link.gathering import Growing, _grown, leaving
from sudare.randomness.bits import SystemBits
from support.tiers import examples


def test_rows_come_back_as_they_were_added() -> None:
    rng = np.random.default_rng(1)
    batches = [rng.integers(0, 256, (count, 5), np.uint8) for count in (3, 0, 70_000, 1, 200_000)]
    rows = Growing(5)
    for batch in batches:
        rows.add(batch)
    assert (rows.whole() == np.concatenate(batches)).all()


def test_where_the_system_cannot_move_pages_they_are_copied() -> None:
    class Fixed(mmap.mmap):
        def resize(self, _: int) -> NoReturn:
            raise SystemError

    pages = Fixed(-1, mmap.PAGESIZE)
    pages[:4] = b"rows"
    larger = _grown(pages, 3 * mmap.PAGESIZE)
    assert (larger[:4], len(larger)) == (b"rows", 3 * mmap.PAGESIZE)


def test_no_rows() -> None:
    assert Growing(7).whole().shape == (0, 7)
    assert leaving(np.empty((0, 32), np.uint8), SystemBits()).tolist() == []


def made(keys: list[int]) -> np.ndarray:
    """Keys that differ in their first byte alone, and in their last alone."""
    points = np.zeros((len(keys), 32), np.uint8)
    for place, key in enumerate(keys):
        points[place, 0], points[place, 31] = key % 20, key // 20
    return points


@examples(200)
@given(st.lists(st.integers(0, 40), max_size=60))
def test_one_row_of_each_key_leaves(keys: list[int]) -> None:
    order = leaving(made(keys), SystemBits())
    assert sorted(keys[row] for row in order) == sorted(set(keys))


@pytest.mark.integration
def test_every_row_of_a_key_and_every_order_is_equally_likely() -> None:
    """Keys a a b: four outcomes of a's row and the order, each one in four. χ² with three degrees
    of freedom is above 30.7 with probability 1e-6."""
    bits, counts = SystemBits(), Counter[tuple[int, ...]]()
    for _ in range(1200):
        counts[tuple(leaving(made([3, 3, 25]), bits).tolist())] += 1
    assert set(counts) == {(0, 2), (1, 2), (2, 0), (2, 1)}
    assert sum((each - 300) ** 2 / 300 for each in counts.values()) < 30.7
