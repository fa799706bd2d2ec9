"""The check of k^m-anonymity against counting every set of every record."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.facts.errors import VerificationFailed
from sudare.sets.verify.km import VerifiedKm, verify_km
from support.attackers import Record, baskets
from support.tiers import examples

records = st.lists(st.frozensets(st.integers(0, 5), max_size=6), max_size=10)


def fewest(rows: list[Record], most: int) -> int | None:
    counts: Counter[tuple[int, ...]] = Counter()
    for row in rows:
        for size in range(1, most + 1):
            counts.update(combinations(sorted(row), size))
    return min(counts.values(), default=None)


@examples(300)
@given(records, st.integers(1, 4), st.integers(1, 4), st.booleans())
def test_it_raises_where_a_set_is_too_rare_and_only_there(
    rows: list[Record], k: int, most: int, doubled: bool
) -> None:
    rows = rows * 2 if doubled else rows
    least = fewest(rows, most)
    if least is None or least >= k:
        assert verify_km(baskets(rows, 6), k, most).fewest == least
        return
    with pytest.raises(VerificationFailed, match=r"^At least \d+ records can be told") as raised:
        verify_km(baskets(rows, 6), k, most)
    assert raised.value.exit_code == 4


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_many_records(most: int) -> None:
    """More records than bits in a word; each pair of items in 20 or more, triples in fewer."""
    draws = np.random.default_rng(5)
    rows = [frozenset(np.flatnonzero(row).tolist()) for row in draws.random((400, 7)) < 0.3]
    least = fewest(rows, most)
    assert least is not None
    assert verify_km(baskets(rows, 7), least, most).fewest == least
    with pytest.raises(VerificationFailed):
        verify_km(baskets(rows, 7), least + 1, most)


def test_a_twin_that_stops_at_single_items_is_told_from_the_truth() -> None:
    rows = [frozenset({0, 1}), frozenset({0}), frozenset({1})]
    assert fewest(rows, 1) == 2
    assert verify_km(baskets(rows, 2), 2, 1) == VerifiedKm(tested=2, deepest=1, fewest=2)
    with pytest.raises(VerificationFailed, match="At least 1 records"):
        verify_km(baskets(rows, 2), 2, 2)


def test_long_records_that_are_alike_take_one_look() -> None:
    rows = [frozenset(range(60))] * 5
    assert verify_km(baskets(rows, 60), 5, 30).fewest == 5
