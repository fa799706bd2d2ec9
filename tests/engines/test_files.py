"""Which files and patterns are taken, Parquet, and dataframes of other libraries."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engines.tables import ODD, ask, one, schema, total, write
from sudare.engines.open import open_source
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.errors import InvalidFile, SudareError, UsageError
from sudare.facts.query import Comparison
from sudare.facts.schema import make_schema

NUMBER = one("integer", min=0, max=1000)
FRAME = {"v": [1, 2, None], "sex": ["F", "M", None], ODD: [1.5, float("nan"), 2.5]}
PEOPLE = schema(
    {
        "v": {"type": "integer", "min": 0, "max": 1000},
        "sex": {"type": "category", "values": ["F", "M"]},
        ODD: {"type": "real", "min": 0, "max": 2, "step": 0.5},
    }
)


@pytest.mark.parametrize(
    "data",
    [
        pd.DataFrame(FRAME),
        pd.DataFrame(FRAME).astype({"sex": "category", "v": "Int64"}),
        pl.DataFrame(FRAME),
        pl.DataFrame(FRAME).with_columns(pl.col("sex").cast(pl.Categorical)),
        pa.table(FRAME),
        pa.table(FRAME).to_batches()[0],
        pa.RecordBatchReader.from_batches(pa.table(FRAME).schema, pa.table(FRAME).to_batches()),
        "relation",
    ],
    ids=[
        "pandas",
        "pandas-typed",
        "polars",
        "polars-typed",
        "table",
        "batch",
        "reader",
        "relation",
    ],
)
def test_dataframes(data: object) -> None:
    connection = duckdb.connect(":memory:")
    if isinstance(data, str):
        connection.register("frame", pa.table(FRAME))
        data = connection.table("frame")
    sums = MomentsRequest(columns=("v",), monomials=((0,),))
    halves = MomentsRequest(columns=(ODD,), monomials=((0,),))
    by_sex = MomentsRequest(axes=(ValuesAxis("sex", ("F", "M")),))
    found = [moments.rows for moments in ask(data, PEOPLE, sums, halves, by_sex)]
    assert found == [((2, 3),), ((2, 7),), ((1,), (1,))]
    del data
    connection.close()


def test_names_that_differ_in_capitals_alone(tmp_path: Path) -> None:
    table = pa.table({"V": [100], "v": [1]})
    pq.write_table(table, tmp_path / "t.parquet")
    assert total(table, NUMBER) == total(tmp_path / "t.parquet", NUMBER) == (1, 1)
    write(tmp_path / "t.csv", "V,v\n100,1\n")
    assert total(tmp_path / "t.csv", NUMBER) == (1, 1)


@pytest.mark.parametrize("name", ["t.parquet", "人口 [1]*?'.parquet"])
def test_parquet(tmp_path: Path, name: str) -> None:
    pq.write_table(pa.table(FRAME), tmp_path / name)
    assert total(tmp_path / name, PEOPLE) == (2, 3)
    assert total(tmp_path / name, PEOPLE, ODD) == (2, 7)


def test_a_pattern_of_parquet_files(tmp_path: Path) -> None:
    for number, folder in enumerate(("year=2023", "year=2024")):
        (tmp_path / folder).mkdir()
        pq.write_table(pa.table({"v": [number, 10]}), tmp_path / folder / "part.parquet")
    pattern = str(tmp_path / "*" / "*.parquet")
    assert total(pattern, NUMBER) == (4, 21)
    assert ask(pattern, NUMBER, MomentsRequest())[0].rows == ((4,),)
    with pytest.raises(InvalidFile, match="no column 'year'"):
        open_source(pattern, schema({"year": NUMBER.columns["v"]}), {"year"})


def test_parquet_files_must_agree(tmp_path: Path) -> None:
    pq.write_table(pa.table({"v": [1]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"v": ["1"]}), tmp_path / "b.parquet")
    with pytest.raises(InvalidFile, match="different columns"):
        open_source(str(tmp_path / "*.parquet"), NUMBER, {"v"})


@pytest.mark.parametrize("content", [b"", b"v\n1\n", b"PAR1" + b"\0" * 100 + b"PAR1"])
def test_what_only_claims_to_be_parquet(tmp_path: Path, content: bytes) -> None:
    path = write(tmp_path / "t.parquet", content)
    with pytest.raises(InvalidFile, match="not a whole Parquet file") as caught:
        open_source(path, NUMBER, {"v"})
    assert caught.value.__context__ is None


def test_a_parquet_file_that_breaks_off_inside(tmp_path: Path) -> None:
    """The footer is whole, a page is not: that shows only when the rows are read."""
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"v": list(range(5000))}), path, compression="NONE")
    content = bytearray(path.read_bytes())
    content[4:200] = b"\xff" * 196
    write(path, bytes(content))
    with pytest.raises(SudareError) as caught:
        total(path, NUMBER)
    assert caught.value.exit_code in (4, 5)
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing.csv", "no file"),
        ("nothing*.parquet", "no file"),
        ("", "no file"),
        ("table.xlsx", "ending that sudare does not know"),
        ("table.gz", "ending that sudare does not know"),
        ("*.xlsx", "not Parquet"),
    ],
)
def test_other_names(tmp_path: Path, name: str, said: str) -> None:
    for made in ("table.xlsx", "table.gz"):
        write(tmp_path / made, b"x")
    with pytest.raises(InvalidFile, match=said):
        open_source(str(tmp_path / name), NUMBER, {"v"})


def test_other_objects_are_refused() -> None:
    with pytest.raises(UsageError, match="type list"):
        open_source([1, 2], NUMBER, {"v"})


def test_names_of_a_dataframe_are_checked() -> None:
    twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["v", "v"])
    with pytest.raises(InvalidFile, match="same name"):
        open_source(twice, NUMBER, {"v"})
    with pytest.raises(InvalidFile, match="no column 'v'"):
        open_source(pa.table({"w": [1]}), NUMBER, {"v"})
    with pytest.raises(InvalidFile, match="no columns"):
        open_source(pa.table({}), NUMBER, {"v"})


def test_columns_that_are_not_asked_for_are_not_read(tmp_path: Path) -> None:
    table = pa.table({"v": [1], "odd": pa.array([b"\xff"]), "list": [[1]]})
    pq.write_table(table, tmp_path / "t.parquet")
    assert total(table, NUMBER) == total(tmp_path / "t.parquet", NUMBER) == (1, 1)


@pytest.mark.parametrize("kind", [pa.float32(), pa.float64()])
def test_nan_in_parquet_is_missing_whatever_the_statistics_say(
    tmp_path: Path, kind: pa.DataType
) -> None:
    """A Parquet file's statistics leave NaN out; a reader that trusts them sees no NaN."""
    values = pa.array([1.0, float("nan"), 1.0], kind)
    pq.write_table(pa.table({"v": values}), tmp_path / "t.parquet")
    for facts, expected in (
        (one("real", min=0, max=4, step=1), (2, 2)),
        (one("integer", min=0, max=4), (2, 2)),
        (one("boolean"), (2, 2)),
    ):
        assert total(tmp_path / "t.parquet", facts) == expected
    labels = one("category", values=["1"], other="rest")
    axis = MomentsRequest(axes=(ValuesAxis("v", ("1",), True),))
    equal = MomentsRequest(Comparison("v", "=", "1"))
    grouped, filtered = ask(tmp_path / "t.parquet", labels, axis, equal)
    assert grouped.rows == ((2,), (1,))
    assert filtered.rows == ((2,),)


def test_a_clip_does_not_believe_a_footer(tmp_path: Path) -> None:
    """Statistics are the writer's claim. This footer says that no value passes 5; one does, and
    must still be clipped, because the sensitivity rests on it."""
    path = tmp_path / "t.parquet"
    far = 999_999_999
    pq.write_table(pa.table({"x": [1, far]}), path, compression="none")
    content = path.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    head, tail = content[:footer], content[footer:]
    true, false = far.to_bytes(8, "little"), (5).to_bytes(8, "little")
    assert true in tail
    path.write_bytes(head + tail.replace(true, false))
    bounded = make_schema(
        {
            "table": {"name": "t"},
            "columns": {"x": {"type": "integer", "min": 0, "max": 100}},
        }
    )
    with open_source(path, bounded, {"x"}) as source:
        found = source.moments([MomentsRequest(columns=("x",), monomials=((0,),))], bytes(32))
    assert found[0].rows == ((2, 101),)
