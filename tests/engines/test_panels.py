"""A panel becomes one wide record a person, whatever the order and number of the rows."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sudare.engines.panels import WideRows, open_panel, wide_rows
from sudare.facts.schema import Schema, make_schema
from sudare.publish.panels import panel_facts

KEY = bytes(range(32))


def schema(**changes: Any) -> Schema:
    columns = {
        "id": {"type": "key"},
        "month": {"type": "integer", "min": 1, "max": 3},
        "sex": {"type": "category", "values": ["f", "m"]},
        "pay": {"type": "integer", "min": 0, "max": 100},
        "job": {"type": "category", "values": ["a", "b"]},
    }
    panel = {"person": "id", "time": "month", "fixed": ["sex"], "lags": 1}
    made = {"table": {"name": "t"}, "columns": columns, "panel": panel}
    return make_schema(made | changes)


Row = tuple[Any, Any, Any, Any, Any]


def table(rows: list[Row]) -> pa.Table:
    names = ["id", "month", "sex", "pay", "job"]
    return pa.table({name: [row[place] for row in rows] for place, name in enumerate(names)})


def read(rows: list[Row], key: bytes = KEY) -> dict[str, list[Any]]:
    """The records, by column, in the order of persons by their fixed `sex` and first pay."""
    facts = panel_facts(schema())
    with open_panel(table(rows), schema(), facts) as source, wide_rows(source, facts, key) as wide:
        names = [*facts.fixed, *facts.places]
        batches = list(wide.batches(names, key))
    return {name: [v for b in batches for v in b.column(name).to_pylist()] for name in names}


ROWS: list[Row] = [
    ("p", 1, "f", 10, "a"),
    ("p", 3, "f", 30, "b"),
    ("q", 2, "m", None, "b"),
]


def test_a_person_is_one_record() -> None:
    found = read(ROWS)
    assert found["sex"] == [0, 1]
    assert [found[f"pay@{p}"] for p in (1, 2, 3)] == [[10, None], [None, None], [30, None]]
    assert [found[f"job@{p}"] for p in (1, 2, 3)] == [[0, None], [None, 1], [1, None]]
    assert [found[f"@{p}"] for p in (1, 2, 3)] == [[1, 0], [0, 1], [1, 0]]


def test_rows_outside_the_time_or_without_person_are_left_out() -> None:
    strays: list[Row] = [
        ("p", 0, "f", 99, "a"),
        ("p", 4, "f", 99, "a"),
        ("p", None, "f", 99, "a"),
        (None, 2, "f", 99, "a"),
        ("r", 7, "f", 99, "a"),
        ("s", 2, "m", None, None),
    ]
    assert read([*strays, *ROWS]) == read(ROWS)


@pytest.mark.integration
def test_the_key_chooses_one_of_several_rows() -> None:
    double: list[Row] = [("p", 1, "f", 10, "a"), ("p", 1, "f", 20, "b")]
    keys = [bytes([n]) * 32 for n in range(40)]
    chosen = [read(double, key)["pay@1"][0] for key in keys]
    # The order of the rows has no part in it, and each is taken about half of the time: fewer than
    # 6 of 40 have chance 1e-6.
    assert chosen == [read(double[::-1], key)["pay@1"][0] for key in keys]
    assert min(chosen.count(10), chosen.count(20)) >= 6
    for key in keys[:4]:
        whole = read(double, key)
        assert (whole["pay@1"][0], whole["job@1"][0]) in {(10, 0), (20, 1)}


def records(found: dict[str, list[Any]]) -> list[str]:
    return sorted(map(repr, zip(*found.values(), strict=True)))


def test_one_person_changes_one_record_only() -> None:
    """However many rows the person has: the claim on which sensitivities rest."""
    many: list[Row] = [("z", p, "m", n, "a") for p in (1, 2, 3) for n in range(20)]
    without, with_them = read(ROWS), read([*many[:30], *ROWS, *many[30:]])
    more = records(with_them)
    for record in records(without):
        more.remove(record)
    assert len(more) == 1


def test_a_fixed_column_is_the_first_known() -> None:
    rows: list[Row] = [("p", 3, "m", 1, "a"), ("p", 1, None, 1, "a"), ("p", 2, "f", 1, "a")]
    assert read(rows)["sex"] == [0]


def test_no_rows() -> None:
    facts = panel_facts(schema())
    empty = pa.table(
        {
            "id": pa.array([], pa.string()),
            "month": pa.array([], pa.int64()),
            "sex": pa.array([], pa.string()),
            "pay": pa.array([], pa.int64()),
            "job": pa.array([], pa.string()),
        }
    )
    with open_panel(empty, schema(), facts) as source:
        assert wide_rows(source, facts, KEY).rows == 0


def test_months_of_dates() -> None:
    columns = {
        "id": {"type": "key"},
        "day": {"type": "date", "min": dt.date(2023, 11, 15), "max": dt.date(2024, 2, 10)},
        "pay": {"type": "integer", "min": 0, "max": 100},
    }
    panel = {"person": "id", "time": "day", "every": "month"}
    made = make_schema({"table": {"name": "t"}, "columns": columns, "panel": panel})
    facts = panel_facts(made)
    assert facts.names == ("2023-11", "2023-12", "2024-01", "2024-02")
    days = [
        dt.date(2023, 11, 14),
        dt.date(2023, 11, 15),
        dt.date(2024, 1, 31),
        dt.date(2024, 2, 11),
    ]
    rows = pa.table({"id": ["p"] * 4, "day": days, "pay": [1, 2, 3, 4]})
    with open_panel(rows, made, facts) as source:
        wide = wide_rows(source, facts, KEY)
    found = next(wide.batches([facts.wide("pay", p) for p in range(4)], KEY))
    assert [found.column(p).to_pylist() for p in range(4)] == [[2], [None], [3], [None]]


def test_batches_are_cut() -> None:
    wide = WideRows({"a": (np.arange(10, dtype=np.int32), None)}, 10)
    assert [b.num_rows for b in wide.batches(["a"], KEY, 4)] == [4, 4, 2]


@pytest.mark.parametrize(
    ("panel", "said"),
    [
        ({"person": "who", "time": "month"}, "'who', which is not declared"),
        ({"person": "id", "time": "sex"}, "integer or a date"),
        ({"person": "id", "time": "month", "every": "month"}, "number of steps"),
        ({"person": "id", "time": "month", "fixed": ["month"]}, "twice"),
        ({"person": "id", "time": "month", "lags": 0}, "greater than or equal to 1"),
    ],
)
def test_what_a_schema_may_not_say(panel: dict[str, Any], said: str) -> None:
    with pytest.raises(Exception, match=said):
        schema(panel=panel)


def test_too_many_periods_or_columns_are_refused() -> None:
    wide = {"type": "integer", "min": 1, "max": 61}
    columns = schema().model_dump(mode="json", exclude_none=True)["columns"] | {"month": wide}
    with pytest.raises(Exception, match="more than 60 periods"):
        panel_facts(schema(columns=columns))
    columns["month"]["max"] = 60
    columns |= {f"x{n}": {"type": "integer", "min": 0, "max": 9} for n in range(5)}
    with pytest.raises(Exception, match="60 periods of 7 columns are more than 400"):
        panel_facts(schema(columns=columns))


def test_a_schema_without_panel_keeps_its_digest() -> None:
    plain = {"table": {"name": "t"}, "columns": {"a": {"type": "boolean"}}}
    made = make_schema(plain)
    described = made.model_dump(mode="json", exclude={"panel"})
    assert "panel" not in described
    with_panel = schema()
    assert with_panel.digest() != with_panel.model_copy(update={"panel": None}).digest()
