"""The same commands over PostgreSQL and Spark, as a user types them, against real servers.

Answers are noisy, so what must be the same is looked at with so large an ε that the noise is zero:
with ε = 100 for a count, P[noise ≠ 0] < 2·e^-100 a cell.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from cli.test_commands import SCHEMA, rows, write
from support import spark as spark_support

pytestmark = pytest.mark.integration

RICH = SCHEMA.replace("epsilon = 3.0", "epsilon = 100000.0")
QUESTIONS = ["count() @ 100", "histogram(sex) @ 100", "count() by (sex, region) @ 100"]


def sudare(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sudare.cli.app", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **env},
    )


def asked(folder: Path, data: str, *more: str, **env: str) -> dict[str, Any]:
    done = sudare(
        folder, "ask", data, *QUESTIONS, "--json",
        "--schema", "people.schema.toml", *more, **env,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def values(found: dict[str, Any]) -> list[Any]:
    return [answer["value"] for answer in found["answers"]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The town as CSV and as two Parquet files."""
    write(tmp_path / "people.csv", rows())
    (tmp_path / "people.schema.toml").write_text(RICH)
    table = csv.read_csv(tmp_path / "people.csv")
    (tmp_path / "warehouse").mkdir()
    parquet.write_table(table.slice(0, 700), tmp_path / "warehouse" / "1.parquet")
    parquet.write_table(table.slice(700), tmp_path / "warehouse" / "2.parquet")
    return tmp_path


def load(url: str, table: pa.Table) -> None:
    """The town as public.people."""
    import psycopg

    with psycopg.connect(url) as db:
        db.execute(
            "CREATE TABLE people (age int, sex text, region text, hours double precision, "
            "income bigint)"
        )
        with db.cursor().copy("COPY people FROM STDIN") as copy:
            for row in table.to_pylist():
                copy.write_row(list(row.values()))


@pytest.fixture
def people(folder: Path, postgres_url: str) -> str:
    load(postgres_url, csv.read_csv(folder / "people.csv"))
    return postgres_url


def test_engines_are_listed(tmp_path: Path) -> None:
    done = sudare(tmp_path, "engines", "--json")
    found = {engine["engine"]: engine for engine in json.loads(done.stdout)["engines"]}
    assert list(found) == ["duckdb", "postgresql", "spark"]
    assert found["duckdb"]["ready"]
    plain = sudare(tmp_path, "engines")
    assert plain.returncode == 0
    assert "duckdb" in plain.stdout


def test_a_table_in_postgresql_is_asked_like_a_file(folder: Path, people: str) -> None:
    expected = values(asked(folder, "people.csv"))
    assert values(asked(folder, f"{people}#public.people")) == expected
    done = sudare(folder, "ledger", "verify", "people")
    assert done.returncode == 0, done.stderr


def test_a_schema_is_drafted_from_a_table_in_postgresql(folder: Path, people: str) -> None:
    done = sudare(folder, "init", f"{people}#public.people", "--output", "drafted.toml", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["columns"] == 5
    drafted = (folder / "drafted.toml").read_text(encoding="utf-8")
    assert 'name = "people"' in drafted
    assert "confirmed = false" in drafted


def test_one_ledger_in_postgresql_for_files_and_tables(folder: Path, people: str) -> None:
    first = asked(folder, "people.csv", "--ledger", people, "--key", "monday")
    assert asked(folder, "people.csv", "--ledger", people, "--key", "monday") == first
    second = asked(folder, f"{people}#public.people", "--ledger", people)
    assert second["left"]["epsilon"] == first["left"]["epsilon"] - 300
    assert not list(folder.glob("*.ledger"))
    shown = sudare(folder, "ledger", "show", people, "--json")
    assert len(json.loads(shown.stdout)["releases"]) == 2
    assert sudare(folder, "ledger", "verify", people).returncode == 0


def test_a_ledger_is_moved_and_goes_on_in_postgresql(folder: Path, people: str) -> None:
    first = asked(folder, "people.csv", "--key", "monday")
    moved = sudare(folder, "ledger", "move", "people.ledger", people, "--json")
    assert moved.returncode == 0, moved.stderr
    assert json.loads(moved.stdout)["entries"] >= 4
    closed = sudare(folder, "ask", "people.csv", "count()", "--epsilon", "1")
    assert closed.returncode == 4
    assert "moved to" in closed.stderr
    assert asked(folder, "people.csv", "--ledger", people, "--key", "monday") == first
    second = asked(folder, "people.csv", "--ledger", people)
    assert second["left"]["epsilon"] == first["left"]["epsilon"] - 300
    assert sudare(folder, "ledger", "verify", people).returncode == 0


def test_a_password_shows_nowhere(folder: Path, people: str) -> None:
    from urllib.parse import unquote, urlsplit

    secret = urlsplit(people).password
    assert secret
    plain = people.replace(f":{secret}@", "@")
    found = asked(
        folder, f"{people}#public.people", "--ledger", people, "--output", "out"
    )  # fmt: skip
    wrong = people.replace(f":{secret}@", ":wr0ng-pass@")
    refused = sudare(folder, "ask", f"{wrong}#public.people", "count()", "--epsilon", "1",
                     "--schema", "people.schema.toml")  # fmt: skip
    assert refused.returncode == 5
    shown = sudare(folder, "ledger", "show", people)
    texts = [json.dumps(found), refused.stderr, shown.stdout, shown.stderr]
    texts += [path.read_text(encoding="utf-8") for path in (folder / "out").iterdir()]
    for text in texts:
        assert secret not in text
        assert unquote(secret) not in text
        assert "wr0ng-pass" not in text
    certificate = json.loads((folder / "out" / "certificate.json").read_text(encoding="utf-8"))
    assert certificate["provenance"]["engine"] == "postgresql"
    assert certificate["provenance"]["source"] == f"{plain}#public.people"
    # The password may also come from the environment, as with every program of PostgreSQL.
    asked(folder, f"{plain}#public.people", "--ledger", plain, PGPASSWORD=unquote(secret))


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["people.csv", "--engine", "postgresql"], 2, "PostgreSQL reads its own tables"),
        (["people.csv", "--master", "local[*]"], 2, "without Spark"),
        (["postgresql://nobody@127.0.0.1:1/db#t", "--engine", "spark"], 2, "PostgreSQL itself"),
        (["postgresql://nobody@127.0.0.1:1/db#t"], 5, "error:"),
        (["postgresql://nobody@127.0.0.1:1/db"], 2, "error:"),
        (["people.csv", "--ledger", "postgresql://nobody@127.0.0.1:1/db"], 5, "error:"),
    ],
)
def test_what_cannot_be_done_is_said(
    folder: Path, arguments: list[str], code: int, said: str
) -> None:
    schema = ["--schema", "people.schema.toml"]
    done = sudare(folder, "ask", arguments[0], "count()", "--epsilon", "1", *schema, *arguments[1:])
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert "hint:" in done.stderr
    assert "Traceback" not in done.stderr


def test_spark_answers_as_duckdb_does(folder: Path) -> None:
    reason = spark_support.missing()
    if reason is not None:
        pytest.skip(reason)
    expected = asked(folder, "people.csv", "--ledger", "one.ledger")
    found = asked(
        folder, "warehouse/*.parquet", "--engine", "spark", "--master", "local[2]",
        "--ledger", "two.ledger", "--output", "out",
    )  # fmt: skip
    assert values(found) == values(expected)
    assert found["left"] == expected["left"]
    certificate = json.loads((folder / "out" / "certificate.json").read_text(encoding="utf-8"))
    assert certificate["provenance"]["engine"] == "spark"
    assert certificate["provenance"]["source"] == "warehouse/*.parquet"


def test_spark_without_java_is_refused_with_a_hint(folder: Path) -> None:
    done = sudare(
        folder, "ask", "warehouse/*.parquet", "count()", "--epsilon", "1", "--engine", "spark",
        "--schema", "people.schema.toml", JAVA_HOME=str(folder / "nowhere"), PATH="/nowhere",
    )  # fmt: skip
    assert done.returncode == 5
    assert "Java" in done.stderr
    assert "hint:" in done.stderr
