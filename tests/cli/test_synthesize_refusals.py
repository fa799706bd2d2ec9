"""What sudare synthesize refuses, with which exit code, and before what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.synthesize_made import RULE, SCHEMA, done, failure, people_folder, read_csv, told


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return people_folder(tmp_path, monkeypatch)


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
        ("people.csv -o people.csv", 2, "would replace the data"),
        ("people.csv -o made.csv --statistics people.csv", 2, "would replace the data"),
        ("people.csv -o made.csv --statistics made.csv", 2, "would replace another result"),
        ("people.csv -o people.schema.toml --statistics-only", 2, "would replace the schema"),
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
    done("people.csv", "--accept-disclosure", "--statistics-only", "-o", "sent.json")
    capsys.readouterr()
    told = json.loads((folder / "sent.json").read_text(encoding="utf-8"))
    age = told["moments"]["columns"].index("age")
    told["moments"]["mean"][age] = 500.0
    (folder / "sent.json").write_text(json.dumps(told), encoding="utf-8")
    code, said = failure(capsys, monkeypatch, "--from-statistics", "sent.json", "-o", "made.csv")
    assert code == 4
    assert "not those that their digest is of" in said
    del told["sha256"]
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


@pytest.mark.parametrize("words", [("--accept-disclosure",), ("--epsilon", "1")])
def test_rules_of_columns_that_are_left_out_do_not_count(
    folder: Path, words: tuple[str, ...]
) -> None:
    only = "[[rules]]\nnever = \"sex = 'M' and age > 50\"\n"
    (folder / "people.schema.toml").write_text(SCHEMA + RULE + only, encoding="utf-8")
    found = told("people.csv", "--columns", "sex,age", "-o", "made.csv", "--rows", "50", *words)
    assert [each["broken"] for each in found["rules"]] == [0]
    made = read_csv(folder / "made.csv")
    assert not [row for row in made if row["sex"] == "M" and int(row["age"]) > 50]
