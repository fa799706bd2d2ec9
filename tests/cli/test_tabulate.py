"""sudare tabulate: files, JSON, dry run, comparison, refusals."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.facts.errors import InvalidPlan, UsageError

SCHEMA = """
[table]
name = "people"
[budget]
epsilon = 10
[columns.sex]
type = "category"
values = ["F", "M"]
[columns.region]
type = "category"
values = ["north", "=south"]
[columns.age]
type = "integer"
min = 0
max = 99
[levels.age_band]
of = "age"
width = 25
[invariants.regions]
by = ["region"]
counts = { north = 700, "=south" = 300 }
source = "the register of 2025"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("people.schema.toml").write_text(SCHEMA, encoding="utf-8")
    rows = [
        f"{'FM'[i % 2]},{'north' if i % 10 < 7 else '=south'},{i * 7 % 100}" for i in range(1000)
    ]
    Path("people.csv").write_text("sex,region,age\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return tmp_path


def run(*words: str) -> str:
    found = CliRunner().invoke(app, ["tabulate", "people.csv", *words])
    if found.exception is not None:
        raise found.exception
    return found.stdout


def tidy(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_files(folder: Path) -> None:
    run("--by", "sex,region,age_band", "--epsilon", "1", "-o", "out")
    names = {path.name for path in Path("out").iterdir()}
    assert names == {"table.csv", "crosstab.csv", "table.xlsx", "certificate.json", "report.html"}
    rows = tidy(Path("out/table.csv"))
    assert len(rows) == 3 * 3 * 5
    assert list(rows[0]) == ["margin", "sex", "region", "age_band", "count", "error95"]
    counts = {(r["sex"], r["region"], r["age_band"]): int(r["count"]) for r in rows}
    assert min(counts.values()) >= 0
    # Labels are safe in spreadsheets, public totals exact, and every sum agrees.
    assert counts["total", "north", "total"] == 700
    assert counts["total", "'=south", "total"] == 300
    bands = {band for _, _, band in counts} - {"total"}
    assert bands == {"0–24", "25–49", "50–74", "75–99"}
    for sex in ("F", "M", "total"):
        assert sum(counts[sex, "total", band] for band in bands) == counts[sex, "total", "total"]
    text = Path("out/crosstab.csv").read_text(encoding="utf-8-sig")
    crossed = list(csv.reader(text.splitlines()))
    assert crossed[0] == ["sex", "region", "total", "0–24", "25–49", "50–74", "75–99"]
    assert int(crossed[1][2]) == counts["total", "total", "total"]
    assert len(crossed) == 1 + 9
    with zipfile.ZipFile("out/table.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet


def test_the_certificate_says_what_has_no_protection(folder: Path) -> None:
    run("--by", "sex,region", "--epsilon", "1", "-o", "out")
    stated = json.loads(Path("out/certificate.json").read_text(encoding="utf-8"))["body"]
    assert any(
        "no protection" in line and "register" in line for line in stated["not_covered"]["en"]
    )
    assert any("保護もありません" in line for line in stated["not_covered"]["ja"])
    assert [each["query"] for each in stated["asked"]] == [
        "count()", "count() by (region)", "count() by (sex)", "count() by (sex, region)",
    ]  # fmt: skip
    assert sum(each["epsilon"] for each in stated["asked"]) == 1
    assert [each["public"] for each in stated["asked"]] == [True, True, False, False]
    page = Path("out/report.html").read_text(encoding="utf-8")
    assert "no protection" in page
    assert "<svg" in page


def test_a_table_is_shown_without_a_folder_on_a_narrow_screen(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wider than the screen: one number a row; and the stored one is shown like the first."""
    monkeypatch.setenv("COLUMNS", "80")
    crossed = run("--by", "sex,age_band", "--epsilon", "1")
    assert re.search(r"^sex +total +0–24 +25–49 +50–74 +75–99$", crossed, re.M)
    monkeypatch.setenv("COLUMNS", "30")
    stacked = run("--by", "sex,age_band", "--epsilon", "1")
    assert re.search(r"^sex +age_band +count$", stacked, re.M)
    assert len(re.findall(r"^(?:F|M|total) +(?:total|\d+–\d+) +\d+$", stacked, re.M)) == 15
    assert max(map(len, stacked.splitlines())) <= 30
    shown = json.loads(run("--by", "sex,age_band", "--epsilon", "1", "--json"))
    again = CliRunner().invoke(app, ["ledger", "release", shown["release"]])
    assert len(re.findall(r"^(?:F|M|total) +(?:total|\d+–\d+) +\d+$", again.stdout, re.M)) == 15


def test_a_large_table_is_cut_and_says_how_to_get_all_of_it(folder: Path) -> None:
    text = SCHEMA.replace("width = 25", "width = 1").split("[invariants")[0]
    Path("people.schema.toml").write_text(text, encoding="utf-8")
    shown = run("--by", "sex,region,age_band", "--epsilon", "1")
    rows = re.findall(r"^(?:F|M|total) +\S+ +\S+ +\d+$", shown, re.M)
    assert len(rows) == 40
    told = re.search(r"… ([\d,]+) more numbers; `(sudare ledger release .*)` writes all", shown)
    assert told is not None
    assert int(told[1].replace(",", "")) == 3 * 3 * 101 - 40
    again = CliRunner().invoke(app, told[2].split()[1:])
    assert again.exit_code == 0
    assert len(tidy(Path("folder/table.csv"))) == 3 * 3 * 101


def test_json_is_in_the_manner_of_ask(folder: Path) -> None:
    shown = json.loads(run("--by", "sex", "--epsilon", "1", "--json"))
    assert {"answers", "spent", "left", "release", "table", "margins"} <= set(shown)
    assert shown["answers"][1]["query"] == "count() by (sex)"
    assert set(shown["answers"][1]["value"]) == {"F", "M"}
    assert shown["spent"]["epsilon"] == 1
    assert [margin["name"] for margin in shown["margins"]] == ["total", "sex"]


def test_a_dry_run_reads_no_data_and_spends_nothing(folder: Path) -> None:
    Path("people.csv").unlink()
    shown = json.loads(run("--by", "sex,age_band", "--epsilon", "1", "--dry-run", "--json"))
    assert shown["fits"] is True
    assert [margin["cells"] for margin in shown["margins"]] == [1, 4, 2, 8]
    assert all(margin["error95"] > 0 for margin in shown["margins"])
    assert "± (95 %)" in run("--by", "sex,age_band", "--epsilon", "1", "--dry-run")
    assert not list(folder.glob("*.ledger"))


def test_a_comparison_is_for_the_steward_alone(folder: Path) -> None:
    run("--by", "sex,age_band", "--epsilon", "0.01", "-o", "out", "--compare")
    place = Path("out/NOT-FOR-PUBLICATION")
    lines = (place / "compare.csv").read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "NOT FOR PUBLICATION"
    rows = list(csv.DictReader(lines[1:]))
    assert [row["true"] for row in rows if row["margin"] == "sex"] == ["500", "500"]
    assert {row["drowned"] for row in rows if row["margin"] == "sex,age_band"} == {"true"}
    page = (place / "compare.html").read_text(encoding="utf-8")
    assert "NOT FOR PUBLICATION" in page
    assert "are drowned" in page
    published = [
        Path("out", name).read_text(encoding="utf-8") for name in ("table.csv", "crosstab.csv")
    ]
    assert all("true" not in text for text in published)
    with pytest.raises(UsageError):
        run("--by", "sex", "--epsilon", "1", "--compare")


def test_a_stored_table_is_shown_once_more(folder: Path) -> None:
    first = json.loads(run("--by", "sex", "--epsilon", "1", "--json"))
    runner = CliRunner()
    again = runner.invoke(app, ["ledger", "release", first["release"], "--json"])
    assert json.loads(again.stdout) == first
    runner.invoke(app, ["ledger", "release", first["release"], "-o", "again"])
    assert Path("again/table.csv").exists()
    verified = runner.invoke(app, ["ledger", "verify", "--certificate", "again/certificate.json"])
    assert verified.exit_code == 0


def test_small_tables_are_printed(folder: Path) -> None:
    shown = run("--by", "sex,age_band", "--epsilon", "1")
    assert "0–24" in shown
    assert "margin" in shown


def test_refusals(folder: Path) -> None:
    with pytest.raises(UsageError):
        run("--by", "sex")
    with pytest.raises(InvalidPlan):
        run("--by", " , ", "--epsilon", "1")
    with pytest.raises(InvalidPlan):
        run("--by", "sex", "--epsilon", "1", "--weight", "sex")
    assert not list(folder.glob("*.ledger"))
