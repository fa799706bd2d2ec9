"""sudare aggregate, as a user types it, in processes of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration

SCHEMA = """
[table]
name = "people"
unit = "row"
neighbours = "add-remove"
expected_rows = 400
[budget]
epsilon = 100.0
delta = 1e-6
[columns.age]
type = "integer"
min = 0
max = 120
[columns.name]
type = "text"
"""
CANARY = 97
MEAN = """
import csv, sys
ages = [float(row["age"]) for row in csv.DictReader(sys.stdin)]
print("a note with values", ages, file=sys.stderr)
print(sum(ages) / len(ages))
"""
# Blocks take half a second each, and only four of them run.
QUICK = ("--blocks", "4", "--seconds", "0.5")
MEAN = f"{sys.executable} mean.py"
ASKED = (
    "--columns",
    "age",
    "--output",
    "mean_age=0..120:0.5",
    "--command",
    MEAN,
)


def sudare(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sudare.cli.app", "aggregate", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ages = "\n".join(str(CANARY if i % 2 else 20) for i in range(400))
    (tmp_path / "people.csv").write_text(f"age\n{ages}\n")
    (tmp_path / "people.schema.toml").write_text(SCHEMA)
    (tmp_path / "mean.py").write_text(MEAN)
    return tmp_path


def test_a_command_is_answered_recorded_and_written(folder: Path) -> None:
    done = sudare(folder, "people.csv", "-e", "50", *ASKED, *QUICK, "-o", "out.json")
    assert done.returncode == 0, done.stderr
    assert "The function's mean_age over random blocks of rows is about" in done.stdout
    assert "Spent ε=50" in done.stderr
    # What the program prints beside its answer goes nowhere.
    assert "a note" not in done.stdout + done.stderr
    written = {path.name for path in folder.glob("out*")}
    assert written == {"out.json", "out.certificate.json", "out.report.html"}
    found = json.loads((folder / "out.json").read_text())
    # The mean is 58.5, a block of 100 misses it by 4 (one deviation).
    assert 35 < found["answers"][0]["value"] < 82
    proof = json.loads((folder / "out.certificate.json").read_text())
    assert "sandbox" in json.dumps(proof)
    for path in folder.glob("out*"):
        assert "a note with values" not in path.read_text()


def test_json_is_the_answer_alone_and_a_key_is_not_charged_twice(folder: Path) -> None:
    arguments = ("people.csv", "-e", "50", *ASKED, *QUICK, "--json", "--key", "k")
    first, again = sudare(folder, *arguments), sudare(folder, *arguments)
    assert first.returncode == again.returncode == 0, first.stderr
    found = json.loads(first.stdout)
    assert found["spent"]["epsilon"] == 50
    assert found["answers"][0]["details"]["blocks"] == 4
    assert json.loads(again.stdout)["answers"] == found["answers"]


def test_a_dry_run_spends_nothing_and_runs_nothing(folder: Path) -> None:
    (folder / "mean.py").write_text("raise SystemExit(1)")
    told = sudare(folder, "people.csv", "-e", "1", *ASKED, "--dry-run")
    assert told.returncode == 0
    assert "mean_age" in told.stdout
    assert "nothing was spent, nothing was run" in told.stderr
    shown = json.loads(
        sudare(folder, "people.csv", "-e", "1", *ASKED, "--dry-run", "--json").stdout
    )
    assert shown["cost"]["epsilon"] == 1
    assert shown["spent"]["epsilon"] == 0
    assert shown["answers"][0]["value"] is None
    assert not (folder / "people.ledger").exists()


def test_the_help_has_an_example() -> None:
    done = sudare(Path.cwd(), "--help")
    assert done.returncode == 0
    assert "Example: sudare aggregate people.csv" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    "program", ["raise SystemExit('97.531 is a value')", "print('97.531')\nprint('x')"]
)
def test_a_program_that_fails_gives_the_default_and_says_nothing(
    folder: Path, program: str
) -> None:
    (folder / "mean.py").write_text(program)
    done = sudare(
        folder, "people.csv", "-e", "90", *ASKED, *QUICK, "--method", "median", "--default", "31",
        "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["answers"][0]["value"] == 31.0
    # The name of a release is hexadecimal: digits without a point may stand in it by chance.
    assert "97.531" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (("--blocks", "2"), 4, "number of blocks"),
        (("--columns", "name"), 4, "names people or is free text"),
        (("--columns", "nope"), 4, "not declared"),
        (("--output", "mean_age=5..1:1"), 4, "is empty"),
        (("--output", "mean_age"), 2, "not a name"),
        (("--command", "no-such-program"), 2, "not there"),
        (("--command", "wc -l people.csv"), 2, "names the table"),
        (("--command", "python3 nowhere.py --fast"), 2, "names a script that is not there"),
        (("--default", "other=3"), 2, "whose it is"),
        (("--epsilon", "101"), 3, "only ε=100"),
        (("--epsilon", "nan"), 4, "finite number"),
    ],
)
def test_refusals_have_their_code_and_cost_nothing(
    folder: Path, change: tuple[str, str], code: int, said: str
) -> None:
    given = {
        "--columns": "age", "--output": "mean_age=0..120:0.5", "--command": MEAN,
        "--epsilon": "1", "--blocks": "4", change[0]: change[1],
    }  # fmt: skip
    done = sudare(folder, "people.csv", *(part for pair in given.items() for part in pair))
    assert done.returncode == code, done.stderr
    assert said in " ".join(done.stderr.split())
    assert "hint:" in done.stderr
    assert done.stdout == ""


def test_japanese(folder: Path) -> None:
    done = sudare(folder, "people.csv", "-e", "50", *ASKED, *QUICK, "--lang", "ja")
    assert done.returncode == 0, done.stderr
    assert "塊ごとに実行した関数の" in done.stdout
