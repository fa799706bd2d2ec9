"""Columns that can be compared, wide bounds for synthetic rows, and values that should not be."""

from __future__ import annotations

import datetime as dt

from sudare.facts.microdata import Microdata, label_column, number_column
from sudare.facts.schema import make_schema
from sudare.risk.compare.bounds import comparable, outside, widened

SCHEMA = make_schema(
    {
        "table": {"name": "t", "unit": "id", "max_rows_per_unit": 2, "encoding": "cp932"},
        "columns": {
            "id": {"type": "integer", "min": 0, "max": 9},
            "age": {"type": "integer", "min": 0, "max": 100},
            "pay": {"type": "real", "min": 0, "max": 1000, "step": 0.5},
            "born": {"type": "date", "min": dt.date(1900, 1, 1), "max": dt.date(2020, 1, 1)},
            "ok": {"type": "boolean"},
            "sex": {"type": "category", "values": ["F", "M"]},
            "note": {"type": "text"},
            "free": {"type": "integer"},
            "huge": {"type": "integer", "min": 0, "max": 2**61},
        },
    }
)


def test_what_can_be_compared() -> None:
    chosen, left_out = comparable(SCHEMA, {"id", "age", "ok", "sex", "note", "free"})
    assert chosen == ["age", "ok", "sex"]
    assert left_out == ["id", "pay", "born", "note", "free", "huge"]


def test_bounds_widen_on_the_same_grid() -> None:
    wide = widened(SCHEMA)
    assert (wide.columns["age"].min, wide.columns["age"].max) == (-10_000, 10_100)
    assert wide.columns["pay"].grid("pay").step == SCHEMA.columns["pay"].grid("pay").step
    assert wide.columns["born"].max == dt.date.max
    assert wide.columns["huge"] == SCHEMA.columns["huge"]
    assert wide.columns["sex"] == SCHEMA.columns["sex"]
    assert (wide.table.unit, wide.table.encoding) == ("row", None)


def test_a_drafted_step_stays() -> None:
    schema = make_schema({"table": {"name": "t"},
                          "columns": {"x": {"type": "real", "min": 0, "max": 1}}})  # fmt: skip
    assert widened(schema).columns["x"].step == schema.columns["x"].grid("x").step


def test_values_outside() -> None:
    data = Microdata(
        (
            number_column("age", [-1, 0, 100, 101, float("nan")], "integer"),
            number_column("ok", [0, 1, 1, 0, 1], "boolean"),
            label_column("sex", ["F"] * 5),
        )
    )
    assert outside(data, SCHEMA) == {"age": 2}
