"""One total shared out over the questions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sudare.accounting.compose import plan_cost
from sudare.facts.cost import NANO
from sudare.facts.errors import InvalidPlan
from sudare.facts.plan import Mechanism, Plan, read_epsilon
from sudare.queries.allocate import Allocation, allocate, least_epsilon
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Measurement, Share
from support.tiny import town

ALL = (
    "count()",
    "sum(income)",
    "mean(age)",
    "variance(age)",
    "covariance(age, hours, income)",
    "histogram(sex)",
    "histogram(age, bins=10)",
    "sum(income) by (sex, region)",
    "quantile(age, 0.5)",
    "count() where age >= 65 and sex = 'F'",
)


def shared(
    questions: tuple[str, ...],
    epsilon: str | None = "1",
    delta: str = "0",
    mechanism: Mechanism = "laplace",
    **table: int,
) -> tuple[list[Measurement], Allocation]:
    schema = town(expected_rows=20_000, **table)
    jobs = [compile_question(text, schema) for text in questions]
    total = None if epsilon is None else read_epsilon(epsilon)
    return jobs, allocate(jobs, Plan(questions, total, Fraction(delta), mechanism))


def test_one_epsilon_is_the_total() -> None:
    _, found = shared(ALL)
    assert sum(share.amount for share in found.shares) == 1
    assert found.cost.epsilon_nano == NANO
    assert found.cost.delta_atto == 0
    assert sum(found.epsilons()) == pytest.approx(1)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_relative_errors_are_even(mechanism: Mechanism) -> None:
    jobs, found = shared(ALL, delta="0" if mechanism == "laplace" else "1e-6", mechanism=mechanism)
    # Questions that are held at the least share do better than even.
    least = 0.0051 * sum(share.amount for share in found.shares)
    typical = [j.forecast(s).typical for j, s in zip(jobs, found.shares, strict=True)]
    kept = [t for t, share in zip(typical, found.shares, strict=True) if share.amount > least]
    assert len(kept) >= 5
    assert max(kept) <= 1.02 * min(kept)


def test_a_question_keeps_its_share() -> None:
    _, found = shared(("mean(age) @ 0.2", "count()", "sum(income)"))
    assert found.shares[0].amount == Fraction(1, 5)
    assert sum(share.amount for share in found.shares) == 1


def test_without_a_total_the_shares_are_the_total() -> None:
    _, found = shared(("mean(age) @ 0.2", "count() @ 0.3"), epsilon=None)
    assert found.cost.epsilon_nano == NANO // 2


@pytest.mark.parametrize(
    ("questions", "epsilon"),
    [
        (("mean(age) @ 0.7", "count() @ 0.7"), "1"),
        (("mean(age) @ 1", "count()"), "1"),
        (("mean(age)",), None),
    ],
)
def test_impossible_shares_are_refused(questions: tuple[str, ...], epsilon: str | None) -> None:
    with pytest.raises(InvalidPlan):
        shared(questions, epsilon)


@pytest.mark.integration
def test_a_delta_is_spent_only_where_it_helps() -> None:
    _, one = shared(("count()",), delta="1e-6")
    assert one.cost.delta_atto == 0
    _, many = shared(tuple(f"count() where age > {a}" for a in range(60)), "1", delta="1e-6")
    assert many.cost.delta_atto > 0
    assert many.cost.epsilon_nano <= NANO
    # PLD lets sixty questions spend clearly more than a sixtieth each.
    assert sum(share.amount for share in many.shares) > Fraction(12, 10)


def test_gaussian_total_fits() -> None:
    """The books show the ε that was asked for, and it is enough for the ρ that is spent."""
    _, found = shared(ALL, "1", "1e-6", "gaussian")
    assert found.cost.epsilon_nano == NANO
    assert plan_cost(found.events, Fraction("1e-6")).epsilon_nano <= NANO


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize(
    "questions",
    [("median(age)",), ("trimmed_mean(age, 0.1)",), ("median(age)", "count() where age > 9")],
)
def test_with_a_delta_all_of_the_total_is_spent(
    questions: tuple[str, ...], mechanism: Mechanism
) -> None:
    """Choices have a pure ε beside a ρ, and the cheaper of the two counts; shares are stretched
    until that is the total, to within the steps of a privacy loss distribution."""
    _, found = shared(questions, "1", "1e-9", mechanism)
    assert NANO - found.cost.epsilon_nano < NANO / 10**4
    assert plan_cost(found.events, Fraction("1e-9")).epsilon_nano <= NANO


def test_the_least_epsilon_meets_the_error_and_no_smaller_one_does() -> None:
    job = compile_question("mean(age)", town(expected_rows=20_000))
    plan = Plan(("mean(age)",))
    epsilon = least_epsilon(job, plan, 0.5, relative=False)
    assert job.forecast(Share("laplace", epsilon)).error95 <= 0.5
    assert job.forecast(Share("laplace", epsilon * Fraction(99, 100))).error95 > 0.5


def test_a_public_count_costs_nothing() -> None:
    schema = town("replace-one", public_rows=500)
    jobs = [compile_question(text, schema) for text in ("count()", "mean(age)")]
    found = allocate(jobs, Plan(("count()", "mean(age)"), Fraction(1)))
    assert [share.amount for share in found.shares] == [0, 1]


@pytest.mark.parametrize("epsilon", ["1", "5", "10", "50", "300"])
def test_large_totals_are_shared_as_evenly_as_small_ones(epsilon: str) -> None:
    """Discrete noise of a large ε is mostly 0; the shares must not swing for that."""
    _, found = shared(("count()", "count() where age >= 65", "sum(age)"), epsilon)
    shares = [float(share.amount) / float(epsilon) for share in found.shares]
    assert min(shares) > 0.1


def test_an_easy_or_hopeless_question_does_not_starve_the_others() -> None:
    _, found = shared(("count() where hours >= 40", "count() where hours = 40"), "2")
    assert min(share.amount for share in found.shares) >= Fraction(2, 100)
