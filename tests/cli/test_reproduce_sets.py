"""sudare reproduce sets-paper as a command."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.facts.errors import InvalidFile, UsageError
from sudare.publish.reproduce_sets import STEMS, find_bms

pytestmark = pytest.mark.integration

SHARED = Path(__file__).parents[3] / "shared" / "data"


def made(path: Path, items: int, shift: int) -> None:
    """Baskets of one to seven items, among which neighbours often come together."""
    lines = []
    for record in range(1500):
        length = 1 + (record * 5 + record // 7 + shift) % 7
        first = (record * record + shift) % items
        codes = {(first + step * (1 + record % 3)) % items for step in range(length)}
        lines.append(" ".join(f"n{code}" for code in sorted(codes)))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUDARE_DATA", raising=False)
    data = tmp_path / "data"
    data.mkdir()
    for number, stem in enumerate(STEMS):
        made(data / f"{stem}.dat", 30 + 10 * number, number)
    return data


def run(*words: str) -> Any:
    found = CliRunner().invoke(app, ["reproduce", "sets-paper", "--repeats", "2", *words])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == 0, found.output
    return found


def rows_of(path: str) -> list[dict[str, str]]:
    return list(csv.DictReader(Path(path).read_text(encoding="utf-8").splitlines()))


def test_all_figures_in_both_modes(folder: Path) -> None:
    found = run("--data", str(folder), "--json", "-o", "pages")
    told = json.loads(found.stdout)
    assert told["files"] == ["pages/report.html", *(f"pages/figure{n}.csv" for n in range(3, 8))]
    assert [(d["name"], d["records"], d["longest"]) for d in told["data"]] == [
        ("bms-webview-1", 1500, 7),
        ("bms-webview-2", 1500, 7),
    ]
    assert all(d["short"] < d["records"] for d in told["data"])
    counts = {f["number"]: len(f["spots"]) for f in told["figures"]}
    # Data sets, settings, modes and places; figure 5 also has the exact release, and two measures.
    assert counts == {3: 72, 4: 72, 5: 2 * 2 * (2 * 3 + 1) * 2, 6: 48, 7: 48}
    assert told["verified"] == 2 * (72 + 4 + 48)
    for figure in told["figures"]:
        rows = rows_of(f"pages/figure{figure['number']}.csv")
        assert len(rows) == len(figure["spots"])
        for row, spot in zip(rows, figure["spots"], strict=True):
            assert float(row["mean"]) == pytest.approx(np.mean(spot["values"]))
            expected = pytest.approx(np.std(spot["values"], ddof=1), abs=1e-9)
            assert float(row["standard_deviation"]) == expected
            assert float(row[figure["axis"]]) == spot["x"]
    page = Path("pages/report.html").read_text(encoding="utf-8")
    assert page.count('<section class="card"') == 5
    assert page.count("<svg") == 4 * 6
    assert "The attacker knows items of the original record" in page
    assert "default-src &#39;none&#39;" in page
    assert not re.search(r"(src|href)=\"(?!data:)", page)


def test_one_mode_and_some_figures(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDARE_DATA", str(folder))
    found = run("--mode", "default", "--figures", "3-4,6", "--lang", "ja")
    assert "図3（sudare の既定）" in found.stdout
    assert "論文モードの" not in found.stdout
    assert "Wrote sets-paper/report.html and 3 CSV files." in found.stderr
    assert {row["mode"] for row in rows_of("sets-paper/figure4.csv")} == {"default"}


def test_without_the_data_it_says_so_and_takes_the_town(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUDARE_DATA", str(tmp_path))
    found = run("--figures", "4", "--repeats", "1")
    assert "BMS-WebView-1 and -2 were not found" in found.stdout
    assert "the made town: 15,665 records of 74 items" in found.stdout
    assert "bms" not in Path("sets-paper/figure4.csv").read_text("utf-8")


def test_refusals(folder: Path) -> None:
    assert find_bms(None) is None
    (folder / f"{STEMS[1]}.dat").write_text("a b\n" * 99, encoding="utf-8")
    with pytest.raises(InvalidFile, match="too few short baskets"):
        run("--data", str(folder))
    (folder / f"{STEMS[1]}.dat").unlink()
    with pytest.raises(InvalidFile, match=re.escape("does not hold bms-webview-2.dat")):
        run("--data", str(folder))
    with pytest.raises(UsageError, match="Repetitions are between"):
        run("--repeats", "0")
    for wrong in ("2", "3-8", "x", ""):
        with pytest.raises(UsageError, match="figures are 3 to 7"):
            run("--figures", wrong)


def test_help_has_an_example() -> None:
    words = ["reproduce", "sets-paper", "--help"]
    shown = CliRunner().invoke(app, words).output
    assert "Example: sudare reproduce" in " ".join(shown.split())


@pytest.mark.slow
@pytest.mark.skipif(
    not (SHARED / "bms-webview-1.dat.gz").is_file(), reason="no data in ../shared/data"
)
def test_what_the_paper_says_on_both_data_sets(tmp_path: Path) -> None:
    found = run("--data", str(SHARED), "--json", "-o", str(tmp_path / "out"), "--figures", "3,6-7")
    told = json.loads(found.stdout)
    assert [d["short"] for d in told["data"]] == [54_737, 58_044]
    figures = {f["number"]: f["spots"] for f in told["figures"]}
    by = {(s["data"], s["mode"], s["setting"], s["x"]): s["mean"] for s in figures[3]}
    for data in STEMS:
        for x in (n / 10 for n in range(1, 10)):
            fixed, own = (by[data, "paper", s, x] for s in ("fixed", "personalized"))
            assert own > fixed
            assert by[data, "default", "personalized", x] < 0.95 * own
    rules = [s for s in figures[7] if s["mode"] == "paper" and s["setting"] == "fixed+"]
    assert sum(s["mean"] >= 0.8 for s in rules) >= 0.9 * len(rules)
