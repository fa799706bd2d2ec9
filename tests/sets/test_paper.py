"""The paper's algorithms to the letter: equal to plain Python, its data sets, and safe."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sets.brute import HALF, KINDS, KNOWLEDGE, RHOS, after, cases, random_case
from sets.shared_data import BMS, browsing
from sudare.facts.errors import InvalidPlan
from sudare.randomness.bits import words64
from sudare.sets.paper import suppress_as_paper
from sudare.sets.sampled import suppress_sampled
from support.attackers import Case, Record, exposed
from support.bits import CountedBits
from support.tiers import examples


def _reference() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "sets_reference.py"
    spec = importlib.util.spec_from_file_location("sets_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


reference = _reference()


def words(bits: CountedBits, many: int) -> list[int]:
    drawn: list[int] = words64(bits, many).tolist()
    return drawn


def plainly(case: Case, rho: Fraction, most: int | None, label: str) -> tuple[Record, ...]:
    """Algorithm 1 in plain Python, with the words that the compiled one draws first."""
    bits = CountedBits(label)
    data = reference.Records(
        case.original,
        lambda u, e: e in case.wanted(u),
        rho.numerator,
        rho.denominator,
        iter(words(bits, sum(map(len, case.original)) + 1)),
    )
    reference.suppressor(data, most)
    return tuple(map(frozenset, data.now))


def compiled(case: Case, rho: Fraction, most: int | None, label: str) -> Case:
    found = suppress_as_paper(
        case.baskets(case.original),
        case.sensitive(),
        rho,
        CountedBits(label),
        max_knowledge=most,
    )
    return after(case, found.kept)


def check(case: Case, rho: Fraction, most: int | None, label: str) -> None:
    release = compiled(case, rho, most, label)
    assert release.released == plainly(case, rho, most, label)
    assert not exposed(release, rho, most)


@examples(200)
@given(cases(), st.sampled_from(RHOS), st.sampled_from(KNOWLEDGE), st.integers(0, 99))
def test_algorithm_1_is_that_of_plain_python(
    case: Case, rho: Fraction, most: int | None, label: int
) -> None:
    check(case, rho, most, str(label))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rho", RHOS[:4])
def test_the_same_with_more_records(kind: str, rho: Fraction) -> None:
    check(random_case(7, 100, 7, kind), rho, None, kind)


def test_the_words_matter() -> None:
    case = random_case(8, 60, 6, "mixed")
    assert len({plainly(case, HALF, None, str(label)) for label in range(5)}) > 1
    twin = compiled(case, HALF, None, "one"), plainly(case, HALF, None, "other")
    assert twin[0].released != twin[1]


def sampled_plainly(case: Case, most: int, eps: float, label: str) -> tuple[Record, ...]:
    """Algorithm 2: after the words for suppression and one a record for ties, those for attackers
    are drawn a call at a time, so here as one stream."""
    bits = CountedBits(label)
    first = words(bits, sum(map(len, case.original)) + 1)
    words(bits, len(case.original))

    def stream() -> Iterator[int]:
        for _ in count():
            yield from words(bits, 1)

    data = reference.Records(case.original, lambda u, e: e in case.wanted(u), 1, 2, iter(first))
    reference.sample_suppressor(data, most, eps, eps, stream())
    return tuple(map(frozenset, data.now))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_algorithm_2_is_that_of_plain_python(kind: str, seed: int) -> None:
    case = random_case(seed, 50, 7, kind)
    found = suppress_sampled(
        case.baskets(case.original),
        case.sensitive(),
        HALF,
        CountedBits(kind),
        max_knowledge=3,
        eps=0.2,
        delta=0.2,
        literal=True,
    )
    assert after(case, found.kept).released == sampled_plainly(case, 3, 0.2, kind)
    assert found.steps != ((0, 0),) * 3


def test_too_many_sets_are_refused() -> None:
    """One basket of 40 items has 2^40 subsets."""
    record = frozenset(range(40))
    case = Case((record,), (record,), (record,))
    with pytest.raises(InvalidPlan, match="every subset of every record") as raised:
        compiled(case, HALF, None, "refused")
    assert "--max-knowledge" in raised.value.hint
    assert not exposed(compiled(case, HALF, 1, "allowed"), HALF, 1)


@pytest.mark.parametrize("most", [None, 5])
def test_a_basket_of_ten_thousand_items_is_refused_at_once(most: int | None) -> None:
    # The number of its subsets has three thousand digits, which are never written out.
    record = frozenset(range(10_000))
    with pytest.raises(InvalidPlan, match="every subset of every record"):
        compiled(Case((record,), (record,), (record,)), HALF, most, "large")


def test_no_records_and_no_items() -> None:
    assert compiled(Case((), (), ()), HALF, None, "none").released == ()
    empty = (frozenset[int](),) * 2
    assert compiled(Case(empty, empty, empty), HALF, None, "none").released == empty


# The table prints a mean of 5.0 for the second, whose file has 358,278 items: 4.6 a record.
TABLE_1 = {BMS[0]: (59_602, 497, 267, 2.5), BMS[1]: (77_512, 3_340, 161, 4.6)}
SHORT = {BMS[0]: 54_737, BMS[1]: 58_044}


@pytest.mark.parametrize("name", BMS)
def test_table_1(name: str) -> None:
    """|D|, |I|, the longest record and the mean one; and section 4.1, records up to five items."""
    baskets = browsing(name)
    records, items, longest, mean = TABLE_1[name]
    assert (baskets.records, len(baskets.names)) == (records, items)
    assert baskets.lengths.max() == longest
    assert np.count_nonzero(baskets.lengths <= 5) == SHORT[name]
    assert baskets.lengths.mean() == pytest.approx(mean, abs=0.05)
