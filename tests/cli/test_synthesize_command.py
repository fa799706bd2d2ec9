"""sudare synthesize from rows: what is written and said, without and under ε."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest

from cli.synthesize_made import (
    RULE,
    SCHEMA,
    done,
    failure,
    people,
    people_folder,
    read_csv,
    run,
    told,
)
from sudare.publish.compare import compare
from sudare.publish.files import load_schema


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return people_folder(tmp_path, monkeypatch)


def test_exact_statistics_promise_nothing_and_say_so_everywhere(folder: Path) -> None:
    (folder / "people.schema.toml").write_text(SCHEMA + RULE, encoding="utf-8")
    shown = done("people.csv", "--accept-disclosure", "--rows", "400", "-o", "made.csv")
    assert "There is no formal guarantee" in shown.stdout
    assert "sudare synthesize people.csv --epsilon 1" in shown.stdout
    assert "Declared rules: 1; 0 rows break one." in shown.stdout
    rows = read_csv(folder / "made.csv")
    assert len(rows) == 400
    assert list(rows[0]) == ["age", "sex", "pay"]
    assert all(0 <= int(row["age"]) <= 99 and 0 <= int(row["pay"]) <= 500 for row in rows)
    assert {row["sex"] for row in rows} == {"F", "M"}
    assert not [row for row in rows if int(row["age"]) < 15 and int(row["pay"]) > 0]
    certificate = json.loads((folder / "made.certificate.json").read_text(encoding="utf-8"))
    assert certificate["guarantee"] is None
    files, certificate = certificate["files"], certificate["body"]
    assert certificate["origin"] == "exact"
    assert certificate["used"]["histograms"] == ["age", "sex", "pay"]
    assert len(certificate["used"]["two_way_tables"]) == 3
    assert certificate["rules"] == [{"rule": certificate["rules"][0]["rule"], "broken": 0}]
    assert certificate["closeness"]["verdict"] in ("fine", "look", "high")
    digest = hashlib.sha256((folder / "made.csv").read_bytes()).hexdigest()
    assert files["made.csv"]["sha256"] == digest
    page = (folder / "made.report.html").read_text(encoding="utf-8")
    assert page.index("There is no formal guarantee") < page.index("Which statistics were used")
    assert digest in page
    assert not (folder / "people.ledger").exists()


def test_moments_are_met(folder: Path) -> None:
    found = told("people.csv", "--columns", "age,pay", "--preserve", "moments", "--rows", "240",
                 "--accept-disclosure", "-o", "made.parquet")  # fmt: skip
    table = pq.read_table(folder / "made.parquet")
    assert table.column_names == ["age", "pay"]
    assert [str(each) for each in table.schema.types] == ["int64", "int64"]
    real = [int(row[1]) for row in people()]
    made = table["age"].to_pylist()
    assert abs(sum(made) / len(made) - sum(real) / len(real)) < 0.01
    assert found["preserve"] == "moments"
    assert found["after"]["mean"] < 1e-3
    assert found["used"]["two_way_tables"] == []


def test_private_statistics_are_priced_paid_cited_and_refused(folder: Path) -> None:
    priced = told("people.csv", "--epsilon", "1", "--dry-run", "-o", "made.csv")
    assert priced["cost"]["epsilon"] == 1.0
    assert priced["spent"]["epsilon"] == 0.0
    assert (priced["histograms"], priced["two_way_tables"]) == (3, 3)
    assert (
        "no data were read"
        in done("people.csv", "--epsilon", "1", "--dry-run", "-o", "made.csv").stderr
    )
    assert not (folder / "made.csv").exists()
    words = ("people.csv", "--epsilon", "1", "--key", "once", "--analyst", "ana")
    shown = done(*words, "-o", "made.csv", "--rows", "300")
    assert "There is a formal guarantee" in shown.stdout
    assert 'Spent ε=1 on "people"; ε=0.5 left' in shown.stderr
    certificate = json.loads((folder / "made.certificate.json").read_text(encoding="utf-8"))
    assert certificate["guarantee"]["epsilon"] == 1.0
    known, certificate = certificate["provenance"]["statistics"], certificate["body"]
    assert certificate["closeness"] is None
    assert certificate["proposals"] == []
    assert len(certificate["recovered"]) + len(certificate["lost"]) == 3
    again = told(*words, "-o", "again.parquet", "--rows", "10")
    assert again["source"]["release"] == known["release"]
    assert again["rows"] == 10
    refused = run("people.csv", "--epsilon", "1", "-o", "more.csv")
    assert refused.exception.exit_code == 3
    assert not (folder / "more.csv").exists()


def test_gaussian_noise_and_another_ledger(folder: Path) -> None:
    found = told("people.csv", "--epsilon", "1", "--delta", "1e-7", "--ledger", "own.ledger",
                 "-o", "made.csv", "--rows", "20")  # fmt: skip
    assert found["guarantee"]["mechanism"] == "gaussian"
    assert found["guarantee"]["delta"] == 1e-7
    assert (folder / "own.ledger").exists()


TERMINAL = SimpleNamespace(stderr=SimpleNamespace(isatty=lambda: True))


def test_the_bar_is_for_terminals(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (
        "people.csv",
        "--accept-disclosure",
        "--statistics-only",
        "-o",
        "sent.json",
        "--force",
    )
    steps = ("Starting", "Counting")
    assert not any(step in done(*words).stderr for step in steps)
    monkeypatch.setattr("sudare.cli.bars.sys", TERMINAL)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert any(step in done(*words).stderr for step in steps)
    assert not any(step in done(*words, "--json").stderr for step in steps)


def test_people_who_would_be_given_away_are_refused_and_nothing_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(folder.iterdir())
    lines = (folder / "people.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "people.csv").write_text("".join(lines[:16]), encoding="utf-8")
    for more in (("-o", "made.csv", "--statistics", "sent.json"), ("--statistics-only", "-o", "s")):
        code, said = failure(capsys, monkeypatch, "people.csv", *more)
        assert code == 4
        assert "--epsilon 1" in said
        assert "--accept-disclosure" in said
        assert set(folder.iterdir()) == before
    refused = run("--from-statistics", "x.json", "--accept-disclosure", "-o", "made.csv")
    assert refused.exception.exit_code == 2


def test_two_way_tables_are_measured_as_compare_does(folder: Path) -> None:
    made = told("people.csv", "--accept-disclosure", "-o", "made.csv")
    assert made["two_way_of"] == "real"
    assert made["nearness"]["accepted"]
    schema = load_schema(folder / "people.schema.toml")
    found = compare(folder / "people.csv", folder / "made.csv", schema)
    assert made["two_way"] == pytest.approx(found.measures.crosses.two_way_tv, abs=1e-12)
    # Without real rows at hand the stated tables are all there is to measure by, and it says so.
    done("people.csv", "--accept-disclosure", "--statistics-only", "-o", "sent.json")
    again = told("--from-statistics", "sent.json", "-o", "again.csv")
    assert again["two_way_of"] == "stated"
