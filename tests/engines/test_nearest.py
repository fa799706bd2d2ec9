"""Rows by nearest center outside SQL, against the definition in plain Python and against SQL."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv, parquet

from engines import reference
from engines.tables import ask as asked
from engines.tables import schema
from sudare.engines import duck, nearest
from sudare.facts.aggregate import Moments, MomentsRequest, NearestAxis, UniformAxis
from sudare.facts.query import Comparison, Missing, Not
from sudare.facts.schema import Schema
from support.tiers import examples

FACTS = schema(
    {
        "n": {"type": "integer", "min": -5, "max": 300},
        "x": {"type": "real", "min": -1.5, "max": 2.5},
        "y": {"type": "real", "min": 0, "max": 100, "step": 0.1},
    }
)
NAMES = ("n", "x", "y")
KINDS = {"n": pa.int16(), "x": pa.float64(), "y": pa.float32()}
ALL = ((0,), (1,), (2,))
REALS = st.floats(-3, 120, width=32) | st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 0.25])
ROWS = st.fixed_dictionaries(
    {
        "n": st.integers(-400, 400) | st.none(),
        "x": REALS | st.none(),
        "y": REALS | st.none(),
    }
)


def axis(*centers: tuple[float, ...]) -> NearestAxis:
    grids = [FACTS.grid(name) for name in NAMES]
    places = tuple(
        tuple(grid.low + part * grid.span for part, grid in zip(center, grids, strict=True))
        for center in centers
    )
    return NearestAxis(NAMES, places, tuple(1 / float(grid.span) ** 2 for grid in grids))


CENTERS = axis((0.5, 0.5, 0.5), (0.1, 0.9, 0.2), (0.9, 0.1, 0.3), (0.5, 0.5, 0.5), (0.2, 0.2, 0.8))
REQUEST = MomentsRequest(None, (CENTERS,), NAMES, ALL)


def ask(data: object, facts: Schema, request: MomentsRequest) -> Moments:
    (found,) = asked(data, facts, request)
    return found


def table(rows: list[dict[str, Any]]) -> pa.Table:
    """In chunks of unlike length a column, which begin in the middle of a buffer."""
    columns = {}
    for cut, name in enumerate(NAMES, start=1):
        whole = pa.array([None, *(row[name] for row in rows)], KINDS[name]).slice(1)
        parts = [whole.slice(0, cut), whole.slice(cut)]
        columns[name] = pa.chunked_array(parts)
    return pa.table(columns)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks and portions so short that a few rows make several of both."""
    monkeypatch.setattr(nearest, "BLOCK", 3)
    monkeypatch.setattr(duck, "PORTION", 5)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one where rows are placed outside SQL."""
    found: list[int] = []
    placed = nearest.placed

    def watched(*given: Any) -> Any:
        found.append(1)
        return placed(*given)

    monkeypatch.setattr(duck, "placed", watched)
    return found


@examples(100)
@given(rows=st.lists(ROWS, max_size=25))
def test_rows_with_all_that_columns_may_hold(rows: list[dict[str, Any]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest, "BLOCK", 3)
        patch.setattr(duck, "PORTION", 5)
        assert ask(table(rows), FACTS, REQUEST) == reference.moments(rows, FACTS, REQUEST)


def heap(count: int) -> list[dict[str, Any]]:
    return [
        {"n": (7 * i) % 420 - 60, "x": (i % 97) / 20 - 1.7, "y": float((13 * i) % 110)}
        for i in range(count)
    ]


@pytest.mark.parametrize("form", ["frame", "parquet", "csv"])
def test_every_input_takes_the_short_way(
    form: str, tmp_path: Path, small: None, seen: list[int]
) -> None:
    rows = heap(41)
    shown, data = table(rows), tmp_path / f"t.{form}"
    if form == "parquet":
        parquet.write_table(shown, data)
    elif form == "csv":
        csv.write_csv(shown, data)
    found = ask(shown if form == "frame" else data, FACTS, REQUEST)
    assert found == reference.moments(rows, FACTS, REQUEST)
    assert seen == [1]


@pytest.mark.usefixtures("small")
def test_units_of_several_rows_take_it_too(seen: list[int]) -> None:
    """Two rows a unit of which one counts; all rows of a unit are alike here."""
    units = {"u": {"type": "key"}}
    facts = schema(
        {name: FACTS.columns[name].model_dump(exclude_none=True) for name in NAMES} | units,
        unit="u",
        max_rows_per_unit=1,
    )
    rows = heap(9)
    twice = table(rows + rows).append_column("u", pa.array([str(i % 9) for i in range(18)]))
    assert ask(twice, facts, REQUEST) == reference.moments(rows, FACTS, REQUEST)
    assert seen == [1]


def wide(most: int) -> Schema:
    return schema({"v": {"type": "integer", "min": -most, "max": most}})


def of_one(most: int) -> MomentsRequest:
    centers = NearestAxis(("v",), ((-float(most),), (float(most),)), (1.0,))
    return MomentsRequest(None, (centers,), ("v",), ((0,),))


def test_the_largest_sums_of_a_block_are_exact(seen: list[int]) -> None:
    """A whole block at the largest bound; one more step of it is left to SQL."""
    most, rows = 2**53 // nearest.BLOCK - 1, nearest.BLOCK + 1
    data = pa.table({"v": pa.array([2**62] * rows + [-(2**62)], pa.int64())})
    assert ask(data, wide(most), of_one(most)).rows == ((1, -most), (rows, rows * most))
    assert seen == [1]
    wider = ask(data, wide(most + 1), of_one(most + 1)).rows
    assert wider == ((1, -most - 1), (rows, rows * (most + 1)))
    assert seen == [1]


def test_what_else_is_asked_is_left_to_sql(seen: list[int]) -> None:
    rows = heap(30)
    bins = UniformAxis("n", -5, 306, 4)
    requests = [
        MomentsRequest(Not(Missing("n")), (CENTERS,), NAMES, ALL),
        MomentsRequest(Comparison("n", ">", 10), (CENTERS,), NAMES, ALL),
        MomentsRequest(None, (CENTERS, bins), NAMES, ALL),
        MomentsRequest(None, (CENTERS,), NAMES, ((0, 1),)),
        MomentsRequest(None, (NearestAxis(("n",), ((0.0,), (9.0,)), (1.0,)),), NAMES, ((1,),)),
    ]
    for request in requests:
        assert ask(table(rows), FACTS, request) == reference.moments(rows, FACTS, request)
    assert not seen


def test_sums_come_in_the_order_of_the_request(seen: list[int]) -> None:
    """Columns in another order than those of the axis, and without a count."""
    rows = heap(30)
    request = MomentsRequest(None, (CENTERS,), ("y", "n"), ((1,), (0,)), counted=False)
    assert ask(table(rows), FACTS, request) == reference.moments(rows, FACTS, request)
    assert seen == [1]


def test_more_centers_than_a_byte_counts(seen: list[int]) -> None:
    rows = [{"n": i % 306 - 5, "x": 0.0, "y": 50.0} for i in range(700)]
    centers = axis(*((i / 305, 0.5, 0.5) for i in range(306)))
    request = MomentsRequest(None, (centers,), NAMES, ALL)
    assert ask(table(rows), FACTS, request) == reference.moments(rows, FACTS, request)
    assert seen == [1]
