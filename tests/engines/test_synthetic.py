"""Synthetic rows as tables and files: types, missing values, encodings."""

from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from sudare.engines.synthetic import dataframe, synthetic_table, write_synthetic
from sudare.facts.drawn import Drawn
from sudare.facts.errors import UsageError
from sudare.facts.statistics import Marginal


def number(name: str, kind: str, step: float = 1.0, **more: float) -> Marginal:
    return Marginal(
        name, kind, np.array([1.0]), np.array([0]), 0, name == "n", (), (0,), 10**6, step, **more
    )


MARGINALS = (
    number("n", "integer"),
    number("x", "real", 0.1, least=0.25),
    number("d", "date"),
    number("b", "boolean"),
    Marginal("c", "category", np.ones(2), np.arange(2), 1, True, ("簾,", 'q"')),
)
DRAWN = Drawn(
    3,
    {
        "n": np.array([5.0, 0.0, 7.0]),
        "x": np.array([0.1 * 3, 0.2, 123456.1]),
        "d": np.array([0.0, 1.0, 18_000.0]),
        "b": np.array([0.0, 1.0, 1.0]),
    },
    {"c": np.array([0, -1, 1])},
    {"n": np.array([False, True, False]), "c": np.array([False, True, False])},
)
ROWS = [
    {"n": 5, "x": 0.3, "d": dt.date(1970, 1, 1), "b": False, "c": "簾,"},
    {"n": None, "x": 0.25, "d": dt.date(1970, 1, 2), "b": True, "c": None},
    {"n": 7, "x": 123456.1, "d": dt.date(2019, 4, 14), "b": True, "c": 'q"'},
]


def test_types_and_missing_values() -> None:
    table = synthetic_table(DRAWN, MARGINALS)
    assert table.to_pylist() == ROWS
    kinds = [pa.int64(), pa.float64(), pa.date32(), pa.bool_()]
    assert table.schema.types[:4] == kinds
    assert pa.types.is_dictionary(table.schema.types[4])


def test_whole_numbers_that_paper_mode_leaves() -> None:
    drawn = Drawn(2, {"n": np.array([1.5, -3.0])}, {})
    assert synthetic_table(drawn, MARGINALS[:1]).column("n").to_pylist() == [1.5, -3.0]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_files_are_read_back(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows.{ending}"
    digest = write_synthetic(path, synthetic_table(DRAWN, MARGINALS))
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    if ending == "parquet":
        assert parquet.read_table(path).to_pylist() == ROWS
        return
    assert path.read_bytes().startswith("\ufeff".encode())
    assert pl.read_csv(path, try_parse_dates=True).rows(named=True) == ROWS


def test_a_csv_in_the_schemas_encoding(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    write_synthetic(path, synthetic_table(DRAWN, MARGINALS), "cp932")
    assert path.read_text(encoding="cp932").splitlines()[1] == '5,0.3,1970-01-01,false,"簾,"'


@pytest.mark.parametrize("encoding", ["ascii", "no-such-encoding"])
def test_what_cannot_be_written_is_refused(encoding: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        write_synthetic(tmp_path / "rows.csv", synthetic_table(DRAWN, MARGINALS), encoding)
    assert "簾" not in str(caught.value)
    assert caught.value.__context__ is None


def test_dataframes_of_the_type_that_came_in() -> None:
    table = synthetic_table(DRAWN, MARGINALS)
    assert isinstance(dataframe(table, pd.DataFrame()), pd.DataFrame)
    polars = dataframe(table, pl.DataFrame())
    assert isinstance(polars, pl.DataFrame)
    assert polars.rows(named=True) == ROWS
    assert dataframe(table, "people.csv") is table
