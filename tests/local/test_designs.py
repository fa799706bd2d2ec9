"""Blocks of numbers: all where they are few, else few in which every two meet about equally."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest

from sudare.local.designs import blocks

CASES = [(count, size) for count in (4, 8, 9, 10, 12, 15, 20, 30) for size in range(2, 8)]


@pytest.mark.parametrize(("count", "size"), [case for case in CASES if case[1] <= case[0]])
def test_every_two_meet_about_equally(count: int, size: int) -> None:
    most = count * (count + 3) // 2
    found = blocks(count, size, most)
    assert len(set(found)) == len(found) == min(len(found), most)
    assert all(tuple(sorted(set(block))) == block and len(block) == size for block in found)
    alone = Counter(number for block in found for number in block)
    assert set(alone) == set(range(count))
    assert len(set(alone.values())) == 1
    met = Counter(pair for block in found for pair in itertools.combinations(block, 2))
    even = len(found) * math.comb(size, 2) / math.comb(count, 2)
    assert len(met) == math.comb(count, 2)
    assert 0.75 * even <= min(met.values())
    assert max(met.values()) <= 1.35 * even


def test_all_blocks_where_there_are_no_more() -> None:
    assert blocks(6, 3, 20) == list(itertools.combinations(range(6), 3))
    assert len(blocks(6, 3, 19)) < 20


def test_one_turn_is_made_in_any_case() -> None:
    assert len(blocks(7, 3, 2)) == 7
