"""The question language."""

from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudare.facts.errors import InvalidPlan
from sudare.facts.query import All, Any_, Comparison, Membership, Missing, Not
from sudare.queries.parse import parse


def test_the_questions_of_the_readme() -> None:
    assert parse("count()").function == "count"
    assert parse("mean(age) @ 0.2").epsilon == Fraction(1, 5)
    assert parse("covariance(age, hours, income)").columns == ("age", "hours", "income")
    assert parse("histogram(age, bins=10)").bins == 10
    assert parse("histogram(age, edges=(15, 65))").edges == (15, 65)
    assert parse("sum(income) by (sex, region)").by == ("sex", "region")
    assert parse("quantile(age, 0.5)").level == Fraction(1, 2)
    where = parse("count() where age >= 65 and sex = 'F'").where
    assert where == All((Comparison("age", ">=", Fraction(65)), Comparison("sex", "=", "F")))


def test_precedence_and_negation() -> None:
    where = parse("count() where not a = 1 and b = 2 or c in ('x', 'y') or d is not null").where
    assert where == Any_(
        (
            All((Not(Comparison("a", "=", Fraction(1))), Comparison("b", "=", Fraction(2)))),
            Membership("c", ("x", "y")),
            Not(Missing("d")),
        )
    )


def test_between_is_closed_and_can_be_negated() -> None:
    inside = All((Comparison("a", ">=", Fraction(1)), Comparison("a", "<=", Fraction(2))))
    assert parse("count() where a between 1 and 2").where == inside
    assert parse("count() where a not between 1 and 2").where == Not(inside)


@pytest.mark.parametrize(
    ("text", "operator"),
    [
        ("65 <= age", ">="),
        ("65 < age", ">"),
        ("65 = age", "="),
        ("age ≥ 65", ">="),
        ("age <> 65", "!="),
    ],
)
def test_mirrored_and_other_spellings(text: str, operator: str) -> None:
    assert parse(f"count() where {text}").where == Comparison("age", operator, Fraction(65))  # type: ignore[arg-type]


def test_names_with_blanks_quotes_and_japanese() -> None:
    assert parse('sum("年 ""収""")').columns == ('年 "収"',)
    assert parse("mean(年齢) by (性別)").by == ("性別",)
    assert parse("sum(`a b`)").columns == ("a b",)
    assert parse("count() where notes = 'it''s'").where == Comparison("notes", "=", "it's")
    assert parse("count() where orders = 1 or android = true").where is not None


def test_targets_words_and_semicolons() -> None:
    asked = parse("ridge(income ~ age, hours; alpha=0.5)")
    assert (asked.target, asked.columns) == ("income", ("age", "hours"))
    assert asked.option("alpha") == (Fraction(1, 2),)
    assert parse("median(age; method=smooth)").option("method") == "smooth"
    assert parse("kmeans(age, 年収; k=5)").columns == ("age", "年収")


def test_wanted_errors() -> None:
    assert parse("mean(age) ± 0.5").error == Fraction(1, 2)
    relative = parse("count() +- 2%")
    assert (relative.error, relative.error_is_relative) == (Fraction(1, 50), True)


@pytest.mark.parametrize(
    "text",
    [
        "", "count", "count(", "count(age)", "sum()", "sum(a, b)", "mode(a)", "mean(a) @ 0",
        "mean(a) @ -1", "quantile(a)", "quantile(a, 0)", "quantile(a, 1)", "quantile(a, 0.12345)",
        "histogram(a, bins=0)", "histogram(a, bins=1.5)", "histogram(a, bins=2, edges=(1, 2))",
        "sum(a, bins=3)", "covariance(a)", "covariance(a, a)", "count() by (a, a)",
        "count() where", "count() where a", "count() where a = b", "count() by (a) by (b)",
        "count() where a = 1; drop table people", "count() where a = 'x", "mean(a) @ nan",
        "count()\0", "x" * 20_000, "median(a ~ b)", "linear(a, b)", "linear(a ~ a)",
        "kmeans(; k=2)", "pca(a, b; components=2, components=3)", "histogram(a, bins=few)",
        "histogram(a, edges=few)", "iqr(a, 0.1)",
    ],
)  # fmt: skip
def test_refusals_are_invalid_plans_with_a_hint(text: str) -> None:
    with pytest.raises(InvalidPlan) as refused:
        parse(text)
    assert refused.value.hint
    assert refused.value.exit_code == 4


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(InvalidPlan):
        assert parse(text).text == text.strip()
