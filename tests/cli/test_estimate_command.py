"""sudare estimate, as typed, on files of sudare randomize."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from sudare.cli.app import app, main

SCHEMA = """
[table]
name = "people"
neighbours = "replace-one"
[budget]
epsilon = 100
[columns.age]
type = "integer"
min = 0
max = 99
complete = true
[columns.income]
type = "real"
min = 0
max = 1000
complete = true
[columns.member]
type = "boolean"
complete = true
[columns.sex]
type = "category"
values = ["F", "M"]
[columns.region]
type = "category"
values = ["north", "south"]
"""
ROWS = 3000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("estimate")
    made = np.random.default_rng(3)
    age = made.integers(20, 80, ROWS)
    income = np.clip(8 * age + made.normal(0, 100, ROWS), 0, 1000).round(2)
    member = np.where(income > 400, "true", "false")
    sex = made.choice(["F", "M"], ROWS, p=[0.7, 0.3])
    region = np.where(sex == "F", "north", "south")
    with (place / "people.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["age", "income", "member", "sex", "region"])
        rows.writerows(zip(age, income, member, sex, region, strict=True))
    (place / "people.schema.toml").write_text(SCHEMA, encoding="utf-8")
    words = ["randomize", str(place / "people.csv"), "--epsilon", "15", "--budget", "split"]
    reports = str(place / "reports.parquet")
    assert CliRunner().invoke(app, [*words, "-o", reports]).exit_code == 0
    return place


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["estimate", *words])


def told(folder: Path, *words: str) -> dict[str, Any]:
    found = run(str(folder / "reports.parquet"), *words, "--json")
    assert found.exit_code == 0, found.output
    shown: dict[str, Any] = json.loads(found.stdout)
    return shown


def test_all_that_the_file_tells(folder: Path) -> None:
    found = told(folder, "--target", "member", "--table", "sex,region")
    assert found["rows"] == ROWS
    means = {each["column"]: each["mean"] for each in found["means"]}
    assert set(means) == {"age", "income", "member"}
    for column, mean in (("age", 49.5), ("income", 396)):
        figure = means[column]
        assert figure["value"] == pytest.approx(mean, abs=5 * figure["standard_error"] + 2)
        assert figure["interval95"][0] < figure["value"] < figure["interval95"][1]
    assert found["correlation"]["entries"][0][1]["value"] > 0.5
    assert found["correlation"]["score"]["trivial_error"] > 0
    assert {each["column"] for each in found["histograms"]} == {"sex", "region"}
    assert found["tables"][0]["columns"] == ["sex", "region"]
    assert found["tables"][0]["shares"][0][0]["value"] == pytest.approx(0.7, abs=0.06)
    assert [each["kind"] for each in found["models"]] == ["regression", "logistic", "svm"]
    assert found["untold"] == []


def test_only_what_is_asked_for(folder: Path) -> None:
    found = told(folder, "--statistics", "histogram", "--histogram-method", "inverse")
    assert found["means"] == []
    assert found["correlation"] is None
    assert {each["method"] for each in found["histograms"]} == {"inverse"}


@pytest.mark.parametrize(("language", "word"), [("en", "standard error"), ("ja", "標準誤差")])
def test_people_read_text_and_a_page(
    folder: Path, tmp_path: Path, language: str, word: str
) -> None:
    page = tmp_path / "page.html"
    found = run(str(folder / "reports.parquet"), "--report", str(page), "--lang", language)
    assert found.exit_code == 0
    assert word in found.stdout
    assert ("Wrote" if language == "en" else "書きました") in found.stderr
    assert f'<html lang="{language}"' in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--statistics", "mode"], 2, "A statistic is not known."),
        (["--statistics", "svm"], 2, "needs a target"),
        (["--statistics", "table"], 2, "needs two columns"),
        (["--table", "sex"], 2, "names two columns"),
        (["--target", "name"], 4, "Column 'name' is not in the file of reports."),
    ],
)
def test_refusals(
    folder: Path,
    words: list[str],
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["sudare", "estimate", str(folder / "reports.parquet"), *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == code
    assert said in capsys.readouterr().err


def test_other_files_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("people.csv", "nothing.parquet"):
        monkeypatch.setattr("sys.argv", ["sudare", "estimate", str(folder / name)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 4
        assert "error: " in capsys.readouterr().err


def test_variances_say_what_they_are_compared_with(folder: Path) -> None:
    page = folder / "variances.html"
    words = ["estimate", str(folder / "reports.parquet"), "--report", str(page), "--force"]
    for language, said in (("en", "compares with zero"), ("ja", "備考だけはゼロと比べた")):
        found = CliRunner().invoke(app, [*words, "--lang", language], catch_exceptions=False)
        assert said in found.stdout
        assert said in page.read_text(encoding="utf-8")


def test_it_costs_nothing(folder: Path) -> None:
    ledger = folder / "people.ledger"
    before = ledger.read_bytes()
    told(folder)
    assert ledger.read_bytes() == before


def test_help_has_an_example() -> None:
    assert "Example: sudare estimate" in " ".join(run("--help").stdout.split())
