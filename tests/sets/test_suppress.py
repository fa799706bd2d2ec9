"""No attacker is left: by brute force over every (u, Q, e), and by the verifier."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sets.brute import HALF, KINDS, KNOWLEDGE, NOBODY, RHOS, after, cases, random_case
from sets.shared_data import BMS, browsing
from sudare.facts.baskets import Sensitive
from sudare.sets.experiments.sampling import sample, with_items
from sudare.sets.experiments.sensitive import fixed, personalized
from sudare.sets.measures import util1
from sudare.sets.paper import suppress_as_paper
from sudare.sets.suppress import Suppression, suppress
from sudare.sets.verify.attackers import verify
from support.attackers import Case, exposed
from support.bits import CountedBits
from support.tiers import examples


def run(
    case: Case,
    rho: Fraction = HALF,
    label: str = "run",
    most: int | None = None,
    with_base_rate: bool = False,
    at_random: bool = False,
) -> Suppression:
    return suppress(
        case.baskets(case.original),
        case.sensitive(),
        rho,
        CountedBits(label),
        max_knowledge=most,
        with_base_rate=with_base_rate,
        at_random=at_random,
    )


def check(
    case: Case,
    rho: Fraction,
    label: str = "run",
    most: int | None = None,
    with_base_rate: bool = False,
    at_random: bool = False,
) -> Suppression:
    found = run(case, rho, label, most, with_base_rate, at_random)
    release = after(case, found.kept)
    assert not exposed(release, rho, most, with_base_rate)
    verify(
        case.baskets(case.original),
        case.baskets(release.released),
        case.sensitive(),
        rho,
        max_knowledge=most,
        with_base_rate=with_base_rate,
    )
    by_steps = sum(map(sum, found.steps)) - found.put_back
    gone = int(np.count_nonzero(~found.kept))
    # Steps are told by the number of known items; what the base rate cost is none of them.
    assert by_steps == gone or (with_base_rate and by_steps < gone)
    return found


@examples(250)
@given(
    cases(),
    st.sampled_from(RHOS),
    st.sampled_from(KNOWLEDGE),
    st.booleans(),
    st.booleans(),
    st.integers(0, 99),
)
def test_nobody_succeeds(
    case: Case,
    rho: Fraction,
    most: int | None,
    with_base_rate: bool,
    at_random: bool,
    label: int,
) -> None:
    check(case, rho, str(label), most, with_base_rate, at_random)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("most", KNOWLEDGE)
@pytest.mark.parametrize("at_random", [False, True])
def test_nobody_succeeds_among_many(kind: str, most: int | None, at_random: bool) -> None:
    for seed, rho in enumerate(RHOS):
        check(random_case(seed, 120, 7, kind), rho, str(seed), most, False, at_random)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(400))
def test_nobody_succeeds_in_many_more(seed: int) -> None:
    draws = np.random.default_rng(seed)
    for kind in KINDS:
        records, items = int(draws.integers(1, 150)), int(draws.integers(1, 9))
        case = random_case(seed, records, items, kind)
        rho = Fraction(int(draws.integers(1, 10)), 10)
        most = KNOWLEDGE[draws.integers(4)]
        check(case, rho, str(seed), most, bool(draws.integers(2)), bool(draws.integers(2)))


MILK, BREAD, MEDICINE, APPLE, COFFEE, ORANGE = range(6)
FIGURE_1A = tuple(
    map(
        frozenset,
        (
            (MILK, BREAD, MEDICINE),
            (APPLE,),
            (MILK, COFFEE, BREAD),
            (MILK, MEDICINE),
            (COFFEE, BREAD, APPLE),
            (ORANGE, MEDICINE),
        ),
    )
)
FIGURE_1C = (FIGURE_1A[0] - {MILK}, FIGURE_1A[1], FIGURE_1A[2] - {BREAD}, *FIGURE_1A[3:5])
FIGURE_1C += (FIGURE_1A[5] - {MEDICINE},)


def test_figure_1() -> None:
    """Medicine is sensitive to those who bought it; the paper suppresses three items."""
    called = tuple(record & {MEDICINE} for record in FIGURE_1A)
    case = Case(FIGURE_1A, FIGURE_1A, called)
    assert exposed(case, HALF, None)
    assert not exposed(Case(FIGURE_1A, FIGURE_1C, called), HALF, None)
    found = check(case, HALF)
    assert 0 < np.count_nonzero(~found.kept) <= 3


def test_figure_2() -> None:
    """x, y three times and x once: one y goes."""
    records = tuple(map(frozenset, ([0, 1], [0, 1], [0, 1], [0])))
    case = Case(records, records, (frozenset({1}), NOBODY, NOBODY, NOBODY))
    release = after(case, check(case, HALF).kept)
    assert sorted(map(len, release.released)) == [1, 1, 2, 2]
    assert all(0 in record for record in release.released)


def test_items_that_nobody_has_may_be_minded() -> None:
    """The third record has no 1; that 0 tells of 1 would be a false accusation."""
    records = tuple(map(frozenset, ([0, 1], [0, 1], [0])))
    case = Case(records, records, (NOBODY, NOBODY, frozenset({1, 7})))
    found = check(case, HALF)
    assert np.count_nonzero(~found.kept) == 1
    assert np.count_nonzero(~run(Case(records, records, (NOBODY,) * 3)).kept) == 0


def test_with_nothing_known_a_sensitive_item_stands_in_a_share_of_records() -> None:
    records = (frozenset({0}),) * 9
    case = Case(records, records, (NOBODY,) * 9, frozenset({0}))
    assert run(case, Fraction(2, 3)).kept.all()
    found = check(case, Fraction(2, 3), with_base_rate=True)
    assert np.count_nonzero(found.kept) == 6


def test_no_more_goes_than_all_that_anybody_minds() -> None:
    """One long record among short ones: step by step, eight of its items would go."""
    long, rest = frozenset(range(10)), ({5, 2}, {9, 5}, {8, 4})
    rows = (long, *map(frozenset, rest))
    case = Case(rows, rows, (frozenset({0, 4, 8}), NOBODY, NOBODY, NOBODY))
    assert int((~check(case, HALF).kept).sum()) <= 5


def test_records_that_hold_the_same() -> None:
    for copies in (2, 3, 7):
        rows = (frozenset({0, 1}),) * copies
        case = Case(rows, rows, (NOBODY,) * copies, frozenset({0}))
        # Half of the copies, rounded up, lose the one or the other.
        assert int((~check(case, HALF).kept).sum()) == (copies + 1) // 2


def test_rho_of_one_changes_nothing() -> None:
    case = random_case(2, 50, 6, "mixed")
    assert check(case, Fraction(1), with_base_rate=True).kept.all()


def test_no_records_no_items_and_empty_records() -> None:
    assert check(Case((), (), ()), HALF, with_base_rate=True).kept.tolist() == []
    empty = (NOBODY,) * 3
    assert check(Case(empty, empty, (frozenset({1}),) * 3), HALF).kept.tolist() == []
    none = run(Case(empty, empty, empty))
    assert (none.walks, none.put_back, none.deepest, none.steps) == (0, 0, 0, ())


def test_the_same_bits_give_the_same_release_and_others_another() -> None:
    case = random_case(4, 100, 7, "mixed")
    once, again = run(case, label="one", at_random=True), run(case, label="one", at_random=True)
    assert once.kept.tolist() == again.kept.tolist()
    masks = {run(case, label=str(n), at_random=True).kept.tobytes() for n in range(6)}
    assert len(masks) == 6


def test_progress_is_told() -> None:
    told: list[tuple[str, float]] = []
    case = random_case(4, 60, 6, "personalised")
    suppress(
        case.baskets(case.original),
        case.sensitive(),
        HALF,
        CountedBits("watch"),
        watch=lambda what, share: told.append((what, share)),
    )
    assert told[0] == ("1 known", 0.0)
    assert "putting back" in {what for what, _ in told}
    assert all(0 <= share < 1 for _, share in told)


@pytest.mark.integration
@pytest.mark.parametrize("name", BMS)
@pytest.mark.parametrize("draw", [fixed, personalized])
def test_a_tenth_of_the_papers_records(name: str, draw: Callable[..., Sensitive]) -> None:
    """Verified without a bound on what is known, and with fewer suppressions than paper mode."""
    bits = CountedBits(name)
    short = sample(with_items(browsing(name), 5), 10, bits)
    sensitive = draw(short, Fraction(2, 5), bits)
    own = suppress(short, sensitive, HALF, bits)
    papers = suppress_as_paper(short, sensitive, HALF, bits)
    for found in (own, papers):
        verify(short, short.kept(found.kept), sensitive, HALF, max_knowledge=None)
    assert util1(short, own.kept) < util1(short, papers.kept)
