"""sudare check tables as a command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.demo.exam import CLASSROOM

EN, JA = CLASSROOM / "en", CLASSROOM / "ja"


def run(*words: object, code: int = 0) -> str:
    found = CliRunner().invoke(app, ["check", "tables", *map(str, words)])
    assert found.exit_code == code, found.output
    return found.stdout


def test_findings_end_with_4_and_say_how() -> None:
    said = run(EN / "table1.csv", "--facts", EN / "facts.toml", code=4)
    assert "A-kun: result = fail." in said
    assert "The counts of table 1 add up to the whole population" in said


def test_nothing_certain_ends_with_0() -> None:
    said = run(EN / "table3.csv", "--facts", EN / "facts.toml")
    assert "Nothing is certain about anyone" in said


def test_json_carries_the_findings_in_words() -> None:
    files = [JA / f"table{n}.csv" for n in (3, 4, 5)]
    said = run(*files, "--facts", JA / "facts.toml", "--json", "--lang", "ja", code=4)
    found = json.loads(said)
    assert not found["ok"]
    assert found["finished"]
    first = found["certain"][0]
    assert (first["person"], first["attribute"], first["value"]) == ("A君", "合否", "落第")
    assert "重ね合わせると" in first["how"]
    assert {part["name"] for part in first["ways"][0]["parts"]} >= {"第3表", "第4表", "第5表"}


def test_the_report_holds_both_languages_and_escapes_names(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("<b>sex</b>,count\nf,0\nm,3\n", encoding="utf-8")
    run(table, "-o", tmp_path / "r.html", code=4)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "What these tables give away" in page
    assert "これらの表から確実に分かること" in page
    assert "<b>sex" not in page


def test_noisy_tables_make_nothing_certain() -> None:
    said = run(EN / "table1.csv", EN / "table2.csv", "--facts", EN / "facts.toml", "--noisy")
    assert "noise was added" in said


def test_the_column_of_counts_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("sex,total_people\nf,0\nm,3\n", encoding="utf-8")
    said = run(tmp_path / "t.csv", "--count", "total_people", "--sensitive", "sex", code=4)
    assert "Everyone has sex = m (3 people)." in said


def test_a_contradiction_is_a_refusal(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "sudare.cli.app", "check", "tables", str(EN / "table3.csv")]
    done = subprocess.run([*words, "--population", "19", "--json"], capture_output=True, text=True)
    assert done.returncode == 4
    assert "contradict each other" in done.stderr
    assert json.loads(done.stdout)["exit_code"] == 4
