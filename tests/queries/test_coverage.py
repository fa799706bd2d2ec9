"""The stated 95 % errors against what the noise really does, on fixed tables.

Each case runs TRIALS independent answers. If the error held with probability 95 %, fewer than
FLOOR hits would come up less than once in a million (binomial tail). The twin that states 60 % of
the error must fail the same test.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sudare.facts.release import Answer
from sudare.queries.compile import compile_question
from sudare.queries.measurement import Share
from support.bits import CountedBits
from support.tiny import moments, town

TRIALS = 400
FLOOR = int(stats.binom.ppf(1e-6, TRIALS, 0.95))


def rows(n: int) -> list[dict[str, Any]]:
    """A fixed, skewed, correlated table: made with a fixed generator, as test data may be."""
    fixed = np.random.Generator(np.random.PCG64(7))
    age = np.clip(fixed.normal(45, 20, n).round().astype(int), 0, 120)
    income = np.clip((fixed.lognormal(14.6, 0.7, n) + 20_000 * age).astype(int), 0, 10_000_000)
    income[fixed.random(n) < 0.3] = 0
    sex = np.where(fixed.random(n) < 0.2, "F", "M")
    return [
        {"age": int(a), "income": int(i), "sex": str(s), "works": int(i > 0)}
        for a, i, s in zip(age, income, sex, strict=True)
    ]


def truth(question: str, table: list[dict[str, Any]]) -> Any:
    age = np.array([row["age"] for row in table], dtype=float)
    income = np.array([row["income"] for row in table], dtype=float)
    women = np.array([row["sex"] == "F" for row in table])
    return {
        "count()": len(table),
        "sum(income)": income.sum(),
        "mean(age)": age.mean(),
        "mean(income)": income.mean(),
        "mean(income) by (sex)": {"F": income[women].mean(), "M": income[~women].mean()},
        "mean(works)": (income > 0).mean(),
        "variance(age)": age.var(),
        "variance(income)": income.var(),
        "covariance(age, income)": {
            "age": {"age": age.var(), "income": np.cov(age, income, bias=True)[0, 1]},
            "income": {"age": np.cov(age, income, bias=True)[0, 1], "income": income.var()},
        },
        "histogram(sex)": {"F": women.sum(), "M": (~women).sum()},
        "quantile(age, 0.5)": np.quantile(age, 0.5, method="inverted_cdf"),
        "quantile(income, 0.2)": np.quantile(income, 0.2, method="inverted_cdf"),
        "quantile(income, 0.9)": np.quantile(income, 0.9, method="inverted_cdf"),
    }[question]


def cells(value: Any, errors: Any, true: Any) -> list[tuple[float, float, float]]:
    if isinstance(true, dict):
        return [part for key in true for part in cells(value[key], errors[key], true[key])]
    return [(float(value), float(errors), float(true))]


def hits(answers: list[Answer], true: Any, shrink: float) -> list[int]:
    """For every cell of the answer: how often the truth lay within the stated error."""
    tallies: list[int] = []
    for answer in answers:
        errors = answer.errors95 if answer.errors95 is not None else answer.error95
        inside = [abs(v - t) <= e * shrink for v, e, t in cells(answer.value, errors, true)]
        tallies = [a + b for a, b in zip(tallies or [0] * len(inside), inside, strict=True)]
    return tallies


def answers(question: str, relation: str, share: Share, n: int, trials: int) -> list[Answer]:
    table = rows(n)
    job = compile_question(question, town(relation, expected_rows=n))
    exact = moments(job.request, table)
    bits = CountedBits(f"coverage {question} {relation} {share} {n}")
    return [job.answer(exact, share, 1.0, bits) for _ in range(trials)]


ADDITIVE = [
    "count()", "sum(income)", "mean(age)", "mean(income)", "mean(income) by (sex)", "mean(works)",
    "variance(age)", "variance(income)", "covariance(age, income)", "histogram(sex)",
]  # fmt: skip


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize("question", ADDITIVE)
@pytest.mark.parametrize(
    ("share", "n"),
    [
        (Share("laplace", Fraction(1)), 2000),
        (Share("laplace", Fraction(1, 100)), 2000),
        (Share("gaussian", Fraction(1, 100)), 2000),
        (Share("laplace", Fraction(1, 2)), 40),
    ],
    ids=["ample", "scarce", "gaussian", "forty-people"],
)
def test_errors_cover(question: str, relation: str, share: Share, n: int) -> None:
    found = hits(answers(question, relation, share, n, TRIALS), truth(question, rows(n)), 1.0)
    assert min(found) >= FLOOR


@pytest.mark.parametrize("question", ["sum(income)", "mean(age)", "variance(age)"])
def test_a_too_small_error_is_caught(question: str) -> None:
    share = Share("laplace", Fraction(1, 10))
    found = hits(
        answers(question, "add-remove", share, 2000, TRIALS), truth(question, rows(2000)), 0.6
    )
    assert min(found) < FLOOR


@pytest.mark.integration
@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize(
    "question", ["quantile(age, 0.5)", "quantile(income, 0.2)", "quantile(income, 0.9)"]
)
def test_quantile_intervals_cover_even_with_crowds(question: str, relation: str) -> None:
    """30 % of incomes are exactly 0, so the 20 % quantile sits in a crowd. 60 trials: fewer than
    45 hits would come up less than once in a million at 95 %."""
    share = Share("laplace", Fraction(1, 2))
    found = hits(answers(question, relation, share, 3000, 60), truth(question, rows(3000)), 1.0)
    assert min(found) >= int(stats.binom.ppf(1e-6, 60, 0.95))


def test_quantiles_are_near() -> None:
    share = Share("laplace", Fraction(4))
    found = answers("quantile(age, 0.5)", "add-remove", share, 3000, 20)
    true = truth("quantile(age, 0.5)", rows(3000))
    assert all(abs(float(answer.value) - true) <= 2 for answer in found)  # type: ignore[arg-type]
    # Either bound is an end of the range in at most 2 % of answers: more than 7 of 20 would come up
    # less than once in a million.
    assert sum(answer.error95 <= 8 for answer in found) >= 13


@pytest.mark.parametrize(
    ("n", "epsilon"), [(0, "1e-9"), (20, "0.01"), (100, "0.01"), (100, "0.1"), (400, "0.02")]
)
def test_quantiles_say_so_where_rows_are_too_few(n: int, epsilon: str) -> None:
    """Too few rows for the ε: the interval must still hold (the same tail as above)."""
    share = Share("laplace", Fraction(epsilon))
    table = rows(max(n, 1))[:n]
    true = float(np.median([row["age"] for row in table])) if table else 60.0
    job = compile_question("quantile(age, 0.5)", town(expected_rows=1000))
    exact = moments(job.request, table)
    bits = CountedBits(f"few rows {n} {epsilon}")
    found = [job.answer(exact, share, 1.0, bits) for _ in range(100)]
    inside = [answer.interval[0] <= true <= answer.interval[1] for answer in found]  # type: ignore[index]
    assert sum(inside) >= int(stats.binom.ppf(1e-6, 100, 0.95))
