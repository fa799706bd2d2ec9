"""Sentences, cells and tables of robust statistics, clusters, components and regressions."""

from __future__ import annotations

import csv
import io
import json
import re
import string
from dataclasses import replace
from pathlib import Path

import pytest

from report import learned_facts as made
from report.releases import release
from sudare.cli.output import print_release
from sudare.facts.release import Answer, Release
from sudare.report import learning_words
from sudare.report.cells import cells
from sudare.report.certificate import statement
from sudare.report.html import render
from sudare.report.learned_lines import learned_table
from sudare.report.learning import learned_notes
from sudare.report.learning_words import TEXTS
from sudare.report.notebook import release_html
from sudare.report.questions import level, levels
from sudare.report.sentences import sentence
from sudare.report.tables import BOM, to_csv
from sudare.report.texts import LANGUAGES, Language
from sudare.report.words import padded

SOURCES = Path(learning_words.__file__).parent
COMPOSED = ("subject_", "method_", "blocks_", "row_", "head_")
ENGLISH = [
    (made.MEDIAN, "The median of age is about 42; with 95 % probability it lies between 41 and 45"),
    (
        made.LOST_MEDIAN,
        "The noise (± 60) is as large as the answer's whole declared range, so it says nothing "
        "about the median of age.",
    ),
    (made.IQR, "The interquartile range of age is about 31.0, ± 2.0 with 95 % probability"),
    (made.WIDTH, "The distance from the 10 % mark to the 90 % mark of age is about 55.0, ± 4.0"),
    (made.TRIMMED, "The mean of income without the lowest and the highest 5 % is about 4,512,000"),
    (
        made.TREE,
        "The cost of the minimum spanning tree of the graph of here and there, weighted by minutes "
        "is about 812, ± 14 with 95 % probability.",
    ),
    (
        made.SHARE,
        "The share of rows where age >= 65 is about 0.2134, ± 0.0076 with 95 % probability; asked "
        "for was ± 0.01 with probability 99 %, which needs ε = 0.0231.",
    ),
    (
        made.CLUSTERS,
        "5 clusters by age, income and hours: cluster 1 holds about 9,234 rows (± 31) around age "
        "43.10, income 5,213,000 and hours 38.20; cluster 2 holds",
    ),
    (
        made.COMPONENTS,
        "2 of the principal components of age, income and hours hold about 98.9 % of the variance: "
        "component 1 about 67.1 % (± 3.1 %), mainly hours (0.702) and income (0.701), its "
        "direction right to within 4°; component 2 about 31.8 % (± 2.9 %), its direction lost in "
        "the noise; each with 95 % probability",
    ),
    (
        made.LINEAR,
        "Linear regression of income on age, hours and employed: with each unit more of hours, "
        "income rises by about 98,800 (95 % interval 96,400 to 101,100); with each unit more of "
        "age, income falls by about 12,300 (95 % interval 11,100 to 13,600); the effect of "
        "employed cannot be told from zero",
    ),
]
JAPANESE = [
    (made.SHARE, "条件「age >= 65」に合う行の割合は約 0.2134 です（95 % の確率で ± 0.0076以内）。"),
    (made.WIDTH, "「age」の 10 % 点から 90 % 点までの幅は約 55.0 です"),
    (
        made.CLUSTERS,
        "「age」、「income」、「hours」によるクラスタ（5 個）：クラスタ 1 は約 9,234 行",
    ),
    (
        made.COMPONENTS,
        "「age」、「income」、「hours」の主成分のうち 2 個で分散の約 98.9 % を占めます",
    ),
    (
        made.LINEAR,
        "「age」、「hours」、「employed」による「income」の線形回帰：「hours」が 1 増えると",
    ),
]


def name(value: object) -> str:
    return value.query if isinstance(value, Answer) else ""


@pytest.mark.parametrize(("answer", "said"), ENGLISH, ids=name)
def test_english(answer: Answer, said: str) -> None:
    assert sentence(answer).startswith(said)


@pytest.mark.parametrize(("answer", "said"), JAPANESE, ids=name)
def test_japanese(answer: Answer, said: str) -> None:
    assert sentence(answer, "ja").startswith(said)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("answer", made.LEARNED, ids=name)
def test_everything_has_words(answer: Answer, language: Language) -> None:
    said = sentence(answer, language) + "".join(n[language] for n in learned_notes(answer, {}))
    assert "{" not in said
    assert said.endswith((".", "。"))
    assert (language == "ja") == bool(re.search("[ぁ-ん]", said))


def gaps(words: str) -> set[str]:
    return {part for _, part, _, _ in string.Formatter().parse(words) if part}


@pytest.mark.parametrize("key", TEXTS)
def test_both_languages_fill_the_same_gaps(key: str) -> None:
    assert TEXTS[key].en
    assert TEXTS[key].ja
    assert gaps(TEXTS[key].en) == gaps(TEXTS[key].ja)


def test_every_text_is_used() -> None:
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in SOURCES.glob("*.py")
        if path.name != "learning_words.py"
    )
    unused = [key for key in TEXTS if f'"{key}"' not in code]
    assert [key for key in unused if not key.startswith(COMPOSED)] == []


def test_lost_clusters_are_never_given_as_numbers() -> None:
    said = sentence(made.CLUSTERS)
    assert "1 more in the table; for 1 of the 5 clusters the noise is as large" in said
    assert "812,345" not in said
    lost = tuple(str(row) for row in range(1, 6))
    whole = sentence(replace(made.CLUSTERS, drowned=lost))
    assert whole.startswith("In all 5 clusters the noise")
    assert "9,234" not in whole


def test_lost_components_are_never_given_as_numbers() -> None:
    said = sentence(replace(made.COMPONENTS, drowned=("2",)))
    assert "1 of the principal components" in said
    assert "component 2 cannot be told from noise" in said
    assert "31.8" not in said
    none = sentence(replace(made.COMPONENTS, drowned=("1", "2")))
    assert none == (
        "The principal components of age, income and hours: none can be told from noise."
    )


def test_columns_without_bounds_hold_or_do_not() -> None:
    clear = replace(made.LINEAR, drowned=("age", "hours"))
    said = sentence(clear)
    assert "where employed holds, income is higher by about 1,000" in said
    none = sentence(replace(made.LOGISTIC, drowned=("age", "hours", "employed")))
    assert none.startswith("Logistic regression of moved on age, hours and employed: no coeff")


def test_logistic_regression_names_the_odds_of_the_second_class() -> None:
    assert "the log of the odds of moved rises by" in sentence(made.LOGISTIC)
    details = (made.LOGISTIC.details or {}) | {"classes": ["F", "M"], "target": "sex"}
    named = replace(made.LOGISTIC, details=details)
    assert "the log of the odds of sex = M rises by" in sentence(named)
    assert "「sex = M」の対数オッズ" in sentence(named, "ja")


def test_cells_of_clusters_and_components() -> None:
    found = cells(made.CLUSTERS)
    assert len(found) == 20
    assert [(cell.row, cell.column) for cell in found if cell.drowned] == [("5", "size")]
    parts = {(cell.row, cell.column): cell for cell in cells(made.COMPONENTS)}
    assert parts["1", "share"].error == 0.031
    # Two unit vectors 3.2 degrees apart differ by 2 sin(1.6°).
    assert parts["1", "age"].error == pytest.approx(0.05585, abs=1e-4)
    assert not parts["1", "age"].drowned
    assert parts["2", "age"].drowned
    known = {"1": {"variance": 0.09, "share": 0.03, "age": 0.01}}
    own = replace(made.COMPONENTS, errors95=known)
    assert {(c.row, c.column): c for c in cells(own)}["1", "age"].error == 0.01


def test_csv_has_every_number() -> None:
    text = to_csv(release(made.CLUSTERS, made.COMPONENTS, made.LINEAR))
    rows = list(csv.DictReader(io.StringIO(text.removeprefix(BOM))))
    assert len(rows) == 20 + 10 + 4
    assert (rows[1]["row"], rows[1]["column"], rows[1]["value"]) == ("1", "income", "5213456.0")
    assert [row["label"] for row in rows[30:]] == ["(intercept)", "age", "hours", "employed"]
    assert [row["drowned"] for row in rows[30:]] == ["false", "false", "false", "true"]


def learned_lines(answer: Answer, language: Language, labels: dict[str, str]) -> list[str]:
    return padded(learned_table(answer, language, labels))


def test_lines_of_a_terminal() -> None:
    lines = learned_lines(made.CLUSTERS, "en", {"income": "年収"})
    assert lines[0].split() == ["age", "年収", "hours", "Rows"]
    assert lines[1].split("  ")[0] == "Cluster 1"
    assert "5,213,000 ±52,000" in lines[1]
    assert lines[5].count("lost in the noise") == 4
    assert learned_lines(made.LINEAR, "en", {})[4].endswith("(holds 0)")
    assert learned_lines(made.LINEAR, "ja", {})[4].endswith("(0 を含む)")
    assert learned_lines(made.COMPONENTS, "ja", {})[1].startswith("第 1 主成分")
    assert learned_table(made.MEDIAN, "en", {}) == []


@pytest.mark.parametrize("answer", [made.LINEAR, made.RIDGE, made.LOGISTIC], ids=name)
def test_a_fit_that_was_lifted_says_so_everywhere(
    answer: Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the terminal, in a notebook, on the page and in JSON; and only then."""
    lifted = replace(answer, details={**(answer.details or {}), "lifted": True})
    said = {"en": "drawn towards zero", "ja": "0 に近づけて"}
    for language, words in said.items():
        for given, is_said in ((lifted, True), (answer, False)):
            print_release(release(given), language)  # type: ignore[arg-type]
            assert (words in capsys.readouterr().out) is is_said
            assert (words in release_html(release(given), language)) is is_said  # type: ignore[arg-type]
    assert any("drawn towards zero" in note["en"] for note in learned_notes(lifted, {}))
    stored = json.loads(release(lifted).to_bytes())
    assert stored["answers"][0]["details"]["lifted"] is True


def test_wide_grids_are_turned() -> None:
    names = [f"c{place}" for place in range(9)]
    value = {"1": dict.fromkeys([*names, "size"], 5.0), "2": dict.fromkeys([*names, "size"], 4.0)}
    errors = {row: dict.fromkeys(parts, 0.1) for row, parts in value.items()}
    wide = replace(made.CLUSTERS, value=value, errors95=errors, columns=tuple(names), drowned=())
    lines = learned_lines(wide, "en", {})
    assert len(lines) == 11
    assert lines[0].split() == ["Cluster", "1", "Cluster", "2"]


def test_notebooks_show_tables() -> None:
    shown = release_html(release(made.CLUSTERS, made.LINEAR))
    assert "5,213,000 ±52,000" in shown
    assert "(holds 0)" in shown
    assert "クラスタ 1" in release_html(release(made.CLUSTERS), "ja")


@pytest.mark.parametrize("answer", made.LEARNED, ids=name)
def test_stored_answers_say_the_same(answer: Answer) -> None:
    again = Release.from_bytes(release(answer).to_bytes()).answers[0]
    assert sentence(again, "ja") == sentence(answer, "ja")
    assert learned_table(again, "en", {}) == learned_table(answer, "en", {})


def test_a_release_without_a_rho() -> None:
    bare = release(made.MEDIAN, rho=None, delta=1e-9)
    assert (statement(bare).guarantee or {})["rho"] is None
    page = render(bare)
    assert "ρ" not in page
    assert "δ = 1e-9" in page
    assert "ρ (zCDP)" in render(release(made.MEDIAN))


def test_levels_of_a_question() -> None:
    assert level("quantile(age, 0.9; method=smooth)") == 0.9
    assert level("quantile(age, 0.9, method=smooth)") == 0.9
    assert level("quantile(age, q=0.25)") == 0.25
    assert level("median(age)") is None
    assert levels("iqr(age, 0.1, .9; method=smooth)") == [0.1, 0.9]
    assert levels("iqr(age)") == []
