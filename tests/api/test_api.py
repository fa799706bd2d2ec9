"""The Python front: dataframes in, results that show themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sudare

SCHEMA: dict[str, Any] = {
    "table": {"name": "people", "expected_rows": 1000},
    "budget": {"epsilon": 3.0},
    "columns": {
        "年齢": {"type": "integer", "min": 0, "max": 120},
        "sex": {"type": "category", "values": ["F", "M"]},
    },
}
ROWS = {"年齢": [i % 100 for i in range(1000)], "sex": ["F", "M"] * 500}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_any_dataframe(make: Any, tmp_path: Path) -> None:
    people = sudare.open(make(ROWS), schema=SCHEMA, ledger=tmp_path / "people.ledger")
    result = people.ask("mean(年齢)", "histogram(sex)", epsilon=2)
    mean = result["mean(年齢)"]
    assert abs(float(mean.value) - 49.5) <= 6 * mean.error95  # type: ignore[arg-type]
    assert set(result[1].value) == {"F", "M"}  # type: ignore[arg-type]
    assert people.left() == {"epsilon": 1.0, "delta": 0.0}
    assert len(result) == 2
    assert [answer.query for answer in result] == ["mean(年齢)", "histogram(sex)"]


def test_results_show_themselves(tmp_path: Path) -> None:
    people = sudare.open(pl.DataFrame(ROWS), schema=SCHEMA, ledger=tmp_path / "l", language="ja")
    forecast = people.forecast("mean(年齢)", "count()", epsilon="0.5")
    assert forecast.epsilon == 0.5
    assert "count()" in forecast._repr_html_()
    assert "nothing was spent" in repr(forecast)
    result = people.ask("mean(年齢)", epsilon=0.5)
    assert "年齢" in result._repr_html_()
    assert "<script" not in result._repr_html_()
    assert "95" in repr(result)
    assert result.certificate()["body"]["id"] == result.release.id
    assert "mean(年齢)" in result.to_csv()
    assert result.to_html().lstrip().lower().startswith("<!doctype html")


def test_plan_and_validate(tmp_path: Path) -> None:
    people = sudare.open(pl.DataFrame(ROWS), schema=SCHEMA, ledger=tmp_path / "l")
    assert people.plan("mean(年齢)", error=1).rows[0]["error95"] <= 1
    assert people.plan("count() ± 5%").epsilon > 0
    assert people.validate().ok
    assert not (tmp_path / "l").exists()


def test_a_file_finds_its_schema_and_ledger(tmp_path: Path) -> None:
    pl.DataFrame(ROWS).write_csv(tmp_path / "people.csv")
    (tmp_path / "people.schema.toml").write_text(
        '[table]\nname = "people"\n[budget]\nepsilon = 1.0\n[columns.sex]\ntype = "category"\n'
        'values = ["F", "M"]\n'
    )
    sudare.open(tmp_path / "people.csv").ask("histogram(sex)", epsilon=1)
    assert (tmp_path / "people.ledger").exists()


@pytest.mark.parametrize(
    "arguments",
    [{"schema": SCHEMA}, {"ledger": "l"}, {"schema": {"table": {}}, "ledger": "l"}],
)
def test_bad_calls_raise_sudare_errors(arguments: dict[str, Any]) -> None:
    with pytest.raises(sudare.SudareError):
        sudare.open(pl.DataFrame(ROWS), **arguments)


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    people = sudare.open([1, 2, 3], schema=SCHEMA, ledger=tmp_path / "l")
    with pytest.raises(sudare.SudareError):
        people.ask("count()", epsilon=1)
    with pytest.raises(AttributeError):
        sudare.nothing  # noqa: B018


def test_a_table_is_indexed_by_its_margins(tmp_path: Path) -> None:
    data = pl.DataFrame({"sex": ["F", "M", "F"] * 300, "age": [10, 40, 70] * 300})
    schema = {
        "table": {"name": "t"},
        "budget": {"epsilon": 20.0},
        "columns": {
            "sex": {"type": "category", "values": ["F", "M"]},
            "age": {"type": "integer", "min": 0, "max": 99},
        },
        "levels": {"band": {"of": "age", "width": 50}},
    }
    people = sudare.open(data, schema=schema, ledger=tmp_path / "t.ledger")
    errors = people.forecast_table("sex", "band", epsilon=10)
    found = people.tabulate("sex", "band", epsilon=10, weights={"sex": 2})
    assert list(found) == list(errors) == ["total", "band", "sex", "sex,band"]
    # At ε = 10 noise beyond 20 has a probability below 1e-30.
    assert abs(found["sex"] - [600, 300]).max() <= 20
    assert found["sex,band"].sum(axis=1).tolist() == found["sex"].tolist()
    assert int(found["total"]) == found["sex"].sum()
    assert found.labels("sex,band") == [("F", "M"), ("0–49", "50–99")]
    assert found.errors95["sex"] > 0
    assert "sex,band" in repr(found)
    assert "sex,band" in found._repr_html_()
    assert found.to_csv().startswith("\ufeffmargin")
    assert found.certificate()["body"]["table"] == "t"
    assert people.left()["epsilon"] == 10
