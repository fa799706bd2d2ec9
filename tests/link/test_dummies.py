"""Dummies: exact (ε, δ) of the sizes of classes, law, keys, and estimates without them."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.errors import InvalidPlan
from sudare.facts.estimated import Estimated, Wanted
from sudare.facts.randomized import Randomized
from sudare.facts.reported import Batch, Column, Reports
from sudare.link.compile import compile_link
from sudare.link.dummies import (
    DummyLaw,
    classes,
    dummy_columns,
    dummy_counts,
    dummy_keys,
    dummy_law,
    membership,
)
from sudare.local.estimates.estimate import estimate
from sudare.local.randomizer import Randomizer
from support.bits import CountedBits
from support.goodness import fits
from support.link_plans import NUMBER, label, party, plan, schema

BUDGETS = [(Fraction(1), Fraction(1, 10**6)), (Fraction(1, 4), Fraction(1, 1000)),
           (Fraction(3), Fraction(1, 10**9)), (Fraction(8), Fraction(1, 10))]  # fmt: skip


def law(scale: float, shift: int) -> dict[int, float]:
    weights = {d: math.exp(-abs(d - shift) / scale) for d in range(2 * shift + 1)}
    total = sum(weights.values())
    return {d: weight / total for d, weight in weights.items()}


def delta_of(scale: float, shift: int, epsilon: float) -> float:
    """The hockey stick of two sizes, one of which falls and one of which rises by one."""
    own = np.array([*law(scale, shift).values(), 0.0])
    moved = np.roll(own, 1)
    here, there = np.outer(own, moved), np.outer(moved, own)
    return float(np.maximum(here - math.exp(epsilon) * there, 0).sum())


@pytest.mark.parametrize(("epsilon", "delta"), BUDGETS)
def test_sizes_are_private_exactly_and_no_shift_is_smaller(
    epsilon: Fraction, delta: Fraction
) -> None:
    found = dummy_law(epsilon, delta)
    # A ratio of exactly e^ε is rounded to one side or the other.
    exact = delta_of(float(found.scale), found.shift, float(epsilon) * (1 + 1e-9))
    assert exact == pytest.approx(found.delta, rel=1e-6)
    assert found.delta <= delta
    assert DummyLaw(epsilon, found.shift - 1).delta > delta * (1 - 1e-8)


@pytest.mark.parametrize(("epsilon", "delta"), BUDGETS[:3])
def test_a_scale_or_shift_wrong_by_five_per_cent_is_caught(
    epsilon: Fraction, delta: Fraction
) -> None:
    found = dummy_law(epsilon, delta)
    narrow = delta_of(0.95 * float(found.scale), found.shift, float(epsilon))
    assert narrow > delta
    short = math.floor(0.95 * found.shift)
    assert delta_of(float(found.scale), short, float(epsilon) * (1 + 1e-9)) > delta


def test_known_figures() -> None:
    assert dummy_law(Fraction(1), Fraction(1, 10**6)).shift == 27
    assert dummy_law(Fraction(1, 2), Fraction(1, 10**9)).shift == 78


def test_a_hopeless_wish_is_refused() -> None:
    with pytest.raises(InvalidPlan, match="dummies"):
        dummy_law(Fraction(1, 10**7), Fraction(1, 10**12))


def test_numbers_drawn_follow_the_law_and_not_one_that_is_wrong_by_five_per_cent() -> None:
    found = dummy_law(Fraction(1), Fraction(1, 100))
    drawn = dummy_counts(found, CountedBits("numbers of dummies"), 200_000)
    assert drawn.min() >= 0
    assert drawn.max() <= 2 * found.shift
    assert fits(drawn, law(float(found.scale), found.shift))
    assert not fits(drawn, law(float(found.scale) * 0.95, found.shift))


def test_members_have_the_same_keys_and_other_classes_have_others() -> None:
    secret = bytes(range(32))
    keys = dummy_keys(secret, ("a", "b"), 50)
    assert keys == dummy_keys(secret, ("a", "b"), 50)
    others = dummy_keys(secret, ("a", "c"), 50) + dummy_keys(bytes(32), ("a", "b"), 50)
    assert len({*keys, *others}) == 150


def test_classes_of_three_parties() -> None:
    assert classes("abc") == [("a",), ("b",), ("c",), ("a", "b"), ("a", "c"), ("b", "c"),
                              ("a", "b", "c")]  # fmt: skip


def test_membership_adds_the_sizes_and_two_records() -> None:
    found = dummy_law(Fraction(1), Fraction(1, 10**6))
    epsilon, delta = membership(found, [0.5, 2.0, 0.25], 1e-8)
    assert epsilon == 3.5
    assert delta == pytest.approx(found.delta + 2e-8)


ROWS, MADE = 60_000, 60_000
SCHEMAS = {
    "病院": schema("病院", {"年齢": NUMBER, "喫煙": label("はい", "いいえ")}),
    "商店": schema("商店", {"支出": NUMBER, "会員": label("金", "銀")}),
    "役所": schema("役所", {"所得": NUMBER, "世帯": NUMBER, "税": NUMBER}),
}
PARTIES = (party("病院", "年齢", "喫煙"), party("商店", "支出", "会員"),
           party("役所", "所得", "世帯", "税"))  # fmt: skip


def people() -> dict[str, NDArray[np.int64]]:
    """Far from the middle, and one follows the other."""
    made = np.random.default_rng(3)
    base = made.integers(500, 1001, ROWS)
    other = np.where(made.random(ROWS) < 0.7, base, made.integers(500, 1001, ROWS))
    return {
        "年齢": base,
        "支出": other,
        "喫煙": (base > 700).astype(np.int64),
        "会員": (other > 700).astype(np.int64),
        "所得": base,
        "世帯": other,
        "税": base,
    }


def together(one: Reports, two: Reports) -> Reports:
    """The rows of one, then those of two."""
    found: Reports = {}
    for name, (rows, reports) in one.items():
        more, others = two[name]
        places = None if rows is None or more is None else np.concatenate([rows, ROWS + more])
        found[name] = places, np.concatenate([reports, others])
    return found


def told(top: str) -> tuple[Randomized, Batch]:
    job = compile_link(plan(*PARTIES, schemas=SCHEMAS, top=top))
    reports: Reports = {}
    for name in job.plan.names:
        facts = job.party_facts(name)
        drawn = Randomizer(facts, partial(CountedBits, f"reports of {name}"))
        data: dict[str, Column] = {c: (people()[c], None) for c in facts.domains}
        made = dummy_columns(facts, MADE, CountedBits(f"dummies of {name}"))
        reports |= together(drawn(data, ROWS), drawn(made, MADE))
    return job.joined_facts(), Batch(ROWS + MADE, _mixed(reports))


def _mixed(reports: Reports) -> Reports:
    """In another order, so that dummies lie among people."""
    order = np.random.default_rng(8).permutation(ROWS + MADE)
    found: Reports = {}
    for name, (rows, values) in reports.items():
        own = order if rows is None else order[rows]
        sort = np.argsort(own)
        found[name] = (None if rows is None else own[sort]), values[sort]
    return found


def far(found: Estimated, truth: dict[str, NDArray[np.int64]]) -> float:
    """The greatest distance of means, covariances and shares, in standard errors."""
    distances = []
    for mean in found.means:
        distances.append((mean.mean.raw, mean.mean.standard_error, truth[mean.column].mean()))
    assert found.covariance is not None
    names = found.covariance.columns
    exact = np.cov([truth[name] for name in names])
    for i, row in enumerate(found.covariance.entries):
        for j, each in enumerate(row):
            distances.append((each.raw, each.standard_error, exact[i, j]))
    for shown in found.histograms:
        share = float(truth[shown.column].mean())
        distances.append((shown.shares[1].raw, shown.shares[1].standard_error, share))
    for table in found.tables:
        both = float((truth[table.columns[0]] * truth[table.columns[1]]).mean())
        cell = table.shares[1][1]
        distances.append((cell.raw, cell.standard_error, both))
    return max(
        float(abs(value - exact) / error)
        for value, error, exact in distances
        if value is not None and error
    )


WANTED = Wanted(frozenset({"mean", "covariance", "histogram"}), tables=(("喫煙", "会員"),))


@pytest.mark.parametrize(
    ("epsilon", "kind"), [("10.5", "cell"), ("42", "value")], ids=["cells", "values"]
)
def test_estimates_take_the_expected_dummies_out(epsilon: str, kind: str) -> None:
    facts, batch = told(f"epsilon = {epsilon}")
    assert kind in {item.kind for item in facts.items if "所得" in item.columns}
    cured = estimate(replace(facts, dummies=float(MADE)), [batch], WANTED)
    assert cured.rows == ROWS
    # Some thirty figures, each beyond five and a half standard errors once in 2e7.
    assert far(cured, people()) < 5.5
    assert far(estimate(facts, [batch], WANTED), people()) > 50


def test_five_per_cent_too_few_or_too_many_taken_out_are_seen() -> None:
    facts, batch = told("epsilon = 42")
    for wrong in (0.95, 1.05):
        found = estimate(replace(facts, dummies=wrong * MADE), [batch], WANTED)
        assert far(found, people()) > 8


def test_a_file_of_dummies_alone_tells_nothing() -> None:
    facts, batch = told("epsilon = 42")
    found = estimate(replace(facts, dummies=2.0 * (ROWS + MADE)), [batch], WANTED)
    assert found.rows == 0
    assert all(each.mean.value is None for each in found.means)
    assert not found.histograms


def test_facts_without_dummies_have_no_trace_of_them() -> None:
    facts = compile_link(plan(*PARTIES, schemas=SCHEMAS)).joined_facts()
    assert "dummies" not in facts.to_dict()
    some = replace(facts, dummies=27.0)
    assert Randomized.from_dict(some.to_dict()).dummies == 27.0
