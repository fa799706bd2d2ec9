"""The audit by fresh attackers: uniform, exact for each attacker, and it sees broken promises."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.facts.errors import VerificationFailed
from sudare.sets.verify.lists import lists
from sudare.sets.verify.rules import succeed
from sudare.sets.verify.sampled import AuditedShare, _subsets, audit_sampled
from sudare.sets.verify.shares import at_least, at_most
from support.attackers import Case, Record, known_sets, rules
from support.bits import CountedBits
from support.tiers import examples

HALF = Fraction(1, 2)
RECORDS = tuple(
    map(frozenset, ([0, 1, 2], [0, 1], [0, 2, 3], [1, 2, 3, 4], [4], [0, 1, 4], [2, 3]))
)
CALLED = tuple(map(frozenset, ([1], [4], [0, 3], [2], [], [4], [1])))
CASE = Case(RECORDS, RECORDS, CALLED)


def share(case: Case, known: int) -> Fraction:
    """The exact share: u uniform among those with enough items, then Q uniform among u's."""
    successful: dict[int, set[Record]] = {}
    for u, items, _, both, whole in rules(case, known):
        if Fraction(both, whole) > HALF and len(items) == known:
            successful.setdefault(u, set()).add(items)
    able = [u for u, record in enumerate(case.original) if len(record) >= known]
    parts = [Fraction(len(successful.get(u, ())), comb(len(case.original[u]), known)) for u in able]
    return sum(parts, Fraction(0)) / len(able)


def audit(case: Case, most: int, eps: float, samples: int) -> tuple[AuditedShare, ...]:
    original, released = case.baskets(case.original), case.baskets(case.released)
    bits = CountedBits(f"audit {most} {eps}")
    return audit_sampled(original, released, case.sensitive(), HALF, most, eps, 0.05, bits, samples)


def test_the_true_share_is_within_the_bounds() -> None:
    """False alarms: 2e-6 over labels, both bounds of all levels together."""
    found = audit(CASE, 5, 1.0, 20_000)
    assert [each.known for each in found] == [1, 2, 3, 4]
    for each in found:
        assert each.drawn == 20_000
        assert each.at_least <= share(CASE, each.known) <= each.at_most
        assert each.at_most - each.at_least < 0.05


def test_a_broken_promise_is_seen_and_one_that_holds_is_not() -> None:
    """5 % below the true share is refused with enough attackers, 5 % above is not."""
    worst = float(max(share(CASE, known) for known in (1, 2, 3, 4)))
    assert 0.1 < worst < 0.9
    with pytest.raises(VerificationFailed, match="succeed more often than promised") as raised:
        audit(CASE, 5, worst * 0.95, 200_000)
    assert "0.05" in raised.value.hint
    assert len(audit(CASE, 5, worst * 1.05, 200_000)) == 4


def test_sets_are_uniform() -> None:
    """Each of the six pairs of one record; false alarms 1e-6 in all."""
    one = Case((frozenset({3, 5, 7, 8}),), (frozenset(),), (frozenset(),))
    drawn = 60_000
    pairs = _subsets(one.baskets(one.original), np.zeros(drawn, np.int64), 2, CountedBits("pairs"))
    found, counts = np.unique(pairs, axis=0, return_counts=True)
    assert len(found) == 6
    assert (found[:, 0] < found[:, 1]).all()
    for count in counts.tolist():
        assert at_least(count, drawn, 1e-7 / 2) < 1 / 6 < at_most(count, drawn, 1e-7 / 2)


record = st.frozensets(st.integers(0, 4), max_size=5)


@examples(100)
@given(st.data(), st.lists(record, min_size=1, max_size=6), st.sampled_from([HALF, Fraction(1, 3)]))
def test_each_attacker_is_judged_like_brute_force(
    data: st.DataObject, original: list[Record], rho: Fraction
) -> None:
    size = len(original)
    released = tuple(r - data.draw(st.frozensets(st.sampled_from(range(5)))) for r in original)
    called = tuple(data.draw(st.lists(record, min_size=size, max_size=size)))
    case = Case(tuple(original), released, called, data.draw(st.frozensets(st.just(2))))
    wrong = {(u, known) for u, known, _, a, b in rules(case, None) if Fraction(a, b) > rho}
    minds = case.sensitive()
    held = lists(case.baskets(released), np.arange(case.items))
    for known in range(1, 5):
        sets = sorted(
            (tuple(sorted(q)), u)
            for u, r in enumerate(original)
            for q in known_sets(r, known, False)
            if len(q) == known
        )
        if sets:
            flags = succeed(
                held,
                minds.everyone,
                minds.starts,
                minds.items,
                np.array([u for _, u in sets]),
                np.array([q for q, _ in sets], np.int64),
                rho.numerator,
                rho.denominator,
            )
            assert flags.tolist() == [(u, frozenset(q)) in wrong for q, u in sets]


@pytest.mark.parametrize(("found", "drawn"), [(0, 30), (1, 30), (7, 30), (30, 30)])
def test_bounds_of_shares_have_the_tails_they_promise(found: int, drawn: int) -> None:
    def tail(share: float, low: int, high: int) -> float:
        terms = (comb(drawn, x) * share**x * (1 - share) ** (drawn - x) for x in range(low, high))
        return sum(terms)

    low, high = at_least(found, drawn, 0.01), at_most(found, drawn, 0.01)
    assert 0 <= low <= found / drawn <= high <= 1
    assert found == 0 or tail(low, found, drawn + 1) == pytest.approx(0.01)
    assert found == drawn or tail(high, 0, found + 1) == pytest.approx(0.01)
    assert found or (low == 0 and high == pytest.approx(1 - 0.01 ** (1 / 30)))
