"""Sentences, word for word."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import permutations

import pytest

from report import releases as made
from sudare.facts.release import Answer
from sudare.report.sentences import format_number, sentence

CLIP = "; values outside 0–120 count as the nearest bound; that effect is not in the ±."
ENGLISH = [
    (made.COUNT, "The number of rows is about 19,870, ± 670 with 95 % probability."),
    (
        made.PUBLIC,
        "The number of rows is 20,000; it is public, so no noise was added and nothing was spent.",
    ),
    (made.MEAN, "The mean of age is about 43.21, ± 0.50 with 95 % probability" + CLIP),
    (
        made.MEDIAN,
        "The median of age is about 42; with 95 % probability it lies between 41 and 45" + CLIP,
    ),
    (
        made.LOST,
        "The noise (± 240,000) is as large as the answer, so it says nothing about the sum "
        "of income where age > 119.",
    ),
    (
        made.LOST_MEAN,
        "The noise (± 60) is as large as the answer's whole declared range, so it says "
        "nothing about the mean of age where age > 119.",
    ),
    (
        made.BORN,
        "The mean of born is about 1981-04-05, ± 12 days with 95 % probability; values "
        "outside 1900-01-01 to 2024-12-31 count as the nearest bound; that effect is not in the ±.",
    ),
    (
        made.SEX,
        "The number of rows by sex is about 10,123 for F and 9,750 for M, each ± 67 with "
        "95 % probability.",
    ),
    (
        made.AGES,
        "The number of rows by age, 12 groups: from about 1,201 for [80, 90) to about 2,933 "
        "for [50, 60), each ± 45 with 95 % probability; for [90, 100), [100, 110) and [110, 120] "
        "the noise is as large as the answer, so it says nothing" + CLIP,
    ),
    (
        made.MEANS,
        "The mean of age by sex is about 44.12 for F and 42.00 for M, each ± 0.52 or less "
        "with 95 % probability" + CLIP,
    ),
    (
        made.COVARIANCE,
        "The covariances of age, hours and income: age and income tend to rise "
        "together (about 9,100,000, ± 400,000 with 95 % probability); age tends to fall as hours "
        "rises (about -45.6, ± 4.4 with 95 % probability); for hours and income the noise is as "
        "large as the answer, so it says nothing; values outside 0–120 (age), 0–80 (hours) "
        "and 0–10,000,000 (income) count as the nearest bound; that effect is not in the ±.",
    ),
]
JAPANESE = [
    (made.COUNT, "行数は約 19,870 です（95 % の確率で ± 670以内）。"),
    (
        made.LOST,
        "雑音（± 240,000）が答えと同じくらい大きいため、"
        "条件「age > 119」に合う行での「年収」の合計については何も言えません。",
    ),
    (
        made.MEAN,
        "「age」の平均は約 43.21 です（95 % の確率で ± 0.50以内）。"
        "0～120の外の値は近いほうの端の値として数えており、その影響は ± に含まれていません。",
    ),
    (
        made.JAPANESE,
        "「お住まいの 地域」別の行数は、約 812（北海道）、1,203（東北）、"
        "7,611（関東）です（いずれも 95 % の確率で ± 23以内）。"
        "「九州・沖縄」では、雑音が答えと同じくらい大きいため何も言えません。",
    ),
]


def name(value: object) -> str:
    return value.query if isinstance(value, Answer) else ""


@pytest.mark.parametrize(("answer", "said"), ENGLISH, ids=name)
def test_english(answer: Answer, said: str) -> None:
    assert sentence(answer) == said


@pytest.mark.parametrize(("answer", "said"), JAPANESE, ids=name)
def test_japanese(answer: Answer, said: str) -> None:
    assert sentence(answer, "ja", {"income": "年収"}) == said


@pytest.mark.parametrize("language", ["en", "ja"])
def test_noise_is_never_given_as_a_number(language: str) -> None:
    assert "12,345" not in sentence(made.LOST, language)  # type: ignore[arg-type]
    drowned = replace(made.SEX, drowned=("F", "M"))
    said = sentence(drowned, language)  # type: ignore[arg-type]
    assert "10,123" not in said
    assert "± 67" in said


def test_many_drowned_groups_are_counted() -> None:
    names = tuple(made.AGES.value)  # type: ignore[arg-type]
    said = sentence(replace(made.AGES, drowned=names[2:]))
    assert said.startswith("The number of rows by age is about 1,510 for [0, 10) and 1,702 for")
    assert "for 10 of the 12 groups the noise is as large as the answer" in said


def test_drowned_covariances() -> None:
    pairs = tuple(
        f"{a}, {b}" for a in ("age", "hours", "income") for b in ("age", "hours", "income")
    )
    said = sentence(replace(made.COVARIANCE, drowned=pairs))
    assert said.startswith("In all 9 numbers the noise is as large as the answer")
    assert "for 2 of the 18 numbers" in sentence(made.COVARIANCES)


def test_drowned_pairs_are_counted_together() -> None:
    pairs = tuple(f"{a}, {b}" for a, b in permutations(("age", "hours", "income"), 2))
    said = sentence(replace(made.COVARIANCE, drowned=pairs))
    assert said.startswith(
        "The covariances of age, hours and income: for 3 of the 3 pairs of columns the noise is as "
        "large as the answer, so they say nothing; values outside"
    )


def test_further_pairs_are_left_to_the_table() -> None:
    names = ("a", "b", "c", "d")
    matrix = {row: {column: 1.0 + (row == column) for column in names} for row in names}
    answer = Answer("covariance(a, b, c, d)", "covariance", matrix, 0.1, 1.0, columns=names)
    assert sentence(answer).endswith("; 3 more pairs are in the table.")


def test_other_levels_are_explained() -> None:
    said = sentence(made.BIRTHS)
    assert said.startswith("The 90 % mark of born (90 % of the values do not exceed it) by sex is")


def test_braces_in_labels_are_only_text() -> None:
    answer = replace(made.SEX, value={"{subject}": 5, "{0}": 6}, errors95=None)
    assert "5 for {subject} and 6 for {0}" in sentence(answer)


def test_format_number_is_here_too() -> None:
    assert format_number(19873.128, 669) == "19,870"


def test_sentences_load_nothing_that_draws() -> None:
    code = "import sys, sudare.report.sentences; print({'sudare.report.svg', 'jinja2', 'numpy'} "
    code += "& set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"
