"""A released table in files and on the page."""

from __future__ import annotations

import csv
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from report.releases import release as made
from sudare.facts.cube import Dimension, Tier, cells_of, every_margin, margin_name
from sudare.facts.release import NoiseFact, Release
from sudare.facts.tabulated import ReleasedMargin, Tabulated
from sudare.report.certificate import statement
from sudare.report.comparison import comparison_csv, comparison_html
from sudare.report.crosstab import crosstab, crosstab_csv, entries, tidy_csv
from sudare.report.html import render
from sudare.report.notebook import table_html
from sudare.report.tabulation import left_out, shown_answers, table_of
from sudare.report.workbook import fits, write_workbook

SEX = Dimension((Tier("sex", ("F", "M")),))
CITY = Dimension(
    (Tier("area", ("East, far", "<b>West</b>"), (2, 1)), Tier("city", ("a", "=b", "c")))
)
COUNTS = np.array([[10, 20, 3], [40, 50, 0]])


def table(wanted: set[tuple[int, ...]] | None = None) -> Tabulated:
    dimensions = (SEX, CITY)
    margins = tuple(
        ReleasedMargin(margin_name(dimensions, m), m, cells_of(dimensions, m), 1.0, 2.0, 5.0)
        for m in every_margin(dimensions)
        if wanted is None or m in wanted
    )
    noise = (NoiseFact("discrete Laplace: sex,city", 6, "1", "L1 1"),)
    return Tabulated(dimensions, margins, noise, COUNTS)


def release(found: Tabulated) -> Release:
    return replace(made(), answers=(), tabulation=found.to_dict())


def cell_at(rows: list[dict[str, str]], sex: str, city: str) -> dict[str, str]:
    (found,) = [r for r in rows if (r["margin"], r["sex"], r["city"]) == ("sex,city", sex, city)]
    return found


def test_groups_stand_before_their_members() -> None:
    assert [entry.label for entry in entries(CITY)] == [
        "total", "East, far", "a", "=b", "<b>West</b>", "c",
    ]  # fmt: skip
    rows = list(crosstab(table()))
    assert rows[0] == ["sex", "total", "East, far", "a", "=b", "<b>West</b>", "c"]
    assert rows[1] == ["total", 123, 120, 50, 70, 3, 3]
    assert rows[2] == ["F", 33, 30, 10, 20, 3, 3]


def test_cells_that_were_not_asked_for_are_empty() -> None:
    rows = list(crosstab(table({(0, 1), (1, 2)})))
    assert rows[1] == ["total", None, 120, None, None, 3, None]
    assert rows[2] == ["F", None, None, 10, 20, None, 3]


def test_tidy_rows_name_every_level() -> None:
    rows = list(csv.DictReader("".join(tidy_csv(table())).removeprefix("\ufeff").splitlines()))
    assert len(rows) == 3 * 6
    cell = cell_at(rows, "M", "'=b")
    assert (cell["area"], cell["count"], cell["error95"]) == ("East, far", "50", "5")
    (whole,) = [r for r in rows if r["margin"] == "total"]
    assert (whole["sex"], whole["area"], whole["city"]) == ("total", "total", "total")
    assert "'=b" in "".join(crosstab_csv(table()))


def test_the_workbook_holds_no_formula(tmp_path: Path) -> None:
    found = table()
    assert fits(found)
    write_workbook(release(found), found, tmp_path / "t.xlsx", "ja")
    with zipfile.ZipFile(tmp_path / "t.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        names = book.read("xl/workbook.xml").decode()
    assert "<f>" not in sheet
    assert "集計表" in names


def test_answers_and_page() -> None:
    shown = release(table())
    answers = shown_answers(shown)
    assert answers[0].value == 123
    by_area = next(a for a in answers if a.by == ("sex", "area"))
    assert by_area.value == {
        'F, "East, far"': 30, "F, <b>West</b>": 3, 'M, "East, far"': 90, "M, <b>West</b>": 0,
    }  # fmt: skip
    assert by_area.drowned == ("F, <b>West</b>", "M, <b>West</b>")
    page = render(shown)
    assert "<b>West</b>" not in page
    assert "discrete Laplace: sex,city" in page
    assert left_out(shown) == []
    assert "within the table" in page


def test_the_certificate_pins_the_stored_bytes() -> None:
    shown = release(table())
    stated = statement(shown).body
    assert stated["sha256"] == statement(Release.from_bytes(shown.to_bytes())).body["sha256"]
    assert len(stated["asked"]) == 6
    assert [len(each["mechanisms"]) for each in stated["asked"]].count(1) == 1


def test_a_comparison_counts_what_is_drowned() -> None:
    found, truth = table(), COUNTS + 1
    lines = "".join(comparison_csv(found, truth)).splitlines()
    assert lines[0].endswith("NOT FOR PUBLICATION")
    rows = list(csv.DictReader(lines[1:]))
    cell = cell_at(rows, "M", "c")
    assert (cell["count"], cell["true"], cell["drowned"]) == ("0", "1", "true")
    page = comparison_html(release(found), found, truth, "en")
    assert "2 of 6 cells are drowned" in page
    assert "<b>West</b>" not in page
    assert "公開禁止" in comparison_html(release(found), found, truth, "ja")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_notebook_lists_the_margins(language: str) -> None:
    shown = release(table())
    found = table_of(shown)
    assert found is not None
    assert "sex,area" in table_html(shown, found, language)  # type: ignore[arg-type]
