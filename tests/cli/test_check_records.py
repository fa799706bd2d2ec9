"""sudare check records, sudare anonymize records and the PRAM of sudare explain, as typed."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app, main

CANARY = "canary-4711"
SICK = ["風邪", "癌", "なし"]
SCHEMA = """
[table]
name = "people"
[columns.age]
type = "integer"
min = 0
max = 99
[columns.sex]
type = "category"
values = ["F", "M"]
[columns."病名"]
type = "category"
values = ["風邪", "癌", "なし"]
other = "他"
[levels.age_band]
of = "age"
width = 10
"""


def write(path: Path, rows: list[list[str]], encoding: str = "utf-8") -> None:
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file).writerows(rows)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = [[str(20 + n * 7 % 40), "FM"[n % 2], SICK[n * n % 3], f"{CANARY}{n}"]
            for n in range(200)]  # fmt: skip
    write(tmp_path / "people.csv", [["age", "sex", "病名", "name"], *rows], "cp932")
    write(
        tmp_path / "list.csv", [["sex", "age", "address"], *[[r[1], r[0], r[3]] for r in rows[:9]]]
    )
    (tmp_path / "people.schema.toml").write_text(SCHEMA, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Any:
    return CliRunner().invoke(app, list(words))


def told(*words: str) -> dict[str, Any]:
    found = run(*words, "--json")
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)  # type: ignore[no-any-return]


CHECK = ("check", "records", "people.csv", "--quasi", "age,sex")


def test_check_records(folder: Path) -> None:
    found = told(*CHECK, "--sensitive", "病名", "--sampling-fraction", "0.1",
                 "--against", "list.csv", "--rows", "3")  # fmt: skip
    # 40 ages in turn and sexes by turns of two: 40 classes of 5.
    assert found["anonymity"]["k"] == 5
    assert found["anonymity"]["classes"] == 40
    assert found["diversity"]["病名"]["values"] == 2
    assert found["linkage"]["columns"] == ["age", "sex"]
    assert found["linkage"]["one"] == 9 * 5
    assert found["linkage"]["none"] == 200 - 45
    assert found["population"]["size"] == 2000
    assert found["unique_rows"] == []
    assert found["cleaned"] is True


def test_both_languages_and_the_page(folder: Path) -> None:
    words = (*CHECK, "--sensitive", "病名,name", "--sampling-fraction", "0.1", "--against",
             "list.csv", "--rows", "3", "-o", "page.html", "--force")  # fmt: skip
    (folder / "people.schema.toml").unlink()
    english, japanese = run(*words), run(*words, "--lang", "ja")
    assert english.exit_code == japanese.exit_code == 0, english.output
    assert "200 records fall into 40 classes by age, sex: k = 5." in english.output
    assert "No value of the data is shown" in english.output
    assert "40 クラスに分かれます：k = 5" in japanese.output
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert '<html lang="ja"' in page
    assert "40 classes" in page
    for text in (english.output, japanese.output, page):
        assert CANARY not in text
        assert "風邪" not in text


def test_row_numbers_on_request(folder: Path) -> None:
    found = told("check", "records", "people.csv", "--quasi", "病名", "--rows", "5")
    assert found["unique_rows"] == []
    write(folder / "lone.csv", [["a"], ["x"], ["y"], ["x"], ["z"]])
    assert told("check", "records", "lone.csv", "--quasi", "a", "--rows", "5")["unique_rows"] == [
        2,
        4,
    ]


ANONYMIZE = ("anonymize", "records", "people.csv", "--quasi", "age,sex", "--sensitive", "病名")


def test_anonymize_records(folder: Path) -> None:
    found = told(*ANONYMIZE, "--k", "10", "-o", "out.csv")
    with (folder / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == found["published"] == 200
    assert {row["age"] for row in rows} == {"20–29", "30–39", "40–49", "50–59"}
    assert found["anonymity"]["k"] >= 10
    page = (folder / "out.report.html").read_text(encoding="utf-8")
    assert "there is no ε" in page
    assert "保証ではありません" in page
    assert CANARY not in page
    text = run(*ANONYMIZE, "--k", "10", "--method", "mondrian", "-o", "other.parquet").output
    assert "verified by reading the file again" in text
    assert not list(folder.glob("*.ledger"))


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((*CHECK[:4], "age,town"), 4, "The data has no column 'town'."),
        ((*CHECK[:4], "name"), 4, "Column 'name' is not declared in the schema."),
        ((*CHECK[:4], ""), 2, "There are no quasi-identifiers."),
        ((*CHECK, "--sensitive", "age"), 2, "both a quasi-identifier and sensitive"),
        ((*CHECK[:4], "age,age"), 2, "A column is named twice."),
        ((*CHECK, "--sampling-fraction", "0"), 2, "The sampling fraction"),
        ((*CHECK, "--against", "nothing.csv"), 4, "There is no file nothing.csv."),
        ((*CHECK, "--largest", "0"), 2, "--largest is at least 1"),
        ((*CHECK, "--schema", "none.toml"), 4, "There is no schema file none.toml."),
        (("check", "records", "list.csv", "--quasi", "town"), 4, "The data has no column 'town'."),
        (("check", "records", "list.csv", "--quasi", "address", "--against", "people.csv"), 4,
         "The two files have no quasi-identifier in common."),
        ((*ANONYMIZE, "--k", "5", "--keep", "病名", "-o", "o.csv"), 2, "'病名' is sensitive, so"),
        ((*ANONYMIZE, "--k", "5", "--keep", "sex", "-o", "o.csv"), 2,
         "'sex' is a quasi-identifier, so it is published already."),
        ((*ANONYMIZE, "--k", "1", "-o", "o.csv"), 2, "k must be at least 2."),
        ((*ANONYMIZE, "--k", "999", "-o", "o.csv"), 4, "No generalization meets the demand."),
        ((*ANONYMIZE, "--k", "5", "-o", "o.xls"), 2, "Records cannot be written to o.xls."),
        ((*ANONYMIZE, "--k", "5", "-o", "no/o.csv"), 2, "There is no folder for o.csv."),
        (("explain",), 2, "There is nothing to explain."),
        (("explain", "--retention", "1", "--values", "2"), 2, "A retention probability"),
        (("explain", "1", "--values", "1"), 2, "--values says how many"),
        (("explain", "1", "--values", "x"), 2, "--values takes numbers"),
        (("explain", "--pk", "9", "--values", "2"), 2, "--pk needs --records"),
        (("explain", "1", "--values", "2", "--records", "1"), 2, "--records must be"),
        (("explain", "1", "--retention", "0.5", "--values", "2"), 2, "name one of them"),
        (("explain", "--retention", "0.5,0.5", "--values", "2"), 2, "different numbers"),
    ],
)  # fmt: skip
def test_refusals(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    monkeypatch.setattr("sys.argv", ["sudare", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr().err
    assert ended.value.code == code, told
    assert said in told
    assert "hint: " in told
    assert len(told.splitlines()) == 2
    assert CANARY not in told


def test_no_rows(folder: Path) -> None:
    write(folder / "empty.csv", [["a", "b"]])
    found = run("check", "records", "empty.csv", "--quasi", "a")
    assert "The data has no rows." in str(found.exception)


def test_explain_pram() -> None:
    found = told("explain", "--retention", "0.8", "--values", "5,2", "--records", "1000")["pram"]
    assert [part["retention"] for part in found["attributes"]] == [0.8, 0.8]
    assert found["pk"] == pytest.approx(1 + 999 / (21 * 9) ** 2)
    again = told("explain", str(found["epsilon"]), "--values", "5", "--records", "1000")["pram"]
    assert again["pk"] == pytest.approx(found["pk"])
    wanted = told("explain", "--pk", "10", "--values", "5", "--records", "1000")
    assert wanted["pram"]["pk"] == pytest.approx(10)
    assert wanted["epsilon"] == wanted["pram"]["epsilon"]
    assert "k = 10" in run("explain", "--pk", "10", "--values", "5", "--records", "1000").output
    ja = run("explain", "1", "--values", "5", "--records", "1000", "--lang", "ja").output
    assert "維持確率 25.6%" in ja
    assert "pram" not in told("explain", "1")
