"""No value may end a query: every storage that opens, under every declared type, at its extremes.

A query that fails on somebody's value after the charge would be an exact answer about that person,
so what cannot be read has to be missing or clamped, and what breaks the rules of its own storage
has to be refused when the table is opened.
"""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from engines.tables import KEY, indices, one, schema
from sudare.engines.open import open_source
from sudare.facts.aggregate import Axis, CutsAxis, MomentsRequest, UniformAxis, ValuesAxis
from sudare.facts.errors import InvalidFile
from sudare.facts.query import Comparison, Missing, Not, Predicate
from sudare.facts.schema import NUMERIC, Column, Schema

DAYS = {"min": dt.date(1900, 1, 1), "max": dt.date(2100, 1, 1)}
LABELS = ["0", "1", "1.5", "-3", "300", "9" * 25, "9" * 45, "true", "1970-01-01", "x"]
DECLARED: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer", "min": -10, "max": 10},
    "wide integer": {"type": "integer", "min": -(2**62), "max": 2**62},
    "real": {"type": "real", "min": -10, "max": 10},
    "wide real": {"type": "real", "min": -(2.0**61), "max": 2.0**61, "step": 1.0},
    "boolean": {"type": "boolean"},
    "date": {"type": "date", **DAYS},
    "whole calendar": {"type": "date", "min": dt.date.min, "max": dt.date.max},
    "category": {"type": "category", "values": LABELS},
    "category with other": {"type": "category", "values": LABELS, "other": "rest"},
}


def whole(bits: int, sign: bool) -> list[int]:
    return [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] if sign else [2**bits - 1, 1]


def longest(digits: int, scale: int) -> list[Decimal]:
    most = Decimal((0, (9,) * digits, -scale))
    return [most, most.copy_negate(), *(Decimal((0, (digit,), -scale)) for digit in (0, 1))]


def viewed(values: list[int], kind: pa.DataType, stored: pa.DataType) -> pa.Array:
    """Any bits as a value of the type, also those that its constructor would refuse."""
    return pa.array([*values, 0, None], stored).view(kind)


DOUBLES = [math.nan, math.inf, -math.inf, 1.8e308 / 1.01, 5e-324, -0.0, 2.0**63, -(2.0**63), 0.5]
INSTANTS = [2**63 - 1, 2**63 - 2, -(2**63), -(2**63) + 1, -(2**63) + 2, 2**60, -(2**60), 2**55]
TEXTS = ["", " ", "\0", "0", "1", "1e999", "-1e999", "9" * 60, "-" + "9" * 60, "nan", "9999-12-31"]
TEXTS += [
    "0000-01-01",
    "1970/1/1",
    "true",
    "\U0010ffff",
    "1." + "0" * 400,
    "x" * 70_000,
    "infinity",
]
COLUMNS: dict[str, pa.Array] = {
    **{
        f"{'' if sign else 'u'}int{bits}": pa.array(
            [*whole(bits, sign), 0, None], getattr(pa, f"{'' if sign else 'u'}int{bits}")()
        )
        for bits in (8, 16, 32, 64)
        for sign in (True, False)
    },
    "float16": pa.array([np.float16(v) for v in (math.nan, math.inf, -math.inf, 65504, 0)]),
    "float32": pa.array([math.nan, math.inf, -math.inf, 3.4e38, 1e-45, 0, None], pa.float32()),
    "float64": pa.array([*DOUBLES, None], pa.float64()),
    **{
        f"decimal128({digits},{scale})": pa.array(
            [*longest(digits, scale), None], pa.decimal128(digits, scale)
        )
        for digits, scale in ((38, 0), (38, 37), (38, 38), (38, 20), (37, 36), (37, 0), (18, 2))
    },
    "decimal32": pa.array([*longest(9, 3), None], pa.decimal32(9, 3)),
    "decimal64": pa.array([*longest(18, 3), None], pa.decimal64(18, 3)),
    "decimal256": pa.array([*longest(76, 0), None], pa.decimal256(76, 0)),
    "decimal256 fraction": pa.array([*longest(76, 76), None], pa.decimal256(76, 76)),
    "bool": pa.array([True, False, None]),
    "null": pa.nulls(2),
    "string": pa.array([*TEXTS, None]),
    "large_string": pa.array([*TEXTS, None], pa.large_string()),
    "string_view": pa.array([*TEXTS, None], pa.string_view()),
    "dictionary": pa.array([*TEXTS, None]).dictionary_encode(),
    "date32": viewed([2**31 - 1, -(2**31), -(2**31) + 1, 3_000_000], pa.date32(), pa.int32()),
    "date64": viewed([2**63 - 1, -(2**63), 86_400_000, 1], pa.date64(), pa.int64()),
    **{
        f"timestamp({unit}, {zone})": viewed(INSTANTS, pa.timestamp(unit, zone), pa.int64())
        for unit in ("s", "ms", "us", "ns")
        for zone in (None, "Asia/Tokyo")
    },
    "dictionary of instants": viewed(INSTANTS, pa.timestamp("s"), pa.int64()).dictionary_encode(),
    "run ends": pa.RunEndEncodedArray.from_arrays(
        [2, 3], viewed([2**60], pa.timestamp("ms"), pa.int64()).slice(0, 2)
    ),
    "uuid": pa.ExtensionArray.from_storage(
        pa.uuid(), pa.array([b"\xff" * 16, b"\0" * 16, None], pa.binary(16))
    ),
}


def axes(declared: Column) -> list[tuple[Axis, ...]]:
    if declared.type not in NUMERIC:
        return [(ValuesAxis("v", declared.values, declared.other is not None),)]
    grid = declared.grid("v")
    uniform = UniformAxis("v", grid.low, grid.span + 1, 2)
    return [(uniform,), (CutsAxis("v", (grid.low + 1, grid.high)),)]


def filters(declared: Column) -> list[Predicate]:
    if declared.type == "category":
        return [Comparison("v", sign, "1") for sign in ("=", "<", "!=")]  # type: ignore[arg-type]
    literal = {"date": "1970-01-01", "boolean": True}.get(declared.type, 0)
    return [Comparison("v", sign, literal) for sign in ("=", "<", ">=")]  # type: ignore[arg-type]


def requests(declared: Column) -> list[MomentsRequest]:
    plain: list[Predicate | None] = [None, Missing("v"), Not(Missing("v")), *filters(declared)]
    found = [MomentsRequest(where) for where in plain]
    found += [MomentsRequest(axes=each) for each in axes(declared)]
    if declared.type in NUMERIC:
        found.append(MomentsRequest(columns=("v",), monomials=((0,),)))
        found.append(MomentsRequest(Not(Missing("v")), columns=("v",)))
    return found


def check(data: object, rows: int, facts: Schema) -> None:
    declared = facts.columns["v"]
    with open_source(data, facts, {"v"}) as source:
        asked = requests(declared)
        answers = source.moments(asked, KEY)
        batches = list(source.batches(["v"], KEY))
    for request, answer in zip(asked, answers, strict=True):
        assert 0 <= sum(group[0] for group in answer.rows) <= rows
        if request.monomials:
            count, total = answer.rows[0]
            grid = declared.grid("v")
            assert count * grid.low <= total <= count * grid.high
    cleaned = [value for batch in batches for value in batch.column(0).to_pylist()]
    assert len(cleaned) <= rows
    present = [value for value in cleaned if value is not None]
    if declared.type in NUMERIC:
        grid = declared.grid("v")
        assert all(grid.low <= value <= grid.high for value in present)
    else:
        assert set(present) <= {*declared.values, declared.other}


def opens(data: object, facts: Schema) -> bool:
    try:
        open_source(data, facts, facts.columns).close()
    except InvalidFile as error:
        if "stores it as another type" not in error.what:
            raise
        return False
    return True


# Parquet has milliseconds in place of seconds, which overflow at the ends, and no run ends.
UNWRITABLE = {
    "timestamp(s, None)": pa.ArrowInvalid,
    "timestamp(s, Asia/Tokyo)": pa.ArrowInvalid,
    "dictionary of instants": pa.ArrowInvalid,
    "run ends": pa.ArrowNotImplementedError,
}
DATES = {"date", "whole calendar"}
NUMBERS = {"integer", "wide integer", "real", "wide real", "boolean"}


def parquet_file(name: str, table: pa.Table, path: Path) -> Path | None:
    """None for the storages that Arrow cannot write, and for no others."""
    if name in UNWRITABLE:
        with pytest.raises(UNWRITABLE[name]):
            parquet.write_table(table, path)
        return None
    parquet.write_table(table, path)
    return path


def refused(name: str, in_memory: bool) -> set[str]:
    """The declared types under which a storage is refused when it is opened."""
    if name == "uuid":
        return DATES | NUMBERS
    if name.startswith(("date", "timestamp")) or name in {"dictionary of instants", "run ends"}:
        return NUMBERS
    # What is text, or comes in as text, may hold anything; long decimals of a file are numbers.
    as_text = ("string", "large_string", "dictionary", "null")
    is_text = name.startswith(as_text) or (in_memory and name.startswith("decimal256"))
    return set() if is_text else DATES


@pytest.mark.parametrize("name", COLUMNS)
def test_no_value_ends_a_query_or_leaves_the_bounds(name: str, tmp_path: Path) -> None:
    table = pa.table({"v": COLUMNS[name]})
    file = parquet_file(name, table, tmp_path / "t.parquet")
    for data in (table,) if file is None else (table, file):
        opened = {kind for kind, facts in DECLARED.items() if opens(data, schema({"v": facts}))}
        assert opened == DECLARED.keys() - refused(name, data is table)
        for kind in opened:
            check(data, table.num_rows, schema({"v": DECLARED[kind]}))


@pytest.mark.integration
@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("limit", [1, 100])
def test_no_value_ends_the_choice_of_rows(name: str, limit: int, tmp_path: Path) -> None:
    """The column as unit, as a category beside a unit, and as text beside a unit."""
    rows = len(COLUMNS[name])
    table = pa.table({"v": COLUMNS[name], "p": ["a"] * rows})
    file = parquet_file(name, table, tmp_path / "t.parquet")
    columns = {"v": {"type": "category", "values": LABELS}, "p": {"type": "key"}}
    for data in (table, file):
        for kind, unit in (("key", "v"), ("category", "p"), ("text", "p")):
            declared = columns | ({} if kind == "category" else {"v": {"type": kind}})
            facts = schema(declared, unit=unit, max_rows_per_unit=limit)
            if data is None or not opens(data, facts):
                continue
            with open_source(data, facts, {"v", "p"}) as source:
                counted = source.moments([MomentsRequest()], KEY)[0].rows[0][0]
                kept = sum(batch.num_rows for batch in source.batches(["v", "p"], KEY))
            assert counted == kept <= (rows if unit == "v" else limit)


@pytest.mark.parametrize("unit", ["s", "ms", "us"])
@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
def test_far_instants_clamp_by_their_sign(unit: str, zone: str | None, tmp_path: Path) -> None:
    day = one("date", **DAYS)
    first, last = day.grid("v").low, day.grid("v").high
    table = pa.table({"v": viewed([2**62, -(2**62)], pa.timestamp(unit, zone), pa.int64())})
    for data in (table, parquet_file(f"timestamp({unit}, {zone})", table, tmp_path / "t.parquet")):
        if data is not None:
            with open_source(data, day, {"v"}) as source:
                (batch,) = source.batches(["v"], KEY)
            assert batch.column(0).to_pylist() == [last, first, 0, None]


def test_long_decimals_are_exact() -> None:
    small, wide = one("integer", min=-10, max=10), one("integer", min=-(2**62), max=2**62)
    values = [Decimal("-9.9"), Decimal("-9"), Decimal("2.0"), Decimal(0), Decimal("1e-37")]
    assert indices(values, small, pa.decimal128(38, 37)) == [None, -9, 2, 0, None]
    many = [Decimal(2**61 + 1), Decimal(10) ** 37 * 9, -(Decimal(10) ** 37)]
    assert indices(many, wide, pa.decimal128(38, 0)) == [2**61 + 1, 2**62, -(2**62)]
    assert indices([Decimal("0"), Decimal("0.9")], one("boolean"), pa.decimal128(38, 38)) == [
        0,
        None,
    ]
    labels = one("category", values=["1", "1.5", "9" * 38])
    nines = Decimal("9" * 38)
    assert indices([Decimal(1), nines], labels, pa.decimal128(38, 0)) == ["1", "9" * 38]
    assert indices([Decimal("1.5")], labels, pa.decimal128(3, 2)) == ["1.5"]


def broken_text(kind: pa.DataType) -> pa.Array:
    bits = pa.py_buffer(np.array([0, 1, 3, 4], dtype="i4"))
    plain = pa.Array.from_buffers(pa.string(), 3, [None, bits, pa.py_buffer(b"1\xff\xfe2")])
    if pa.types.is_string_view(kind):
        views = b"".join(
            np.int32(len(text)).tobytes() + text.ljust(12, b"\0")
            for text in (b"1", b"\xff\xfe", b"2")
        )
        return pa.Array.from_buffers(kind, 3, [None, pa.py_buffer(views)])
    return plain.dictionary_encode() if pa.types.is_dictionary(kind) else plain.cast(kind)


@pytest.mark.parametrize("type", ["integer", "real", "boolean", "date", "category"])
@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int32(), pa.string()),
    ],
)
def test_text_that_is_not_utf8_is_missing(type: str, kind: pa.DataType, tmp_path: Path) -> None:
    table = pa.table({"v": broken_text(kind), "n": [1, 2, 3]})
    parquet.write_table(table, tmp_path / "t.parquet")
    whole = pa.table({"v": pa.array(["1", None, "2"]), "n": [1, 2, 3]})
    facts = schema({"v": DECLARED[type], "n": DECLARED["integer"]})
    unit = schema({"v": {"type": "key"}, "n": DECLARED["integer"]}, unit="v", max_rows_per_unit=1)
    for data in (table, tmp_path / "t.parquet"):
        found, wanted = [], []
        for place, into in ((data, found), (whole, wanted)):
            with open_source(place, facts, {"v", "n"}) as source:
                into += [
                    row for batch in source.batches(["v", "n"], KEY) for row in batch.to_pylist()
                ]
        assert found == wanted
        # Who has no name that can be read is nobody.
        with open_source(data, unit, {"n"}) as source:
            assert source.moments([MomentsRequest()], KEY)[0].rows == ((2,),)


def test_a_nul_is_text_in_storage_that_knows_lengths(tmp_path: Path) -> None:
    bits = pa.py_buffer(np.array([0, 2, 3], dtype="i4"))
    for bad in (b"x", b"\xff"):
        keys = pa.Array.from_buffers(pa.string(), 2, [None, bits, pa.py_buffer(b"a\0" + bad)])
        facts = schema({"v": {"type": "key"}}, unit="v", max_rows_per_unit=1)
        parquet.write_table(pa.table({"v": keys}), tmp_path / "t.parquet")
        for data in (pa.table({"v": keys}), tmp_path / "t.parquet"):
            with open_source(data, facts, ()) as source:
                assert source.moments([MomentsRequest()], KEY)[0].rows == ((1 + (bad == b"x"),),)


def test_decimals_longer_than_their_type_are_refused_at_open(tmp_path: Path) -> None:
    bits = np.array([10**8, 0, 100, 0], dtype="i8")
    long = pa.Array.from_buffers(pa.decimal128(5, 2), 2, [None, pa.py_buffer(bits)])
    table = pa.table({"v": long})
    parquet.write_table(table, tmp_path / "t.parquet", store_decimal_as_integer=True)
    for data in (table, tmp_path / "t.parquet"):
        with pytest.raises(InvalidFile, match="damaged"):
            open_source(data, one("integer", min=0, max=9), {"v"})


@pytest.mark.parametrize(
    "kind",
    [pa.time32("s"), pa.time64("ns"), pa.duration("s"), pa.binary(), pa.month_day_nano_interval()],
)
def test_times_and_spans_are_refused_by_their_type(kind: pa.DataType) -> None:
    empty = pa.table({"v": pa.array([], kind)})
    with pytest.raises(InvalidFile, match="stores it as another type"):
        open_source(empty, one("category", values=["1"]), {"v"})
