"""Attackers by lot: how many are drawn, that they are drawn evenly, and what their test shows."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sets.brute import HALF, KINDS, after, attackers, begin, cases, random_case
from sets.shared_data import browsing
from sudare.facts.baskets import Sensitive
from sudare.facts.errors import UsageError
from sudare.sets import sampled
from sudare.sets.experiments.sampling import sample
from sudare.sets.experiments.sensitive import fixed, personalized
from sudare.sets.layout import Layout
from sudare.sets.sampled import (
    attackers_needed,
    count_attackers,
    draw_attackers,
    hoeffding,
    suppress_sampled,
)
from sudare.sets.verify.sampled import audit_sampled
from support.attackers import Case, known_sets
from support.bits import CountedBits
from support.goodness import FALSE_ALARM, fits
from support.tiers import examples

LEVELS = (0.1, 0.05, 0.01)


def test_how_many_attackers_are_drawn() -> None:
    # A single test: with δ times π²/6, all of which the first pass of one size spends.
    assert [attackers_needed(e, e * pi**2 / 6, 1, 1) for e in LEVELS] == [22, 59, 459]
    assert [attackers_needed(e, e, 5, 1) for e in LEVELS] == [42, 100, 668]
    assert [hoeffding(e, e) for e in LEVELS] == [116, 600, 23_026]


@settings(deadline=None)
@given(st.floats(0.001, 0.5), st.floats(0.001, 0.5), st.integers(1, 9))
def test_all_passes_together_spend_at_most_delta(eps: float, delta: float, sizes: int) -> None:
    """Each pass misses H ≥ ε with chance (1 − ε)^n at most; the sum over passes is below δ."""
    missed = [(1 - eps) ** attackers_needed(eps, delta, sizes, t) for t in range(1, 400)]
    assert sizes * sum(missed) <= delta
    # One attacker fewer would not do: the first pass alone then misses more than its part.
    fewer = (1 - eps) ** (attackers_needed(eps, delta, sizes, 1) - 1)
    assert sizes * fewer >= 6 * delta / pi**2 * (1 - 1e-9)


@given(st.lists(st.integers(0, 9)), st.integers(1, 6))
def test_all_attackers_are_counted(lengths: list[int], size: int) -> None:
    expected = sum(comb(length, size) for length in lengths)
    assert count_attackers(np.array(lengths, np.int64), size) == expected


RECORDS = tuple(map(frozenset, ([0, 1, 2, 3], [0, 1], [1, 2, 4], [5], [], [0, 4])))
EVEN = Case(RECORDS, RECORDS, (frozenset(),) * len(RECORDS))
Draw = Callable[[Layout, int, int, CountedBits], tuple[np.ndarray, np.ndarray]]


def law(size: int) -> dict[int, float]:
    """A record with at least ℓ items, each alike, then ℓ of its items, each set alike."""
    able = [u for u, record in enumerate(RECORDS) if len(record) >= size]
    return {
        number(u, known): 1 / len(able) / comb(len(RECORDS[u]), size)
        for u in able
        for known in known_sets(RECORDS[u], size, with_base_rate=False)
        if len(known) == size
    }


def number(u: int, known: frozenset[int]) -> int:
    return u * 64 + sum(1 << item for item in known)


def drawn(draw: Draw, size: int) -> np.ndarray:
    layout, _, _ = begin(EVEN, HALF)
    targets, knowns = draw(layout, size, 40_000, CountedBits(f"even {size}"))
    sets = layout.item[knowns].reshape(-1, size)
    return np.array(
        [number(u, frozenset(known)) for u, known in zip(targets, sets.tolist(), strict=True)]
    )


def by_attacker(
    layout: Layout, size: int, count: int, bits: CountedBits
) -> tuple[np.ndarray, np.ndarray]:
    """A wrong twin: every (u, Q) alike, so that long records are drawn more often."""
    every = [(u, known) for u, record in enumerate(RECORDS)
             for known in known_sets(record, size, with_base_rate=False)
             if len(known) == size]  # fmt: skip
    chosen = np.frombuffer(bits.take(4 * count), np.uint32) % len(every)
    targets = np.array([every[place][0] for place in chosen])
    return targets, np.array([sorted(every[place][1]) for place in chosen]).ravel()


def by_stretch(
    layout: Layout, size: int, count: int, bits: CountedBits
) -> tuple[np.ndarray, np.ndarray]:
    """A wrong twin: items that stand beside each other in the record."""
    targets, _ = draw_attackers(layout, size, count, bits)
    starts = np.frombuffer(bits.take(4 * count), np.uint32)
    knowns = [
        np.roll(sorted(RECORDS[u]), int(start % len(RECORDS[u])))[:size]
        for u, start in zip(targets, starts, strict=True)
    ]
    return targets, np.array(knowns).ravel()


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_attackers_are_drawn_evenly(size: int) -> None:
    """False alarm: once in a million."""
    assert fits(drawn(draw_attackers, size), law(size))


def test_twins_that_draw_otherwise_are_seen() -> None:
    assert not fits(drawn(by_attacker, 2), law(2))
    assert not fits(drawn(by_stretch, 2), law(2))


@given(st.integers(1, 4))
def test_equal_attackers_stand_in_a_row(size: int) -> None:
    layout, _, _ = begin(EVEN, HALF)
    targets, knowns = draw_attackers(layout, size, 200, CountedBits("rows"))
    sets = list(map(tuple, knowns.reshape(-1, size).tolist()))
    changes = sum(one != other for one, other in zip(sets[1:], sets[:-1], strict=True))
    assert changes == len(set(sets)) - 1
    assert all(set(known) <= RECORDS[u] for u, known in zip(targets, sets, strict=True))
    assert all(len(set(known)) == size and list(known) == sorted(known) for known in sets)


def exposure(case: Case, size: int) -> Fraction:
    """H_ℓ, exactly."""
    successful = [each for each in attackers(case, HALF, size) if len(each[1]) == size]
    able = [record for record in case.original if len(record) >= size]
    parts = (Fraction(1, comb(len(case.original[u]), size)) for u, _ in successful)
    return sum(parts, Fraction(0)) / max(1, len(able))


def run(case: Case, label: str, eps: float, delta: float, most: int = 3) -> Case:
    found = suppress_sampled(
        case.baskets(case.original),
        case.sensitive(),
        HALF,
        CountedBits(label),
        max_knowledge=most,
        eps=eps,
        delta=delta,
    )
    return after(case, found.kept)


@examples(50)
@given(cases(), st.integers(0, 99))
def test_sizes_with_few_attackers_are_walked_through(case: Case, label: int) -> None:
    """So that nobody is left at all, not only few."""
    assert not attackers(run(case, str(label), 0.5, 0.5), HALF, 3)


@pytest.mark.parametrize("kind", KINDS)
def test_the_promise_holds_where_all_are_drawn(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """H ≥ ε has a chance of at most δ = 0.2 in each of 60 runs; more than such chance allows once
    in a million would be a false claim. Without the tests it is exceeded in most runs."""
    monkeypatch.setattr(sampled, "_MOST_WALKED", 0)
    eps, delta, runs = 0.05, 0.2, 60
    worst = int(stats.binom.isf(FALSE_ALARM, runs, delta))

    def broken() -> int:
        releases = (run(random_case(n, 60, 8, kind), str(n), eps, delta) for n in range(runs))
        return sum(any(exposure(each, size) >= eps for size in (1, 2, 3)) for each in releases)

    # Large draws before the test, which promise nothing, would hide what the test is for.
    monkeypatch.setattr(sampled._Trial, "mend_until", lambda *_: None)
    assert broken() <= worst
    monkeypatch.setattr(sampled, "attackers_needed", lambda *_: 1)
    assert broken() > worst


@pytest.mark.parametrize(("eps", "delta"), [(0.0, 0.1), (1.0, 0.1), (0.1, 0.0), (0.1, 1.0)])
def test_levels_outside_0_and_1_are_refused(eps: float, delta: float) -> None:
    with pytest.raises(UsageError, match="at least 1e-6 and below 1"):
        run(EVEN, "refused", eps, delta)


def test_more_knowledge_than_any_record_has() -> None:
    case = random_case(2, 30, 5, "mixed")
    assert not attackers(run(case, "long", 0.1, 0.1, most=50), HALF, None)
    nothing = Case((frozenset(),), (frozenset(),), (frozenset(),))
    assert run(nothing, "empty", 0.1, 0.1).released == (frozenset(),)


@pytest.mark.integration
@pytest.mark.parametrize("draw", [fixed, personalized])
@pytest.mark.parametrize("walks", [False, True])
def test_a_fresh_audit_of_browsing(
    draw: Callable[..., Sensitive], walks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """20,000 fresh attackers of each size on a tenth of BMS-WebView-1, with its long records. By
    chance H ≥ ε once in 100; that the audit then passes is no matter here."""
    if not walks:
        monkeypatch.setattr(sampled, "_MOST_WALKED", 0)
    eps, bits = 0.01, CountedBits("audit")
    part = sample(browsing("bms-webview-1"), 10, bits)
    sensitive = draw(part, Fraction(2, 5), bits)
    found = suppress_sampled(part, sensitive, HALF, bits, max_knowledge=5, eps=eps, delta=0.01)
    shares = audit_sampled(
        part, part.kept(found.kept), sensitive, HALF, 5, eps, 0.01, CountedBits("fresh")
    )
    assert [share.known for share in shares] == [1, 2, 3, 4, 5]
    assert all(share.drawn == 20_000 for share in shares)
    assert max(share.successful / share.drawn for share in shares) < eps
    before = audit_sampled(part, part, sensitive, HALF, 5, 1, 0.01, CountedBits("fresh"))
    assert all(share.successful / share.drawn > eps for share in before)
