"""The best association rules, by the stated order and no other."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudare.facts.baskets import Baskets
from sudare.facts.errors import UsageError
from sudare.sets.mining import rules
from sudare.sets.mining.itemsets import frequent
from sudare.sets.mining.rules import Rule, top_rules
from support.mined import all_supports, baskets, rank, ranked_rules
from support.tiers import examples

ROWS = st.lists(st.sets(st.sampled_from("abcdef")), min_size=1, max_size=9)
SHARES = st.fractions(min_value=Fraction(1, 12), max_value=1, max_denominator=12)
NAMES = [f"i{number:02}" for number in range(40)]
LITTLE, THIRD = Fraction(1, 10**6), Fraction(3, 10)


def dense(share: float, records: int = 200) -> Baskets:
    held = np.random.default_rng(4).random((records, len(NAMES))) < share
    return baskets([[NAMES[item] for item in np.flatnonzero(row)] for row in held], NAMES)


# The first call compiles, which is no matter of a deadline.
@settings(deadline=None)
@given(ROWS, SHARES, SHARES, st.sampled_from([1, 2, 5, 20, 10_000]))
def test_rules_are_those_of_a_plain_search(
    rows: list[set[str]], support: Fraction, confidence: Fraction, top: int
) -> None:
    counted = all_supports(rows)
    kept = {one: count for one, count in counted.items() if count >= support * len(rows)}
    expected = ranked_rules(kept, 1, confidence)[:top]
    assert top_rules(baskets(rows), support, confidence, top) == tuple(expected)


@settings(deadline=None)
@given(ROWS, SHARES, st.sampled_from([1, 4, 10_000]), st.integers(0, 12))
def test_a_trial_that_breaks_off_changes_nothing(
    rows: list[set[str]], confidence: Fraction, top: int, trial: int
) -> None:
    expected = ranked_rules(all_supports(rows), 1, confidence)[:top]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "_TRIAL", trial)
        assert top_rules(baskets(rows), LITTLE, confidence, top) == tuple(expected)


@settings(deadline=None)
@given(ROWS, st.permutations("abcdef"))
def test_neither_the_order_of_records_nor_that_of_codes_matters(
    rows: list[set[str]], names: list[str]
) -> None:
    found = top_rules(baskets(rows, "abcdef"), LITTLE, THIRD, 7)
    assert top_rules(baskets(rows[::-1], names), LITTLE, THIRD, 7) == found


def test_consequents_have_any_size() -> None:
    found = top_rules(baskets(["abc", "abc", "b"]), Fraction(2, 3), Fraction(1))
    assert Rule(("a",), ("b", "c"), 2, 2) in found
    assert Rule(("b",), ("a", "c"), 2, 3) not in found


def test_thresholds_are_met_at_equality_and_not_below() -> None:
    data = baskets(["ab"] * 7 + ["a"] * 3 + [""] * 90)
    rule = Rule(("a",), ("b",), 7, 10)
    # 0.07 · 100 is 7.000000000000001 in floating point.
    assert rule in top_rules(data, Fraction(7, 100), Fraction(7, 10))
    assert rule not in top_rules(data, Fraction(7, 100), Fraction(700_000_001, 10**9 - 1))
    assert rule not in top_rules(data, Fraction(70_001, 10**6), Fraction(7, 10))


def test_empty_records_count_as_records() -> None:
    assert top_rules(baskets(["ab", "", ""]), Fraction(1, 3), THIRD) != ()
    assert top_rules(baskets(["ab", "", "", ""]), Fraction(1, 3), THIRD) == ()
    assert top_rules(baskets([]), THIRD, THIRD) == ()
    assert top_rules(baskets([""]), THIRD, THIRD) == ()


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_the_best_of_dense_data_whose_itemsets_cannot_be_listed(share: float) -> None:
    data = dense(share)
    with pytest.raises(UsageError, match="too many"):
        frequent(data, 1, most=1_000_000)
    found = top_rules(data, LITTLE, THIRD)
    assert len(found) == 100
    # Above the last rule's support there are few itemsets, and all of them can be listed.
    listed = frequent(data, found[-1].support).by_name()
    assert found == tuple(ranked_rules(listed, 1, THIRD)[:100])


def test_records_that_are_all_alike() -> None:
    alike = baskets([NAMES] * 200)
    first = islice(permutations(NAMES, 2), 100)
    assert top_rules(alike, LITTLE, THIRD) == tuple(Rule((a,), (b,), 200, 200) for a, b in first)


def test_a_tie_among_long_rules_is_not_listed_either() -> None:
    # Each pair is in the one long record, so that no rule of two items is confident enough, and
    # 2^40 sets of more tie at support 1 and confidence 1.
    data = baskets([[name] for name in NAMES] * 2 + [NAMES])
    first = [(pair, (c,)) for pair in combinations(NAMES, 2) for c in NAMES if c not in pair]
    expected = [Rule(left, right, 1, 1) for left, right in first[:100]]
    assert top_rules(data, LITTLE, Fraction(1, 2)) == tuple(expected)


def test_one_very_long_record() -> None:
    names = [f"{number:04}" for number in range(1200)]
    found = top_rules(baskets([names, names[:3], names[:2]]), LITTLE, THIRD, 3)
    expected = [Rule((a,), (b,), 3, 3) for a, b in permutations(names[:2], 2)]
    assert found == (*expected, Rule((names[2],), (names[0],), 2, 2))


def test_the_answer_may_be_long() -> None:
    counted = all_supports([NAMES[:9]] * 3)
    expected = ranked_rules(counted, 1, THIRD)
    assert len(expected) == 3**9 - 2 * 2**9 + 1
    assert top_rules(baskets([NAMES[:9]] * 3), LITTLE, THIRD, 10**9) == tuple(expected)


@pytest.mark.parametrize(
    ("support", "confidence", "top"),
    [(0, 1, 1), (2, 1, 1), (1, 0, 1), (1, Fraction(3, 2), 1), (1, Fraction(1, 10**9), 1)],
)
def test_thresholds_out_of_range(support: int, confidence: Fraction | int, top: int) -> None:
    with pytest.raises(UsageError, match="at most 1"):
        top_rules(baskets(["ab"]), Fraction(support), Fraction(confidence), top)
    with pytest.raises(UsageError, match="At least one rule"):
        top_rules(baskets(["ab"]), Fraction(1), Fraction(1), 0)


@examples(20)
@given(ROWS, SHARES)
def test_rules_are_those_of_mlxtend(rows: list[set[str]], confidence: Fraction) -> None:
    mlxtend = pytest.importorskip("mlxtend.frequent_patterns")
    pandas = pytest.importorskip("pandas")
    held = [[name in row for name in "abcdef"] for row in rows]
    table = pandas.DataFrame(held, columns=list("abcdef"))
    sets = mlxtend.apriori(table, min_support=0.5 / len(rows), use_colnames=True)
    if sets.empty:
        return
    # Confidences are ratios of small numbers: a little less is no other ratio.
    near = float(confidence) - 1e-6
    theirs = mlxtend.association_rules(sets, metric="confidence", min_threshold=near)
    counts = (theirs[name] * len(rows) for name in ("support", "antecedent support"))
    read = zip(theirs.antecedents, theirs.consequents, *counts, strict=True)
    expected = [
        Rule(tuple(sorted(left)), tuple(sorted(right)), round(support), round(base))
        for left, right, support, base in read
    ]
    found = top_rules(baskets(rows), LITTLE, confidence, 10_000)
    assert found == tuple(sorted(expected, key=rank))
