"""Sums outside SQL against the plain Python of reference.py, and against DuckDB's own clip."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from engines import reference
from engines.tables import ask, one, total
from sudare.engines import adding, duck
from sudare.engines.duck_types import physical_of
from sudare.engines.sql.physical import Cell
from sudare.facts.aggregate import MomentsRequest
from sudare.facts.schema import Schema
from support.tiers import examples

SUM = MomentsRequest(columns=("v",), monomials=((0,),))
SCHEMAS = {
    "integer": one("integer", min=-5, max=300),
    "real": one("real", min=-1.5, max=2.5),
    "step": one("real", min=0, max=100, step=0.1),
}
INTEGERS = {
    "int8": st.integers(-128, 127),
    "uint8": st.integers(0, 255),
    "int32": st.integers(-(2**31), 2**31 - 1),
    "int64": st.integers(-(2**63), 2**63 - 1) | st.integers(-10, 310),
}
REALS = st.floats(-3, 120) | st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 0.25, 5e-324])


def cell(schema: Schema, stored: str) -> Cell:
    physical = physical_of(stored)
    assert physical is not None
    return Cell("v", schema.columns["v"], physical, "c0")


def expected(values: list[Any], schema: Schema) -> tuple[int, int]:
    found = [reference.index_of(value, schema.columns["v"]) for value in values]
    present = [index for index in found if index is not None]
    return len(present), sum(present)


def summed(values: list[Any], schema: Schema, kind: pa.DataType, cuts: int = 2) -> tuple[int, int]:
    """Through the engine, as a table in chunks that begin in the middle of a buffer."""
    whole = pa.array([None, *values], kind).slice(1)
    middle = len(values) // cuts
    table = pa.table({"v": pa.chunked_array([whole.slice(0, middle), whole.slice(middle)])})
    return total(table, schema)


@pytest.mark.parametrize("kind", INTEGERS)
@examples(60)
@given(data=st.data())
def test_integers_of_every_width(kind: str, data: st.DataObject) -> None:
    values = data.draw(st.lists(INTEGERS[kind] | st.none(), max_size=20))
    schema = SCHEMAS["integer"]
    assert summed(values, schema, getattr(pa, kind)()) == expected(values, schema)


@pytest.mark.parametrize("name", ["real", "step"])
@examples(100)
@given(values=st.lists(REALS | st.none(), max_size=20))
def test_reals_on_both_kinds_of_grid(name: str, values: list[float | None]) -> None:
    assert summed(values, SCHEMAS[name], pa.float64()) == expected(values, SCHEMAS[name])


def test_floats_are_read_as_the_doubles_that_they_are() -> None:
    values = [0.1, 2.4, math.nan, None, -7.0]
    near = [None if v is None else pa.scalar(v, pa.float32()).as_py() for v in values]
    schema = SCHEMAS["step"]
    assert summed(values, schema, pa.float32()) == expected(near, schema)


def test_unsigned_numbers_beyond_the_signed_ones_meet_the_upper_bound() -> None:
    schema = one("integer", min=0, max=7)
    assert summed([2**64 - 1, 2**63, 3, None], schema, pa.uint64()) == (3, 7 + 7 + 3)


def test_many_blocks_on_several_threads() -> None:
    size = 3 * adding.BLOCK + 17
    values = pa.array(range(size), pa.int64())
    schema = one("integer", min=100, max=size - 100)
    want = sum(min(max(v, 100), size - 100) for v in range(size))
    for threads in (1, 2, 3):
        assert adding.added(cell(schema, "BIGINT"), [values], threads) == (size, want)


def test_the_largest_sums_of_a_block_are_exact() -> None:
    top = 2**63 // adding.BLOCK - 1
    schema = one("integer", min=-top, max=top)
    assert adding.can_add(cell(schema, "BIGINT"))
    values = pa.array([2**62] * adding.BLOCK, pa.int64())
    assert adding.added(cell(schema, "BIGINT"), [values]) == (adding.BLOCK, top * adding.BLOCK)
    wide = one("integer", min=0, max=top + 1)
    assert not adding.can_add(cell(wide, "BIGINT"))


@pytest.mark.parametrize(
    ("type_", "stored"),
    [("integer", "DOUBLE"), ("integer", "VARCHAR"), ("real", "BIGINT"), ("real", "DECIMAL(9,2)")],
)
def test_other_storage_is_left_to_sql(type_: str, stored: str) -> None:
    assert not adding.can_add(cell(one(type_, min=0, max=9), stored))


def test_unsigned_storage_under_a_negative_bound_is_left_to_sql() -> None:
    assert not adding.can_add(cell(one("integer", min=-1, max=9), "UBIGINT"))


@pytest.mark.parametrize("name", SCHEMAS)
def test_sql_adds_up_to_the_same(name: str, tmp_path: Any) -> None:
    """Both ways through the house, on values around the bounds and the middles of steps."""
    schema = SCHEMAS[name]
    values = [v / 16 for v in range(-100, 2000)] + [math.nan, math.inf, -math.inf, None]
    if name == "integer":
        values = [None if v is None or not math.isfinite(v) else int(v) for v in values]
    table = pa.table({"v": values})
    parquet.write_table(table, tmp_path / "v.parquet")
    assert ask(tmp_path / "v.parquet", schema, SUM) == ask(table, schema, SUM)


@pytest.mark.parametrize(("top", "fits"), [(2**63 // 3, True), (2**63 // 3 + 1, False)])
def test_sums_in_sql_leave_64_bits_only_where_they_must(
    top: int, fits: bool, tmp_path: Any
) -> None:
    """Three rows at the bound, just below and just above what 64 bits hold."""
    schema = one("integer", min=-top, max=top)
    assert duck.sums_fit(((0,),), [cell(schema, "BIGINT")], 3) is fits
    for sign in (1, -1):
        path = tmp_path / f"{sign}.parquet"
        parquet.write_table(pa.table({"v": [sign * (2**63 - 1)] * 3}), path)
        assert total(path, schema) == (3, sign * 3 * top)
