"""sudare reproduce synthesis-paper as a command."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.facts.errors import InvalidFile, UsageError
from sudare.facts.synthesis_paper import METHODS
from sudare.publish import reproduce_synthesis
from sudare.publish.paper_data import ADULT, CENSUS, PublicTable, find_files
from sudare.synthesis.paper.draw import paper_rows

SHARED = Path(__file__).parents[3] / "shared" / "data"


def made(folder: Path, table: PublicTable, rows: int = 600) -> None:
    """A file of a data set's form; every tenth row lacks something, one label is "NA"."""
    names = [*table.names, "instance_weight"]
    lines = [",".join(names)]
    for row in range(rows):
        cells = []
        for place, name in enumerate(names):
            if name in table.bounds:
                low, high = table.bounds[name]
                spread = min(high - low, 40)
                cells.append(
                    str(low + (0 if name == "year" else (row * (place + 3)) % (spread + 1)))
                )
            else:
                cells.append(("NA", "one", "two")[(row * (place + 1) // 7) % 3])
        if row % 10 == 0:
            cells[1] = "?"
        lines.append(",".join(cells))
    (folder / f"{table.stem}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def stand_in(statistics: Any, rows: int, bits: Any, preserve: str) -> Any:
    """Independent columns in place of the default, whose own tests are elsewhere."""
    assert preserve in ("tables", "moments")
    return paper_rows(statistics, rows, bits, "a")


def small(table: PublicTable, *names: str) -> PublicTable:
    """Some columns of a data set, because a test has no time for all."""
    return replace(table, names=names, bounds={n: b for n, b in table.bounds.items() if n in names})


TABLES = (
    small(ADULT, "age", "workclass", "sex", "hours_per_week"),
    small(CENSUS, "age", "class_of_worker", "race", "weeks_worked", "year"),
)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(reproduce_synthesis, "synthesize", stand_in)
    monkeypatch.setattr(reproduce_synthesis, "TABLES", TABLES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUDARE_DATA", raising=False)
    data = tmp_path / "data"
    data.mkdir()
    for table in TABLES:
        made(data, table)
    return data


def run(*words: str) -> Any:
    found = CliRunner().invoke(app, ["reproduce", "synthesis-paper", "--rows", "1000", *words])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == 0, found.output
    return found


def test_the_data_sets_are_counted_as_in_the_paper() -> None:
    counted = [(len(each.names), len(each.bounds)) for each in (ADULT, CENSUS)]
    assert counted == [(15, 6), (41, 12)]
    assert all(set(each.bounds) <= set(each.names) for each in (ADULT, CENSUS))


def test_the_command(folder: Path) -> None:
    found = run("--data", str(folder), "--json", "-o", "pages/report.html")
    told = json.loads(found.stdout)
    assert told["files"] == ["pages/report.html"]
    assert [(t["data"], t["rows"], t["numbers"], t["categories"]) for t in told["tables"]] == [
        ("adult", 540, 2, 2),
        ("census", 540, 3, 2),
    ]
    assert told["tables"][1]["constants"] == ["year"]
    for table in told["tables"]:
        by_method = {each["method"]: each for each in table["drawings"]}
        assert tuple(by_method) == METHODS
        assert by_method["a"]["largest"] > 1e-3
        assert max(by_method[m]["largest"] for m in ("b", "paper", "argmax", "literal")) < 1e-9
        assert by_method["paper"]["fractions"] > 0.6
        assert by_method["a"]["fractions"] < 0.5
    assert {"data": "adult", "quantity": "ave_cross_cells", "a": 0.1191, "b": 0.2518,
            "paper": 0.2331} in told["printed"]  # fmt: skip
    page = Path("pages/report.html").read_text(encoding="utf-8")
    assert page.count('<section class="card"') == 2
    assert page.count("<svg") == 6
    assert "What reproduces, and what does not" in page
    assert "再現したもの、しないもの" in page
    assert "(0.1191)" in page
    assert "default-src &#39;none&#39;" in page
    assert not re.search(r"(src|href)=\"(?!data:)", page)


def test_words_for_people(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDARE_DATA", str(folder))
    found = run("--lang", "ja")
    assert "Adult：欠損のない 540 行" in found.stdout
    # These made rows are not Adult, so nothing that the paper prints comes out.
    assert "再現せず" in found.stdout
    assert "Wrote synthesis-paper.html." in found.stderr


def test_refusals(folder: Path) -> None:
    with pytest.raises(UsageError, match="Rows are between"):
        run("--data", str(folder), "--rows", "10")
    (folder / "census-income.csv").unlink()
    with pytest.raises(InvalidFile, match=re.escape("does not hold census-income.csv")):
        run("--data", str(folder))
    with pytest.raises(InvalidFile, match=re.escape("does not hold adult.csv")):
        find_files(None)


def test_help_has_an_example() -> None:
    words = ["reproduce", "synthesis-paper", "--help"]
    shown = CliRunner().invoke(app, words).output
    assert "Example: sudare reproduce" in " ".join(shown.split())


@pytest.mark.slow
@pytest.mark.skipif(not (SHARED / "adult.csv.gz").is_file(), reason="no data in ../shared/data")
def test_the_whole_command_on_both_data_sets(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    found = run("--data", str(SHARED), "--json", "-o", str(page), "--rows", "100000")
    adult, census = json.loads(found.stdout)["tables"]
    assert (adult["rows"], census["rows"]) == (30_162, 95_130)
    assert census["constants"] == ["full_or_part_time", "year"]
    for table in (adult, census):
        by = {each["method"]: each for each in table["drawings"]}
        assert max(by[m]["largest"] for m in ("b", "paper", "argmax", "literal")) < 1e-9
        assert by["tables"]["ave_cross_cells"] < 0.2 * by["paper"]["ave_cross_cells"]
        assert by["tables"]["outside"] == 0
    by = {each["method"]: each for each in adult["drawings"]}
    assert by["a"]["ave_cross_cells"] == pytest.approx(0.1191, rel=0.03)
    assert by["paper"]["ave_cross_cells"] == pytest.approx(0.2331, rel=0.2)
    assert by["literal"]["ave_cross_cells"] > 1.3 * by["paper"]["ave_cross_cells"]
    assert by["argmax"]["ave_cross_cells"] < by["paper"]["ave_cross_cells"]
