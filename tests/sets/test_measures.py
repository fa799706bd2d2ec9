"""What a release loses, against the paper's equations worked out by hand."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.sets.measures import frequencies, util1, util2, util_mining
from sudare.sets.mining.rules import Rule
from support.mined import baskets

DATA = baskets(["abc", "ab", "", "a"])


def mask(*places: int) -> np.ndarray:
    """All items but those at the places."""
    kept = np.ones(len(DATA.items), np.bool_)
    kept[list(places)] = False
    return kept


def rules(*sides: str) -> tuple[Rule, ...]:
    return tuple(Rule(tuple(side[0]), tuple(side[1:]), 1, 2) for side in sides)


def test_the_share_of_items_suppressed_is_exact() -> None:
    assert util1(DATA, mask()) == 0
    assert util1(DATA, mask(2, 5)) == Fraction(1, 3)
    assert util1(DATA, mask(*range(6))) == 1


def test_divergence_by_hand() -> None:
    # Before: a 3/6, b 2/6, c 1/6. Without c: a 3/5, b 2/5.
    expected = 0.6 * math.log(0.6 / 0.5) + 0.4 * math.log(0.4 / (1 / 3))
    assert util2(DATA, mask(2)) == pytest.approx(expected, rel=1e-12)


def test_a_release_with_the_same_shares_does_not_diverge() -> None:
    doubled = baskets(["abc", "abc"])
    assert util2(doubled, np.array([True] * 3 + [False] * 3)) == 0.0
    assert util2(DATA, mask()) == 0.0


def test_nothing_released_and_nothing_there() -> None:
    nothing = baskets(["", ""])
    assert util2(DATA, mask(*range(6))) == 0.0
    assert util1(nothing, np.empty(0, np.bool_)) == 0
    assert util2(nothing, np.empty(0, np.bool_)) == 0.0


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), min_size=1, max_size=30))
def test_divergence_is_the_sum_of_its_terms(held: list[tuple[str, bool]]) -> None:
    data = baskets([item for item, _ in held])
    before, after = Counter(i for i, _ in held), Counter(i for i, kept in held if kept)
    shares = [(n / after.total(), before[item] / before.total()) for item, n in after.items()]
    expected = sum(now * math.log(now / then) for now, then in shares)
    found = util2(data, np.array([kept for _, kept in held]))
    assert found >= 0
    assert found == pytest.approx(expected, abs=1e-12)


def test_supports_before_and_after() -> None:
    found = frequencies(DATA, DATA.kept(mask(0, 2)))
    assert found.before.tolist() == [3, 2, 1]
    assert found.after.tolist() == [2, 2, 0]


def test_items_of_a_file_read_again_are_matched_by_name() -> None:
    # The release has its own codes, lost c, and gained a generalised item.
    released = baskets(["zb", "ba", "", "a"])
    assert frequencies(DATA, released).after.tolist() == [2, 2, 0]
    assert frequencies(DATA, baskets([""])).after.tolist() == [0, 0, 0]


def test_distance_of_rules() -> None:
    assert util_mining(rules("ab", "bc", "ca"), rules("bc", "ca", "cb")) == Fraction(1, 2)
    assert util_mining(rules("ab"), rules("ab")) == 0
    assert util_mining(rules("ab"), rules("ba")) == 1
    assert util_mining(rules("ab"), ()) == 1
    assert util_mining((), ()) == 0


def test_only_the_sides_of_a_rule_are_compared() -> None:
    counted_otherwise = (Rule(("a",), ("b",), 5, 9),)
    assert util_mining(rules("ab"), counted_otherwise) == 0
