"""One suite over all engines: the same exact aggregates as the plain Python of reference.py, and
the same rows kept under the same run key, on ordinary data and on the traps.

Many checks share a table, because every opening and every request of Spark takes a while.
"""

from __future__ import annotations

import datetime as dt
import functools
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest

from engines import reference
from engines.places import ENGINES, OpenAt, place
from engines.tables import KEY, ODD, SCHEMA, TYPES, arrow, schema
from sudare.engines.duck import open_duck
from sudare.facts.aggregate import (
    Axis,
    CutsAxis,
    Moments,
    MomentsRequest,
    NearestAxis,
    ScoreAxis,
    UniformAxis,
    ValuesAxis,
)
from sudare.facts.errors import EngineUnavailable
from sudare.facts.query import All, Any_, Comparison, Membership, Missing, Not, Predicate
from sudare.facts.schema import NUMERIC, Schema

OTHER_KEY = bytes(range(1, 33))
INF, NAN = math.inf, math.nan


@pytest.fixture(scope="module", params=ENGINES)
def open_at(request: pytest.FixtureRequest) -> Iterator[OpenAt]:
    with place(request.param, request) as found:
        yield found


# Requests over SCHEMA.


def compare(column: str, sign: str, value: Any) -> Predicate:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return Comparison(column, sign, Fraction(value) if is_number else value)  # type: ignore[arg-type]


LONG = Any_(
    tuple(
        All((compare("n", "!=", number), Not(compare("c", "=", label))))
        for number in range(-5, 4)
        for label in ("F", "rest")
    )
)
FILTERS: list[Predicate] = [
    compare("n", "<", 3),
    Not(compare("n", "=", 3)),
    compare("big", ">", 2**53),
    compare("x", ">=", 0.5),
    compare("y", "<=", 3 * 0.1),
    compare("d", "<", "2010-06-15"),
    compare("b", "=", True),
    compare("c", "<", "M"),
    Membership("c", ("F", "rest")),
    Membership("k", ("1", "30")),
    Any_((Missing("x"), Missing("k"), compare(ODD, ">", 1990))),
    All((Not(Missing("d")), compare("n", "<=", 5), Not(compare("b", "=", False)))),
    LONG,
]
AXES: list[tuple[Axis, ...]] = [
    (ValuesAxis("c", SCHEMA.columns["c"].values, True),),
    (ValuesAxis("k", SCHEMA.columns["k"].values),),
    (UniformAxis("n", -5, 16, 16), UniformAxis("b", 0, 2, 2)),
    (UniformAxis("x", SCHEMA.grid("x").low, SCHEMA.grid("x").span + 1, 7),),
    (UniformAxis("big", -(2**62), 2**63 + 1, 5),),
    (UniformAxis("d", SCHEMA.grid("d").low, SCHEMA.grid("d").span, 6),),
    (CutsAxis("y", (10, 100, 101, 900)), CutsAxis(ODD, (1, 500, 1999))),
]
# Of one kind are centers within and beyond the bounds, of the other weights of very unlike sizes.
NEAREST = NearestAxis(
    ("n", "x", ODD),
    ((1.0, 1e5, 900.0), (3.0, -2e5, 1e4), (-7.5, 0.25, 0.0), (1.0, 1e5, 900.0)),
    (1.0, 1e-10, 1 / 3),
)
SCORE = ScoreAxis(("big", "y", "d", "b"), (1e-18, 0.01, -1e-4, 0.7), 1 / 3, -1.0, 6.0, 9)
SUMS = [
    MomentsRequest(columns=("n", "y"), monomials=((0,), (1,), (0, 0), (0, 1))),
    MomentsRequest(columns=("big", "n"), monomials=((0,), (0, 1), (0, 1, 1))),
    MomentsRequest(columns=("x",), monomials=((0,),)),
    MomentsRequest(columns=("y",), monomials=((0,),), counted=False),
    MomentsRequest(columns=("d",), monomials=((0,),)),
    MomentsRequest(columns=("b", ODD), monomials=((0,), (0, 1))),
]
REQUESTS = [
    MomentsRequest(),
    *(MomentsRequest(where) for where in FILTERS),
    *(MomentsRequest(axes=axes) for axes in AXES[1:]),
    *SUMS,
    MomentsRequest(compare("n", "<", 7), AXES[0], ("n", "x"), ((0,), (1,), (0, 1))),
    MomentsRequest(LONG, AXES[1], ("big",), ((0,),)),
    MomentsRequest(None, AXES[0], ("y",), ((0,),), counted=False),
    MomentsRequest(None, (NEAREST,), ("n", "x", ODD), ((0,), (1,), (2,), (0, 1))),
    MomentsRequest(LONG, (AXES[1][0], SCORE), ("d", "big"), ((0,), (1,))),
    MomentsRequest(compare("n", "<", 7), (SCORE, NEAREST), ("y",), ((0,),), counted=False),
]


def check(
    open_at: OpenAt,
    rows: Sequence[dict[str, Any]],
    table: pa.Table,
    facts: Schema,
    requests: Sequence[MomentsRequest],
) -> None:
    columns = frozenset().union(*(request.used_columns() for request in requests))
    with open_at(table, facts, columns) as source:
        found = source.moments(requests, KEY)
    for request, answer in zip(requests, found, strict=True):
        assert answer == reference.moments(rows, facts, request), request


# Ordinary data and traps.

REALS = [NAN, INF, -INF, -0.0, 0.0, 2.5, 1e300, 5e-324, 0.1, 1 / 3]
TRAPS: dict[str, list[Any]] = {
    "n": [-8, -5, 0, 3, 10, 13],
    "big": [2**53 + 1, -(2**53) - 1, 2**62, 2**62 - 1, 2**63 - 1, -(2**63), 0],
    "x": [-1.5, -1.6, *(odd * 2.0**-19 for odd in (-3, -1, 1, 3, 5)), *REALS],
    "y": [0.05, 0.15, 0.25, 0.3, 99.95, 100.0, 100.1, *REALS],
    "d": [dt.date(1999, 12, 31), dt.date(2000, 2, 29), dt.date(2020, 12, 31), dt.date(2021, 1, 1)],
    "b": [True, False],
    "c": ["F", "M", " F ", "q'\"x", "z", "", "\u3000M", "f"],
    "k": ["1", "2", "30", "03", "x"],
    ODD: [-3, 0, 7, 1999, 2000, 2005],
}
TEXT_TRAPS: dict[str, list[str]] = {
    "n": ["3", "-4", "+2", " 7", "99", "-1" * 30, "2.0", "2.5", "1e1", "x", "nan", "٣", "0" * 300],
    "big": [str(2**53 + 1), str(2**63), "9" * 60, "-" + "9" * 60, "0" * 500 + "7", "1" + "0" * 999],
    "x": ["1e400", "-1e400", "1e200000", "-1e-200000", "1e99999999999999999999", ".5", "1.", "1_0",
          "0e999", " 2 ", "0." + "0" * 350 + "1e351", "1" + "0" * 400 + "e-400", "Infinity", "-inf",
          "1e-5", "0x10", "1e", "NaN"],
    "y": ["0.05", "99.95", "1e2", "1.00e2", "1,5", "-0", "2" + "0" * 320],
    "d": ["2001/2/3", "2001-02-29", "2000-2-29", "20010203", "2001-02/03", "1900-01-01",
          "2001-00-10", "2001-12-32", "9999-12-31", "2004-02-29", "1900-02-29"],
    "b": ["true", "FALSE", "1", "0", "T", "f", " Yes", "no", "2", "on"],
    "c": TRAPS["c"],
    "k": TRAPS["k"],
    ODD: ["-3", "0", "7", "1999", "2000.0", "2005"],
}  # fmt: skip


def drawn(traps: dict[str, list[Any]], count: int, missing: Any) -> list[dict[str, Any]]:
    """Rows that show every trap, in columns out of step with each other."""
    draw = random.Random(7)
    columns = {}
    for name, values in traps.items():
        longer = [*values, missing] * (count // len(values) + 1)
        columns[name] = draw.sample(longer, len(longer))[:count]
    return [{name: column[place] for name, column in columns.items()} for place in range(count)]


@pytest.mark.parametrize("count", [0, 1, 400])
def test_native_storage(open_at: OpenAt, count: int) -> None:
    rows = drawn(TRAPS, count, None)
    check(open_at, rows, arrow(rows), SCHEMA, REQUESTS if count == 400 else REQUESTS[::4])


def test_text_storage(open_at: OpenAt) -> None:
    rows = drawn(TEXT_TRAPS, 400, None)
    columns = {name: pa.array([row[name] for row in rows], pa.string()) for name in TYPES}
    check(open_at, rows, pa.table(columns), SCHEMA, REQUESTS)


# Every storage of one value, all in one table.

STORED: dict[str, tuple[pa.DataType, list[Any]]] = {
    "int8": (pa.int8(), [-128, 127, 0, None]),
    "int32": (pa.int32(), [-(2**31), 2**31 - 1, 1, None]),
    "int64": (pa.int64(), [-(2**63), 2**63 - 1, 7, None]),
    "float32": (pa.float32(), [0.1, NAN, -INF, 16777217.0]),
    "float64": (pa.float64(), [2.0**63, -0.0, NAN, 5e-324]),
    "short": (pa.decimal128(6, 2), [Decimal("1.00"), Decimal("-2.50"), Decimal("9999.99"), None]),
    "long": (
        pa.decimal128(38, 0),
        [Decimal(2**63), Decimal(-(2**64)), Decimal("9" * 38), Decimal(7)],
    ),
    "fine": (pa.decimal128(38, 37), [Decimal("-9.9"), Decimal(2), Decimal("1e-37"), None]),
    "bool": (pa.bool_(), [True, False, None, True]),
    "text": (pa.string(), ["1", " 2.5 ", "9" * 45, ""]),
    "date": (
        pa.date32(),
        [dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(1970, 1, 1), None],
    ),
    "instant": (
        pa.timestamp("us"),
        [dt.datetime(1970, 1, 1, 23, 59, 59, 999999), dt.datetime(1, 1, 1), None,
         dt.datetime(9999, 12, 31, 12)],
    ),
    "zoned": (
        pa.timestamp("us", "Asia/Tokyo"),
        [dt.datetime(1969, 12, 31, 16, tzinfo=dt.UTC), dt.datetime(1970, 1, 1, tzinfo=dt.UTC),
         dt.datetime(2024, 3, 10, 23, 30, tzinfo=dt.UTC), None],
    ),
}  # fmt: skip
DECLARED: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer", "min": -10, "max": 10},
    "middle": {"type": "integer", "min": -(2**31), "max": 2**31 - 1},
    "wide": {"type": "integer", "min": -(2**62), "max": 2**62},
    "real": {"type": "real", "min": -10, "max": 10},
    "large": {"type": "real", "min": 1e-250, "max": 1e7},
    "signed": {"type": "real", "min": -1e12, "max": 1e12, "step": 2.0},
    # Squares of indices just below 2^53.
    "edge": {"type": "real", "min": 0, "max": 94_906_265, "step": 1.0},
    "coarse": {"type": "real", "min": -1e30, "max": 1e30, "step": 3e20},
    "boolean": {"type": "boolean"},
    "date": {"type": "date", "min": dt.date(1950, 1, 1), "max": dt.date(2030, 1, 1)},
    "calendar": {"type": "date", "min": dt.date.min, "max": dt.date.max},
    "category": {
        "type": "category",
        "values": ["1", "-2.5", "127", "true", "1970-01-01", "9" * 38, "9" * 45, "2.5", "0"],
        "other": "rest",
    },
}
MOMENTS = ("instant", "zoned")
NUMBERS = tuple(name for name in STORED if name not in ("date", *MOMENTS))
FITTING = {
    **dict.fromkeys(
        ("integer", "middle", "wide", "real", "large", "signed", "edge", "coarse", "boolean"),
        NUMBERS,
    ),
    **dict.fromkeys(("date", "calendar"), ("date", *MOMENTS)),
    "category": tuple(name for name in STORED if name not in MOMENTS),
}


def of_storage(declared: str) -> Schema:
    return schema(dict.fromkeys(FITTING[declared], DECLARED[declared]))


def request_of(name: str, facts: Schema) -> MomentsRequest:
    column = facts.columns[name]
    if column.type in NUMERIC:
        return MomentsRequest(columns=(name,), monomials=((0,), (0, 0)))
    return MomentsRequest(axes=(ValuesAxis(name, column.values, True),))


def stored(names: Sequence[str]) -> pa.Table:
    return pa.table({name: pa.array(STORED[name][1], STORED[name][0]) for name in names})


def python_rows(table: pa.Table) -> list[dict[str, Any]]:
    """Rows as reference.py reads them: instants in UTC."""
    rows = table.to_pylist()
    return [{name: _in_utc(value) for name, value in row.items()} for row in rows]


def _in_utc(value: Any) -> Any:
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        return value.astimezone(dt.UTC).replace(tzinfo=None)
    return value


@pytest.mark.parametrize("declared", FITTING)
def test_every_storage(open_at: OpenAt, declared: str) -> None:
    facts, table = of_storage(declared), stored(FITTING[declared])
    requests = [request_of(name, facts) for name in FITTING[declared]]
    check(open_at, python_rows(table), table, facts, requests)


# Records.


def records(
    open_at: OpenAt, table: pa.Table, facts: Schema, columns: Sequence[str]
) -> list[tuple[Any, ...]]:
    with open_at(table, facts, columns) as source:
        return rows_of(source.batches(columns, KEY))


def rows_of(batches: Iterable[pa.RecordBatch]) -> list[tuple[Any, ...]]:
    rows = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    return sorted(rows, key=repr)


def test_cleaned_rows_are_the_same_everywhere(open_at: OpenAt) -> None:
    rows = drawn(TRAPS, 60, None)
    names = list(TYPES)
    found = records(open_at, arrow(rows), SCHEMA, names)
    expected = [tuple(reference.cleaned(row, SCHEMA)[name] for name in names) for row in rows]
    assert found == sorted(expected, key=repr)


TOLD = schema({name: {"type": "text"} for name in STORED})


def test_text_is_written_the_same_everywhere(open_at: OpenAt) -> None:
    names = list(STORED)
    found = records(open_at, stored(names), TOLD, names)
    assert len(found) == 4
    assert found == records(open_duck, stored(names), TOLD, names)
    floats = {"0.10000000149011612", "nan", "-inf", "16777216.0"}
    assert {row[names.index("float32")] for row in found} == floats


def test_a_function_over_batches(open_at: OpenAt) -> None:
    table = pa.table({"n": pa.array(range(5000), pa.int64())})
    facts = schema({"n": {"type": "integer", "min": 0, "max": 99}})
    with open_at(table, facts, {"n"}) as source:
        batches = list(source.map_batches(["n"], KEY, halved, rows=2048))
        with pytest.raises(EngineUnavailable) as caught:
            list(source.map_batches(["n"], KEY, broken))
    values = [value for batch in batches for value in batch.column(0).to_pylist()]
    assert sorted(values) == sorted(min(n, 99) // 2 for n in range(5000))
    assert max(batch.num_rows for batch in batches) <= 2048
    assert "4711" not in str(caught.value)
    assert caught.value.__context__ is None


def halved(batch: pa.RecordBatch) -> pa.RecordBatch:
    values = [value // 2 for value in batch.column(0).to_pylist()]
    return pa.RecordBatch.from_arrays([pa.array(values, pa.int64())], ["half"])


def broken(batch: pa.RecordBatch) -> pa.RecordBatch:
    raise ValueError("4711")


# Rows a unit.

VISITS: dict[str, Any] = {
    "v": {"type": "integer", "min": 0, "max": 99},
    "x": {"type": "real", "min": 0, "max": 1},
    "c": {"type": "category", "values": ["a", "b"], "other": "rest"},
    "f": {"type": "category", "values": ["0", "1.5"]},
    "t": {"type": "text"},
}
BY_VALUE = MomentsRequest(axes=(UniformAxis("v", 0, 100, 100),))


def visits(limit: int, unit: str = "who") -> Schema:
    return schema({**VISITS, unit: {"type": "key"}}, unit=unit, max_rows_per_unit=limit)


@functools.cache
def visited() -> pa.Table:
    """Four hundred visits, equal rows among them, and one person with a hundred thousand."""
    draw = random.Random(3)
    names = [None, "", " ", *(f"p{number}" for number in range(30)), " p1", "簾\u3000"]
    rows = [
        {
            "who": draw.choice(names),
            "v": draw.choice([None, 1, 2, 3, 120]),
            "x": draw.choice([None, NAN, 0.25, 0.5, 7.0]),
            "c": draw.choice([None, "a", "b ", "zz", "q'\"x"]),
            "f": draw.choice([0.0, -0.0, 1.5, 1e15, 1e-7, NAN, INF, None]),
            "t": draw.choice([None, "", "簾", "a,3:b", "\\"]),
        }
        for _ in range(400)
    ]
    heavy = [{"who": "heavy", "v": n % 90, "x": 0.5, "c": "a", "f": 1.5} for n in range(100_000)]
    kinds = {"who": pa.string(), "v": pa.int64(), "x": pa.float64(), "c": pa.string()}
    kinds |= {"f": pa.float64(), "t": pa.string()}
    return pa.Table.from_pylist([*rows, *heavy], schema=pa.schema(list(kinds.items())))


KEPT = ["who", "v", "x", "c", "f", "t"]
ASKED = [
    BY_VALUE,
    MomentsRequest(),
    MomentsRequest(Membership("c", ("a",)), columns=("v",), monomials=((0,), (0, 0))),
    MomentsRequest(axes=(ValuesAxis("c", ("a", "b"), True),), columns=("x",)),
    MomentsRequest(None, (NearestAxis(("v",), ((2.0,), (50.0,)), (1.0,)),), ("v", "x"), ((0,),)),
]


@functools.cache
def kept_by_duckdb() -> tuple[list[tuple[Any, ...]], list[Moments], list[Moments]]:
    with open_duck(visited(), visits(3), KEPT) as source:
        rows = rows_of(source.batches(KEPT, KEY))
        return rows, source.moments(ASKED, KEY), source.moments(ASKED, OTHER_KEY)


def test_under_one_key_the_same_rows_are_kept_everywhere(open_at: OpenAt) -> None:
    """And under another key others, while all requests of a run see the same."""
    rows, answers, others = kept_by_duckdb()
    with open_at(visited(), visits(3), KEPT) as source:
        found = rows_of(source.batches(KEPT, KEY))
        first, alone = source.moments(ASKED, KEY), source.moments([BY_VALUE], KEY)
        other = source.moments(ASKED, OTHER_KEY)
    assert found == rows
    assert (first, other) == (answers, others)
    assert [first[0]] == alone != [other[0]]
    assert first[1] == other[1]
    units = [row[0] for row in found]
    assert units.count("heavy") == max(units.count(unit) for unit in units) == 3
    assert not {None, "", " "} & set(units)


UNITS = {name: [values[place % 4] for place in range(40)] for name, (_, values) in STORED.items()}


@pytest.mark.parametrize("unit", STORED)
def test_a_unit_in_every_storage(open_at: OpenAt, unit: str) -> None:
    table = pa.table(
        {"who": pa.array(UNITS[unit], STORED[unit][0]), "v": pa.array(range(40), pa.int32())}
    )
    facts = schema({"v": VISITS["v"], "who": {"type": "key"}}, unit="who", max_rows_per_unit=2)
    found = records(open_at, table, facts, ["who", "v"])
    assert found == records(open_duck, table, facts, ["who", "v"])
    assert 4 <= len(found) <= 8
