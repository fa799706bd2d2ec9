"""All frequent itemsets, each once."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudare.facts.errors import UsageError
from sudare.sets.mining.itemsets import frequent
from support.mined import Row, all_supports, baskets
from support.tiers import examples

ROWS = st.lists(st.sets(st.sampled_from("abcdefg")), max_size=9)
UNCOMPILED = """
from fractions import Fraction
import numpy as np
from sudare.sets.mining import itemsets, rules
from support.mined import all_supports, baskets, ranked_rules
assert not hasattr(itemsets._search, "py_func")
rng = np.random.default_rng(7)
for items in (3, 6, 9):
    for dense in (0.3, 0.7, 1.0):
        held = rng.random((9, items)) < dense
        rows = [[f"{i:02}" for i in np.flatnonzero(row)] for row in held]
        counted = all_supports(rows)
        found = itemsets.frequent(baskets(rows), 2).by_name()
        assert found == {one: count for one, count in counted.items() if count > 1}
        best = rules.top_rules(baskets(rows), Fraction(2, 9), Fraction(1, 2), 30)
        assert best == tuple(ranked_rules(counted, 2, Fraction(1, 2))[:30])
"""


def plain(rows: list[set[str]], least: int, longest: int = 99) -> dict[frozenset[str], int]:
    counted = all_supports(rows).items()
    return {one: support for one, support in counted if support >= least and len(one) <= longest}


# The first call compiles, which is no matter of a deadline.
@settings(deadline=None)
@given(ROWS, st.integers(1, 4), st.integers(1, 4))
def test_itemsets_are_those_of_a_plain_count(
    rows: list[set[str]], least: int, longest: int
) -> None:
    found = frequent(baskets(rows), least)
    assert found.by_name() == plain(rows, least)
    assert len(found) == len(found.by_name())
    assert frequent(baskets(rows), least, longest).by_name() == plain(rows, least, longest)


def test_an_itemset_never_repeats_an_item() -> None:
    found = frequent(baskets(["abcd", "abce", "bcde"]), 1)
    parts = [found.items[low:high] for low, high in pairwise(found.starts)]
    assert all(len(set(part)) == len(part) for part in parts)


@pytest.mark.parametrize("rows", [[], [[]], [[], []], [["a"]]])
def test_hardly_any_data(rows: list[Row]) -> None:
    assert frequent(baskets(rows, names="ab"), 1).by_name() == plain([set(r) for r in rows], 1)
    assert len(frequent(baskets(rows, names="ab"), 2)) == 0


def test_arrays_grow_with_the_answer() -> None:
    found = frequent(baskets([[f"{i:02}" for i in range(14)]] * 3), 3)
    assert len(found) == 2**14 - 1
    assert len(found.items) == found.starts[-1] == 14 * 2**13
    assert set(found.supports) == {3}


def test_too_many_itemsets_are_refused_before_they_fill_the_memory() -> None:
    wide = baskets([[f"{i:02}" for i in range(60)]] * 2)
    with pytest.raises(UsageError, match="too many"):
        frequent(wide, 2, most=50_000)
    assert len(frequent(wide, 2, longest=2, most=50_000)) == 60 + 60 * 59 // 2


@pytest.mark.parametrize(("least", "longest"), [(0, None), (-1, 3), (1, 0)])
def test_thresholds_start_at_one(least: int, longest: int | None) -> None:
    with pytest.raises(UsageError, match="whole numbers"):
        frequent(baskets(["ab"]), least, longest)


def test_no_index_leaves_its_array() -> None:
    # Without the compiler, numpy checks every index.
    paths = os.pathsep.join(path for path in sys.path if path)
    known = {**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", UNCOMPILED]
    done = subprocess.run(command, env=known, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@examples(20)
@given(ROWS, st.integers(1, 3))
def test_itemsets_are_those_of_mlxtend(rows: list[set[str]], least: int) -> None:
    mlxtend = pytest.importorskip("mlxtend.frequent_patterns")
    pandas = pytest.importorskip("pandas")
    rows = [*rows, set(), set(), set()]
    held = [[name in row for name in "abcdefg"] for row in rows]
    table = pandas.DataFrame(held, columns=list("abcdefg"))
    # Half a record below the threshold: rounding cannot move it to another whole number.
    share = (least - 0.5) / len(table)
    peer = mlxtend.fpgrowth(table, min_support=share, use_colnames=True)
    pairs = zip(peer.itemsets, peer.support, strict=True)
    theirs = {frozenset(k): round(v * len(table)) for k, v in pairs}
    assert frequent(baskets(rows), least).by_name() == theirs
