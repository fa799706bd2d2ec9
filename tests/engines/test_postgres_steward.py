"""Drafting and validating a table in PostgreSQL."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pyarrow as pa
import pytest

from engines.places import load
from engines.postgres_tables import execute
from engines.tables import one, schema
from engines.test_validation import EXPECTED, NAMES, PEOPLE, ROWS
from sudare.engines.draft import draft_schema
from sudare.engines.findings import ValidationReport
from sudare.engines.validation import validate
from sudare.facts.errors import EngineUnavailable
from sudare.facts.schema import make_schema
from support.postgres import Server


@pytest.fixture(scope="module")
def url(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as place:
        columns = zip(*ROWS, strict=True)
        load(place, "people", pa.table(dict(zip(NAMES, map(list, columns), strict=True))))
        yield place


def counts(report: ValidationReport) -> dict[tuple[str, str | None], int]:
    assert all(found.rows == () for found in report.findings)
    return {(found.kind, found.column): found.count for found in report.findings}


def test_a_draft_takes_names_and_types_alone(url: str) -> None:
    execute(
        url,
        "CREATE TYPE mood AS ENUM ('CANARY4711')",
        'CREATE TABLE "町 の人" (age smallint, "年 収" bigint, x numeric, d date, t timestamptz,'
        " b boolean, c text, id uuid, m mood, raw bytea, f real)",
        """INSERT INTO "町 の人" (age, c) VALUES (47, 'CANARY4711')""",
    )
    text = draft_schema(f"{url}#%22町%20の人%22")
    drafted = make_schema(tomllib.loads(text))
    assert drafted.table.name == "町 の人"
    assert {name: column.type for name, column in drafted.columns.items()} == {
        "age": "integer",
        "年 収": "integer",
        "x": "real",
        "d": "date",
        "t": "date",
        "b": "boolean",
        "c": "category",
        "id": "key",
        "m": "text",
        "f": "real",
    }
    assert "raw" in text
    assert "CANARY4711" not in text
    assert "47" not in text
    assert (drafted.columns["age"].max, drafted.columns["age"].confirmed) == (120, False)
    assert (drafted.table.unit, drafted.table.confirmed) == ("id", False)


def test_every_finding_is_counted(url: str) -> None:
    """The table of test_validation.py: the same findings, without the numbers of rows."""
    report = validate(f"{url}#people", PEOPLE)
    assert report.rows == 5
    assert counts(report) == {kind: count for kind, (count, _) in EXPECTED.items()}
    assert not report.ok


def test_native_storage_is_judged_too(url: str) -> None:
    execute(
        url,
        "CREATE TABLE typed (v numeric, w date, x double precision)",
        "INSERT INTO typed VALUES (7, 'infinity', 'NaN'), ('NaN', NULL, 'inf'), (0.5, NULL, 1)",
    )
    facts = schema(
        {
            "v": {"type": "integer", "min": 0, "max": 5},
            "w": {"type": "integer", "min": 0, "max": 5},
            "x": {"type": "real", "min": 0, "max": 5},
        }
    )
    assert counts(validate(f"{url}#typed", facts)) == {
        ("structure", "w"): 1,
        ("above-max", "v"): 1,
        ("missing", "v"): 1,
        ("unreadable", "v"): 1,
        ("missing", "x"): 1,
        ("above-max", "x"): 1,
    }


@pytest.mark.parametrize(("rows", "kinds"), [(2, []), (3, ["rows-differ"])])
def test_public_rows(url: str, rows: int, kinds: list[str]) -> None:
    execute(url, "DROP TABLE IF EXISTS two", "CREATE TABLE two AS SELECT 1 AS v UNION ALL SELECT 2")
    facts = schema(
        {"v": {"type": "integer", "min": 0, "max": 9}}, neighbours="replace-one", public_rows=rows
    )
    assert [found.kind for found in validate(f"{url}#two", facts).findings] == kinds


def test_a_table_that_is_not_there_is_a_finding(url: str) -> None:
    report = validate(f"{url}#nobody", one("text"))
    assert (report.rows, [found.kind for found in report.findings]) == (None, ["structure"])


def test_a_server_that_is_not_there_is_an_error() -> None:
    with pytest.raises(EngineUnavailable):
        validate("postgresql://nobody@127.0.0.1:1/db#t", one("text"))
