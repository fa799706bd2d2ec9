"""sudare synthesize without rows: from statistics files and randomised reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.synthesize_made import RULE, SCHEMA, done, people_folder, read_csv, run, told
from sudare.cli.app import app


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return people_folder(tmp_path, monkeypatch)


def test_two_departments_share_statistics_and_no_rows(folder: Path, tmp_path: Path) -> None:
    shown = done(
        "people.csv",
        "--accept-disclosure",
        "--statistics-only",
        "--minimum",
        "5",
        "-o",
        "sent.json",
    )
    assert "no rows were made" in shown.stdout
    assert "How close the statistics come to a person" in shown.stdout
    other = tmp_path / "other"
    other.mkdir()
    (folder / "sent.json").rename(other / "sent.json")
    (folder / "people.csv").unlink()
    (folder / "people.schema.toml").unlink()
    found = told("--from-statistics", str(other / "sent.json"), "--statistics",
                 str(other / "used.json"), "-o", str(other / "made.csv"))  # fmt: skip
    assert found["rows"] == 240
    assert found["origin"] == "exact"
    assert found["source"]["source"] == "people.csv"
    sent, used = (
        json.loads((other / name).read_text("utf-8")) for name in ("sent.json", "used.json")
    )
    assert sent == used
    assert len(read_csv(other / "made.csv")) == 240


def test_private_statistics_travel_with_their_guarantee(folder: Path) -> None:
    advice = told("people.csv", "--epsilon", "0.5", "--statistics-only", "-o", "sent.json")
    assert advice["closeness"] is None
    assert advice["guarantee"]["epsilon"] == 0.5
    shown = done("--from-statistics", "sent.json", "-o", "made.csv", "--rows", "50", "--lang", "ja")
    assert "形式的な保証があります" in shown.stdout
    assert "ε = 0.5" in shown.stdout


def test_paper_modes(folder: Path) -> None:
    done(
        "people.csv",
        "--mode",
        "paper",
        "--accept-disclosure",
        "--statistics-only",
        "-o",
        "sent.json",
    )
    for words in (("--mode", "paper"), ("--method", "a"), ("--method", "b")):
        given = ("--from-statistics", "sent.json", *words, "--rows", "60", "--force")
        found = told(*given, "-o", "made.csv")
        assert found["mode"] == words[1]
        assert found["before"] is None
        page = (folder / "made.report.html").read_text(encoding="utf-8")
        assert "Values may leave their declared bounds" in page


def test_paper_mode_refuses_exact_statistics_without_sums(folder: Path) -> None:
    done("people.csv", "--accept-disclosure", "--statistics-only", "-o", "sent.json")
    refused = run("--from-statistics", "sent.json", "--mode", "paper", "-o", "made.csv")
    assert refused.exception.exit_code == 4
    assert refused.exception.what == "The exact statistics lack the sums of 'age' within 'sex'."
    assert "--mode paper" in refused.exception.hint
    assert not (folder / "made.csv").exists()


def test_randomized_reports(folder: Path) -> None:
    schema = SCHEMA.replace('name = "people"', 'name = "people"\nneighbours = "replace-one"')
    schema = schema.replace("epsilon = 1.5", "epsilon = 9.0")
    (folder / "people.schema.toml").write_text(schema, encoding="utf-8")
    words = ["randomize", "people.csv", "--epsilon", "8", "--columns", "age,sex,pay", "-o"]
    made = CliRunner().invoke(app, [*words, "reports.parquet"])
    assert made.exit_code == 0, (made.output, made.exception)
    found = told("--from-randomized", "reports.parquet", "-o", "made.csv", "--rows", "50")
    assert found["origin"] == "randomized"
    assert found["guarantee"]["epsilon"] == 8.0
    page = (folder / "made.report.html").read_text(encoding="utf-8")
    assert "local ε = 8" in page
    assert len(read_csv(folder / "made.csv")) == 50
    # 15 lies inside a bin of the reports, and 0 is a bin's edge on one side only.
    (folder / "rules.toml").write_text(schema + RULE, encoding="utf-8")
    words = ["--from-randomized", "reports.parquet", "--schema", "rules.toml"]
    ruled = told(*words, "-o", "ruled.csv", "--rows", "400")
    assert [each["broken"] for each in ruled["rules"]] == [0]
    rows = read_csv(folder / "ruled.csv")
    assert len(rows) == 400
    assert not [row for row in rows if int(row["age"]) < 15 and int(row["pay"]) > 0]
