"""sudare randomize: the issue's command line, dry run, JSON, certificate, page, refusals."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from pyarrow import csv, parquet
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.facts.errors import InvalidPlan, UsageError

SCHEMA = """
[table]
name = "people"
neighbours = "replace-one"
[budget]
epsilon = 20
[columns."年齢"]
type = "integer"
min = 0
max = 99
[columns.income]
type = "real"
min = 0
max = 1000
[columns.sex]
type = "category"
values = ["F", "M"]
other = "?"
[columns.memo]
type = "text"
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lines = ["年齢,income,sex,memo"]
    lines += [f"{n % 100},{n % 1000 + 0.5},{'FM'[n % 2]},note {n}" for n in range(2000)]
    (tmp_path / "people.csv").write_text("\n".join(lines), encoding="utf-8")
    table = csv.read_csv(tmp_path / "people.csv")
    parquet.write_table(table, tmp_path / "people.parquet")
    (tmp_path / "people.schema.toml").write_text(SCHEMA, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["randomize", *words], catch_exceptions=False)


def test_the_whole_command(place: Path) -> None:
    found = run(
        "people.parquet",
        *("--schema", "people.schema.toml", "--epsilon", "4", "--mechanism", "auto"),
        *("--shuffle", "-o", "randomized.parquet", "--json"),
    )
    assert found.exit_code == 0
    told = json.loads(found.stdout)
    assert told["rows"] == 2000
    assert told["spent"] == {"epsilon": 4.0, "delta": 0.0}
    assert told["shuffle"]["n"] == 2000
    assert told["shuffle"]["epsilon"] < 4
    assert {column for item in told["items"] for column in item["columns"]} == {
        "年齢",
        "income",
        "sex",
    }
    reports = place / "randomized.parquet"
    assert hashlib.sha256(reports.read_bytes()).hexdigest() == told["sha256"]
    stated = json.loads((place / "randomized.certificate.json").read_text(encoding="utf-8"))
    assert stated["files"]["randomized.parquet"]["sha256"] == told["sha256"]
    assert stated["guarantee"]["neighbours"] == "replace-one"
    assert len(stated["body"]["asked"]) == len(told["items"])
    page = (place / "randomized.report.html").read_text(encoding="utf-8")
    assert "What each row reports" in page
    assert "各行が報告する項目" in page


def test_people_read_what_was_chosen_and_why(place: Path) -> None:
    found = run("people.csv", "--epsilon", "4", "-o", "r.parquet", "--lang", "ja")
    assert found.exit_code == 0
    assert "採用" in found.stdout
    with pytest.raises(UsageError, match="is there already"):
        run("people.csv", "--epsilon", "4", "-o", "r.parquet", "--budget", "split")
    again = run("people.csv", "--epsilon", "4", "-o", "s.parquet", "--budget", "split")
    assert "Each row reports all" in again.stdout


def test_mechanisms_by_column(place: Path) -> None:
    found = run(
        "people.csv",
        *("--epsilon", "6", "-o", "r.parquet", "--budget", "split", "--json"),
        *("--mechanism", "年齢=square-wave", "--mechanism", "sex=pram:0.6"),
        *("--mechanism", "income=two-point:1,2"),
    )
    told = json.loads(found.stdout)
    chosen = {item["columns"][0]: item["mechanism"] for item in told["items"]}
    assert chosen == {"年齢": "square-wave", "sex": "pram", "income": "two-point"}


def test_a_dry_run_spends_nothing(place: Path) -> None:
    found = run("people.csv", "--epsilon", "4", "-o", "r.parquet", "--dry-run", "--json")
    told = json.loads(found.stdout)
    assert told["cost"]["epsilon"] == 4
    assert told["considered"][0]["score"] == min(
        each["score"] for each in told["considered"] if each["score"] is not None
    )
    assert not (place / "r.parquet").exists()
    assert not (place / "people.ledger").exists()
    assert (
        "nothing was spent"
        in run("people.csv", "--epsilon", "4", "-o", "r.parquet", "--dry-run").stderr
    )


def test_refusals_name_no_value(place: Path) -> None:
    with pytest.raises(UsageError, match="no ε"):
        run("people.csv", "-o", "r.parquet")
    with pytest.raises(InvalidPlan, match="cannot be randomised"):
        run("people.csv", "--epsilon", "1", "-o", "r.parquet", "--columns", "memo")
    (place / "people.schema.toml").write_text(
        SCHEMA.replace('neighbours = "replace-one"', ""), encoding="utf-8"
    )
    with pytest.raises(InvalidPlan, match="how many rows there are"):
        run("people.csv", "--epsilon", "1", "-o", "r.parquet")
