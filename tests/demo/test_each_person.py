"""The stop at which each person randomises: the truth lies where the table says."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from sudare.demo.each_person import write_each_person
from sudare.demo.town import people_csv
from sudare.report.columns import text_width
from sudare.report.texts import LANGUAGES, Language


def number(text: str) -> float:
    return float(text.replace(",", ""))


@pytest.mark.parametrize("language", LANGUAGES)
def test_true_estimated_and_trivial_side_by_side(tmp_path: Path, language: Language) -> None:
    """Three times the stated reach is missed by one number in 2e8; there are thirteen."""
    (tmp_path / "people.csv").write_text(people_csv(), encoding="utf-8")
    found = write_each_person(tmp_path / "each-person", language)
    with found.path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert len(rows) == len(found.compared) + 1 == 14
    assert all(text_width(line) <= 78 for line in found.lines)
    for name, true, estimated, interval, _, note in rows[1:]:
        if estimated != "–":
            low, high = (number(end) for end in interval.split(" – "))
            middle, reach = (low + high) / 2, (high - low) / 2
            assert abs(number(true) - middle) <= 3 * reach, name
        else:
            assert note
    assert "<html" in (tmp_path / "each-person" / "estimates.html").read_text(encoding="utf-8")
    # Once more is the same file, unpaid.
    assert write_each_person(tmp_path / "each-person", language).lines == found.lines
