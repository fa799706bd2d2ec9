"""sudare synthesize of all kinds of columns: encodings, dates, many labels, panels."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cli.synthesize_made import SCHEMA, people_folder, read_csv, run, told, write_csv


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return people_folder(tmp_path, monkeypatch)


TYPED = """
[table]
name = "患者"
encoding = "cp932"
[columns."年齢"]
type = "integer"
min = 0
max = 110
[columns."病名"]
type = "category"
values = ["風邪", "癌", "なし"]
[columns."入院日"]
type = "date"
min = 2020-01-01
max = 2023-12-31
[columns."喫煙"]
type = "boolean"
[columns."得点"]
type = "real"
min = 0
max = 10
step = 0.01
[columns."定数"]
type = "integer"
min = 0
max = 9
[columns."都市"]
type = "category"
values = ["東京"]
"""


def patients(count: int = 200) -> list[list[str]]:
    found = []
    for n in range(count):
        day = "" if n % 17 == 0 else f"202{n % 4}-{n % 12 + 1:02d}-{n % 28 + 1:02d}"
        smokes = ("true", "false", "")[n * 5 % 3]
        score = "" if n % 11 == 0 else f"{n * 37 % 1000 / 100:.2f}"
        ill = ["風邪", "癌", "なし"][n * n % 3]
        found.append([str(n * 29 % 100), ill, day, smokes, score, "7", "東京"])
    return found


def test_cp932_missing_values_dates_booleans_and_constants(folder: Path) -> None:
    header = ["年齢", "病名", "入院日", "喫煙", "得点", "定数", "都市"]
    write_csv(folder / "患者.csv", [header, *patients()], "cp932")
    (folder / "患者.schema.toml").write_text(TYPED, encoding="utf-8")
    found = told("患者.csv", "--accept-disclosure", "-o", "合成.csv", "--statistics", "統計.json")
    rows = read_csv(folder / "合成.csv", "cp932")
    assert list(rows[0]) == header
    assert {row["定数"] for row in rows} == {"7"}
    assert {row["都市"] for row in rows} == {"東京"}
    assert {row["病名"] for row in rows} <= {"風邪", "癌", "なし"}
    assert {row["喫煙"] for row in rows} == {"true", "false", ""}
    days = [row["入院日"] for row in rows if row["入院日"]]
    assert 0 < len(rows) - len(days) < 40
    assert all("2020-01-01" <= day <= "2023-12-31" for day in days)
    assert all(0 <= float(row["得点"]) <= 10 for row in rows if row["得点"])
    assert set(found["rounded"]) == {"年齢", "入院日", "喫煙", "定数"}
    made = told("--from-statistics", "統計.json", "-o", "別.parquet", "--method", "b")
    types = [str(each) for each in pq.read_table(folder / "別.parquet").schema.types]
    assert types[2:4] == ["date32[day]", "bool"]
    assert made["table"] == "患者"


@pytest.mark.integration
def test_many_labels(folder: Path) -> None:
    labels = [f"L{number:04d}" for number in range(2000)]
    rows = [[str(n * 7 % 50), labels[min(n * n * 31 % 2000, n * 13 % 2000)]] for n in range(400)]
    write_csv(folder / "wide.csv", [["age", "place"], *rows])
    (folder / "wide.schema.toml").write_text(
        '[table]\nname = "wide"\n[columns.age]\ntype = "integer"\nmin = 0\nmax = 60\n'
        f'[columns.place]\ntype = "category"\nvalues = {json.dumps(labels)}\n',
        encoding="utf-8",
    )
    found = told("wide.csv", "--accept-disclosure", "-o", "made.csv")
    known = {row[1] for row in rows}
    assert {row["place"] for row in read_csv(folder / "made.csv")} <= known
    assert len(found["marginals"][1]["labels"]) <= 40


def test_panel(folder: Path) -> None:
    rows = [
        [f"P{person}", str(2020 + year), "FM"[person % 2], str(100 + person * 3 + year * 10)]
        for person in range(60)
        for year in range(4)
    ]
    write_csv(folder / "panel.csv", [["id", "year", "sex", "pay"], *rows])
    schema = SCHEMA.replace("columns.age", "columns.year")
    schema = schema.replace("min = 0\nmax = 99", "min = 2020\nmax = 2023")
    panel = '[panel]\nperson = "id"\ntime = "year"\nfixed = ["sex"]\nlags = 2\n'
    (folder / "panel.schema.toml").write_text(schema + panel, encoding="utf-8")
    found = told(
        "panel.csv", "--accept-disclosure", "-o", "made.csv", "--rows", "30", "--lags", "1"
    )
    assert found["panel"]["lags"] == 1
    made = read_csv(folder / "made.csv")
    assert set(made[0]) == {"id", "year", "sex", "pay"}
    assert {row["year"] for row in made} == {"2020", "2021", "2022", "2023"}
    by_person: dict[str, set[str]] = {}
    for row in made:
        by_person.setdefault(row["id"], set()).add(row["sex"])
    assert all(len(sexes) == 1 for sexes in by_person.values())
    assert "autocovariances are kept up to lag 1" in (folder / "made.report.html").read_text(
        "utf-8"
    )
    refused = run("panel.csv", "-o", "made.csv", "--mode", "paper", "--epsilon", "1")
    assert refused.exception.what == "A panel has no paper mode."
    assert not (folder / "panel.ledger").exists()
