"""Statistical queries: the promise is kept, at about the least ε, and paid as the plan says.

The chance to miss is computed exactly here, by summing over the law of both noises; no test of it
draws. One test runs the whole question on drawn noise and states its rate of false alarms.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from sudare.facts.aggregate import Moments, MomentsRequest
from sudare.facts.errors import InvalidPlan
from sudare.facts.plan import Mechanism, Plan
from sudare.facts.schema import make_schema
from sudare.publish.pricing import find_epsilon, price
from sudare.queries.allocate import allocate
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from sudare.queries.sq import StatisticalQuery
from sudare.queries.tolerance import (
    Tolerance,
    least_epsilon_for,
    miss_of_count,
    miss_of_pair,
)
from support.bits import CountedBits
from support.tiny import town

UNUSED = Share("laplace", Fraction(1))


class Counted:
    """A table of which only two counts are known."""

    def __init__(self, satisfied: int, rows: int) -> None:
        self.satisfied, self.rows_ = satisfied, rows

    def moments(self, requests: Sequence[MomentsRequest]) -> list[Moments]:
        counts = [self.rows_ if r.where is None else self.satisfied for r in requests]
        return [Moments(((count,),)) for count in counts]

    def counts(self, request: MomentsRequest) -> NDArray[np.int64]:
        raise NotImplementedError

    def rows(self, columns: Sequence[str]) -> list[NDArray[np.int64]]:
        raise NotImplementedError


def question(text: str, relation: str = "add-remove", k: int = 1, **table: Any) -> StatisticalQuery:
    job = compile_question(text, town(relation, k, **table))
    assert isinstance(job, StatisticalQuery)
    return job


def true_miss(satisfied: int, rows: int, within: Fraction, scale: float) -> float:
    """P(|û − u| > τ), by summing the law of (Z₁, Z₂); û as the question computes it."""
    reach = math.ceil(40 * scale) + 2
    z = np.arange(-reach, reach + 1)
    law = np.exp(-np.abs(z) / scale)
    law /= law.sum()
    top = (satisfied + z)[:, None].astype(float)
    total = (rows + z[:, None] + z[None, :]).astype(float)
    share = np.clip(top / np.where(total > 0, total, 1.0), 0, 1)
    share = np.where(total > 0, share, 0.5)
    # A share at exactly τ is no miss; floats may put it on either side.
    missed = np.abs(share - satisfied / rows) > float(within) + 1e-12
    return float(law @ missed @ law)


CASES = [
    (Fraction(1, 20), Fraction(1, 20), 400),
    (Fraction(1, 100), Fraction(1, 20), 5_000),
    (Fraction(1, 10), Fraction(1, 100), 300),
    (Fraction(1, 4), Fraction(1, 10), 80),
    (Fraction(2, 5), Fraction(1, 1000), 60),
    (Fraction(1, 1000), Fraction(1, 20), 500),
]


@pytest.mark.parametrize(("within", "beta", "rows"), CASES)
def test_the_promise_holds_for_every_share_and_more_rows(
    within: Fraction, beta: Fraction, rows: int
) -> None:
    tolerance = Tolerance(within, beta, rows)
    epsilon = least_epsilon_for(tolerance, 1, miss_of_pair)
    assert epsilon is not None
    scale = float(1 / epsilon)
    worst = math.floor(within * rows)
    shares = {0, 1, worst - 1, worst, worst + 1, rows // 3, rows // 2, rows - worst, rows}
    for satisfied, n in itertools.product(shares, (rows, rows + 1, 2 * rows)):
        if 0 <= satisfied <= n:
            assert true_miss(satisfied, n, within, scale) <= float(beta), (satisfied, n)


@pytest.mark.parametrize(("within", "beta", "rows"), CASES[:3])
def test_the_epsilon_is_near_the_least(within: Fraction, beta: Fraction, rows: int) -> None:
    epsilon = least_epsilon_for(Tolerance(within, beta, rows), 1, miss_of_pair)
    assert epsilon is not None
    # Just above τ the share can be missed on both sides.
    worst = math.floor(within * rows) + 1

    def miss(part: float) -> float:
        return true_miss(worst, rows, within, 1 / (part * float(epsilon)))

    assert miss(1) <= float(beta) < miss(0.95)
    assert miss(0.6) > 2 * float(beta)


@pytest.mark.parametrize("rows", [7, 40, 1000])
def test_with_a_public_number_of_rows_the_epsilon_is_the_least(rows: int) -> None:
    tolerance = Tolerance(Fraction(1, 10), Fraction(1, 20), rows)
    epsilon = least_epsilon_for(tolerance, 1, miss_of_count)
    assert epsilon is not None
    z = np.arange(-200 * rows, 200 * rows + 1)

    def miss(rate: float) -> float:
        law = np.exp(-np.abs(z) * rate)
        return float(law[np.abs(z) > tolerance.margin].sum() / law.sum())

    assert miss(float(epsilon)) <= 0.05 < miss(0.999 * float(epsilon))


def test_a_pair_costs_less_than_two_counts_and_a_public_count_less_than_a_pair() -> None:
    text = "sq(within=0.01) where age >= 65"
    pair = question(text, expected_rows=20_000).own_epsilon
    replaced = question(text, "replace-one", expected_rows=20_000).own_epsilon
    counted = question(text, "replace-one", public_rows=20_000).own_epsilon
    several = question(text, k=3, expected_rows=20_000).own_epsilon
    assert float(replaced / pair) == pytest.approx(2, rel=1e-4)
    assert float(several / pair) == pytest.approx(3, rel=1e-4)
    assert float(counted / pair) == pytest.approx(1, rel=0.02)
    assert float(pair) == pytest.approx(math.log(20) / 200, rel=0.02)


@pytest.mark.parametrize("part", [Fraction(1), Fraction(60, 100)])
@pytest.mark.parametrize(
    "table", [{"expected_rows": 2000}, {"relation": "replace-one", "public_rows": 2000}]
)
def test_drawn_answers_keep_the_promise_and_a_cheaper_twin_does_not(
    table: dict[str, Any], part: Fraction
) -> None:
    # 2,000 answers at the worst share; a binomial test at 1e-6 either way.
    job = question("sq(within=0.02, beta=0.1) where age >= 65", **table)
    job.own_epsilon *= part
    bits, draws = CountedBits(f"sq {sorted(table)} {part}"), 2000
    fetch = Counted(41, 2000)
    found = [job.measure(fetch, UNUSED, 0.0, bits).value for _ in range(draws)]
    missed = sum(abs(float(value) - 0.0205) > 0.02 + 1e-12 for value in found)  # type: ignore[arg-type]
    if part == 1:
        assert stats.binom.sf(missed - 1, draws, 0.1) > 1e-6
    else:
        assert stats.binom.sf(missed - 1, draws, 0.1) < 1e-6


def test_the_answer_tells_what_was_promised_and_shows_when_there_are_fewer_rows() -> None:
    job = question("sq(within=0.02, beta=0.1) where age >= 65", expected_rows=2000)
    full = job.measure(Counted(500, 2000), UNUSED, 0.5, CountedBits("sq full"))
    few = job.measure(Counted(25, 100), UNUSED, 0.5, CountedBits("sq few"))
    assert full.details is not None
    assert few.details is not None
    assert full.details["within"] == 0.02
    assert full.details["beta"] == 0.1
    assert full.details["epsilon_needed"] == float(job.own_epsilon)
    assert full.details["rows_assumed"] == few.details["rows_assumed"] == 2000
    assert full.error95 < 0.03
    assert few.error95 > 0.2


@pytest.mark.parametrize(("satisfied", "rows"), [(0, 0), (0, 1), (1, 1)])
def test_a_table_of_nothing_is_answered(satisfied: int, rows: int) -> None:
    for table in ({"expected_rows": 100}, {"relation": "replace-one", "public_rows": 100}):
        job = question("sq(within=0.1) where income is null", **table)
        for turn in range(50):
            bits = CountedBits(f"sq nothing {turn}")
            answer = job.measure(Counted(satisfied, rows), UNUSED, 0.0, bits)
            assert isinstance(answer.value, float)
            assert 0 <= answer.value <= 1
            assert 0 <= answer.error95 <= 1


def test_no_total_is_needed_and_a_larger_one_is_not_spent() -> None:
    schema = town(expected_rows=20_000)
    texts = ("sq(within=0.01) where age >= 65", "sq(within=0.02) where works = true")
    needed = sum(question(text, expected_rows=20_000).own_epsilon for text in texts)
    for total in (None, Fraction(1)):
        priced = price(schema, Plan(texts, total))
        assert priced.cost.epsilon_nano == needed * 10**9
    assert find_epsilon(schema, Plan(texts), None, None).cost.epsilon_nano == needed * 10**9
    mixed = price(schema, Plan((*texts, "count()"), Fraction(1)))
    assert mixed.cost.epsilon_nano == 10**9
    assert mixed.allocation.shares[2].amount == 1 - needed
    with pytest.raises(InvalidPlan, match="more than the total"):
        price(schema, Plan(texts, Fraction(1, 100)))
    with pytest.raises(InvalidPlan, match="Nothing of the total"):
        price(schema, Plan((*texts, "count()"), Fraction(1, 100)))


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "geometric"])
def test_every_plan_keeps_the_noise_and_the_events_fit_the_share(mechanism: Mechanism) -> None:
    texts = ("sq(within=0.01) where age >= 65", "count()")
    jobs = [compile_question(text, town(expected_rows=20_000)) for text in texts]
    found = allocate(jobs, Plan(texts, Fraction(1), Fraction(1, 10**6), mechanism))
    own = jobs[0].own_epsilon
    assert own is not None
    (event,) = jobs[0].events(found.shares[0])
    assert event.epsilon == own  # type: ignore[union-attr]
    spends = own**2 / 2 if mechanism == "gaussian" else own
    assert spends <= found.shares[0].amount <= spends + Fraction(1, 10**12)
    assert found.cost.epsilon_nano <= 10**9


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sq(within=0.01)", "a condition after where"),
        ("sq(within=0.01) by (sex) where age > 3", "a condition after where"),
        ("sq(within=0.01) where age > 3 @ 0.1", "no @ and no ±"),
        ("sq(within=0.01) where age > 3 ± 0.1", "no @ and no ±"),
        ("sq() where age > 3", "within must be"),
        ("sq(within=0) where age > 3", "within must be"),
        ("sq(within=0.5) where age > 3", "within must be"),
        ("sq(within=(0.1, 0.2)) where age > 3", "within must be"),
        ("sq(within=little) where age > 3", "within must be"),
        ("sq(within=0.1, beta=0) where age > 3", "beta must be"),
        ("sq(within=0.1, beta=0.6) where age > 3", "beta must be"),
        ("sq(within=0.1, beta=low) where age > 3", "beta must be"),
        ("sq(within=0.1, tau=1) where age > 3", "takes no column"),
        ("sq(age, within=0.1) where age > 3", "takes no column"),
    ],
)
def test_refusals(text: str, said: str) -> None:
    with pytest.raises(InvalidPlan, match=said) as refused:
        question(text, expected_rows=1000)
    assert refused.value.hint


def test_refused_where_the_schema_says_too_little() -> None:
    with pytest.raises(InvalidPlan, match="how many rows"):
        question("sq(within=0.01) where age > 3")
    schema = make_schema(
        {
            "table": {"name": "t", "unit": "id", "max_rows_per_unit": 2**20, "expected_rows": 9},
            "columns": {"id": {"type": "key"}, "x": {"type": "boolean"}},
        }
    )
    with pytest.raises(InvalidPlan, match="so exactly"):
        compile_question("sq(within=0.01) where x = true", schema)
