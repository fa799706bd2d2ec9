"""Robust statistics, spanning trees and statistical queries of tables that have almost nothing in
them: they are answered with noise, within their bounds, and cost what any table costs."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sudare.api import open_table
from sudare.facts.schema import Schema, make_schema

STOPS = ["a", "b", "c"]
ROBUST = [
    "median(v)",
    "median(v; method=smooth)",
    "median(v; method=smooth_laplace)",
    "median(v) by (g)",
    "quantile(v, 0.9; method=smooth)",
    "iqr(v; method=smooth)",
    "iqr(v; method=exponential)",
    "trimmed_mean(v, 0.1)",
    "trimmed_mean(v, 0.4; method=smooth_laplace)",
    "median(v; method=smooth) where v > 3",
    "median(same; method=smooth)",
    "iqr(same)",
    "trimmed_mean(same, 0.2)",
]
OTHERS = [
    "mst(one, other, v)",
    "mst(one, other, v; method=smooth)",
    "mst(one, other, v; method=global)",
    "sq(within=0.05) where v > 3",
    "sq(within=0.05, beta=0.2) where g = 'x'",
]
WIDTH = 100


def schema(relation: str) -> Schema:
    node = {"type": "category", "values": STOPS}
    return make_schema(
        {
            "table": {"name": "t", "neighbours": relation, "expected_rows": 500},
            "budget": {"epsilon": 1000.0, "delta": 1e-3},
            "columns": {
                "v": {"type": "integer", "min": 0, "max": WIDTH},
                "same": {"type": "real", "min": 5, "max": 6, "step": 1},
                "g": {"type": "category", "values": ["x", "y"]},
                "one": node,
                "other": node,
            },
        }
    )


def table(rows: int, **columns: Any) -> pl.DataFrame:
    full = {"v": 7, "same": 5.0, "g": "x", "one": "a", "other": "b"} | columns
    kinds = {
        "v": pl.Int64,
        "same": pl.Float64,
        "g": pl.String,
        "one": pl.String,
        "other": pl.String,
    }
    return pl.DataFrame({name: [full[name]] * rows for name in kinds}, schema=kinds)


NOTHING = dict.fromkeys(["v", "same", "g", "one", "other"])
TABLES = {
    "empty": table(0),
    "one row": table(1),
    "constant": table(300),
    "missing": table(300, **NOTHING),
    "one row that is missing": table(1, **NOTHING),
    "outside": table(300, v=10**9, same=math.inf, g="z", one="z", other="z"),
    "not numbers": table(300, same=math.nan),
    "a loop": table(300, one="a", other="a"),
}


def numbers(value: Any) -> list[float]:
    return [float(each) for each in (value.values() if isinstance(value, dict) else [value])]


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
@pytest.mark.parametrize("name", TABLES)
def test_they_are_answered_with_noise(name: str, relation: str, tmp_path: Path) -> None:
    opened = open_table(TABLES[name], schema=schema(relation), ledger=tmp_path / "l")
    found = opened.ask(*ROBUST, *OTHERS, epsilon=10, delta=1e-6)
    assert found.spent["epsilon"] == pytest.approx(10)
    for answer in found:
        top = 2 * WIDTH if answer.function == "mst" else WIDTH
        assert all(0 <= each <= top for each in numbers(answer.value)), answer.query
        assert math.isfinite(answer.error95), answer.query


def test_a_table_without_rows_costs_what_a_full_one_costs(tmp_path: Path) -> None:
    spent = [
        open_table(TABLES[name], schema=schema("add-remove"), ledger=tmp_path / name)
        .ask(*ROBUST, *OTHERS, epsilon=10, delta=1e-6)
        .spent
        for name in ("empty", "constant")
    ]
    assert spent[0] == spent[1]


def test_noise_is_there_even_where_no_row_could_change_the_answer(tmp_path: Path) -> None:
    """300 equal values have a local sensitivity of 0, and so have none at all."""
    opened = open_table(TABLES["empty"], schema=schema("add-remove"), ledger=tmp_path / "l")
    medians = {opened.ask("median(v; method=smooth) @ 0.5")[0].value for _ in range(12)}
    # Without rows the bound is the whole range: 12 answers agree with a chance far below 1e-6.
    assert len(medians) > 1
