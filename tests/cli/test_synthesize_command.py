"""sudare synthesize, as typed."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_csv(tmp_path / "people.csv", [["id", "age", "sex", "pay"], *people()])
    (tmp_path / "people.schema.toml").write_text(SCHEMA, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["synthesize", *words])


def done(*words: str) -> Any:
    found = run(*words)
    assert found.exit_code == 0, (found.output, found.exception)
    return found


def told(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done(*words, "--json").stdout)
    return found


def test_exact_statistics_promise_nothing_and_say_so_everywhere(folder: Path) -> None:
    (folder / "people.schema.toml").write_text(SCHEMA + RULE, encoding="utf-8")
    shown = done("people.csv", "--rows", "400", "-o", "made.csv")
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
    assert certificate["origin"] == "exact"
    assert certificate["used"]["histograms"] == ["age", "sex", "pay"]
    assert len(certificate["used"]["two_way_tables"]) == 3
    assert certificate["rules"] == [{"rule": certificate["rules"][0]["rule"], "broken": 0}]
    assert certificate["closeness"]["verdict"] in ("fine", "look", "high")
    digest = hashlib.sha256((folder / "made.csv").read_bytes()).hexdigest()
    assert certificate["file"] == {"name": "made.csv", "sha256": digest}
    page = (folder / "made.report.html").read_text(encoding="utf-8")
    assert page.index("There is no formal guarantee") < page.index("Which statistics were used")
    assert digest in page
    assert not (folder / "people.ledger").exists()


def test_moments_are_met(folder: Path) -> None:
    found = told("people.csv", "--columns", "age,pay", "--preserve", "moments", "--rows", "240",
                 "-o", "made.parquet")  # fmt: skip
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
    assert certificate["closeness"] is None
    assert certificate["proposals"] == []
    assert len(certificate["recovered"]) + len(certificate["lost"]) == 3
    again = told(*words, "-o", "again.parquet", "--rows", "10")
    assert again["source"]["release"] == certificate["source"]["release"]
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


def test_two_departments_share_statistics_and_no_rows(folder: Path, tmp_path: Path) -> None:
    shown = done("people.csv", "--statistics-only", "--minimum", "5", "-o", "sent.json")
    assert "no rows were made" in shown.stdout
    assert "How close the statistics come to a person" in shown.stdout
    other = tmp_path / "other"
    other.mkdir()
    (folder / "sent.json").rename(other / "sent.json")
    (folder / "people.csv").unlink()
    (folder / "people.schema.toml").unlink()
    found = told("--from-statistics", str(other / "sent.json"), "--statistics",
                 str(other / "used.json"), "-o", str(other / "made.csv"))  # fmt: skip
    assert found["rows"] == 240
    assert found["origin"] == "exact"
    assert found["source"]["source"] == "people.csv"
    sent, used = (
        json.loads((other / name).read_text("utf-8")) for name in ("sent.json", "used.json")
    )
    assert sent == used
    assert len(read_csv(other / "made.csv")) == 240


def test_private_statistics_travel_with_their_guarantee(folder: Path) -> None:
    advice = told("people.csv", "--epsilon", "0.5", "--statistics-only", "-o", "sent.json")
    assert advice["closeness"] is None
    assert advice["guarantee"]["epsilon"] == 0.5
    shown = done("--from-statistics", "sent.json", "-o", "made.csv", "--rows", "50", "--lang", "ja")
    assert "形式的な保証があります" in shown.stdout
    assert "ε = 0.5" in shown.stdout


def test_paper_modes(folder: Path) -> None:
    done("people.csv", "--statistics-only", "-o", "sent.json")
    for words in (("--mode", "paper"), ("--method", "a"), ("--method", "b")):
        found = told("--from-statistics", "sent.json", *words, "-o", "made.csv", "--rows", "60")
        assert found["mode"] == words[1]
        assert found["before"] is None
        page = (folder / "made.report.html").read_text(encoding="utf-8")
        assert "Values may leave their declared bounds" in page


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
    found = told("患者.csv", "-o", "合成.csv", "--statistics", "統計.json")
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
    made = told("--from-statistics", "統計.json", "-o", "合成.parquet", "--mode", "paper")
    types = [str(each) for each in pq.read_table(folder / "合成.parquet").schema.types]
    assert types[2:4] == ["date32[day]", "bool"]
    assert made["table"] == "患者"


def test_many_labels(folder: Path) -> None:
    labels = [f"L{number:04d}" for number in range(2000)]
    rows = [[str(n * 7 % 50), labels[min(n * n * 31 % 2000, n * 13 % 2000)]] for n in range(400)]
    write_csv(folder / "wide.csv", [["age", "place"], *rows])
    (folder / "wide.schema.toml").write_text(
        '[table]\nname = "wide"\n[columns.age]\ntype = "integer"\nmin = 0\nmax = 60\n'
        f'[columns.place]\ntype = "category"\nvalues = {json.dumps(labels)}\n',
        encoding="utf-8",
    )
    found = told("wide.csv", "-o", "made.csv")
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
    found = told("panel.csv", "-o", "made.csv", "--rows", "30", "--lags", "1")
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


def test_randomized_reports(folder: Path) -> None:
    schema = SCHEMA.replace('name = "people"', 'name = "people"\nneighbours = "replace-one"')
    schema = schema.replace("epsilon = 1.5", "epsilon = 9.0")
    (folder / "people.schema.toml").write_text(schema, encoding="utf-8")
    words = ["randomize", "people.csv", "--epsilon", "8", "--columns", "age,sex,pay", "-o"]
    made = CliRunner().invoke(app, [*words, "reports.parquet"])
    assert made.exit_code == 0, (made.output, made.exception)
    found = told("--from-randomized", "reports.parquet", "-o", "made.csv", "--rows", "50")
    assert found["origin"] == "randomized"
    assert found["guarantee"]["epsilon"] == 8.0
    page = (folder / "made.report.html").read_text(encoding="utf-8")
    assert "local ε = 8" in page
    assert len(read_csv(folder / "made.csv")) == 50


def test_the_bar_is_for_terminals(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("people.csv", "--statistics-only", "-o", "sent.json")
    steps = ("Starting", "Counting")
    assert not any(step in done(*words).stderr for step in steps)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert any(step in done(*words).stderr for step in steps)
    assert not any(step in done(*words, "--json").stderr for step in steps)


def failure(capsys: pytest.CaptureFixture[str], monkeypatch: Any, *words: str) -> tuple[int, str]:
    monkeypatch.setattr("sys.argv", ["sudare", "synthesize", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0), capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ("people.csv -o made.csv --rows 0", 4, "must be above 0"),
        ("people.csv -o made.csv --rows -3", 4, "must be above 0"),
        ("people.csv -o made.csv --rows 9999999999", 4, "must be above 0"),
        ("people.csv -o made.csv --columns age,nope", 4, "Column 'nope' is not declared"),
        ("people.csv -o made.csv --columns id", 4, "id"),
        ("people.csv -o made.txt", 2, "Records cannot be written to made.txt."),
        ("people.csv -o nowhere/made.csv", 2, "There is no folder for made.csv."),
        ("people.csv -o made.csv --statistics nowhere/s.json", 2, "no folder for s.json."),
        ("people.csv -o people.csv", 2, "written over what it is made from"),
        ("people.csv -o made.csv --statistics people.csv", 2, "written over what it is made from"),
        ("people.csv -o made.csv --statistics made.csv", 2, "or over another result"),
        ("people.csv -o people.schema.toml --statistics-only", 2, "over what it is made from"),
        ("-o made.csv", 2, "Rows are made from one place"),
        ("people.csv --from-statistics s.json -o made.csv", 2, "Rows are made from one place"),
        ("--from-statistics s.json --from-randomized r.parquet -o made.csv", 2, "from one place"),
        ("--from-statistics s.json -o made.csv", 4, "The file of statistics is not there."),
        ("--from-statistics people.csv -o made.csv", 4, "does not have the form of statistics"),
        ("--from-statistics s.json -o made.csv --epsilon 1", 2, "--epsilon measures rows"),
        ("--from-statistics s.json -o made.csv --columns age", 2, "choose what is measured"),
        ("--from-randomized people.csv -o made.csv", 4, "not one of randomised reports"),
        ("people.csv -o made.csv --mode paper --method a", 2, "--mode paper is that"),
        ("people.csv -o made.csv --lags 2", 2, "--lags is for panels"),
        ("people.csv -o made.csv --lags 2 --epsilon 1", 2, "--lags is for panels"),
        ("people.csv -o made.csv --delta 1e-9", 2, "--delta goes with --epsilon."),
        ("people.csv -o made.csv --dry-run", 2, "--dry-run prices --epsilon"),
        ("people.csv -o made.csv --epsilon 0", 4, "ε must be above 0."),
        ("people.csv -o made.csv --epsilon 2", 3, "only ε=1.50 is left"),
        ("people.csv -o made.csv --minimum 0", 2, "minimum"),
        ("people.csv -o made.csv --preserve all", 2, "preserve"),
        ("people.csv -o made.csv --engine postgresql", 2, "PostgreSQL reads its own tables"),
        ("nowhere.csv -o made.csv", 4, "no schema file"),
        ("people.csv", 2, "--output"),
    ],
)
def test_refusals(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    code: int,
    says: str,
) -> None:
    before = (folder / "people.csv").read_bytes()
    found, said = failure(capsys, monkeypatch, *words.split())
    assert (found, says in said) == (code, True), said
    assert "Traceback" not in said
    assert not (folder / "made.csv").exists()
    assert (folder / "people.csv").read_bytes() == before


def test_contradictory_statistics_are_refused_with_the_smallest_set(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done("people.csv", "--statistics-only", "-o", "sent.json")
    capsys.readouterr()
    told = json.loads((folder / "sent.json").read_text(encoding="utf-8"))
    age = told["moments"]["columns"].index("age")
    told["moments"]["mean"][age] = 500.0
    (folder / "sent.json").write_text(json.dumps(told), encoding="utf-8")
    code, said = failure(capsys, monkeypatch, "--from-statistics", "sent.json", "-o", "made.csv")
    assert code == 4
    assert "No table has these statistics" in said
    assert "age" in said
    assert "sex" not in said
    assert not (folder / "made.csv").exists()


@pytest.mark.parametrize("words", [(), ("--epsilon", "1")])
def test_rules_that_leave_no_record_are_refused_before_anything_is_charged(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
) -> None:
    # Complete: a record whose age is missing would keep this rule.
    schema = SCHEMA.replace("max = 99", "max = 99\ncomplete = true")
    rules = '[[rules]]\nnever = "age >= 0"\n'
    (folder / "people.schema.toml").write_text(schema + rules, encoding="utf-8")
    code, said = failure(capsys, monkeypatch, "people.csv", "-o", "made.csv", *words)
    assert code == 4, said
    assert "rule" in said
    assert "Spent" not in said
    assert not (folder / "people.ledger").exists()


@pytest.mark.parametrize("words", [(), ("--epsilon", "1")])
def test_rules_of_columns_that_are_left_out_do_not_count(
    folder: Path, words: tuple[str, ...]
) -> None:
    only = "[[rules]]\nnever = \"sex = 'M' and age > 50\"\n"
    (folder / "people.schema.toml").write_text(SCHEMA + RULE + only, encoding="utf-8")
    found = told("people.csv", "--columns", "sex,age", "-o", "made.csv", "--rows", "50", *words)
    assert [each["broken"] for each in found["rules"]] == [0]
    made = read_csv(folder / "made.csv")
    assert not [row for row in made if row["sex"] == "M" and int(row["age"]) > 50]
