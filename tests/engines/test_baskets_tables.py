"""Baskets in tables: rows of users and items, rows with lists, in files, frames and engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from engines.baskets_made import assert_silent, plain, write
from engines.postgres_tables import execute
from sudare.engines.baskets.read import read_baskets
from sudare.facts.engine import EngineChoice
from sudare.facts.errors import InvalidFile, UsageError

CANARY = "CANARY4711"
USERS = ["u", "v", "u", "w", "u", "v"]
ITEMS = ["b", "a", "a", None, "b", " "]
LONG = {"user": USERS, "item": ITEMS}
WANTED = {"u": ["b", "a"], "v": ["a"], "w": []}
LISTS = {"user": ["u", "v", "w", "x"], "item": [["b", "a", "b"], ["a", None], None, []]}
LISTS_WANTED = [["b", "a"], ["a"], [], []]


def arrow_file(path: Path, table: pa.Table, stream: bool = False) -> Path:
    kind = pa.ipc.new_stream if stream else pa.ipc.new_file
    with kind(str(path), table.schema) as writer:
        writer.write_table(table)
    return path


@pytest.mark.parametrize(
    "kind", ["csv", "csv.gz", "tsv", "cp932", "parquet", "arrow", "feather", "pandas", "polars"]
)
def test_rows_of_users_and_items(tmp_path: Path, kind: str) -> None:
    """Users in the order of their first row, their rows anywhere; one of them has no item."""
    text = "n,item,user\n" + "".join(
        f"1,{item or ''},{user}\n" for user, item in zip(USERS, ITEMS, strict=True)
    )
    table = pa.table(LONG)
    match kind:
        case "csv" | "csv.gz":
            data: Any = write(tmp_path / f"t.{kind}", text)
        case "tsv":
            data = write(tmp_path / "t.tsv", text.replace(",", "\t"))
        case "cp932":
            # The header names a column in Japanese, and so tells how the rows are coded.
            text = text.replace("n,item", "数,item", 1)
            data = write(tmp_path / "t.csv", text + "2,薬,w\n", "cp932")
        case "parquet":
            parquet.write_table(table, tmp_path / "t.parquet")
            data = tmp_path / "t.parquet"
        case "arrow" | "feather":
            data = arrow_file(tmp_path / f"t.{kind}", table, kind == "arrow")
        case "pandas":
            data = pd.DataFrame(LONG)
        case _:
            data = pl.DataFrame(LONG)
    found = read_baskets(data)
    assert found.form == "long"
    assert found.baskets.users is not None
    records = dict(zip(found.baskets.users, plain(found.baskets), strict=True))
    assert records == {**WANTED, "w": ["薬"]} if kind == "cp932" else records == WANTED
    assert list(records) == list(WANTED)
    assert found.duplicates == 1


def test_columns_of_other_names(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "客,商品\n1,茶\n1,飯\n")
    found = read_baskets(path, user="客", item="商品")
    assert plain(found.baskets) == [["茶", "飯"]]
    assert (found.user, found.item) == ("客", "商品")
    with pytest.raises(UsageError, match="in one column"):
        read_baskets(path, user="客", item="客")


@pytest.mark.parametrize(
    ("items", "names"),
    [
        (pa.array([12, 7, None], pa.int8()), ["12", "7"]),
        (pa.array([12.0, 7.0, None]), ["12", "7"]),
        (pa.array([1.5, 7.0, None]), ["1.5", "7.0"]),
        (pa.array(["b", " b ", None]).dictionary_encode(), ["b"]),
        (pa.array(["b", "a", None], pa.string_view()), ["b", "a"]),
        (pa.array([True, False, None]), ["true", "fals"]),
        (pa.array([b"\x00" * 16, None, None], pa.binary(16)).cast(pa.uuid()), ["0000"]),
        (pa.nulls(3), []),
    ],
)
def test_items_of_other_types_have_names(items: pa.Array, names: list[str]) -> None:
    baskets = read_baskets(pa.table({"user": [1.0, 1.0, 2.0], "item": items})).baskets
    assert [name[:4] for name in baskets.names] == names
    assert baskets.users == ("1", "2")


@pytest.mark.parametrize("kind", ["parquet", "arrow", "frame", "large", "dictionary"])
@pytest.mark.parametrize("has_users", [True, False])
def test_rows_with_lists(tmp_path: Path, kind: str, has_users: bool) -> None:
    lists = {"large": pa.large_list(pa.large_string()), "dictionary": pa.list_(DICTIONARY)}
    items = pa.array(LISTS["item"], lists.get(kind, pa.list_(pa.string())))
    table = pa.table({"user": LISTS["user"], "item": items})
    data: Any = table if has_users else table.drop(["user"])
    if kind == "parquet":
        parquet.write_table(data, tmp_path / "t.parquet")
        data = tmp_path / "t.parquet"
    elif kind == "arrow":
        data = arrow_file(tmp_path / "t.arrow", data)
    elif kind == "large":
        data = pa.concat_tables([data.slice(0, 1), data.slice(1, 1), data.slice(2)])
    found = read_baskets(data)
    assert found.form == "lists"
    assert plain(found.baskets) == LISTS_WANTED
    assert found.baskets.users == (tuple(LISTS["user"]) if has_users else None)
    assert found.duplicates == 1


DICTIONARY = pa.dictionary(pa.int32(), pa.string())


def test_lists_of_a_fixed_size_and_of_numbers() -> None:
    items = pa.array([[1, 2], None, [2, 3]], pa.list_(pa.int64(), 2))
    assert plain(read_baskets(pa.table({"item": items})).baskets) == [["1", "2"], [], ["2", "3"]]


REFUSED = {
    "no user": ({"user": [None, " "], "item": ["a", CANARY]}, "auto", "No row .* names a user"),
    "no rows": ({"user": pa.array([], pa.string()), "item": pa.nulls(0)}, "auto", "no rows"),
    "no lists": ({"item": pa.array([], pa.list_(pa.string()))}, "auto", "no rows"),
    "one column": ({"item": [CANARY]}, "auto", "no columns 'user' and 'item'"),
    "not a list": ({"user": ["u"], "item": [CANARY]}, "lists", "does not hold what the form"),
    "a list": ({"user": ["u"], "item": [[CANARY]]}, "long", "does not hold what the form"),
    "twice": ({"user": [CANARY, CANARY], "item": [["a"], []]}, "auto", "A row .* has a basket"),
    "bytes": ({"user": ["u"], "item": [CANARY.encode()]}, "auto", "a type that names nothing"),
    "lists of lists": ({"item": [[[CANARY]]]}, "auto", "a type that names nothing"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_name_rows_and_columns_alone(case: str) -> None:
    columns, form, said = REFUSED[case]
    with pytest.raises(InvalidFile, match=said) as caught:
        read_baskets(pa.table(columns), form=form)
    assert_silent(caught.value, CANARY)


@pytest.mark.parametrize("users", [["u", None, "v"], ["u", " ", "v"]])
def test_a_row_without_a_user_is_left_out_and_counted(users: list[str | None]) -> None:
    found = read_baskets(pa.table({"user": users, "item": ["a", "x", "b"]}))
    assert (found.baskets.users, plain(found.baskets)) == (("u", "v"), [["a"], ["b"]])
    lists = read_baskets(pa.table({"user": users, "item": [["a"], ["x", "y"], ["b", "a"]]}))
    assert (lists.baskets.users, plain(lists.baskets)) == (("u", "v"), [["a"], ["b", "a"]])
    assert (found.unnamed, lists.unnamed) == (1, 1)


@pytest.mark.parametrize("broken", [b"\xff", b"\0", b"v\xe3\x81"])
def test_users_and_items_that_do_not_decode_are_missing(tmp_path: Path, broken: bytes) -> None:
    rows = [b"u,a", b"u," + broken, broken + b",b", b"w," + broken, b"u,c"]
    path = write(tmp_path / "t.csv", b"\n".join([b"user,item", *rows]))
    found = read_baskets(path)
    assert (found.baskets.users, plain(found.baskets)) == (("u", "w"), [["a", "c"], []])
    assert (found.unnamed, found.undecodable) == (1, 3)


def test_a_list_with_damaged_text_is_refused(tmp_path: Path) -> None:
    words = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.array([0, 2], pa.int32()).buffers()[1], pa.py_buffer(b"\xff\xff")]
    )
    lists = pa.ListArray.from_arrays(pa.array([0, 1], pa.int32()), words)
    path = arrow_file(tmp_path / "t.arrow", pa.table({"item": lists}))
    with pytest.raises(InvalidFile, match="damaged"):
        read_baskets(path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InvalidFile, match="not a whole Arrow file"):
        read_baskets(path)


def test_a_table_in_postgresql(postgres_url: str) -> None:
    execute(
        postgres_url,
        'CREATE TABLE bought ("user" int, item text)',
        "INSERT INTO bought VALUES (7, 'b'), (9, ' a '), (7, 'a'), (8, NULL), (7, 'b')",
        'CREATE TABLE broken AS SELECT NULL::int AS "user", item FROM bought',
        'CREATE TABLE nobody ("user" int, item text)',
    )
    found = read_baskets(f"{postgres_url}#bought")
    assert found.baskets.users is not None
    records = dict(zip(found.baskets.users, plain(found.baskets), strict=True))
    assert records == {"7": ["b", "a"], "9": ["a"], "8": []}
    assert (found.form, found.duplicates) == ("long", 1)
    with pytest.raises(InvalidFile, match="No row of the data names a user"):
        read_baskets(f"{postgres_url}#broken")
    with pytest.raises(InvalidFile, match="no rows"):
        read_baskets(f"{postgres_url}#nobody")


def test_a_table_read_by_spark(tmp_path: Path, spark_master: str) -> None:
    parquet.write_table(pa.table(LONG), tmp_path / "t.parquet")
    choice = EngineChoice("spark", spark_master)
    found = read_baskets(tmp_path / "t.parquet", choice=choice)
    assert found.baskets.users is not None
    records = zip(found.baskets.users, plain(found.baskets), strict=True)
    assert {user: set(items) for user, items in records} == {
        user: set(items) for user, items in WANTED.items()
    }
