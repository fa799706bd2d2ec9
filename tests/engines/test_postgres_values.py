"""Values that PostgreSQL alone can store, and settings that would change what they mean."""

from __future__ import annotations

import datetime as dt
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from engines import reference
from engines.postgres_tables import ask, cleaned, count, execute
from engines.tables import KEY, one, schema
from sudare.engines.postgres.open import open_postgres
from sudare.facts.aggregate import Axis, CutsAxis, MomentsRequest, UniformAxis, ValuesAxis
from sudare.facts.errors import InvalidFile
from sudare.facts.query import Comparison, Missing, Not
from sudare.facts.schema import NUMERIC as NUMBERS
from sudare.facts.schema import Column, Schema
from support.postgres import Server

SMALL = one("integer", min=-10, max=10)
RATE = one("real", min=-10, max=10, step=0.25)
DAY = one("date", min=dt.date(1900, 1, 1), max=dt.date(2100, 1, 1))
FIRST, LAST = DAY.grid("v").low, DAY.grid("v").high


@pytest.fixture(scope="module")
def url(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as place:
        yield place


def stored(url: str, kind: str, values: Sequence[str]) -> str:
    """The place of a new table with one column v, filled with SQL literals."""
    rows = ", ".join(f"({value})" for value in values)
    execute(
        url, "DROP TABLE IF EXISTS t", f"CREATE TABLE t (v {kind})", f"INSERT INTO t VALUES {rows}"
    )
    return f"{url}#t"


@pytest.mark.parametrize(
    ("kind", "values", "facts", "expected"),
    [
        ("numeric", ["'NaN'", "'Infinity'", "'-Infinity'", "7", "7.5", "1e400"], SMALL,
         [None, 10, -10, 7, None, 10]),
        ("numeric", ["'NaN'", "'Infinity'", "'-Infinity'", "1e400", "-1e400", "1e-400", "0.3"],
         RATE, [None, 40, -40, 40, -40, 0, 1]),
        ("numeric(5, 2)", ["'NaN'", "1", "1.25", "-99"], SMALL, [None, 1, None, -10]),
        ("numeric(5, 2)", ["'NaN'", "1", "1.30", "-99.99"], RATE, [None, 4, 5, -40]),
        ("numeric(2, -3)", ["99000", "1000"], SMALL, [10, 10]),
        ("numeric(3, 5)", ["0.00999", "0"], SMALL, [None, 0]),
        ("numeric(900, 400)", ["1e-400", "-1e499", "2"], RATE, [0, -40, 8]),
        ("numeric", ["'NaN'", "1", "0", "2", "0.5"], one("boolean"), [None, 1, 0, None, None]),
        ("boolean", ["true", "false", "NULL"], RATE, [4, 0, None]),
        ("boolean", ["true", "false", "NULL"], SMALL, [1, 0, None]),
        ("real", ["'NaN'", "'inf'", "'-inf'", "0.3", "-0.0"], RATE, [None, 40, -40, 1, 0]),
        ("smallint", ["-32768", "32767", "3"], SMALL, [-10, 10, 3]),
        ("date", ["'infinity'", "'-infinity'", "'4713-01-01 BC'", "'5874897-12-31'",
                  "'1970-01-02'"], DAY, [LAST, FIRST, FIRST, LAST, 1]),
        ("timestamp", ["'infinity'", "'-infinity'", "'4713-01-01 BC'", "'294276-12-31'",
                       "'1970-01-01 23:59:59.999999'"], DAY, [LAST, FIRST, FIRST, LAST, 0]),
        ("timestamptz", ["'infinity'", "'-infinity'", "'1970-01-02 00:30+09'",
                         "'1970-01-01 23:30-01'"], DAY, [LAST, FIRST, 0, 1]),
        ("char(6)", ["'7'", "' 7'", "''", "'x'"], SMALL, [7, 7, None, None]),
        ("varchar(6)", ["'7'", "' 7 '", "'7.0'"], SMALL, [7, 7, 7]),
    ],
)  # fmt: skip
def test_numbers_and_dates(
    url: str, kind: str, values: list[str], facts: Schema, expected: list[int | None]
) -> None:
    place = stored(url, kind, values)
    assert cleaned(place, facts) == expected
    present = [value for value in expected if value is not None]
    (total,) = ask(place, facts, MomentsRequest(columns=("v",), monomials=((0,),)))
    assert total.rows == ((len(present), sum(present)),)


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("char(9)", ["'a'", "' a'", "'A'", "'a b'"], ["a", "a", "rest", "a b"]),
        ("numeric", ["1.50", "1.5", "'NaN'", "2", "1e300", "'Infinity'"],
         ["1.5", "1.5", "rest", "2", "rest", "rest"]),
        ("numeric(4, 3)", ["1.5", "2"], ["1.5", "2"]),
        ("double precision", ["1.5", "2", "'NaN'", "-0.0"], ["1.5", "2", "rest", "0"]),
        ("date", ["'2024-04-01'", "'infinity'", "'0044-03-15 BC'"], ["2024-04-01"] + ["rest"] * 2),
        ("timestamp", ["'2024-04-01 10:00'", "'infinity'", "'0044-03-15 BC'"],
         ["2024-04-01 10:00:00", "rest", "rest"]),
        ("timestamptz", ["'2024-04-01 19:00+09'"], ["rest"]),
        ("uuid", ["'c0ffee00-0000-0000-0000-000000000001'"],
         ["c0ffee00-0000-0000-0000-000000000001"]),
    ],
)  # fmt: skip
def test_labels(url: str, kind: str, values: list[str], expected: list[str]) -> None:
    labels = ["a", "a b", "1.5", "2", "0", "2024-04-01", "2024-04-01 10:00:00"]
    labels.append("c0ffee00-0000-0000-0000-000000000001")
    facts = one("category", values=labels, other="rest")
    place = stored(url, kind, values)
    assert cleaned(place, facts) == expected
    grouped, *filtered = ask(
        place,
        facts,
        MomentsRequest(axes=(ValuesAxis("v", tuple(labels), True),)),
        *(MomentsRequest(Comparison("v", "=", label)) for label in (*labels, "rest")),
    )
    assert [n for (n,) in grouped.rows] == [expected.count(label) for label in (*labels, "rest")]
    assert [found.rows[0][0] for found in filtered] == [n for (n,) in grouped.rows]


@pytest.mark.parametrize(
    ("kind", "values", "units"),
    [
        ("numeric", ["1.5", "1.50", "1.500", "'NaN'", "1" + "0" * 40, "1" + "0" * 39 + "1"], 3),
        ("char(5)", ["'a'", "'a  '", "' a'", "''", "'A'"], 2),
        ("double precision", ["0.0", "-0.0", "'NaN'", "'inf'", "1e15", "1e16"], 4),
        ("date", ["'infinity'", "'0044-03-15 BC'", "'0044-03-15'", "NULL"], 3),
        ("timestamp", ["'infinity'", "'0044-03-15'", "NULL"], 1),
        ("boolean", ["true", "false", "true"], 2),
    ],
)
def test_units(url: str, kind: str, values: list[str], units: int) -> None:
    place = stored(url, kind, values * 3)
    facts = schema({"v": {"type": "key"}}, unit="v", max_rows_per_unit=1)
    assert count(place, facts) == units == len(cleaned(place, facts))


def test_a_collation_does_not_make_two_texts_one(url: str) -> None:
    execute(
        url,
        "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic=false)",
    )
    place = stored(url, "text COLLATE nocase", ["'a'", "'A'", "' a'", "'7'"])
    facts = one("category", values=["a", "A"])
    assert cleaned(place, facts) == ["a", "A", "a", None]
    axis = MomentsRequest(axes=(ValuesAxis("v", ("a", "A")),))
    assert ask(place, facts, axis)[0].rows == ((2,), (1,))
    keyed = schema({"v": {"type": "key"}}, unit="v", max_rows_per_unit=1)
    assert count(place, keyed) == 3
    assert cleaned(place, SMALL) == [None, None, None, 7]


@pytest.mark.parametrize("kind", ["double precision", "integer"])
def test_a_view_that_answers_anew_does_not_escape_the_bounds(url: str, kind: str) -> None:
    """A clip names its value once. One that names it twice lets a quarter of them through here, so
    1,000 rows would miss it with a probability below 1e-120."""
    facts = one("real" if kind == "double precision" else "integer", min=0, max=10)
    execute(
        url,
        f"""CREATE OR REPLACE FUNCTION anew(integer) RETURNS {kind} STABLE LANGUAGE plpgsql
            AS 'BEGIN RETURN floor(random() * 40 - 10); END'""",
        "CREATE OR REPLACE VIEW fickle AS SELECT anew(n) AS v FROM generate_series(1, 1000) AS n",
    )
    found = cleaned(f"{url}#public.fickle", facts)
    grid = facts.columns["v"].grid("v")
    assert {grid.low, grid.high} <= set(found)
    assert all(grid.low <= index <= grid.high for index in found)
    execute(url, "DROP VIEW fickle", "DROP FUNCTION anew(integer)")


def test_doubles_too_small_to_be_divided(url: str) -> None:
    """PostgreSQL ends a query whose quotient underflows."""
    place = stored(url, "double precision", ["5e-324", "-5e-324", "1e-310", "4.6"])
    for step in (3.0, 4.0, 1e90):
        high = 1e100 if step > 100 else 10
        facts = one("real", min=-high, max=high, step=step)
        assert cleaned(place, facts) == [0, 0, 0, reference.index_of(4.6, facts.columns["v"])]


def test_doubles_are_written_as_python_and_duckdb_write_them(url: str) -> None:
    draw = random.Random(5)
    numbers = [1e23, 5.094687398983366e16, 1e15, 1e16, 123456789012345.6, 1e-4, 1e-5, 5e-324, 0.1]
    numbers += [1.7976931348623157e308, 9007199254740993.0, 100.0, -1e22]
    numbers += [draw.choice((-1, 1)) * math.exp(draw.uniform(-20, 95)) for _ in range(2000)]
    numbers += [float(draw.randrange(2**53, 2**63)) for _ in range(2000)]
    place = stored(url, "double precision", [f"'{number!r}'" for number in numbers])
    assert sorted(cleaned(place, one("text"))) == sorted(map(repr, numbers))


SETTINGS = {
    "TimeZone": "'Asia/Tokyo'",
    "DateStyle": "'German, DMY'",
    "extra_float_digits": "-15",
    "standard_conforming_strings": "off",
    "search_path": "hostile, pg_catalog, public",
    "default_transaction_isolation": "'read committed'",
    "lc_messages": "'C'",
}


def test_settings_and_names_of_others_do_not_change_the_meaning(url: str) -> None:
    execute(
        url,
        "DROP TABLE IF EXISTS t",
        "CREATE TABLE t (d timestamptz, k double precision, c text, n int, t date)",
        """INSERT INTO t VALUES ('1970-01-01 16:00+00', 0.1234567, 'a\\b', 3, '2024-05-06'),
                                (NULL, 1e15, '\\', 12, NULL)""",
        "CREATE SCHEMA hostile",
        "CREATE FUNCTION hostile.int8larger(bigint, bigint) RETURNS bigint"
        " LANGUAGE sql AS 'SELECT 99::bigint'",
        "CREATE FUNCTION hostile.length(text) RETURNS int LANGUAGE sql AS 'SELECT 1'",
    )
    facts = schema(
        {
            "d": {"type": "date", "min": dt.date(1970, 1, 1), "max": dt.date(1970, 1, 9)},
            "k": {"type": "key"},
            "c": {"type": "category", "values": ["a\\b", "\\"]},
            "n": {"type": "integer", "min": 0, "max": 9},
            "t": {"type": "text"},
        }
    )
    names = list(facts.columns)
    expected = [(0, "0.1234567", "a\\b", 3, "2024-05-06")]
    expected.append((None, "1000000000000000.0", "\\", 9, None))  # type: ignore[arg-type]
    assert cleaned(f"{url}#public.t", facts, names) == expected
    database = url.rpartition("/")[2]
    for name, value in SETTINGS.items():
        execute(url, f'ALTER DATABASE "{database}" SET {name} = {value}')
    try:
        assert cleaned(f"{url}#public.t", facts, names) == expected
        # The user's own path is followed to the table, and to nothing else.
        assert cleaned(f"{url}#t", facts, names) == expected
    finally:
        execute(url, f'ALTER DATABASE "{database}" RESET ALL')


# No value ends a query: what test_totality.py does for Arrow, for PostgreSQL's own storage.

EXTREMES = {
    "smallint": ["-32768", "32767"],
    "integer": ["-2147483648", "2147483647"],
    "bigint": ["-9223372036854775808", "9223372036854775807"],
    "real": ["'NaN'", "'inf'", "'-inf'", "3.4e38", "1.4e-45", "-0.0"],
    "double precision": ["'NaN'", "'inf'", "'-inf'", "1.7e308", "5e-324", "-0.0", "9.3e18"],
    "numeric": ["'NaN'", "'inf'", "'-inf'", "1e131071", "-1e131071", "1e-16383", "0.5"],
    "numeric(38, 37)": ["'NaN'", "9." + "9" * 37, "-1e-37"],
    "numeric(1000, 0)": ["9" * 1000, "-" + "9" * 1000],
    "boolean": ["true", "false"],
    "date": ["'infinity'", "'-infinity'", "'4713-01-01 BC'", "'5874897-12-31'"],
    "timestamp": ["'infinity'", "'-infinity'", "'4713-01-01 BC'", "'294276-12-31 23:59:59'"],
    "timestamptz": ["'infinity'", "'-infinity'", "'4713-01-02 BC'", "'294276-12-31 23:59:59'"],
    "text": ["''", "' '", "'9' || repeat('9', 70000)", "repeat('x', 70000)", "'1e99999999999'",
             "'-1e-99999999999'", "'0000-02-29'", "'9999-99-99'", "'\U0010ffff'", "'.'", "'1e'"],
    "char(10)": ["'1'", "''"],
    "uuid": ["'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
}  # fmt: skip
DECLARED: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer", "min": -10, "max": 10},
    "wide integer": {"type": "integer", "min": -(2**62), "max": 2**62},
    "real": {"type": "real", "min": -10, "max": 10},
    "wide real": {"type": "real", "min": -(2.0**61), "max": 2.0**61, "step": 1.0},
    "coarse real": {"type": "real", "min": -1e100, "max": 1e100, "step": 3e90},
    "boolean": {"type": "boolean"},
    "date": {"type": "date", "min": dt.date(1900, 1, 1), "max": dt.date(2100, 1, 1)},
    "calendar": {"type": "date", "min": dt.date.min, "max": dt.date.max},
    "category": {"type": "category", "values": ["0", "1.5", "9" * 45, "true", "2024-04-01"]},
    "key": {"type": "key"},
}


def requests(column: Column) -> list[MomentsRequest]:
    found = [MomentsRequest()]
    if column.type in NUMBERS:
        grid = column.grid("v")
        axes: list[Axis] = [UniformAxis("v", grid.low, grid.span + 1, 2), CutsAxis("v", (1,))]
        found += [MomentsRequest(axes=(axis,)) for axis in axes]
        found.append(MomentsRequest(columns=("v",), monomials=((0,),)))
    if column.type == "category":
        found.append(MomentsRequest(axes=(ValuesAxis("v", column.values),)))
    return found if column.type == "key" else [*found, MomentsRequest(Not(Missing("v")))]


@pytest.mark.parametrize("kind", EXTREMES)
def test_no_value_ends_a_query(url: str, kind: str) -> None:
    place = stored(url, kind, [*EXTREMES[kind], "NULL"])
    rows, tried = len(EXTREMES[kind]) + 1, 0
    for declared in DECLARED.values():
        facts = one(**declared)
        try:
            source = open_postgres(place, facts, {"v"})
        except InvalidFile:
            continue
        tried += 1
        with source:
            for request, answer in zip(
                requests(facts.columns["v"]),
                source.moments(requests(facts.columns["v"]), KEY),
                strict=True,
            ):
                assert 0 <= sum(group[0] for group in answer.rows) <= rows, request
            assert sum(batch.num_rows for batch in source.batches(["v"], KEY)) == rows
    assert tried >= 2
    bounded = schema({"v": {"type": "key"}}, unit="v", max_rows_per_unit=1)
    assert 0 <= count(place, bounded) <= rows


# Text that looks like numbers and dates, against Python's own reading.


def read(url: str, texts: Sequence[str], facts: Schema) -> list[Any]:
    """The cleaned values of texts, in their order, which a table does not keep."""
    rows = ", ".join(f"({place}, '{text}')" for place, text in enumerate(texts))
    execute(
        url,
        "DROP TABLE IF EXISTS t",
        "CREATE TABLE t (i int, v text)",
        f"INSERT INTO t VALUES {rows}",
    )
    numbered = schema(
        {**facts.model_dump()["columns"], "i": {"type": "integer", "min": 0, "max": len(texts)}}
    )
    return [value for _, value in sorted(cleaned(f"{url}#t", numbered, ("i", "v")))]


def spelled(draw: random.Random) -> str:
    """A number written in one of the many ways, right and wrong."""
    digits = "".join(draw.choices("0123456789", k=draw.choice([0, 1, 2, 17, 60, 250])))
    fraction = "".join(draw.choices("0123456789", k=draw.choice([0, 1, 5, 310])))
    zeros = "0" * draw.choice([0, 0, 1, 320])
    exponent = draw.choice(["", "", f"e{draw.randint(-700, 700)}", f"E+0{draw.randint(0, 400)}"])
    point = draw.choice([".", "", ".."]) if draw.random() < 0.5 else "."
    return draw.choice(["", "-", "+", " "]) + zeros + digits + point + fraction + exponent


def test_numbers_in_text_are_read_as_python_reads_them(url: str) -> None:
    draw = random.Random(11)
    texts = [spelled(draw) for _ in range(3000)]
    for facts in (RATE, one("real", min=-1e100, max=1e100), SMALL):
        column = facts.columns["v"]
        wanted = [reference.index_of(text, column) for text in texts]
        assert read(url, texts, facts) == wanted
        assert len(set(wanted)) > 10


def test_dates_in_text_are_those_of_the_calendar(url: str) -> None:
    texts = [
        f"{year:04d}{sign}{month}{sign}{day:02d}"
        for year in (1, 1900, 1999, 2000, 2004, 9999)
        for month in range(14)
        for day in (0, 1, 28, 29, 30, 31, 32)
        for sign in "-/"
    ]
    calendar = one("date", min=dt.date.min, max=dt.date.max)
    wanted = [reference.index_of(text, calendar.columns["v"]) for text in texts]
    assert read(url, texts, calendar) == wanted
    assert wanted.count(None) > 100
