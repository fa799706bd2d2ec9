"""What people see of synthetic rows: first whether there is a guarantee, in both languages."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import Any

import pytest

from report.synthesized_facts import GUARANTEE, PAIRS, closeness, exact, gap, private, randomized
from sudare.facts.closeness import Closeness
from sudare.facts.synthesized import RuleKept, Synthesized
from sudare.report import synthesized_words
from sudare.report.synthesized import render
from sudare.report.synthesized_charts import correlation_drawings, marginal_drawings
from sudare.report.synthesized_promise import private_command, promise_of
from sudare.report.synthesized_sections import MOST_PAIRS, pairs_of, sections
from sudare.report.synthesized_texts import lines, statistics_lines
from sudare.report.synthesized_words import TEXTS, said

SOURCES = Path(synthesized_words.__file__).parent
# Keys that are put together of a prefix and a mode, an origin, a measure or a verdict.
MADE = re.compile(r"^(mode|origin|gap|close|two_way|terse_two_way)_")


def gaps(words: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(words) if name}


@pytest.mark.parametrize("key", TEXTS)
def test_both_languages_fill_the_same_gaps(key: str) -> None:
    assert gaps(TEXTS[key].en) == gaps(TEXTS[key].ja)
    assert TEXTS[key].en != TEXTS[key].ja


def test_every_text_is_used() -> None:
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in (*SOURCES.glob("synthesized*.py"), SOURCES / "nearness.py")
    )
    plain = [key for key in TEXTS if not MADE.match(key)]
    assert not [key for key in plain if code.count(f'"{key}"') < 2]


def test_closeness_comes_back_from_a_certificate() -> None:
    assert Closeness.from_dict(closeness().to_dict()) == closeness()


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("facts", [exact(), private(), randomized()], ids=lambda f: f.origin)
def test_the_guarantee_comes_first(facts: Synthesized, language: Any) -> None:
    headline = promise_of(facts).headline[language]
    page = render(facts, language)
    body = page[page.index("<main>") :]
    assert f'<html lang="{language}"' in page
    assert body.index(headline) < body.index(said("head_used")[language])
    assert lines(facts, language)[1] == headline


def test_exact_rows_promise_nothing_and_offer_the_private_route() -> None:
    page = render(exact(), "en")
    assert "There is no formal guarantee: these rows were made from exact statistics." in page
    assert "形式的な保証はありません" in page
    assert "sudare synthesize &#39;my people.csv&#39; --epsilon 1 -o synthetic.csv" in page
    assert "two-way tables of all 3 pairs" in page
    assert "mean and covariance of 2 numbers: age, pay" in page
    assert "Cells of two-way tables with one person alone: 3." in page
    assert "Proposed from exact statistics, for the steward to confirm" in page
    assert "if = &#34;age &lt; 15&#34;" in page
    shown = "\n".join(lines(exact(), "en"))
    assert "give people away" in shown
    assert "for the steward to confirm: 1." in shown


def test_both_figures_of_the_moments() -> None:
    found = {each.heading.en: each for each in sections(exact())}["Means and covariances"]
    assert [head.en for head in found.header[1:]] == [
        "as drawn",
        "before rounding",
        "after rounding",
    ]
    assert [[cell.en for cell in row] for row in found.rows][2][1:] == ["0.03", "3e-13", "3e-07"]
    assert len(found.rows) == 6
    assert "age, pay" in found.sentences[1].en
    shown = "\n".join(lines(exact(), "en"))
    assert "means within 1.0e-07" in shown
    assert "(before: 1.0e-13 and 2.0e-13)" in shown


def test_private_rows_state_and_cite_their_guarantee() -> None:
    promise = promise_of(private())
    told = " ".join(sentence.en for sentence in promise.sentences)
    assert promise.is_given
    assert "ε = 1, δ = 0, for one row (add-remove)" in promise.headline.en
    assert "e^ε = 2.72" in told
    assert "post-processing" in told
    assert "release f00d, entry 7" in told
    page = render(private(), "ja")
    assert "discrete Laplace: x" in page
    assert "Rules proposed" not in page
    assert "--epsilon 1" not in page
    assert "lost in the noise for 2 of 3 pairs" in page


def test_proposals_are_never_shown_of_private_statistics() -> None:
    facts = private(proposals=exact().proposals)
    assert "[[rules]]" not in render(facts, "en")
    assert "proposed" not in "\n".join(lines(facts, "en"))


@pytest.mark.parametrize(
    "stated",
    [None, {}, {**GUARANTEE, "epsilon": "1"}, {**GUARANTEE, "unit": None},
     {**GUARANTEE, "neighbours": "friends"}],
)  # fmt: skip
def test_a_guarantee_that_is_not_stated_is_none(stated: Any) -> None:
    promise = promise_of(private(guarantee=stated))
    assert not promise.is_given
    assert "No guarantee is known" in promise.headline.en


def test_randomized_rows() -> None:
    told = render(randomized(), "en")
    assert "local ε = 4" in told
    assert "ε = 0.75" in told
    assert "left out: shoe" in told
    bare = promise_of(randomized(guarantee={**GUARANTEE, "shuffle": {"n": "?"}}))
    assert "local ε holds in any case" in bare.sentences[0].en
    none = {each.heading.en: each for each in sections(randomized(recovered=(), lost=PAIRS))}
    assert "No dependence" in none["Two columns at a time"].sentences[2].en


def test_paper_mode_says_what_it_does() -> None:
    facts = exact(mode="b", drawn=None, before=None, after=gap(0.5), rules=())
    page = render(facts, "en")
    assert "comparison method B" in page
    assert "may leave their declared bounds" in page
    found = {each.heading.en: each for each in sections(facts)}["Means and covariances"]
    assert [head.en for head in found.header] == ["measure", "as written"]
    assert "As written: means within 5.0e-01" in "\n".join(lines(facts, "en"))


def test_rules_and_panels() -> None:
    broken = exact(rules=(RuleKept("never x", 4),))
    assert "Declared rules: 1; 4 times a row breaks one." in lines(broken, "en")
    assert "0 rows break one" in "\n".join(lines(exact(), "en"))
    assert "gain × loss" in render(exact(), "en")
    panel = {"person": "id", "time": "year", "starts": [1, 2, 3], "lags": 2}
    assert "3 periods of &#39;year&#39;" in render(exact(panel=panel), "en")


def test_long_lists_are_cut() -> None:
    every = [(f"a{n}", "b") for n in range(MOST_PAIRS + 5)]
    assert pairs_of(every).en.endswith("and 5 more")
    assert pairs_of(every[:2]).ja == "a0 × b、a1 × b"


def test_pictures() -> None:
    drawn = list(marginal_drawings(exact()))
    assert "total variation 10.00%" in drawn[1].caption.en
    assert "the 40 most frequent" in drawn[2].caption.en
    assert all("<svg" in each.svg for each in drawn)
    stated, synthetic, difference = correlation_drawings(exact().correlations)
    assert stated.svg.count("–") == 2
    assert "0.20" in synthetic.svg
    assert "0 at most" in difference.caption.en
    assert not list(correlation_drawings(None))


def test_the_page_fetches_nothing_and_shows_no_markup_of_the_data() -> None:
    page = render(exact(), "en")
    assert "<b>sex</b>" not in page
    assert "default-src 'none'" in page.replace("&#39;", "'")
    assert not re.search(r'(src|href)="(?!data:)', page)
    assert "cd" * 32 in page
    assert "made.csv" in page


def test_commands_name_files_only() -> None:
    assert "people.csv" in private_command({})
    assert "people.csv" in private_command({"source": "DataFrame"})
    assert "'a b.csv'" in private_command({"source": "a b.csv"})


@pytest.mark.parametrize("language", ["en", "ja"])
def test_statistics_alone(language: Any) -> None:
    told = {
        "table": "people",
        "origin": "exact",
        "rows": 100.0,
        "columns": ["a", "b"],
        "two_way_tables": 1,
        "guarantee": None,
        "closeness": closeness().to_dict(),
    }
    shown = statistics_lines(told, language)
    assert shown[1] == said("statistics_none")[language]
    assert any("age × pay" in line for line in shown)
    released = {**told, "origin": "private", "guarantee": GUARANTEE, "closeness": None}
    assert "ε = 1" in statistics_lines(released, language)[1]
    unknown = {**released, "guarantee": None}
    assert statistics_lines(unknown, language)[1] == said("unstated")[language]
