"""Commands whose standard streams the caller has closed, as `>&-` does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCHEMA = """
[table]
name = "people"
[budget]
epsilon = 10.0
[columns.age]
type = "integer"
min = 0
max = 120
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.schema.toml").write_text(SCHEMA, encoding="utf-8")
    (tmp_path / "p.csv").write_text("age\n" + "30\n" * 100, encoding="utf-8")
    return tmp_path


def run(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    line = f'exec "{sys.executable}" -m sudare {command}'
    return subprocess.run(
        ["/bin/sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", "<&-"])
def test_files_are_written_all_the_same(folder: Path, closed: str) -> None:
    done = run(folder, f'ask p.csv -e 1 -o a.csv "count()" {closed}')
    assert done.returncode == 0, done.stderr
    assert "count()" in (folder / "a.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command",
    [
        'ask p.csv -e 1 "count()"',
        "tabulate p.csv -e 1 --by age",
        'aggregate p.csv -e 1 --columns age --output "m=0..1:1" --command cat',
    ],
)
def test_what_nobody_would_see_is_not_charged(folder: Path, command: str) -> None:
    done = run(folder, f"{command} >&-")
    assert done.returncode == 2
    assert "standard output is closed" in done.stderr
    assert not (folder / "p.ledger").exists()
    assert run(folder, f"{command} >&- 2>&-").returncode == 2


def test_answers_come_without_a_place_for_words(folder: Path) -> None:
    done = run(folder, 'ask p.csv -e 1 "count()" 2>&-')
    assert done.returncode == 0
    assert "count()" in done.stdout


def test_commands_that_charge_nothing_run(folder: Path) -> None:
    for command in ("validate p.csv", "--help", "plan --schema p.schema.toml --error 1 'count()'"):
        assert run(folder, f"{command} >&-").returncode == 0
