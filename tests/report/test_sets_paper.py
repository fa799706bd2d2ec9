"""What is said about the figures of the paper on set-valued data."""

from __future__ import annotations

import string
from dataclasses import replace

import pytest

from sudare.facts.errors import UsageError
from sudare.facts.sets_paper import (
    BASIC,
    MODES,
    PLUS,
    PublicBaskets,
    Quantity,
    SetsFigure,
    SetsPaper,
    Spot,
    read_figures,
)
from sudare.report.sets_paper import lines, page, to_csv
from sudare.report.sets_paper_charts import chart
from sudare.report.sets_paper_findings import findings
from sudare.report.sets_paper_texts import TEXTS

DATA = ("bms-webview-1", "bms-webview-2")
PLACES = {3: (0.1, 0.5), 4: (0.1, 0.5), 5: (0.0, 0.01, 0.1), 6: (0.05, 0.8), 7: (0.05, 0.8)}


def figure(number: int, quantity: Quantity, scale: float = 1.0) -> SetsFigure:
    """The second data set loses 2.2 times as much, own items one and a half times, the default 0.9
    times; places below 0.1 have twice as much."""
    spots = []
    for place, data in enumerate(DATA):
        for mode in MODES:
            for which, setting in enumerate(PLUS if number > 5 else BASIC):
                for x in PLACES[number]:
                    value = 0.1 * scale * (1 + 1.2 * place) * (1 + which / 2)
                    value *= (0.9 if mode == "default" else 1) * (2 if x < 0.1 else 1)
                    spots.append(
                        Spot(data, mode, setting, quantity, x, (value - 0.01, value + 0.01))
                    )
    return SetsFigure(number, tuple(spots))


def found() -> SetsPaper:
    fifth = figure(5, "util1")
    left = tuple(replace(s, quantity="exposed", values=(0.01, 0.03)) for s in fifth.spots)
    figures = (
        figure(3, "util1"),
        figure(4, "util2", 0.1),
        SetsFigure(5, fifth.spots + left),
        figure(6, "util1"),
        figure(7, "util_mining", 4.5),
    )
    data = tuple(PublicBaskets(name, 1000, 900, 50, 12) for name in DATA)
    return SetsPaper(data, MODES, 2, figures, 77, 12.0)


def test_findings_are_counted() -> None:
    told = [each.en for each in findings(found())]
    assert (
        "Figure 3, paper mode. The paper: mostly 7 to 9 of 10 items are kept. Here at least 7 are "
        "at 6 of 8 places; kept are between 67% and 90%."
    ) in told
    assert any("loses more than fixed throughout. Here at 4 of 4 places" in each for each in told)
    assert any("BMS-WebView-1. Here at 4 of 4 places" in each for each in told)
    (rules,) = [each for each in told if "best 100 rules" in each]
    assert "Here at 3 of 4 places (least 0.45)" in rules
    assert "BMS-WebView-1: sudare's default suppresses 0.90 to 0.90 times" in "\n".join(told)
    assert any("leaves 2.0% of the attackers successful" in each for each in told)
    assert any("(15.0% with short records)" in each for each in told)


def test_one_mode_has_its_own_claims_and_no_comparison() -> None:
    only = replace(found(), modes=("default",))
    told = [each.en for each in findings(only)]
    assert told[0].startswith("Figure 3, sudare's default.")
    assert not any("times paper mode" in each or "Algorithm 2" in each for each in told)


def test_the_town_is_told_from_the_papers_data() -> None:
    whole = found()
    town = tuple(
        replace(f, spots=tuple(replace(s, data="town") for s in f.spots if s.data == DATA[0]))
        for f in whole.figures
    )
    data = (replace(whole.data[0], name="town"),)
    told = "\n".join(lines(replace(whole, data=data, figures=town), "en"))
    assert "were not found" in told
    assert "BMS-WebView-2 loses more" not in told
    assert "were not found" not in "\n".join(lines(whole, "en"))


def test_numbers_with_their_spread() -> None:
    text = to_csv(found().figures[0]).splitlines()
    assert text[0] == "data,mode,setting,quantity,rho,mean,standard_deviation,runs"
    assert text[1] == "bms-webview-1,paper,fixed,util1,0.1,0.1,0.0141421356,2"
    once = Spot("town", "paper", "fixed", "util1", 0.1, (0.25,))
    assert to_csv(SetsFigure(3, (once,))).splitlines()[1] == "town,paper,fixed,util1,0.1,0.25,,1"


def test_panels_of_both_modes_share_their_scale() -> None:
    first, second = (chart(found().figures[0], DATA[0], mode, "util1") for mode in MODES)
    ticks = [[part for part in each.split("</text>") if ">0." in part] for each in (first, second)]
    assert ticks[0] == ticks[1]
    assert first != second


def test_the_page_has_every_panel_in_both_languages() -> None:
    text = page(found(), "ja")
    assert '<html lang="ja"' in text
    assert text.count("<svg") == 24
    for key in ("original", "every", "choice", "theorem", "return", "silent", "plots"):
        assert TEXTS[key].ja[:20] in text


def test_sentences_have_the_same_gaps_in_both_languages() -> None:
    for key, both in TEXTS.items():
        gaps = [
            {part[1] for part in string.Formatter().parse(text) if part[1]}
            for text in (both.en, both.ja)
        ]
        assert gaps[0] == gaps[1], key


def test_figures_as_written() -> None:
    assert read_figures("5-7,3,6") == (3, 5, 6, 7)
    with pytest.raises(UsageError):
        read_figures("7-5")
