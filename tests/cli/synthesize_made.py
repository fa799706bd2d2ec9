"""People to synthesise, and `sudare synthesize` as typed, for its tests."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app, main

SCHEMA = """
[table]
name = "people"
[budget]
epsilon = 1.5
delta = 1e-6
[columns.id]
type = "key"
[columns.age]
type = "integer"
min = 0
max = 99
[columns.sex]
type = "category"
values = ["F", "M"]
[columns.pay]
type = "integer"
min = 0
max = 500
"""
RULE = '[[rules]]\nif = "age < 15"\nthen = "pay = 0"\n'


def people(count: int = 240) -> list[list[str]]:
    """Made rows: children earn nothing."""
    found = []
    for number in range(count):
        age = number * 37 % 91
        pay = 0 if age < 15 else 40 + (number * 53 + 3 * age) % 400
        found.append([f"P{number}", str(age), "FM"[number * 7 % 5 % 2], str(pay)])
    return found


def write_csv(path: Path, rows: list[list[str]], encoding: str = "utf-8") -> None:
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file).writerows(rows)


def read_csv(path: Path, encoding: str = "utf-8-sig") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding=encoding))))


def people_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with people.csv and its schema, in which commands run."""
    write_csv(tmp_path / "people.csv", [["id", "age", "sex", "pay"], *people()])
    (tmp_path / "people.schema.toml").write_text(SCHEMA, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Any:
    """The command as typed; a refusal is the result's exception."""
    return CliRunner().invoke(app, ["synthesize", *words])


def done(*words: str) -> Any:
    found = run(*words)
    assert found.exit_code == 0, (found.output, found.exception)
    return found


def told(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done(*words, "--json").stdout)
    return found


def failure(capsys: pytest.CaptureFixture[str], monkeypatch: Any, *words: str) -> tuple[int, str]:
    """Exit code and stderr as a person gets them."""
    monkeypatch.setattr("sys.argv", ["sudare", "synthesize", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0), capsys.readouterr().err
