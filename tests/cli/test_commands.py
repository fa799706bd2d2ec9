"""Every command line as a user types it, in a process of its own where it matters."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.integration

CANARY = "canary-4711"
SCHEMA = """
[table]
name = "people"
unit = "row"
neighbours = "add-remove"
expected_rows = 2000
[budget]
epsilon = 3.0
delta = 1e-9
[columns.age]
type = "integer"
min = 0
max = 120
[columns.sex]
type = "category"
values = ["F", "M"]
[columns.region]
type = "category"
values = ["north", "south"]
[columns.hours]
type = "real"
min = 0.0
max = 80.0
[columns.income]
type = "integer"
min = 0
max = 10000000
"""
QUESTIONS = [
    "count()", "sum(income)", "mean(age)", "variance(age)", "covariance(age, hours, income)",
    "histogram(sex)", "histogram(age, bins=10)", "sum(income) by (sex, region)",
    "quantile(age, 0.5)",
]  # fmt: skip


def sudare(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sudare.cli.app", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


def rows(n: int = 2000) -> list[list[str]]:
    return [
        [str((i * 37) % 101), "F" if i % 3 else "M", "north" if i % 4 else "south",
         str(i % 60 + 0.5), str((i * 7919) % 9_000_000)]
        for i in range(n)
    ]  # fmt: skip


def write(path: Path, table: Sequence[Sequence[str]], encoding: str = "utf-8") -> None:
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file).writerows([["age", "sex", "region", "hours", "income"], *table])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "people.csv", rows())
    (tmp_path / "people.schema.toml").write_text(SCHEMA)
    return tmp_path


def told(run: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)  # type: ignore[no-any-return]


def test_the_issue_command(folder: Path) -> None:
    run = sudare(
        folder, "ask", "people.csv", "--schema", "people.schema.toml", "--epsilon", "1", "--json",
        *QUESTIONS,
    )  # fmt: skip
    found = told(run)
    assert [answer["query"] for answer in found["answers"]] == QUESTIONS
    for answer in found["answers"]:
        assert answer["error95"] > 0
        assert answer["epsilon"] > 0
        assert answer["sentence"]
    assert sum(answer["epsilon"] for answer in found["answers"]) == pytest.approx(1)
    assert found["spent"] == {"epsilon": 1.0, "delta": 0.0}
    assert found["left"] == {"epsilon": 2.0, "delta": 1e-9}
    assert found["release"]
    covariance = found["answers"][4]["value"]
    assert set(covariance) == {"age", "hours", "income"} == set(covariance["age"])
    assert len(found["answers"][6]["value"]) == 10
    assert (folder / "people.ledger").exists()


def test_text_files_and_outputs(folder: Path) -> None:
    run = sudare(
        folder, "ask", "people.csv", "--epsilon", "1", "-o", "out.csv", "mean(age) @ 0.2",
        "count() where age >= 65 and sex = 'F'",
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "Spent ε=1" in run.stderr
    assert "ε=2 left" in run.stderr
    assert (folder / "out.csv").exists()
    certificate = json.loads((folder / "out.certificate.json").read_text())
    assert certificate["guarantee"]["epsilon"] == 1.0
    assert "<html" in (folder / "out.report.html").read_text()
    checked = sudare(folder, "ledger", "verify", "people", "--certificate", "out.certificate.json")
    assert checked.returncode == 0, checked.stderr


def test_dry_run_spends_nothing_and_needs_no_data(folder: Path) -> None:
    (folder / "people.csv").unlink()
    found = told(
        sudare(folder, "ask", "people.csv", "--epsilon", "1", "--dry-run", "--json", *QUESTIONS)
    )
    assert found["spent"] == {"epsilon": 0.0, "delta": 0.0}
    assert found["cost"]["epsilon"] == 1.0
    assert all(answer["error95"] > 0 for answer in found["answers"])
    assert not (folder / "people.ledger").exists()


def test_plan_finds_an_epsilon(folder: Path) -> None:
    found = told(
        sudare(
            folder, "plan", "--schema", "people.schema.toml", "--json",
            "mean(age) ± 0.5", "count() ± 1%",
        )
    )  # fmt: skip
    mean, count = found["answers"]
    assert 0.99 * 0.5 <= mean["error95"] <= 0.5
    assert count["error95"] <= 20
    assert found["cost"]["epsilon"] == pytest.approx(mean["epsilon"] + count["epsilon"], abs=1e-8)
    text = sudare(folder, "plan", "people.csv", "--error", "0.5", "mean(age)")
    assert text.returncode == 0, text.stderr


def test_run_a_plan_file(folder: Path) -> None:
    (folder / "plan.toml").write_text(
        'data = "people.csv"\nschema = "people.schema.toml"\nepsilon = 0.5\noutput = "out"\n'
        'idempotency_key = "monthly"\nquestions = ["count()", {ask = "mean(age)", epsilon = 0.2}]\n'
    )
    first = told(sudare(folder, "run", "plan.toml", "--json"))
    assert first["spent"]["epsilon"] == 0.5
    assert (folder / "out" / "report.html").exists()
    assert told(sudare(folder, "run", "plan.toml", "--json")) == first
    left = told(sudare(folder, "ledger", "show", "people", "--json"))
    assert left["datasets"]["people"]["left"]["epsilon"] == 2.5


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_init_in_japanese(tmp_path: Path, encoding: str) -> None:
    text = '年齢,性別,"年 収",備考\n34,女,4200000,表\n51,男,6100000,ソ能\n'
    (tmp_path / "住民.csv").write_bytes(text.encode(encoding))
    found = told(sudare(tmp_path, "init", "住民.csv", "--json"))
    assert found["schema"].endswith("住民.schema.toml")
    assert "年齢" in found["unconfirmed"]
    drafted = (tmp_path / "住民.schema.toml").read_text(encoding="utf-8")
    assert "4200000" not in drafted
    refused = sudare(tmp_path, "ask", "住民.csv", "--epsilon", "1", "mean(年齢)")
    assert refused.returncode == 4
    assert "confirmed" in refused.stderr
    again = sudare(tmp_path, "init", "住民.csv")
    assert again.returncode == 2
    (tmp_path / "住民.schema.toml").write_text(
        '[table]\nname = "住民"\n[budget]\nepsilon = 2.0\n[columns."年 収"]\ntype = "integer"\n'
        'min = 0\nmax = 10000000\n[columns."性別"]\ntype = "category"\nvalues = ["女", "男"]\n',
        encoding="utf-8",
    )
    asked = sudare(
        tmp_path, "ask", "住民.csv", "--epsilon", "1", "--json", "--lang", "ja",
        'sum("年 収") by (性別)',
    )  # fmt: skip
    assert set(told(asked)["answers"][0]["value"]) == {"女", "男"}


def test_nothing_is_spent_under_a_draft(tmp_path: Path) -> None:
    """Unit and budget wait for the steward, unless they are said at once."""
    (tmp_path / "visits.csv").write_text("id,works\n1,yes\n1,no\n2,yes\n")
    found = told(sudare(tmp_path, "init", "visits.csv", "--json"))
    assert (found["unit"], found["undecided"]) == ("id", ["unit", "budget"])
    schema = tmp_path / "visits.schema.toml"
    for job in (
        ["ask", "count()"],
        ["ask", "--dry-run", "count()"],
        ["tabulate", "--by", "works"],
        ["randomize", "--columns", "works", "-o", "r.parquet"],
        ["synthesize", "-o", "s.csv"],
    ):
        refused = sudare(tmp_path, job[0], "visits.csv", "--epsilon", "1", *job[1:])
        assert refused.returncode == 4, job
        assert "Whom the budget protects is drafted" in refused.stderr
        assert "max_rows_per_unit" in refused.stderr
    text = schema.read_text(encoding="utf-8")
    schema.write_text(text.replace("confirmed = false", "confirmed = true", 1), encoding="utf-8")
    refused = sudare(tmp_path, "ask", "visits.csv", "--epsilon", "1", "count()")
    assert refused.returncode == 4
    assert "The budget is drafted" in refused.stderr
    assert not list(tmp_path.glob("*.ledger"))
    words = ["--unit", "id", "--max-rows", "2", "--budget", "3", "--force", "--json"]
    assert told(sudare(tmp_path, "init", "visits.csv", *words))["undecided"] == []
    asked = sudare(tmp_path, "ask", "visits.csv", "--epsilon", "1", "--json", "count()")
    assert told(asked)["spent"]["epsilon"] == 1


def test_validate_names_rows_and_columns_but_no_value(folder: Path) -> None:
    write(folder / "people.csv", [*rows(20), ["999", CANARY, "north", "x", "5"]])
    run = sudare(folder, "validate", "people.csv", "--schema", "people.schema.toml")
    assert run.returncode == 4
    assert "'age'" in run.stdout
    assert "21" in run.stdout
    assert CANARY not in run.stdout + run.stderr
    assert "999" not in run.stdout
    found = json.loads(sudare(folder, "validate", "people.csv", "--json").stdout)
    assert {f["column"] for f in found["findings"] if f["problem"]} == {"age", "sex", "hours"}
    write(folder / "people.csv", rows(20))
    assert sudare(folder, "validate", "people.csv").returncode == 0


def test_ledger_commands(folder: Path) -> None:
    told(sudare(folder, "ask", "people.csv", "-e", "1", "--json", "count()"))
    head = sudare(folder, "ledger", "export-head", "people")
    (folder / "head.json").write_text(head.stdout)
    told(sudare(folder, "ask", "people.csv", "-e", "1", "--json", "count()"))
    run = sudare(folder, "ledger", "verify", "--head", "head.json", "--json")
    assert told(run)["ok"] is True
    shown = sudare(folder, "ledger", "show")
    assert "spent ε=2 of 3" in shown.stdout
    damaged = (folder / "people.ledger").read_bytes().replace(b'"job":"ask"', b'"job":"aks"')
    (folder / "people.ledger").write_bytes(damaged)
    assert sudare(folder, "ledger", "verify").returncode == 4


def test_explain(tmp_path: Path) -> None:
    found = told(sudare(tmp_path, "explain", "0.5", "--json"))
    assert found["honest_probability"] == pytest.approx(0.244919, abs=1e-6)
    assert "24.5%" in sudare(tmp_path, "explain", "0.5").stdout
    assert "正直" in sudare(tmp_path, "explain", "0.5", "--lang", "ja").stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["ask", "people.csv", "--epsilon", "0", "count()"], 4),
        (["ask", "people.csv", "--epsilon", "-1", "count()"], 4),
        (["ask", "people.csv", "--epsilon", "nan", "count()"], 4),
        (["ask", "people.csv", "--epsilon", "inf", "count()"], 4),
        (["ask", "people.csv", "--epsilon", "1e999", "count()"], 4),
        (["ask", "people.csv", "--epsilon", "one", "count()"], 4),
        (["ask", "people.csv", "--epsilon", "1e99999999", "count()"], 4),
        (["ask", "people.csv", "--epsilon", "1", "--delta", "1e-99999999", "count()"], 4),
        (["ask", "people.csv", "--epsilon", "1", "count() ± 5"], 4),
        (["ask", "people.csv", "--epsilon", "1", "-o", "people.csv/x", "count()"], 2),
        (["ask", "people.csv", "--epsilon", "1", "-o", "/proc/nope/x", "count()"], 2),
        (["ledger", "release", "0123456789abcdef"], 2),
        (["ask", "people.csv", "count()"], 4),
        (["ask", "people.csv", "--epsilon", "4", "count()"], 3),
        (["ask", "people.csv", "--epsilon", "1", "sum(nope)"], 4),
        (["ask", "people.csv", "--epsilon", "1", "count("], 4),
        (["ask", "people.csv", "--epsilon", "1", "--mechanism", "gaussian", "count()"], 4),
        (["ask", "nothing.csv", "--schema", "people.schema.toml", "-e", "1", "count()"], 4),
        (["ask", "nothing.csv", "-e", "1", "count()"], 4),
        (["ask", "people.csv", "--epsilon", "1"], 2),
        (["ask", "people.csv", "--no-such-option", "count()"], 2),
        (["ask", "people.csv", "-e", "1", "--mechanism", "magic", "count()"], 2),
        (["run", "nothing.toml"], 4),
        (["ledger", "show", "nothing"], 2),
        (["explain", "abc"], 4),
        (["nonsense"], 2),
    ],
)
def test_bad_calls(folder: Path, arguments: list[str], code: int) -> None:
    run = sudare(folder, *arguments)
    assert run.returncode == code, run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout == ""
    if code != 2 or "error:" in run.stderr:
        assert run.stderr.count("error: ") == 1
        assert run.stderr.count("hint: ") == 1
    assert not (folder / "people.ledger").exists() or code == 3


@pytest.mark.parametrize(
    "content",
    [
        b"", b"age,hours\n1,1\n", b"age,age,sex,region,hours,income\n1,2,F,north,1,1\n",
        b"age,,sex,region,hours,income\n1,2,F,north,1,1\n",
        b'age,sex,region,hours,income\n1,"canary\n-4711"\n',
        b"age,sex,region,hours,income\n1,canary-4711,north,1,1,1,1\n",
        b'age,sex,region,hours,income\n1,"canary-4711,north,1,1\n',
    ],
    ids=["empty", "absent", "twice", "blank", "swallowed", "many", "quote"],
)  # fmt: skip
def test_broken_files_are_refused_before_charging(folder: Path, content: bytes) -> None:
    (folder / "people.csv").write_bytes(content)
    run = sudare(folder, "ask", "people.csv", "-e", "1", "--json", "count() by (sex)", "mean(age)")
    assert run.returncode == 4, run.stderr
    assert CANARY not in run.stderr + run.stdout
    assert json.loads(run.stdout)["hint"]
    assert not (folder / "people.ledger").exists()


@pytest.mark.parametrize(
    "content",
    [
        b"age,sex,region,hours,income\n1,canary-4711\n",
        b"age,sex,region,hours,income\n1,canary-4711\0,north,1,1\n",
        b"age,sex,region,hours,income\n1,canary-4711\xff\xfe\x80,north,1,1\n",
    ],
    ids=["few", "nul", "encoding"],
)
def test_a_broken_cell_is_missing_and_no_refusal(folder: Path, content: bytes) -> None:
    (folder / "people.csv").write_bytes(content)
    run = sudare(folder, "ask", "people.csv", "-e", "1", "--json", "count() by (sex)", "mean(age)")
    assert told(run)["release"]
    assert CANARY not in run.stderr + run.stdout


def test_values_outside_the_domain_are_no_refusal(folder: Path) -> None:
    """What depends on values must not refuse: a refusal would be a free exact bit."""
    bad = [["999", CANARY, "", "NaN", "1e30"], ["", "F", "north", "inf", "-5"]]
    write(folder / "people.csv", bad)
    run = sudare(folder, "ask", "people.csv", "-e", "1", "--json", *QUESTIONS)
    assert told(run)["release"]
    assert CANARY not in run.stdout + run.stderr


def test_every_command_has_help_with_an_example(tmp_path: Path) -> None:
    commands = [
        ["ask"], ["plan"], ["run"], ["init"], ["validate"], ["explain"], ["demo"],
        ["ledger", "show"], ["ledger", "verify"], ["ledger", "export-head"],
    ]  # fmt: skip
    for command in commands:
        run = sudare(tmp_path, *command, "--help")
        assert run.returncode == 0
        assert "Example: sudare" in " ".join(run.stdout.split())


def test_a_release_can_be_shown_again(folder: Path) -> None:
    found = told(sudare(folder, "ask", "people.csv", "-e", "1", "--json", "count()", "mean(age)"))
    again = told(sudare(folder, "ledger", "release", found["release"], "--json"))
    assert again == found
    assert told(sudare(folder, "ledger", "show", "--json"))["datasets"]["people"]["releases"] == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp932"])
def test_a_terminal_without_greek_loses_no_answer(folder: Path, encoding: str) -> None:
    command = [sys.executable, "-m", "sudare.cli.app", "ask", "people.csv", "-e", "1", "mean(age)"]
    for options in (["--json"], []):
        run = subprocess.run(
            [*command, *options],
            cwd=folder,
            capture_output=True,
            timeout=120,
            env={"PATH": "/usr/bin:/bin", "PYTHONIOENCODING": encoding, "LC_ALL": "C"},
        )
        assert run.returncode == 0, run.stderr
        assert b"mean(age)" in run.stdout


def test_dry_run_foresees_the_cap(folder: Path) -> None:
    run = sudare(folder, "ask", "people.csv", "-e", "50", "--dry-run", "count()")
    assert run.returncode == 0
    assert "would be refused" in run.stderr
    found = told(sudare(folder, "ask", "people.csv", "-e", "50", "--dry-run", "--json", "count()"))
    assert found["fits"] is False


def test_an_error_has_a_code_in_json(folder: Path) -> None:
    def code(*words: str) -> object:
        return json.loads(sudare(folder, "ask", *words, "--json").stdout)["code"]

    assert code("nobody.csv", "-e", "1", "count()") == "no-schema-file"
    assert code("people.csv", "-e", "1", "mean(agee)") == "unknown-column"
    assert code("people.csv", "-e", "50", "count()") == "release-costs-only-left"
