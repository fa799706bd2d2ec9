"""CSV that goes through the csv module and back, and through Excel unharmed."""

from __future__ import annotations

import csv
import io

import pytest

from report.releases import (
    BORN,
    COUNT,
    COVARIANCE,
    COVARIANCES,
    HOSTILE,
    INCOMES,
    JAPANESE,
    LOST,
    MANY,
    NASTY,
    SEX,
    release,
)
from sudare.facts.release import Answer
from sudare.report.tables import BOM, safe, to_csv


def rows(*answers: Answer) -> list[dict[str, str]]:
    text = to_csv(release(*answers))
    assert text.encode("utf-8").startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(text.removeprefix(BOM))))


def test_single_numbers() -> None:
    found = rows(COUNT, LOST, BORN)
    assert found[0] == {
        "query": "count()",
        "label": "",
        "row": "",
        "column": "",
        "value": "19873",
        "error95": "669.0",
        "epsilon": "0.1",
        "drowned": "false",
    }
    assert found[1]["drowned"] == "true"
    assert found[2]["value"] == "1981-04-05"


def test_labels_come_apart_where_they_have_parts() -> None:
    found = rows(SEX, INCOMES)
    assert (found[0]["label"], found[0]["label_1"], found[0]["label_2"]) == ("F", "F", "")
    last = found[-1]
    assert last["label"] == 'other, "east, far"'
    assert (last["label_1"], last["label_2"]) == ("other", "east, far")
    assert int(found[2]["value"]) == 21_503_000_000


def test_covariances_have_rows_and_columns() -> None:
    found = rows(COVARIANCE)
    assert len(found) == 9
    assert (found[5]["row"], found[5]["column"], found[5]["drowned"]) == ("hours", "income", "true")
    assert float(found[8]["value"]) == 2.1e12
    assert float(found[8]["error95"]) == 3e10
    grouped = rows(COVARIANCES)
    assert {row["label"] for row in grouped} == {"F", "M"}
    assert len(grouped) == 18


def test_japanese_labels_and_long_tables_are_whole() -> None:
    assert [row["label"] for row in rows(JAPANESE)] == ["北海道", "東北", "関東", "九州・沖縄"]
    assert len(rows(MANY)) == 242


def test_labels_are_never_formulas() -> None:
    labels = [row["label"] for row in rows(NASTY)]
    assert labels == [HOSTILE[0], HOSTILE[1], "'" + HOSTILE[2]]


@pytest.mark.parametrize(
    "label",
    ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1+1", "＋A1", "－A1", "＠x"],
)
def test_formulas_are_defused(label: str) -> None:
    assert safe(label) == "'" + label


@pytest.mark.parametrize("label", ["-5", "+3", "-1.5", "[0, 10)", "北", "a=b", "", "0"])
def test_plain_labels_stay(label: str) -> None:
    assert safe(label) == label
