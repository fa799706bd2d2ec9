"""The traps of cleaning, one by one: NULL, NaN, infinities, −0.0, exact integers, every storage."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from engines.tables import indices, one, schema, total
from sudare.engines.open import open_source
from sudare.facts.aggregate import MomentsRequest
from sudare.facts.errors import BoundsMissing, InvalidFile, Unconfirmed
from sudare.facts.grid import grid_index

AGE = one("integer", min=0, max=120)
HUGE = one("integer", min=-(2**62), max=2**62)
RATE = one("real", min=-1, max=3)
DAY = one("date", min=dt.date(2000, 1, 1), max=dt.date(2000, 12, 31))
YES = one("boolean")
FIRST = (dt.date(2000, 1, 1) - dt.date(1970, 1, 1)).days


def test_null_is_not_a_bound() -> None:
    assert indices([None, 5], AGE, pa.int64()) == [None, 5]
    assert total(pa.table({"v": pa.array([None, None], pa.int64())}), AGE) == (0, 0)


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        (pa.int8(), [-128, 127], [0, 120]),
        (pa.uint64(), [0, 2**64 - 1], [0, 120]),
        (pa.float64(), [3.0, 2.5, math.nan, math.inf, -math.inf, -0.0], [3, None, None, 120, 0, 0]),
        (pa.float32(), [3.0, 121.0], [3, 120]),
        (pa.float16(), [np.float16(3), np.float16(121)], [3, 120]),
        (pa.decimal128(10, 2), [Decimal("7.00"), Decimal("7.50"), Decimal("-3")], [7, None, 0]),
        (pa.decimal256(60, 1), [Decimal("7.0"), Decimal("1e50")], [7, 120]),
        (pa.bool_(), [True, False], [1, 0]),
        (
            pa.string(),
            ["7", "7.5", "", "abc", "9" * 50, "-" + "9" * 50],
            [7, None, None, None, 120, 0],
        ),
        (pa.null(), [None, None], [None, None]),
    ],
)
def test_integers_in_every_storage(
    kind: pa.DataType, values: list[Any], expected: list[Any]
) -> None:
    assert indices(values, AGE, kind) == expected


def test_integers_beyond_doubles_are_exact() -> None:
    numbers = [2**53 + 1, -(2**53) - 1, 2**62 - 1, -(2**62) + 1]
    assert indices(numbers, HUGE, pa.int64()) == numbers
    assert indices([str(number) for number in numbers], HUGE, pa.string()) == numbers
    assert indices([2**63 - 1, -(2**63)], HUGE, pa.int64()) == [2**62, -(2**62)]
    assert total(pa.table({"v": [2**53 + 1] * 3}), HUGE) == (3, 3 * (2**53 + 1))


def test_bounds_between_doubles_hold_for_doubles() -> None:
    narrow = one("integer", min=-(2**61) - 1, max=2**61 + 1)
    assert indices([2.0**62, 2.0**61], narrow, pa.float64()) == [2**61 + 1, 2**61]
    assert indices([-(2.0**62)], narrow, pa.float64()) == [-(2**61) - 1]


def test_a_type_that_cannot_leave_the_bounds_is_summed_as_it_is() -> None:
    wide = one("integer", min=-128, max=127)
    assert total(pa.table({"v": pa.array([-128, 127, None], pa.int8())}), wide) == (2, -1)
    request = MomentsRequest(columns=("v",), monomials=((0, 0),))
    with open_source(pa.table({"v": pa.array([-128, 127], pa.int8())}), wide, {"v"}) as source:
        assert source.moments([request], b"")[0].rows == ((2, 128**2 + 127**2),)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (pa.float64(), [math.nan, math.inf, -math.inf, -0.0, 0.3, 2.9999999, -1.0, 3.0, 1e300]),
        (pa.float32(), [0.5, math.nan, math.inf]),
        (pa.int32(), [-5, 2, 9]),
        (pa.decimal128(8, 3), [Decimal("0.125"), Decimal("-7")]),
        (pa.bool_(), [True, False]),
        (pa.string(), ["0.3", " 1 ", "1e-3", "INF", "-infinity", "nan", "x", "", "1,5", "1e999"]),
    ],
)
def test_reals_in_every_storage(kind: pa.DataType, values: list[Any]) -> None:
    step = RATE.grid("v").step

    def expected(value: Any) -> int | None:
        try:
            number = float(value)
        except ValueError:
            return None
        return None if math.isnan(number) else grid_index(min(max(number, -1.0), 3.0), step)

    assert indices(values, RATE, kind) == [expected(value) for value in values]


@pytest.mark.parametrize("step", [0.1, 0.25, 3.0, 1e-9])
def test_declared_steps_round_half_up(step: float) -> None:
    fine = one("real", min=-10, max=10, step=step)
    values = [float(v) for v in np.linspace(-10, 10, 81)]
    assert indices(values, fine, pa.float64()) == [grid_index(v, step) for v in values]


def test_dates_in_every_storage() -> None:
    noon = dt.datetime(2000, 1, 3, 12)
    assert indices([dt.date(2000, 1, 2), dt.date(1999, 1, 1), None], DAY, pa.date32()) == [
        FIRST + 1,
        FIRST,
        None,
    ]
    assert indices([noon], DAY, pa.timestamp("ns")) == [FIRST + 2]
    assert indices([noon], DAY, pa.timestamp("us", "Asia/Tokyo")) == [FIRST + 2]
    assert indices([dt.date(2000, 1, 2)], DAY, pa.date64()) == [FIRST + 1]
    texts = [
        "2000-01-02",
        "2000/1/2",
        " 2000-01-02",
        "2000-02-30",
        "2000-01-02T00:00",
        "9999/12/31",
    ]
    assert indices(texts, DAY, pa.string()) == [FIRST + 1] * 3 + [None, None, FIRST + 365]


def test_dates_beyond_the_calendar_clamp() -> None:
    ends = pa.array([2**31 - 1, -(2**31) + 1], pa.int32()).cast(pa.date32())
    with open_source(pa.table({"v": ends}), DAY, {"v"}) as source:
        (batch,) = source.batches(["v"], b"")
    assert batch.column(0).to_pylist() == [FIRST + 365, FIRST]


def test_booleans_in_every_storage() -> None:
    assert indices([True, False, None], YES, pa.bool_()) == [1, 0, None]
    assert indices([1, 0, 2], YES, pa.int8()) == [1, 0, None]
    assert indices([1.0, 0.0, math.nan], YES, pa.float64()) == [1, 0, None]
    words = ["TRUE", "f", "Yes", "no", " 1 ", "0", "", "maybe"]
    assert indices(words, YES, pa.string()) == [1, 0, 1, 0, 1, 0, None, None]


@pytest.mark.parametrize(
    ("type", "kind", "value"),
    [
        ("integer", pa.date32(), dt.date(2000, 1, 1)),
        ("date", pa.int64(), 1),
        ("real", pa.binary(), b"1"),
        ("category", pa.list_(pa.int64()), [1]),
    ],
)
def test_storage_that_does_not_fit_is_refused(type: str, kind: pa.DataType, value: Any) -> None:
    bounds = {"min": dt.date(2000, 1, 1), "max": dt.date(2001, 1, 1)} if type == "date" else {}
    facts = {"values": ["1"]} if type == "category" else bounds or {"min": 0, "max": 9}
    with pytest.raises(InvalidFile, match="stores it as another type"):
        open_source(pa.table({"v": pa.array([value], kind)}), one(type, **facts), {"v"})


def test_a_count_reads_no_column() -> None:
    odd = pa.table({"v": pa.array([[1], [2]])})
    with open_source(odd, AGE, frozenset()) as source:
        assert source.moments([MomentsRequest()], b"")[0].rows == ((2,),)


def test_unconfirmed_and_unbounded_columns_are_refused() -> None:
    table = pa.table({"v": [1], "w": [1]})
    drafted = schema({"v": {"type": "integer", "confirmed": False}, "w": {"type": "integer"}})
    with pytest.raises(Unconfirmed):
        open_source(table, drafted, {"v"})
    with open_source(table, drafted, {"w"}) as source, pytest.raises(BoundsMissing):
        source.moments([MomentsRequest(columns=("w",), monomials=((0,),))], b"")
