"""What names data for one command names it for all: files, patterns, tables in PostgreSQL, and
files that only Spark can reach."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv, parquet
from typer.testing import CliRunner

from engines.places import load
from sudare.cli.app import app
from support.postgres import Server

SCHEMA = """
[table]
name = "people"
neighbours = "replace-one"
[budget]
epsilon = 100000.0
[columns.age]
type = "integer"
min = 0
max = 99
[columns.sex]
type = "category"
values = ["F", "M"]
[columns.income]
type = "real"
min = 0
max = 100
[levels.age_band]
of = "age"
width = 10
"""
ROWS = 240
KINDS = ("csv", "tsv.gz", "parquet", "pattern", "postgresql")


def town() -> pa.Table:
    return pa.table(
        {
            "age": [20 + n * 7 % 40 for n in range(ROWS)],
            "sex": ["FM"[n % 2] for n in range(ROWS)],
            "income": [n * 37 % 100 / 2 for n in range(ROWS)],
        }
    )


@pytest.fixture(scope="module")
def town_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The town in every kind of file, beside its schema."""
    path, table = tmp_path_factory.mktemp("references"), town()
    (path / "people.schema.toml").write_text(SCHEMA, encoding="utf-8")
    csv.write_csv(table, path / "people.csv")
    with gzip.open(path / "people.tsv.gz", "wb") as file:
        csv.write_csv(table, file, csv.WriteOptions(delimiter="\t"))
    parquet.write_table(table, path / "people.parquet")
    (path / "people").mkdir()
    for number in range(2):
        part = table.slice(number * ROWS // 2, ROWS // 2)
        parquet.write_table(part, path / "people" / f"{number}.parquet")
    return path


@pytest.fixture
def folder(town_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Commands run there."""
    monkeypatch.chdir(town_folder)
    return town_folder


@pytest.fixture(scope="module")
def places(postgres_server: Server) -> Iterator[dict[str, str]]:
    with postgres_server.database() as url:
        load(url, "people", town())
        yield {
            "csv": "people.csv",
            "tsv.gz": "people.tsv.gz",
            "parquet": "people.parquet",
            "pattern": "people/*.parquet",
            "postgresql": f"{url}#public.people",
        }


def run(*words: str) -> Any:
    return CliRunner().invoke(app, list(words))


# Every command with data in its place; the schema lies where each kind of data looks for it.
COMMANDS: dict[str, list[str]] = {
    "init": ["init", "DATA", "--output", "drafted.toml", "--force"],
    "validate": ["validate", "DATA"],
    "ask": ["ask", "DATA", "mean(age)", "--epsilon", "1"],
    "tabulate": ["tabulate", "DATA", "--by", "sex", "--epsilon", "1"],
    "randomize": ["randomize", "DATA", "--epsilon", "1", "--output", "KIND.parquet", "--force"],
    "synthesize": ["synthesize", "DATA", "--output", "made.json", "--force",
                   "--statistics-only"],
    "measure": ["synthesize", "DATA", "--output", "made.json", "--statistics-only", "--epsilon",
                "9", "--columns", "sex,age", "--force"],
    "check records": ["check", "records", "DATA", "--quasi", "age,sex"],
    "check against": ["check", "records", "people.csv", "--quasi", "age,sex", "--against", "DATA"],
    "anonymize": ["anonymize", "records", "DATA", "--quasi", "age,sex", "--k", "5", "-o",
                  "coarse.csv", "--force"],
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_every_reference(
    folder: Path, places: dict[str, str], command: str, kind: str
) -> None:
    words = [word.replace("KIND", f"made-{kind}") for word in COMMANDS[command]]
    found = run(*(places[kind] if word == "DATA" else word for word in words), "--json")
    assert found.exit_code == 0, found.output


@pytest.mark.parametrize("command", ["check records", "check against", "anonymize"])
def test_what_is_exact_is_the_same_from_everywhere(
    folder: Path, places: dict[str, str], command: str
) -> None:
    said = {
        run(*(place if word == "DATA" else word for word in COMMANDS[command]), "--json").stdout
        for place in places.values()
    }
    assert len(said) == 1
    assert len(said.pop()) > 100


def test_compare_takes_three_of_them(folder: Path, places: dict[str, str]) -> None:
    found = run(
        "compare", places["postgresql"], places["pattern"], "--holdout", places["tsv.gz"],
        "--engine", "postgresql", "--json",
    )  # fmt: skip
    assert found.exit_code == 0, found.output


def test_a_plan_takes_an_address(folder: Path, places: dict[str, str]) -> None:
    plan = folder / "plan.toml"
    plan.write_text(f'data = "{places["postgresql"]}"\nepsilon = 1.0\nquestions = ["mean(age)"]\n')
    assert run("run", str(plan)).exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ["init", "DATA", "--engine", "spark", "--force"],
        ["anonymize", "records", "DATA", "--quasi", "age", "--k", "2", "-o", "c.csv", "--force",
         "--engine", "duckdb"],
        ["init", "people.csv", "--engine", "postgresql", "--force"],
    ],
)  # fmt: skip
def test_an_engine_that_cannot_read_it_is_refused(
    folder: Path, places: dict[str, str], words: list[str]
) -> None:
    """The drafts and the records have the engines of all the other commands."""
    found = run(*(places["postgresql"] if word == "DATA" else word for word in words))
    assert found.exit_code != 0
    assert "PostgreSQL" in found.exception.what


@pytest.mark.slow
def test_files_that_only_spark_reaches(folder: Path, spark_master: str) -> None:
    """An address of a file system is Spark's alone; its schema lies where the command runs."""
    place = (folder / "people").as_uri() + "/*.parquet"
    spark = ["--engine", "spark", "--master", spark_master]
    assert run("init", place, *spark, "--output", "far.toml").exit_code == 0
    assert run("init", "people.parquet", "--output", "near.toml").exit_code == 0
    far, near = ((folder / name).read_text().split("[columns", 1)[1] for name in
                 ("far.toml", "near.toml"))  # fmt: skip
    assert far == near
    near_said, far_said = (
        run("anonymize", "records", *words, "--quasi", "age,sex", "--k", "5", "-o", "c.csv",
            "--force", "--json").stdout
        for words in (["people.csv"], [place, *spark])
    )  # fmt: skip
    assert near_said == far_said != ""
    matched = run("check", "records", "people.parquet", "--quasi", "age,sex", "--against", place,
                  *spark, "--json")  # fmt: skip
    assert matched.exit_code == 0, matched.output
