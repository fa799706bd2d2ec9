"""Axes over several columns, on every engine: the group of a row is that of the definition, bit
for bit, whatever the columns are and wherever the centers lie."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pytest

from engines import reference
from engines.places import ENGINES, OpenAt, place
from engines.tables import KEY, ODD, schema
from sudare.facts.aggregate import (
    Line,
    Moments,
    MomentsRequest,
    NearestAxis,
    ScoreAxis,
    UniformAxis,
    ValuesAxis,
)
from sudare.facts.query import Missing, Not
from sudare.facts.schema import Schema
from support import tiny


@pytest.fixture(scope="module", params=ENGINES)
def open_at(request: pytest.FixtureRequest) -> Iterator[OpenAt]:
    with place(request.param, request) as found:
        yield found


# A lattice: every point of it, so that many lie on the borders between centers.

NAMES = ("右", ODD)
LATTICE = schema(
    {
        "右": {"type": "integer", "min": 0, "max": 10},
        ODD: {"type": "integer", "min": -5, "max": 5},
        "c": {"type": "category", "values": ["a", "b"]},
    }
)
POINTS: list[dict[str, Any]] = [
    {"右": one, ODD: two, "c": "ab"[((one or 0) + (two or 0)) % 2]}
    for one, two in itertools.product([None, *range(-1, 12)], [None, *range(-6, 7)])
]
BOTH: tuple[tuple[int, ...], ...] = ((0,), (1,))
FAR = 2.0**80


def lattice() -> pa.Table:
    kinds = {"右": pa.int32(), ODD: pa.int64(), "c": pa.string()}
    return pa.Table.from_pylist(POINTS, schema=pa.schema(list(kinds.items())))


def near(*centers: tuple[float, ...], weights: tuple[float, ...] = (1.0, 1.0)) -> NearestAxis:
    return NearestAxis(NAMES, centers, weights)


def score(*weights: float, low: float = 0.0, high: float = 10.0, size: int = 10) -> ScoreAxis:
    return ScoreAxis(NAMES, weights, 0.0, low, high, size)


AXES: dict[str, NearestAxis | ScoreAxis] = {
    "ties": near((2.0, 0.0), (8.0, 0.0), (5.0, 3.0), (5.0, -3.0)),
    "twins": near((2.0, 2.0), (7.0, 2.0), (7.0, 2.0), (2.0, 2.0)),
    "nine, two of them the same": near(
        *((float(x), float(y)) for x in (2, 5, 8) for y in (-3, 0, 3)), (2.0, -3.0)
    ),
    "between the grid points": near((0.1, 0.2), (0.3, 0.1), (1 / 3, -2 / 3)),
    "out of bounds": near((-100.0, 50.0), (1e9, 0.0), (-FAR, FAR), (FAR, -FAR)),
    "one": near((5.0, 5.0)),
    "weight zero": near((2.0, 0.0), (8.0, 4.0), weights=(0.0, 1.0)),
    "tiny weights": near((2.0, 0.0), (8.0, 4.0), weights=(5e-324, 1e-300)),
    "huge": near((1e300, 0.0), (-1e300, 1e300), weights=(1e300, 1.0)),
    "no number": near((math.nan, 0.0), (math.inf, 1.0), (3.0, -math.inf)),
    "edges": score(1.0, 0.0),
    "slanted": score(0.3, -0.7, low=-2.0, high=5.0, size=7),
    "one bin": score(1.0, 1.0, size=1),
    "two bins": score(1.0, 1.0, size=2),
    "many bins": score(0.1, 1e-3, low=0.05, high=0.55, size=1 << 12),
    "all below": score(1.0, 1.0, low=1e6, high=1e7),
    "all above": score(1e-320, 1e-320, low=-FAR, high=-1.0),
    "no width": score(1.0, 1.0, low=3.0, high=math.nextafter(3.0, 4.0)),
}


def of_lattice(axis: NearestAxis | ScoreAxis) -> MomentsRequest:
    return MomentsRequest(axes=(axis,), columns=NAMES, monomials=BOTH)


def on_grid(request: MomentsRequest, facts: Schema, rows: Sequence[dict[str, Any]]) -> Moments:
    return tiny.moments(request, [reference.cleaned(row, facts) for row in rows])


def answers(
    open_at: OpenAt, table: pa.Table, facts: Schema, *requests: MomentsRequest
) -> list[Moments]:
    columns = frozenset().union(*(request.used_columns() for request in requests))
    with open_at(table, facts, columns) as source:
        return source.moments(requests, KEY)


def test_every_point_of_a_lattice(open_at: OpenAt) -> None:
    requests = [of_lattice(axis) for axis in AXES.values()]
    found = answers(open_at, lattice(), LATTICE, *requests)
    for name, request, answer in zip(AXES, requests, found, strict=True):
        assert answer == on_grid(request, LATTICE, POINTS), name
        assert sum(row[0] for row in answer.rows) == 13 * 13


def test_ties_go_to_the_first_center(open_at: OpenAt) -> None:
    """Known by hand: on x = 5 both are equally near, beyond the bounds one clamps."""
    axis = NearestAxis(("右",), ((2.0,), (8.0,), (2.0,)), (3.0,))
    rows = [{"右": value} for value in (5, 6, 4, None, 99, -99)]
    table = pa.table({"右": pa.array([row["右"] for row in rows], pa.int8())})
    request = MomentsRequest(axes=(axis,), columns=("右",), monomials=((0,),))
    assert answers(open_at, table, LATTICE, request) == [Moments(((3, 9), (2, 16), (0, 0)))]


@pytest.mark.parametrize("count", [0, 1])
def test_hardly_any_rows(open_at: OpenAt, count: int) -> None:
    requests = [of_lattice(AXES["ties"]), of_lattice(AXES["slanted"])]
    rows = [{"右": 3, ODD: 1, "c": "a"}] * count
    found = answers(
        open_at, lattice().slice(0, 0) if not rows else _table(rows), LATTICE, *requests
    )
    assert found == [on_grid(request, LATTICE, rows) for request in requests]


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=lattice().schema)


def test_beside_other_axes_and_filters(open_at: OpenAt) -> None:
    """Whatever else is asked; the columns of the axis need not be summed nor have a place."""
    label, where = ValuesAxis("c", ("a", "b")), Not(Missing(ODD))
    axis, bins = AXES["ties"], AXES["slanted"]
    requests = [
        MomentsRequest(where, (label, axis), ("右",), ((0,), (0, 0))),
        MomentsRequest(where, (bins, label, axis)),
        MomentsRequest(None, (axis, axis), (ODD,), ((0,),), counted=False),
        MomentsRequest(where, (axis,), ("右", ODD), ((0, 1),)),
    ]
    found = answers(open_at, lattice(), LATTICE, *requests)
    assert found == [reference.moments(POINTS, LATTICE, request) for request in requests]


# Ten columns of every kind, fifty centers.

MANY: dict[str, dict[str, Any]] = {
    "whole": {"type": "integer", "min": -50, "max": 50},
    "wide": {"type": "integer", "min": -(2**62), "max": 2**62},
    "short": {"type": "integer", "min": 0, "max": 127},
    "real": {"type": "real", "min": -1.0, "max": 1.0},
    "tenths": {"type": "real", "min": 0, "max": 100, "step": 0.1},
    "flag": {"type": "boolean"},
    "born": {"type": "date", "min": "1950-01-01", "max": "2020-12-31"},
    "text": {"type": "integer", "min": 0, "max": 1000},
    "parsed": {"type": "real", "min": 0, "max": 1},
    "年齢": {"type": "integer", "min": 0, "max": 120},
}
KINDS = {
    "whole": pa.int64(),
    "wide": pa.int64(),
    "short": pa.int8(),
    "real": pa.float64(),
    "tenths": pa.float32(),
    "flag": pa.bool_(),
    "born": pa.string(),
    "text": pa.string(),
    "parsed": pa.string(),
    "年齢": pa.int16(),
}


def many_rows(count: int) -> list[dict[str, Any]]:
    draw = random.Random(11)
    values: dict[str, Any] = {
        "whole": lambda: draw.randint(-60, 60),
        "wide": lambda: draw.choice([2**53 + 1, -(2**62) + 1, draw.getrandbits(62)]),
        "short": lambda: draw.randint(-128, 127),
        "real": lambda: draw.choice([math.nan, draw.uniform(-1.1, 1.1), draw.uniform(-1, 1)]),
        "tenths": lambda: draw.choice([1000.0, 0.25, float(draw.randint(0, 100))]),
        "flag": lambda: draw.random() < 0.5,
        "born": lambda: draw.choice(["2001/2/3", " 1999-12-31", "1940-01-01", "2001-02-29"]),
        "text": lambda: draw.choice([" 7", "+12", "99999", "x", str(draw.randint(0, 1000))]),
        "parsed": lambda: draw.choice(["1e-3", ".5", "1e400", str(draw.random())]),
        "年齢": lambda: draw.choice([None, *range(200)]),
    }
    return [{name: value() for name, value in values.items()} for _ in range(count)]


def spans(facts: Schema) -> list[tuple[int, int]]:
    return [(facts.grid(name).low, facts.grid(name).high) for name in MANY]


def test_ten_columns_and_fifty_centers(open_at: OpenAt) -> None:
    facts, rows, draw = schema(MANY), many_rows(600), random.Random(12)
    bounds = spans(facts)
    centers = tuple(tuple(draw.uniform(*bound) for bound in bounds) for _ in range(50))
    weights = tuple(1.0 / (high - low) ** 2 for low, high in bounds)
    slopes = tuple(draw.uniform(-1, 1) / (high - low) for low, high in bounds)
    axes = (
        NearestAxis(tuple(MANY), centers, weights),
        ScoreAxis(tuple(MANY), slopes, 0.1, -1.5, 1.5, 64),
    )
    requests = [MomentsRequest(None, (axis,), tuple(MANY), ((0,), (1,), (3, 4))) for axis in axes]
    table = pa.Table.from_pylist(rows, schema=pa.schema(list(KINDS.items())))
    found = answers(open_at, table, facts, *requests)
    assert found == [reference.moments(rows, facts, request) for request in requests]
    assert sum(row[0] > 0 for row in found[0].rows) > 20


def test_a_line_is_summed_from_left_to_right() -> None:
    """The order is part of the definition: from right to left this would be 1."""
    assert Line(1e16, (1.0, -1e16)).at((1, 1)) == 0.0


def test_bins_of_columns_with_many_values_together(open_at: OpenAt) -> None:
    """Columns that one by one are grouped by their stored values have too many combinations here,
    so that rows are binned; beyond the bounds and missing values as ever."""
    facts = schema({name: {"type": "integer", "min": -3, "max": 300} for name in ("右", ODD)})
    draw = random.Random(13)
    rows = [
        {name: draw.choice([None, draw.randint(-99, 400)]) for name in ("右", ODD)}
        for _ in range(300)
    ]
    axes = tuple(UniformAxis(name, -3, 304, 8) for name in ("右", ODD))
    request = MomentsRequest(None, axes, ("右", ODD), BOTH)
    table = pa.Table.from_pylist(rows, schema=pa.schema([("右", pa.int32()), (ODD, pa.int64())]))
    assert answers(open_at, table, facts, request) == [reference.moments(rows, facts, request)]
