"""sudare compare, as typed."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app, main

SCHEMA = """
[table]
name = "people"
[columns.age]
type = "integer"
min = 0
max = 99
[columns."病名"]
type = "category"
values = ["風邪", "癌", "なし"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    sick = ["風邪", "癌", "なし"]
    for name, step, encoding in (("people", 7, "cp932"), ("made", 11, "utf-8")):
        rows = [[str(n * step % 90), sick[n * step % 90 // 30]] for n in range(150)]
        with (tmp_path / f"{name}.csv").open("w", encoding=encoding, newline="") as file:
            csv.writer(file).writerows([["age", "病名"], *rows])
    (tmp_path / "people.schema.toml").write_text(SCHEMA, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["compare", *words])


def test_json(folder: Path) -> None:
    done = run("people.csv", "made.csv", "--json", "--holdout", "people.csv")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["table"] == "people"
    assert found["target"] == "病名"
    assert found["measures"]["rows"] == [150, 150]
    assert found["measures"]["crosses"]["marginals"][1]["labels"] == ["風邪", "癌", "なし"]
    assert {each["topic"] for each in found["verdicts"]} >= {"single", "pairs", "membership"}


def test_text_and_page_in_japanese(folder: Path) -> None:
    done = run("people.csv", "made.csv", "--schema", "people.schema.toml",
               "--target", "age", "--lang", "ja", "-o", "out/report.html")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("管理者専用")
    assert "AveCross" in done.stdout
    page = (folder / "out" / "report.html").read_text(encoding="utf-8")
    assert page.index("Do not publish it") < page.index("AveMean")
    assert '<html lang="ja"' in page
    assert "Wrote out/report.html" in done.stderr


def failure(capsys: pytest.CaptureFixture[str], monkeypatch: Any, *words: str) -> tuple[int, str]:
    monkeypatch.setattr("sys.argv", ["sudare", "compare", *words])
    with pytest.raises(SystemExit) as done:
        main()
    return int(done.value.code or 0), capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("people.csv", "nowhere.csv"), 4, "nowhere.csv"),
        (("people.csv", "made.csv", "--target", "x"), 4, "target is not among"),
        (("people.csv", "made.csv", "-o", "report.pdf"), 2, "not an HTML file"),
        (("made.csv", "people.csv"), 4, "no schema file"),
        (("people.csv",), 2, "synthetic"),
    ],
)
def test_refusals(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    code: int,
    says: str,
) -> None:
    found, said = failure(capsys, monkeypatch, *words)
    assert (found, says in said) == (code, True), said
