"""The comparison as text and page: both languages alike, all used, all shown, nothing fetched."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from pathlib import Path

import pytest

from report.compared_facts import compared
from sudare.facts.compared import Verdict
from sudare.report import compared_texts
from sudare.report.compared import sections, summary, text_lines
from sudare.report.compared_charts import bars, forest, squares
from sudare.report.compared_page import compared_page
from sudare.report.compared_texts import TEXTS, said

SOURCES = Path(compared_texts.__file__).parent
# Keys that are put together: topics, lights, controls, kinds of attack.
MADE = re.compile(r"^(topic|like|safe|control|attack)_|^(green|amber|red|grey|linear|logistic)$")
FIELDS = {"accuracy", "auc", "r2"}


def gaps(words: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(words) if name}


@pytest.mark.parametrize("key", TEXTS)
def test_both_languages_fill_the_same_gaps(key: str) -> None:
    assert gaps(TEXTS[key].en) == gaps(TEXTS[key].ja)
    assert TEXTS[key].en != TEXTS[key].ja


def test_every_text_is_used() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("compared*.py"))
    plain = [key for key in TEXTS if not MADE.match(key) and key not in FIELDS]
    assert not [key for key in plain if code.count(f'"{key}"') < 2]


def test_the_summary_comes_first_and_names_the_worst() -> None:
    found = summary(compared())
    assert found.like.light == "red"
    assert found.safe.light == "amber"
    assert [line.light for line in found.lines] == ["green", "red", "amber", "grey"]
    assert "12.0%" in found.lines[1].sentence.en
    assert "--holdout" in found.lines[3].sentence.ja


def test_text_has_every_section() -> None:
    for language in ("en", "ja"):
        shown = "\n".join(text_lines(compared(), language))
        assert shown.startswith(said("warning")[language])
        for key in ("measures", "numbers", "worst", "telling", "regression", "learning", "attacks"):
            assert said(key)[language] in shown
        assert "age = <b>" not in shown
        assert "0.3716" in shown


def test_without_models() -> None:
    bare = replace(compared(), regression=None, learning=None, left_out=("note",))
    shown = "\n".join(text_lines(bare, "en"))
    assert said("regression_none").en in shown
    assert said("learning_none").en in shown
    assert "Not compared: note." in shown
    assert "<figure>" in compared_page(bare, "en")


def test_the_page() -> None:
    page = compared_page(compared(), "ja")
    assert page.index(said("warning").ja) < page.index("<h2")
    assert page.index('id="summary"') < page.index('id="part-1"')
    assert "http" not in re.sub(r'http-equiv="[^"]*"', "", page)
    # A label that is markup stays a text.
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    # One picture a column, three correlations, three for the worst table, one forest.
    assert page.count("<figure>") == 2 + 3 + 3 + 1
    assert len(sections(compared())) == 10


def test_pictures() -> None:
    found = compared()
    drawn = bars(found.measures.crosses.marginals[0])
    assert drawn.count("#b5651d") >= 2
    many = replace(
        found.measures.crosses.marginals[0],
        labels=tuple(map(str, range(30))), real=(1 / 30,) * 30, synthetic=(1 / 30,) * 30,
    )  # fmt: skip
    assert bars(many).count("#b5651d") == 20
    matrix = squares(("a", None), ("x", "y"), ((50.0, 0.0), (-20.0, 30.0)), 50.0, 1)
    assert "50.0" in matrix
    assert "−20.0" in matrix
    assert "∅" in matrix
    assert ">0.0<" not in matrix
    assert found.regression is not None
    lines = forest(found.regression.coefficients, ["age", "sex = F"])
    assert "sex = F" in lines


def test_no_attack_won_is_said_only_where_one_ran() -> None:
    grey = [Verdict(topic, "grey", {"risk": None}) for topic in ("linkage", "inference")]
    near = Verdict("nearest", "green", {"identical": 0.0, "ratio": 1.0})
    found = summary(replace(compared(), verdicts=(near, *grey)))
    assert found.safe.light == "grey"
    assert found.like.light == "grey"
    assert found.safe.sentence == said("safe_grey")
    few = Verdict("telling", "grey", {"auc": 0.5})
    line = summary(replace(compared(), verdicts=(few,))).lines[0]
    assert line.sentence.en.endswith(said("too_few").en)
