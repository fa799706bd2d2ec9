"""sudare reproduce shuffle-paper as a command."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.facts.errors import InvalidFile, UsageError
from sudare.local.paper import against_laplace, bounds, correlations, two_points

SHARED = Path(__file__).parents[3] / "shared" / "data" / "adult.csv.gz"
HEADER = (
    "age,workclass,fnlwgt,education,education_num,marital_status,occupation,relationship,race,sex,"
    "capital_gain,capital_loss,hours_per_week,native_country,income"
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Few points a figure, in a folder without Adult beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUDARE_ADULT", raising=False)
    for module, name, value in (
        (bounds, "AXIS_1", (1e-10,)),
        (bounds, "AXIS_2", (1000,)),
        (bounds, "AXIS_3", (1.0, 4.0)),
        (two_points, "SIZES", (0.1, 10.0)),
        (two_points, "RATIOS", (1.0,)),
        (against_laplace, "PLACES", (1.0, 6.0)),
        (against_laplace, "CORRECTED", (1.0,)),
        (correlations, "PLACES", (1e-5,)),
        (correlations, "CORRECTED", (1e-5, 2.0)),
        (correlations, "AXIS_STAR", (2.0,)),
    ):
        monkeypatch.setattr(module, name, value)
    return tmp_path


def run(*words: str) -> Any:
    found = CliRunner().invoke(app, ["reproduce", "shuffle-paper", "--trials", "2", *words])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == 0, found.output
    return found


def made(folder: Path, rows: int = 300, line: str = HEADER) -> Path:
    """A file of Adult's form; every tenth row lacks its occupation."""
    path = folder / "made.csv"
    lines = [line]
    for i in range(rows):
        job = "?" if i % 10 == 0 else "Sales"
        lines.append(
            f"{17 + i % 60},Private,{20000 + 37 * i},HS-grad,{1 + i % 16},Divorced,{job},Wife,"
            f"White,Male,{(i % 7) * 1000},{(i % 5) * 500},{20 + i % 50},Japan,<=50K"
        )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_without_adult_it_says_how_to_get_it_and_runs_on_the_town(small: Path) -> None:
    found = run("-o", "figures")
    assert "not Adult, but the made town" in found.stdout
    assert "UCI Machine Learning Repository" in found.stdout
    assert "20,000 people" in found.stdout
    assert "Wrote figures/report.html and 7 CSV files." in found.stderr
    page = (small / "figures" / "report.html").read_text(encoding="utf-8")
    # Both languages, seven figures, a chart for each panel, nothing fetched.
    assert "not Adult, but the made town" in page
    assert "架空の町" in page
    assert page.count('<section class="card"') == 7
    assert page.count("<svg") == 2 * 5 + 2 * 4
    assert "default-src &#39;none&#39;" in page
    assert not re.search(r"(src|href)=\"(?!data:)", page)
    for number in range(1, 8):
        with (small / "figures" / f"figure{number}.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert {row["mode"] for row in rows} == {"paper", "corrected"}
        assert all(row["value"] == "" or float(row["value"]) >= 0 for row in rows)


def test_json_and_a_named_file(small: Path) -> None:
    found = run("--data", str(made(small)), "--json", "-o", "figures")
    told = json.loads(found.stdout)
    assert (told["data"], told["rows"], told["trials"]) == ("adult", 270, 2)
    assert len(told["attributes"]) == 6
    assert len(told["figures"]) == 7
    assert len(told["files"]) == 8
    assert [round(row["theorem"], 2) for row in told["findings"]["inverted"]] == [
        2.34,
        3.56,
        5.6,
        7.53,
    ]
    # 270 people are too few for the theorem at any ε′.
    assert told["findings"]["allowed"] < 0


@pytest.mark.slow
def test_the_environment_names_the_file(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDARE_ADULT", str(made(small)))
    found = run("--lang", "ja")
    assert "データ：UCI Adult、欠損のない 270 行" in found.stdout
    assert (small / "shuffle-paper" / "report.html").is_file()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("--trials", "1"), UsageError),
        (("--data", "nowhere.csv"), InvalidFile),
        (("--data", "short.csv"), InvalidFile),
        (("--data", "other.csv"), InvalidFile),
    ],
)
def test_refusals(small: Path, words: tuple[str, ...], error: type[Exception]) -> None:
    made(small, rows=50).rename(small / "short.csv")
    made(small, line=HEADER.replace("capital_loss", "loss")).rename(small / "other.csv")
    with pytest.raises(error):
        run(*words)


def test_help_has_an_example() -> None:
    for words in (["reproduce", "--help"], ["reproduce", "shuffle-paper", "--help"]):
        shown = CliRunner().invoke(app, words).output
        assert "Example: sudare reproduce" in " ".join(shown.split())


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_file(), reason="Adult is not in ../shared/data")
def test_the_whole_command_on_adult(tmp_path: Path) -> None:
    found = run("--data", str(SHARED), "--json", "-o", str(tmp_path))
    told = json.loads(found.stdout)["findings"]
    assert told["identity"] == pytest.approx(0.0534, abs=1e-4)
    assert told["left_end"] == pytest.approx(0.054, abs=0.003)
    assert told["crossing"] == pytest.approx(3.7, abs=0.05)
    assert told["diagonal"] > 0.9
    assert told["same_words"] < 1e-6
