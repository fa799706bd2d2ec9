"""The optimum against trying every suppression, and what it refuses."""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.facts.errors import EngineUnavailable, InvalidPlan
from sudare.sets.optimum import Optimum, optimum
from sudare.sets.verify.attackers import verify
from support.attackers import Case, Record, exposed
from support.tiers import examples

HALF = Fraction(1, 2)
record = st.frozensets(st.integers(0, 3), max_size=4)


def best(case: Case, rho: Fraction, most: int | None, seconds: float = 30) -> Optimum:
    original = case.baskets(case.original)
    return optimum(original, case.sensitive(), rho, max_knowledge=most, seconds=seconds)


def fewest(case: Case, rho: Fraction, most: int | None) -> int:
    """All subsets of all cells."""
    cells = [(n, i) for n, r in enumerate(case.original) for i in sorted(r)]
    found = len(cells)
    for drops in product((False, True), repeat=len(cells)):
        if sum(drops) < found:
            dropped = {cell for cell, is_out in zip(cells, drops, strict=True) if is_out}
            released = tuple(
                frozenset(i for i in r if (n, i) not in dropped)
                for n, r in enumerate(case.original)
            )
            if not exposed(Case(case.original, released, case.called, case.everyone), rho, most):
                found = sum(drops)
    return found


@examples(25)
@given(
    st.lists(record, min_size=1, max_size=4).filter(lambda rows: sum(map(len, rows)) <= 8),
    st.data(),
    st.sampled_from([HALF, Fraction(1, 3), Fraction(2, 3), Fraction(1)]),
    st.sampled_from([1, 2, None]),
)
def test_nothing_safe_suppresses_fewer(
    rows: list[Record], data: st.DataObject, rho: Fraction, most: int | None
) -> None:
    called = tuple(data.draw(record) for _ in rows)
    everyone = data.draw(st.frozensets(st.just(0)))
    case = Case(tuple(rows), tuple(rows), called, everyone)
    found = best(case, rho, most)
    assert found.is_proved
    assert found.suppressed == found.at_least == fewest(case, rho, most)
    original = case.baskets(case.original)
    assert int((~found.kept).sum()) == found.suppressed
    verify(original, original.kept(found.kept), case.sensitive(), rho, max_knowledge=most)


def test_figure_2_needs_one_suppression() -> None:
    rows = tuple(map(frozenset, ([0, 1], [0, 1], [0, 1], [0])))
    case = Case(rows, rows, tuple(map(frozenset, ([1], [], [], []))))
    assert best(case, HALF, None).suppressed == 1


def town() -> Case:
    """Sixty records of seven items, each minding two."""
    rows = tuple(frozenset((n * step + 3) % 23 for step in range(1, 8)) for n in range(60))
    called = tuple(frozenset({n % 23, (5 * n + 1) % 23}) for n in range(60))
    return Case(rows, rows, called)


def test_a_time_limit_gives_a_safe_answer_that_is_not_proved() -> None:
    case = town()
    found = best(case, HALF, 2, seconds=0.01)
    original = case.baskets(case.original)
    assert not found.is_proved
    assert found.at_least <= found.suppressed
    verify(original, original.kept(found.kept), case.sensitive(), HALF, max_knowledge=2)


def test_the_answer_is_the_same_each_time() -> None:
    rows = town().original[:6]
    case = Case(rows, rows, town().called[:6])
    first, second = best(case, HALF, 2), best(case, HALF, 2)
    assert first.is_proved
    assert first.kept.tolist() == second.kept.tolist()


def test_large_data_is_refused() -> None:
    rows = (frozenset(range(40)),)
    case = Case(rows, rows, (frozenset({0}),))
    with pytest.raises(InvalidPlan, match="200,000"):
        best(case, HALF, None)
    assert best(case, HALF, 1).is_proved


def test_without_ortools_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(EngineUnavailable, match="OR-Tools") as raised:
        best(Case((frozenset({0}),), (frozenset({0}),), (frozenset(),)), HALF, None)
    assert "sudare[risk]" in raised.value.hint


def test_begins_from_a_known_release() -> None:
    """With no time to look, what is known is found again, and is no worse."""
    rows = tuple(frozenset({i % 5, (i * 3 + 1) % 7, 7 + i % 4}) for i in range(14))
    case = Case(rows, rows, tuple(frozenset({7, 8}) for _ in rows), frozenset({0}))
    original, sensitive = case.baskets(rows), case.sensitive()
    first = optimum(original, sensitive, HALF, max_knowledge=None, seconds=30)
    again = optimum(original, sensitive, HALF, max_knowledge=None, seconds=0.01, known=first.kept)
    assert first.is_proved
    assert 0 < again.suppressed == first.suppressed
