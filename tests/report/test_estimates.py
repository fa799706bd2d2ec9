"""Estimates on a terminal and on a page: both languages, errors beside values, noise named."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from sudare.facts.estimated import (
    Component,
    Components,
    Estimated,
    Figure,
    Histogram,
    Matrix,
    Mean,
    Model,
    Score,
    Table,
    Untold,
)
from sudare.report.estimates import listed_shares, sections, text_lines
from sudare.report.estimates_page import estimates_page
from sudare.report.estimates_texts import TEXTS

TOLD = Figure(0.512, 0.534, 0.021, (0.492, 0.576), 0.0, True)
NOISE = Figure(0.01, 0.07, 0.09, (-0.108, 0.248), 0.0, False)
ONE = Figure(1.0, 1.0, 0.0, (1.0, 1.0), 1.0, True)
OPEN = Figure(None)
AGE = Figure(43.21, 43.21, 0.5, (42.2, 44.2), 50.0, True)
HOSTILE = "<script>alert(1)</script>"


def made() -> Estimated:
    entries = ((ONE, TOLD, OPEN), (TOLD, ONE, NOISE), (OPEN, NOISE, OPEN))
    matrix = Matrix(("age", "income", HOSTILE), entries, Score(0.02, 0.3, True))
    day = Figure("2004-06-01", 12570.0, 20.4, ("2004-04-24", "2004-07-10"), "2004-07-01", False)
    component = Component(Figure(1.8, 1.8, 0.1, (1.6, 2.0), 1.0, True), TOLD, (TOLD, TOLD, NOISE))
    return Estimated(
        "people",
        12_000,
        4.0,
        means=(
            Mean("age", "integer", (0.0, 100.0), AGE, NOISE, True),
            Mean("joined", "date", ("2000-01-01", "2008-12-31"), day, None, False),
        ),
        covariance=matrix,
        correlation=matrix,
        histograms=(
            Histogram("sex", ("F", None), None, (TOLD, NOISE), "em", Score(0.2, 0.1, False)),
            Histogram("age", ("0 – 49", "50 – 100"), (0.0, 50.0, 100.0), (TOLD, TOLD), "em", None),
        ),
        tables=(Table(("sex", "region"), (("F", "M"), ("n", "s")), ((TOLD, NOISE), (NOISE, TOLD)),
                      Score(0.01, 0.02, True)),),
        pca=Components(("age", "income", HOSTILE), (component,) * 3),
        models=(
            Model("regression", "income", None, ("age",), TOLD, (NOISE,), TOLD, 0.25, False),
            Model("logistic", "member", ("no", "yes"), ("age",), TOLD, (TOLD,), NOISE, 0.0, True),
            Model("svm", "member", ("no", "yes"), ("age",), TOLD, (TOLD,), TOLD, 0.0, True),
        ),
        untold=(
            Untold("covariance", (HOSTILE,), "no_square"),
            Untold("pca", (), "no_value"),
        ),
    )  # fmt: skip


class Checked(HTMLParser):
    """Collects tags, texts and the labels of pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.labels: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        if given.get("role") == "img":
            self.labels.append(given.get("aria-label") or "")

    def handle_data(self, data: str) -> None:
        self.text += data


def page(language: str = "en") -> Checked:
    found = Checked()
    found.feed(estimates_page(made(), language))  # type: ignore[arg-type]
    return found


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """So much room that no cell takes two lines."""
    monkeypatch.setattr("sudare.report.records_risk.screen_width", lambda: 200)


@pytest.mark.usefixtures("wide")
def test_noise_is_named_and_not_only_printed() -> None:
    lines = list(text_lines(made(), "en"))
    row = next(line for line in lines if line.strip().startswith(f"income × {HOSTILE}"))
    assert "not distinguishable from zero" in row
    told = next(line for line in lines if line.strip().startswith("age × income"))
    assert "0.512" in told
    assert "0.021" in told
    assert "not distinguishable" not in told
    assert any("not told by this file" in line for line in lines)
    assert any("do not show that the estimate is better" in line for line in lines)


@pytest.mark.usefixtures("wide")
def test_japanese_says_the_same() -> None:
    english, japanese = (list(text_lines(made(), code)) for code in ("en", "ja"))
    assert len(english) == len(japanese)
    assert "ゼロと区別できません" in "\n".join(japanese)
    assert not re.search(r"distinguishable|estimate is", "\n".join(japanese))


def test_dates_have_errors_in_days() -> None:
    for language, days in (("en", "21 days"), ("ja", "21 日")):
        row = next(line for line in text_lines(made(), language) if "2004-06-01" in line)  # type: ignore[arg-type]
        assert days in row


def test_the_page_has_charts_and_tables_and_runs_nothing_else() -> None:
    found = page()
    assert found.tags.count("svg") == 4
    assert found.tags.count("script") == 1
    assert all(found.labels)
    assert len(found.labels) == 4
    assert found.tags.count("table") == len([s for s in sections(made()) if s.rows])
    whole = estimates_page(made(), "en")
    assert "default-src &#39;none&#39;" in whole
    assert "http" not in re.sub(r"<svg.*?</svg>|<meta[^>]*>", "", whole, flags=re.S)


def test_hostile_names_stay_text() -> None:
    found = page()
    assert HOSTILE in found.text
    assert "<script>alert" not in estimates_page(made(), "en")


@pytest.mark.parametrize(("language", "title"), [("en", "What the reports"), ("ja", "people の")])
def test_it_opens_in_the_wanted_language(language: str, title: str) -> None:
    whole = estimates_page(made(), language)  # type: ignore[arg-type]
    assert f'<html lang="{language}"' in whole
    assert re.search(rf"<title>{title}", whole)


def test_both_languages_have_the_same_gaps() -> None:
    for key, text in TEXTS.items():
        gaps = [sorted(re.findall(r"{(\w+)", part)) for part in (text.en, text.ja)]
        assert gaps[0] == gaps[1], key
        assert text.en != text.ja, key


def test_every_reason_and_statistic_has_words() -> None:
    from typing import get_args

    from sudare.facts.estimated import STATISTICS, Reason

    assert {f"reason_{reason}" for reason in get_args(Reason)} <= set(TEXTS)
    assert {f"{statistic}_" for statistic in STATISTICS} <= set(TEXTS)


def test_of_many_labels_the_largest_are_shown() -> None:
    labels = tuple(f"label {i}" for i in range(300))
    shares = tuple(Figure(i / 44_850, i / 44_850, 0.001, (0.0, 1.0), 1 / 300) for i in range(300))
    found = Histogram("kind", labels, None, shares, "inverse", None)
    listed = listed_shares(found)
    assert [label for label, _ in listed[:2]] == ["label 299", "label 298"]
    assert len(listed) == 200
    section = sections(Estimated("t", 10, 1.0, histograms=(found,)))[1]
    assert "largest 200 of 300" in section.sentences[-1].en
    # Bins keep their order.
    edges = tuple(float(i) for i in range(301))
    bins = Histogram("kind", labels, edges, shares, "em", None)
    assert listed_shares(bins)[0][0] == "label 0"
