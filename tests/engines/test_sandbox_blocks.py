"""Which rows come into which block: one unit moves one block, whatever the order of the file."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import itertools
from typing import Any

import numpy as np
import polars as pl
import pytest

from sudare.engines.open import open_source
from sudare.engines.sandbox.blocks import Blocks, unit_as_name
from sudare.engines.sandbox.columns import unpacked
from sudare.facts.schema import Schema, make_schema

KEY, ROWS_KEY = bytes(range(32)), bytes(32)


def schema(**table: Any) -> Schema:
    return make_schema(
        {
            "table": {"name": "t", **table},
            "columns": {
                "who": {"type": "integer", "min": 0, "max": 3},
                "n": {"type": "integer", "min": 0, "max": 100},
                "x": {"type": "real", "min": 0, "max": 10, "step": 0.25},
                "d": {"type": "date", "min": dt.date(2000, 1, 1), "max": dt.date(2020, 1, 1)},
                "b": {"type": "boolean"},
                "c": {"type": "category", "values": ["F", "M"], "other": "rest"},
            },
        }
    )


def contents(
    data: pl.DataFrame,
    names: list[str],
    count: int,
    key: bytes = KEY,
    as_csv: bool = False,
    **table: Any,
) -> list[bytes]:
    found = Blocks(schema(**table), names, count, key)
    with open_source(data, unit_as_name(schema(**table)), names) as source:
        found.read(source, ROWS_KEY)
    return list(found.contents(as_csv))


def people(n: int) -> pl.DataFrame:
    return pl.DataFrame({"who": range(n), "n": [i * 7 % 101 for i in range(n)]})


UNIT = {"unit": "who", "max_rows_per_unit": 2}


def changed(one: list[bytes], other: list[bytes]) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def test_every_row_is_in_exactly_one_block() -> None:
    for table in ({}, UNIT):
        blocks = [unpacked(each)["n"] for each in contents(people(500), ["n"], 8, **table)]
        together = sorted(itertools.chain.from_iterable(block.tolist() for block in blocks))
        assert together == sorted(people(500)["n"].to_list())
        # Each block has 62.5 rows on average; beyond 20 from it is 2.7 deviations away.
        assert all(35 < len(block) < 95 for block in blocks)


@pytest.mark.parametrize("relation", ["add-remove", "replace-one"])
def test_one_unit_moves_one_block(relation: str) -> None:
    table = {**UNIT, "neighbours": relation}
    before = contents(people(60), ["n"], 6, **table)
    for person in range(0, 60, 7):
        removed = people(60).filter(pl.col("who") != person)
        assert changed(before, contents(removed, ["n"], 6, **table)) == 1
        told = people(60).with_columns(
            n=pl.when(pl.col("who") == person).then(100).otherwise(pl.col("n"))
        )
        assert changed(before, contents(told, ["n"], 6, **table)) <= 1


def test_a_replaced_unit_moves_one_block_under_the_coupled_keys() -> None:
    """Replace 5 by 1005: of the two functions that swap their blocks, each is as likely."""

    class Swapped(Blocks):
        def _block_of(self, name: str) -> int:
            return super()._block_of({"5": "1005", "1005": "5"}.get(name, name))

    other = people(60).with_columns(
        who=pl.when(pl.col("who") == 5).then(1005).otherwise(pl.col("who")),
        n=pl.when(pl.col("who") == 5).then(99).otherwise(pl.col("n")),
    )
    for number in range(6):
        key = hashlib.sha256(bytes([number])).digest()
        swapped = Swapped(schema(**UNIT), ["n"], 6, key)
        with open_source(other, unit_as_name(schema(**UNIT)), ["n"]) as source:
            swapped.read(source, ROWS_KEY)
        before = contents(people(60), ["n"], 6, key, **UNIT)
        assert changed(before, list(swapped.contents(False))) == 1


def test_a_replaced_row_moves_one_block() -> None:
    before = contents(people(60), ["n"], 6)
    for row in range(0, 60, 7):
        told = people(60).with_columns(
            n=pl.when(pl.col("who") == row).then(100).otherwise(pl.col("n"))
        )
        assert changed(before, contents(told, ["n"], 6)) <= 1


def test_all_rows_of_a_unit_are_in_one_block_and_bounds_do_not_merge_or_split_units() -> None:
    # Names with blanks are one unit; numbers beyond the declared bounds stay apart.
    data = pl.DataFrame({"who": ["7", " 7", "7 ", "8", "9"] * 3, "n": range(15)})
    blocks = contents(data, ["n"], 64, unit="who", max_rows_per_unit=9)
    of = [{int(n) for n in unpacked(each)["n"]} for each in blocks]
    seven = {n for n in range(15) if n % 5 < 3}
    assert any(seven <= block for block in of)
    assert any(block and not block & seven for block in of)


def test_the_order_of_the_file_reaches_no_block() -> None:
    shuffled = people(200).sort("n", "who", descending=True)
    assert contents(people(200), ["n"], 5, **UNIT) == contents(shuffled, ["n"], 5, **UNIT)


def test_rows_inside_a_block_are_not_sorted() -> None:
    (block,) = contents(people(300), ["n"], 1)
    found = unpacked(block)["n"]
    assert found.tolist() != sorted(found.tolist()) != people(300)["n"].to_list()


def test_another_key_deals_anew() -> None:
    other = hashlib.sha256(b"other").digest()
    assert changed(contents(people(60), ["n"], 6), contents(people(60), ["n"], 6, other)) == 6


EVERY = pl.DataFrame(
    {
        "n": [1, None],
        "x": [2.3, None],
        "d": [dt.date(2010, 5, 6), None],
        "b": [True, None],
        "c": ["M", None],
    }
)


def test_a_function_gets_arrays_by_name() -> None:
    (block,) = contents(EVERY, list(EVERY.columns), 1)
    found = unpacked(block)
    place = int(np.flatnonzero(found["n"] == 1)[0])
    assert [str(found[name].dtype) for name in "nxdbc"] == [
        "float64", "float64", "datetime64[D]", "float64", "object",
    ]  # fmt: skip
    assert [found[name][place] for name in "nxb"] == [1, 2.25, 1]
    assert found["d"][place] == np.datetime64("2010-05-06")
    assert found["c"][place] == "M"
    rest = 1 - place
    assert all(np.isnan(found[name][rest]) for name in "nxb")
    assert np.isnat(found["d"][rest])
    assert found["c"][rest] == "rest"


def test_a_command_gets_csv() -> None:
    (block,) = contents(EVERY, list(EVERY.columns), 1, as_csv=True)
    rows = sorted(map(dict.items, csv.DictReader(io.StringIO(block.decode()))), key=str)
    assert [list(dict(row).values()) for row in rows] == [
        ["", "", "", "", "rest"],
        ["1", "2.25", "2010-05-06", "1", "M"],
    ]


def test_tables_without_rows_and_columns_without_values() -> None:
    empty = contents(EVERY.clear(), ["n", "c", "d"], 3)
    assert [len(unpacked(each)["n"]) for each in empty] == [0, 0, 0]
    nothing = pl.DataFrame({"n": [None] * 9})
    blocks = contents(nothing, ["n"], 2)
    assert all(np.isnan(unpacked(each)["n"]).all() for each in blocks)
    assert contents(EVERY.clear(), ["n"], 2, as_csv=True) == [b'"n"\n'] * 2
