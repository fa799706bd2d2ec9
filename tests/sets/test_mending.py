"""One step against an inference: the paper's figure 2, least numbers, and who is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sets.brute import HALF, NOBODY, RHOS, begin, held, support
from sudare.sets.layout import Layout, State
from sudare.sets.mending import Rule, mend
from support.attackers import Case, Record

X, Y = 0, 1
EVERYTHING: Record = frozenset(range(9))


def made(*records: Sequence[int]) -> Case:
    rows = tuple(map(frozenset, records))
    return Case(rows, rows, (EVERYTHING,) * len(rows))


FIGURE_2 = made([X, Y], [X, Y], [X, Y], [X])


def step(
    case: Case, known: Sequence[int], inferred: Sequence[int], on: tuple[Layout, State, Rule]
) -> tuple[int, Case]:
    """One step against known → each of inferred: what it cost, and what is left."""
    layout, state, rule = on
    now = held(case, layout, state).released
    holding = [u for u, record in enumerate(now) if record >= set(known)]
    counts = [sum(i in now[u] for u in holding) for i in range(case.items)]
    changed = np.zeros(len(now), np.uint8)
    cost = mend(
        layout,
        state,
        rule,
        np.array(known, np.int32),
        len(known),
        np.array(holding, np.int32),
        len(holding),
        np.array(counts, np.int64),
        np.array(inferred, np.int32),
        len(inferred),
        changed,
    )
    left = held(case, layout, state)
    touched = [u for u in range(len(now)) if left.released[u] != now[u]]
    assert np.flatnonzero(changed).tolist() == touched
    assert sum(map(len, now)) - sum(map(len, left.released)) == cost
    return cost, left


def gone(case: Case) -> list[tuple[int, int]]:
    pairs = zip(case.original, case.released, strict=True)
    return [(u, i) for u, (first, now) in enumerate(pairs) for i in sorted(first - now)]


@pytest.mark.parametrize("literal", [False, True])
def test_figure_2b_one_y_is_suppressed(literal: bool) -> None:
    """N(y) = 3 − 4·½ = 1 and N(x) = 1/½ = 2; at the start F is 0 for both, and the least N goes."""
    cost, left = step(FIGURE_2, [X], [Y], begin(FIGURE_2, HALF, literal=literal))
    assert cost == 1
    assert [i for _, i in gone(left)] == [Y]
    assert (support(left, X, Y), support(left, X)) == (2, 4)


@pytest.mark.parametrize("literal", [False, True])
def test_figure_2c_two_x_are_suppressed(literal: bool) -> None:
    """Where x has become more frequent than it was, x goes: from two of the records with both."""
    layout, state, rule = begin(FIGURE_2, HALF, literal=literal)
    # As if x had stood in almost no record: F(x) > 0 > F(y), and x weighs least.
    state.first_support[[X, Y]] = 1, 6
    cost, left = step(FIGURE_2, [X], [Y], (layout, state, rule))
    assert cost == 2
    assert [i for _, i in gone(left)] == [X, X]
    assert 3 not in [u for u, _ in gone(left)]
    assert support(left, X) == 2
    assert support(left, X, Y) == 1


numbers = st.integers(1, 12)


@settings(deadline=None)
@given(numbers, st.integers(0, 12), st.sampled_from(RHOS), st.booleans(), st.booleans())
def test_exactly_as_many_as_needed(
    both: int, alone: int, rho: Fraction, takes_known: bool, literal: bool
) -> None:
    """N is the least number after which the confidence is at most ρ, in integers."""
    whole = both + alone
    assume(both > rho * whole)
    case = made(*[[X, Y]] * both, *[[X]] * alone)
    layout, state, rule = begin(case, rho, literal=literal)
    # What was rare at first is what goes; the other weighs most.
    state.first_support[[X, Y]] = (1, 10**6) if takes_known else (10**6, 1)
    cost, left = step(case, [X], [Y], (layout, state, rule))
    least = next(
        n for n in range(both + 1) if both - n <= rho * (whole - n if takes_known else whole)
    )
    assert cost == least
    assert {i for _, i in gone(left)} == {X if takes_known else Y}
    now = support(left, X)
    assert support(left, X, Y) <= rho * now


def test_one_known_item_goes_where_many_are_inferred() -> None:
    """Three inferred items cost one each; the known one costs two and stops all three, from the
    records that hold most of them."""
    case = made([0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3], [0])
    cost, left = step(case, [0], [1, 2, 3], begin(case, HALF))
    assert cost == 2
    assert [i for _, i in gone(left)] == [0, 0]
    partly = made([0, 1], [0, 2, 3, 1], [0, 1, 2, 3], [0, 2, 3], [0])
    cost, left = step(partly, [0], [1, 2, 3], begin(partly, HALF))
    assert gone(left)[:1] in ([(1, 0)], [(2, 0)])


def test_what_all_mind_goes_before_what_makes_it_known() -> None:
    """The same where the three are sensitive to everyone: to suppress one of them stops other
    rules, too."""
    rows = (frozenset({0, 1, 2, 3, 4, 5}),) * 3 + (frozenset({0, 4, 5}),)
    case = Case(rows, rows, (NOBODY,) * 4, frozenset({1, 2, 3}))
    cost, left = step(case, [0], [1, 2, 3], begin(case, HALF))
    assert (cost, len(gone(left))) == (1, 1)
    assert gone(left)[0][1] in (1, 2, 3)
    cost, left = step(case, [0, 4, 5], [1, 2, 3], begin(case, HALF))
    assert (cost, gone(left)[0][1] in (1, 2, 3)) == (1, True)


def test_the_longest_records_lose_items_first() -> None:
    case = made([0, 1], [0, 1, 2, 3], [0, 1, 2], [0])
    _, left = step(case, [0], [1], begin(case, HALF))
    assert gone(left) == [(1, 1)]


def test_ties_among_records_are_settled_by_lot() -> None:
    losers = {gone(step(FIGURE_2, [X], [Y], begin(FIGURE_2, HALF, str(n)))[1])[0] for n in range(9)}
    assert len(losers) > 1


def test_of_equal_f_and_n_the_first_item_goes() -> None:
    """At ρ = 1/3 a rule held by one record costs 1 either way, and F is 0 everywhere."""
    third = Fraction(1, 3)
    case = made([0, 1, 2])
    assert gone(step(case, [1], [0, 2], begin(case, third, literal=True))[1]) == [(0, 0)]
    # First by e, then by d: e = 1 comes before e = 2, and d = 0 before d = 1.
    assert gone(step(case, [0], [1, 2], begin(case, third, literal=True))[1]) == [(0, 0)]
    assert gone(step(case, [2], [0, 1], begin(case, third, literal=True))[1]) == [(0, 0)]
    # The least N comes before the first item.
    more = made([0, 1], [0, 1], [0, 1], [0])
    assert gone(step(more, [0], [1], begin(more, HALF, literal=True))[1])[0][1] == 1


@pytest.mark.parametrize("literal", [False, True])
def test_records_are_drawn_by_the_words_one_after_the_other(literal: bool) -> None:
    case = made([0, 1], [0, 1], [0, 1], [0, 1], [0, 1])
    on = begin(case, HALF, literal=literal, by_lot=not literal)
    # ⌈5 − 5/2⌉ = 3 of five records: the fourth; of 1, 2, 0, 4 the second; of 1, 0, 4 the last.
    on[2].words[:3] = 3, 1 + 4 * 10**15, 2
    cost, left = step(case, [0], [1], on)
    assert cost == 3
    assert on[2].used[0] == 3
    # After a draw the chosen record swaps places with the first of the rest.
    assert [u for u, _ in gone(left)] == [2, 3, 4]


def test_what_was_inferred_and_what_was_known_are_tallied_apart() -> None:
    on = begin(FIGURE_2, HALF)
    step(FIGURE_2, [X], [Y], on)
    assert on[2].tally.tolist() == [1, 0]
    three = made([0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3], [0])
    on = begin(three, HALF)
    step(three, [0], [1, 2, 3], on)
    assert on[2].tally.tolist() == [0, 2]
