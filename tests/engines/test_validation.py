"""The steward's report: every kind of finding, by row and column, never by value."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engines.tables import csv_text, one, schema, write
from sudare.engines.findings import SENTENCES, ValidationReport
from sudare.engines.validation import validate
from sudare.facts.errors import UsageError
from sudare.facts.schema import make_schema

PEOPLE = schema(
    {
        "who": {"type": "key"},
        "age": {"type": "integer", "min": 0, "max": 120},
        "x": {"type": "real", "min": 0, "max": 1},
        "day": {"type": "date", "min": dt.date(2000, 1, 1), "max": dt.date(2001, 1, 1)},
        "yes": {"type": "boolean"},
        "sex": {"type": "category", "values": ["F", "M"]},
        "town": {"type": "category", "values": ["a"], "other": "elsewhere"},
        "memo": {"type": "text"},
        "gone": {"type": "text"},
    },
    unit="who",
    max_rows_per_unit=2,
)
NAMES = ["extra", *list(PEOPLE.columns)[:-1]]
ROWS = [
    ["", "1", "30", "0.5", "2000-05-05", "yes", "F", "a", "m"],
    ["", "1", "-1", "-0.5", "1999-05-05", "maybe", "X", "b", ""],
    ["", " 1", "130", "1e9", "2002/05/05", "", "", "", "m"],
    ["", "", "x", "nan", "2000-13-05", "0", "m", "a", "m"],
    ["", "1 ", "", "", "", "1", "M", "a", "m"],
]
EXPECTED = {
    ("absent", "gone"): (1, ()),
    ("undeclared", "extra"): (1, ()),
    ("unit-missing", "who"): (1, (4,)),
    ("unit-over-limit", "who"): (2, (3, 5)),
    ("unit-repeats", "who"): (1, ()),
    ("above-max", "age"): (1, (3,)),
    ("below-min", "age"): (1, (2,)),
    ("unreadable", "age"): (1, (4,)),
    ("missing", "age"): (1, (5,)),
    ("above-max", "x"): (1, (3,)),
    ("below-min", "x"): (1, (2,)),
    ("missing", "x"): (2, (4, 5)),
    ("above-max", "day"): (1, (3,)),
    ("below-min", "day"): (1, (2,)),
    ("unreadable", "day"): (1, (4,)),
    ("missing", "day"): (1, (5,)),
    ("unreadable", "yes"): (1, (2,)),
    ("missing", "yes"): (1, (3,)),
    ("outside-values", "sex"): (2, (2, 4)),
    ("missing", "sex"): (1, (3,)),
    ("other", "town"): (1, (2,)),
    ("missing", "town"): (1, (3,)),
    ("missing", "memo"): (1, (2,)),
}


def found(report: ValidationReport) -> dict[tuple[str, str | None], tuple[int, tuple[int, ...]]]:
    return {(f.kind, f.column): (f.count, f.rows) for f in report.findings}


def test_every_finding(tmp_path: Path) -> None:
    report = validate(write(tmp_path / "t.csv", csv_text(NAMES, ROWS)), PEOPLE)
    assert report.rows == 5
    assert not report.ok
    assert found(report) == EXPECTED
    problems = {f.kind for f in report.findings if f.problem}
    assert problems == {kind for kind, _ in EXPECTED if SENTENCES[kind][1]}  # type: ignore[index]
    shown = json.loads(json.dumps(report.to_dict()))
    assert shown["rows"] == 5
    assert len(shown["findings"]) == len(EXPECTED)


def test_rows_of_parquet_are_counted_across_files(tmp_path: Path) -> None:
    for number in range(3):
        values = pa.array([1, None] * 1000 + [number], pa.int64())
        pq.write_table(pa.table({"v": values}), tmp_path / f"{number}.parquet", row_group_size=700)
    report = validate(str(tmp_path / "*.parquet"), one("integer", min=0, max=1), limit=3)
    assert found(report) == {
        ("missing", "v"): (3000, (2, 4, 6)),
        ("above-max", "v"): (1, (6003,)),
    }


def test_a_good_file_is_fine() -> None:
    report = validate(pa.table({"v": [1, 2]}), one("integer", min=0, max=3))
    assert report == ValidationReport(2, ())
    assert report.ok


def test_columns_that_are_not_confirmed_yet_are_read_for_their_type() -> None:
    drafted = schema(
        {
            "n": {"type": "integer", "confirmed": False},
            "x": {"type": "real", "confirmed": False},
            "d": {"type": "date", "confirmed": False},
            "c": {"type": "category", "confirmed": False},
        }
    )
    table = pa.table({name: ["x", ""] for name in drafted.columns})
    kinds = {(f.kind, f.column) for f in validate(table, drafted).findings}
    unreadable = {("unreadable", name) for name in ("n", "x", "d")}
    assert kinds == unreadable | {("missing", name) for name in drafted.columns}


@pytest.mark.parametrize(("rows", "kinds"), [(2, []), (3, ["rows-differ"])])
def test_public_rows(rows: int, kinds: list[str]) -> None:
    facts: dict[str, Any] = {"neighbours": "replace-one", "public_rows": rows}
    table = schema({"v": {"type": "integer", "min": 0, "max": 9}}, **facts)
    assert [f.kind for f in validate(pa.table({"v": [1, 2]}), table).findings] == kinds


def test_rows_with_the_wrong_number_of_fields_are_all_named(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "v,w\n1,2\n1\n1,2\n1,2,3\n" + "1\n" * 50)
    report = validate(path, one("integer", min=0, max=9), limit=4)
    found = [(f.kind, f.count, f.rows) for f in report.findings]
    assert found == [("structure", 1, (4,)), ("short-rows", 51, (2, 5, 6, 7))]
    assert report.rows is None
    assert not report.ok


@pytest.mark.parametrize("content", [b"", b"v,v\n1,2\n", b'v\n"1', b"v\0\n1\n"])
def test_broken_files_are_findings(tmp_path: Path, content: bytes) -> None:
    report = validate(write(tmp_path / "t.csv", content), one("integer", min=0, max=9))
    assert [(f.kind, f.rows) for f in report.findings] == [("structure", ())]


def test_storage_that_does_not_fit_is_a_finding() -> None:
    both = schema({"v": {"type": "date"}, "w": {"type": "integer", "min": 0, "max": 1}})
    report = validate(pa.table({"v": [1.5], "w": [7]}), both)
    assert [(f.kind, f.column) for f in report.findings] == [
        ("structure", "v"),
        ("above-max", "w"),
    ]


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(UsageError):
        validate(3, PEOPLE)


def test_a_file_without_any_declared_column() -> None:
    report = validate(pa.table({"z": [1]}), one("integer", min=0, max=9))
    assert [(f.kind, f.column) for f in report.findings] == [("absent", "v"), ("undeclared", "z")]


def test_repeated_people_are_counted(tmp_path: Path) -> None:
    """As a note where the unit is declared, as a problem where every row is said to be somebody."""
    data = write(tmp_path / "t.csv", "id,tel\n1,7\n1,8\n1,9\n2,7\n2,6\n3,5\n,4\n,3\n")
    columns = {"id": {"type": "key"}, "tel": {"type": "text"}}
    by_row = validate(data, schema(columns))
    (found,) = (each for each in by_row.findings if each.kind == "key-repeats")
    assert (found.column, found.count, found.problem) == ("id", 2, True)
    assert "the most in 3" in found.message
    by_person = validate(data, schema(columns, unit="id", max_rows_per_unit=3))
    (found,) = (each for each in by_person.findings if each.kind == "unit-repeats")
    assert (found.count, found.problem) == (2, False)
    assert "the most has 3" in found.message
    once = write(tmp_path / "once.csv", "id,tel\n1,7\n2,7\n")
    assert validate(once, schema(columns)).findings == ()


def test_people_that_come_back_are_counted_by_their_names(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "氏名,利用者,利用者数\n山田,1,5\n山田,1,5\n佐藤,2,5\n")
    columns = {"氏名": {"type": "text"}, "利用者": {"type": "integer", "min": 0, "max": 9},
               "利用者数": {"type": "integer", "min": 0, "max": 9}}  # fmt: skip
    found = validate(path, make_schema({"table": {"name": "t"}, "columns": columns}))
    told = [(each.column, each.count) for each in found.findings if each.kind == "person-repeats"]
    assert told == [("氏名", 1), ("利用者", 1)]
    assert found.ok
    unit = {"name": "t", "unit": "利用者", "max_rows_per_unit": 2}
    found = validate(path, make_schema({"table": unit, "columns": columns}))
    assert [each.kind for each in found.findings] == ["unit-repeats"]
