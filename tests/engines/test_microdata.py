"""Rows in memory: every type, missing values, cp932, Parquet, patterns."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from sudare.engines.microdata import columns_in, read_microdata
from sudare.facts.errors import InvalidFile
from sudare.facts.microdata import LabelColumn, Microdata, NumberColumn
from sudare.facts.schema import Schema, make_schema

SCHEMA = make_schema(
    {
        "table": {"name": "t", "unit": "id", "max_rows_per_unit": 1},
        "columns": {
            "id": {"type": "key"},
            "年齢": {"type": "integer", "min": 0, "max": 99, "confirmed": False},
            "pay": {"type": "real", "min": 0, "max": 100, "step": 0.25},
            "born": {"type": "date", "min": dt.date(1960, 1, 1), "max": dt.date(2020, 1, 1)},
            "ok": {"type": "boolean"},
            "性別": {"type": "category", "values": ["女", "男"], "other": "他"},
            "c": {"type": "category", "values": ["a"]},
        },
    }
)
NAMES = ["年齢", "pay", "born", "ok", "性別", "c"]
TEXT = (
    "id,年齢,pay,born,ok,性別,c\n"
    "p1,30,1.26,1970-01-03,true,女,a\n"
    "p1,200,,1969-12-31,no,猫,b\n"
    "p1,,50,,,,\n"
)


def numbers(data: Microdata, name: str) -> list[float]:
    column = data[name]
    assert isinstance(column, NumberColumn)
    return column.values.tolist()


def labels(data: Microdata, name: str) -> list[str | None]:
    column = data[name]
    assert isinstance(column, LabelColumn)
    return [None if code < 0 else column.labels[code] for code in column.codes]


def check(data: Microdata) -> None:
    # All rows are read although the unit allows one of them; values are clamped as everywhere.
    np.testing.assert_array_equal(numbers(data, "年齢"), [30, 99, np.nan])
    np.testing.assert_array_equal(numbers(data, "pay"), [1.25, np.nan, 50])
    np.testing.assert_array_equal(numbers(data, "born"), [2, -1, np.nan])
    np.testing.assert_array_equal(numbers(data, "ok"), [1, 0, np.nan])
    assert labels(data, "性別") == ["女", "他", "他"]
    assert labels(data, "c") == ["a", None, None]
    assert data["born"].type == "date"


def test_a_file_in_cp932(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(TEXT, encoding="cp932")
    assert columns_in(str(path), SCHEMA) == ("id", *NAMES)
    check(read_microdata(str(path), NAMES, SCHEMA))


def test_a_pattern_of_parquet_files(tmp_path: Path) -> None:
    rows = [line.split(",") for line in TEXT.splitlines()]
    for number, row in enumerate(rows[1:]):
        table = pa.table(
            {
                name: pa.array([cell or None], pa.string())
                for name, cell in zip(rows[0], row, strict=True)
            }
        )
        parquet.write_table(table, tmp_path / f"part{number}.parquet")
    data = read_microdata(str(tmp_path / "*.parquet"), NAMES, SCHEMA)
    assert sorted(x for x in numbers(data, "年齢") if x == x) == [30, 99]
    assert data.rows == 3


def test_a_dataframe_has_the_declared_columns() -> None:
    frame = pa.table({"ok": [True, False, None]})
    schema: Schema = make_schema({"table": {"name": "t"}, "columns": {"ok": {"type": "boolean"}}})
    assert columns_in(frame, schema) == ("ok",)
    data = read_microdata(frame, ["ok"], schema)
    np.testing.assert_array_equal(numbers(data, "ok"), [1, 0, np.nan])


def test_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(TEXT.splitlines()[0] + "\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match="no rows"):
        read_microdata(str(path), NAMES, SCHEMA)
