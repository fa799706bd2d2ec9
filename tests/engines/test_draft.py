"""Drafted schemas: types from the data, bounds from names, nothing from values."""

from __future__ import annotations

import datetime as dt
import tomllib
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.tables import ODD, csv_text, write
from sudare.engines.draft import Decided, draft_schema
from sudare.engines.naming import PREFECTURES
from sudare.facts.errors import (
    BudgetUnconfirmed,
    InvalidFile,
    InvalidPlan,
    Unconfirmed,
    UnitUnconfirmed,
    UsageError,
)
from sudare.facts.schema import Schema, make_schema
from support.tiers import examples

_PEOPLE = """
利用者 従業員コード マイナンバー 個人番号 氏名 社員CD 患者No. 会員 顧客ID
person user customer subject Employee_Code myNumber member_cd full_name
"""
_NO_PEOPLE = """
利用者数 顧客満足度 会員区分 患者年齢 商品コード 社員食堂 user_count customer_age personal
postal_code
"""


def drafted(data: object) -> Schema:
    return make_schema(tomllib.loads(draft_schema(data)))


def from_csv(folder: Path, columns: dict[str, list[str]]) -> Schema:
    rows = list(zip(*columns.values(), strict=True))
    return drafted(write(folder / "people.csv", csv_text(list(columns), rows)))


def test_the_table_and_the_budget(tmp_path: Path) -> None:
    schema = from_csv(tmp_path, {"a": ["1"]})
    assert (schema.table.name, schema.table.unit) == ("people", "row")
    assert schema.table.neighbours == "add-remove"
    assert schema.table.expected_rows is None
    assert schema.budget is not None
    assert (schema.budget.epsilon, schema.budget.delta) == (1.0, 0.0)
    # Nothing is spent under what nobody has decided.
    assert not schema.table.confirmed
    assert not schema.budget.confirmed
    with pytest.raises(UnitUnconfirmed, match="drafted, not confirmed"):
        schema.require_confirmed()
    with pytest.raises(BudgetUnconfirmed, match="budget is drafted"):
        drafted_as(tmp_path, unit="row").require_confirmed()
    drafted_as(tmp_path, unit="row", budget=3).require_confirmed()


def drafted_as(folder: Path, **decided: Any) -> Schema:
    text = draft_schema(folder / "people.csv", decided=Decided(**decided))
    return make_schema(tomllib.loads(text))


@pytest.mark.parametrize(
    ("columns", "unit"),
    [
        (["age", "id", "visit_id"], "id"),
        (["phone", "郵便番号", "住民番号"], "住民番号"),
        (["age", "sex"], "row"),
        (["tel", "zip_no"], "row"),
        *((["age", name], name) for name in _PEOPLE.split()),
        *((["age", name], "row") for name in _NO_PEOPLE.split()),
        (["氏名", "利用者"], "利用者"),
        (["age", "氏名"], "氏名"),
    ],
)
def test_the_unit_is_proposed_from_names(tmp_path: Path, columns: list[str], unit: str) -> None:
    schema = from_csv(tmp_path, {name: ["1", "1"] for name in columns})
    assert schema.table.unit == unit
    assert schema.table.max_rows_per_unit == (None if unit == "row" else 1)
    assert not schema.table.confirmed


def test_what_the_steward_says_is_confirmed(tmp_path: Path) -> None:
    write(tmp_path / "people.csv", "age,id\n1,2\n")
    schema = drafted_as(tmp_path, unit="age", max_rows=3, budget=0.5)
    assert (schema.table.unit, schema.table.max_rows_per_unit) == ("age", 3)
    assert schema.columns["age"].type == "key"
    assert schema.table.confirmed
    assert schema.budget is not None
    assert (schema.budget.epsilon, schema.budget.confirmed) == (0.5, True)
    with pytest.raises(InvalidPlan, match="no column 'who'"):
        drafted_as(tmp_path, unit="who", max_rows=1)
    for wrong in (
        {"unit": "id"},
        {"max_rows": 2},
        {"unit": "row", "max_rows": 2},
        {"unit": "id", "max_rows": 0},
        {"budget": 0.0},
        {"budget": float("inf")},
    ):
        with pytest.raises(UsageError):
            Decided(**wrong)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "", "-5"], "integer"),
        (["1.0", "2"], "integer"),
        (["0", "1"], "integer"),
        (["1.5", "2", "nan"], "real"),
        (["2024-01-02", "2024/1/3"], "date"),
        (["yes", "no", "TRUE"], "boolean"),
        (["1", "x"], "category"),
        (["", ""], "text"),
        ([], "text"),
    ],
)
def test_types_of_text(tmp_path: Path, values: list[str], expected: str) -> None:
    column = from_csv(tmp_path, {"q": values, "z": ["1"] * len(values)}).columns["q"]
    assert column.type == expected
    assert column.confirmed is (expected in ("boolean", "text"))
    assert (column.min, column.max, column.values) == (None, None, ())


def test_types_of_storage(tmp_path: Path) -> None:
    table = pa.table(
        {
            "i": [1],
            "f": [1.5],
            "b": [True],
            "d": [dt.date(2024, 1, 1)],
            "t": [dt.datetime(2024, 1, 1)],
            "s": ["1"],
            "n": pa.nulls(1),
            "l": [[1]],
        }
    )
    pq.write_table(table.drop_columns(["n"]), tmp_path / "x.parquet")
    types = {name: column.type for name, column in drafted(table).columns.items()}
    expected = dict(zip("ifbdtsn", "integer real boolean date date category text".split()))  # noqa
    assert types == expected
    assert drafted(tmp_path / "x.parquet").table.name == "x"
    assert drafted(pd.DataFrame({"age": [1]})).table.name == "table"


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("age", ["30"], ("integer", 0, 120)),
        ("年齢", ["30.5"], ("real", 0, 120)),
        ("AgeAtVisit", ["30"], ("integer", 0, 120)),
        ("hours_worked", ["30"], ("integer", 0, 168)),
        ("birth month", ["7"], ("integer", 1, 12)),
        ("wage", ["30"], ("integer", None, None)),
        ("customer_id", ["30"], ("key", None, None)),
        ("電話番号", ["03-1234"], ("key", None, None)),
        # The only column that tells people apart is proposed as the unit.
        ("氏名", ["x"], ("key", None, None)),
        ("full name", ["x"], ("key", None, None)),
        ("住所", ["x"], ("text", None, None)),
        ("備考", ["x"], ("text", None, None)),
        ("is_member", ["1"], ("boolean", None, None)),
        ("region_name", ["x"], ("category", None, None)),
        ("number_of_children", ["2"], ("integer", None, None)),
    ],
)
def test_bounds_from_names(
    tmp_path: Path, name: str, values: list[str], expected: tuple[Any, ...]
) -> None:
    column = from_csv(tmp_path, {name: values}).columns[name]
    assert (column.type, column.min, column.max) == expected
    assert column.confirmed is (column.type in ("text", "key", "boolean"))


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("都道府県", "x", PREFECTURES),
        ("prefecture_code", "3", tuple(str(number) for number in range(1, 48))),
        ("性別", "x", ("男", "女")),
        ("gender", "x", ("F", "M")),
        ("sex", "1", ("1", "2")),
        ("colour", "x", ()),
    ],
)
def test_values_from_names(
    tmp_path: Path, name: str, value: str, expected: tuple[str, ...]
) -> None:
    schema = from_csv(tmp_path, {name: [value]})
    assert schema.columns[name].type == "category"
    assert schema.columns[name].values == expected
    with pytest.raises(Unconfirmed):
        schema.column(name)


def test_prefectures_are_forty_seven() -> None:
    assert len(set(PREFECTURES)) == 47
    assert {name[-1] for name in PREFECTURES} == set("道都府県")


def test_no_value_of_the_data_is_written(tmp_path: Path) -> None:
    columns = {"a": ["7411"], "b": ["7411.5"], "c": ["canary"], "d": ["1987-06-05"]}
    path = write(tmp_path / "t.csv", csv_text(list(columns), [*zip(*columns.values())]))  # noqa: B905
    text = draft_schema(path)
    assert not [v for values in columns.values() for v in values if v in text]


@examples(40)
@given(
    st.lists(
        st.text(
            st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1
        ).filter(str.strip),
        min_size=1,
        max_size=5,
        unique=True,
    )
)
def test_any_names_survive(names: list[str]) -> None:
    table = pa.table({name: [1] for name in names})
    assert list(drafted(table).columns) == names


def test_names_with_blanks_quotes_and_dots(tmp_path: Path) -> None:
    names = [ODD, "a.b", "x y", 'say "hi"', "back\\slash", "'q'", "tab\there"]
    assert list(from_csv(tmp_path, {name: ["1"] for name in names}).columns) == names


def test_a_broken_file_is_not_drafted(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="too many fields"):
        draft_schema(write(tmp_path / "t.csv", "a,b\n1,2,3\n"))


def test_a_budget_has_an_end() -> None:
    for budget in (1e99, 1.1e9, float("inf"), float("nan"), 0.0, -1.0):
        with pytest.raises(UsageError, match="above 0 and at most 1e9"):
            Decided(budget=budget)
    assert Decided(budget=1e9).budget == 1e9
