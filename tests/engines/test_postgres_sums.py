"""How PostgreSQL is asked for sums: in which types, how many values an aggregate brings, and that a
value is put on its grid once."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import reference
from engines.postgres_tables import ask, execute
from engines.tables import one, schema
from sudare.engines.postgres.dialect import NARROW, render
from sudare.engines.postgres.open import open_postgres
from sudare.engines.postgres.source import PostgresSource
from sudare.engines.postgres.sums import Sums
from sudare.engines.postgres.types import INT8, NUMERIC
from sudare.engines.sql.moments import shape_of
from sudare.engines.sql.physical import Cell, Physical
from sudare.facts.aggregate import MomentsRequest, ValuesAxis
from sudare.facts.errors import EngineUnavailable, InvalidFile
from sudare.facts.query import Comparison
from sudare.facts.schema import Schema
from support.postgres import Server

WIDE = one("integer", min=-(2**62), max=2**62)
RATE = one("real", min=-10, max=30)
TOTAL = MomentsRequest(columns=("v",), monomials=((0,),), counted=False)
MEAN = MomentsRequest(columns=("v",), monomials=((0,),))
SQUARES = MomentsRequest(columns=("v",), monomials=((0,), (0, 0)))


@pytest.fixture(scope="module")
def url(postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as place:
        # A small table is shared out among workers too, so that a plan shows whether it can be.
        name = place.rpartition("/")[2]
        for setting in ("min_parallel_table_scan_size", "parallel_setup_cost"):
            execute(place, f'ALTER DATABASE "{name}" SET {setting} = 0')
        yield place


def statement(source: PostgresSource, request: MomentsRequest) -> str:
    shape = shape_of(request)
    query = source._moments(shape, source._sums(shape, request.measures))
    return render(source._tables.before(query))


def kinds(place: str, facts: Schema, request: MomentsRequest) -> list[int]:
    """The types in which PostgreSQL answers a request."""
    with open_postgres(place, facts, request.used_columns()) as source:
        found = source._link.describe(statement(source, request), InvalidFile("", ""))
        return [kind for kind, _ in found]


def plan(place: str, facts: Schema, request: MomentsRequest) -> dict[str, Any]:
    """How PostgreSQL reads the rows: the lowest node of its plan."""
    with open_postgres(place, facts, request.used_columns()) as source:
        asked = f"EXPLAIN (VERBOSE, FORMAT JSON) {statement(source, request)}"
        (((found,),),) = source._link.run(asked)
    node: dict[str, Any] = (json.loads(found) if isinstance(found, str) else found)["Plan"]
    while "Plans" in node:
        node = node["Plans"][0]
    return node


def filled(url: str, kind: str, *values: str) -> str:
    rows = ", ".join(f"({value})" for value in values)
    execute(
        url,
        "DROP TABLE IF EXISTS t CASCADE",
        f"CREATE TABLE t (v {kind})",
        f"INSERT INTO t VALUES {rows}",
    )
    return f"{url}#t"


def test_sums_beyond_64_bits(url: str) -> None:
    place = filled(url, "bigint", *[str(2**62)] * 7)
    assert ask(place, WIDE, SQUARES)[0].rows == ((7, 7 * 2**62, 7 * 2**124),)
    most = 2**31 - 1
    place = filled(url, "integer", *[str(most)] * 7)
    assert ask(place, WIDE, SQUARES)[0].rows == ((7, 7 * most, 7 * most**2),)
    # So few rows overflow nothing, but every sum has to be a NUMERIC, which no number of rows does.
    assert kinds(place, WIDE, SQUARES) == [INT8, NUMERIC, NUMERIC]


@pytest.mark.parametrize("stored_as", ["smallint", "integer", "bigint", "double precision"])
@pytest.mark.parametrize("top", [2**22 - 1, 2**22, 2**31 - 1])
@pytest.mark.parametrize("declared", ["integer", "real"])
def test_sums_in_64_bits_are_of_narrow_numbers_alone(
    url: str, stored_as: str, top: int, declared: str
) -> None:
    """A table of fewer than 2^41 rows has no sum of such numbers that wraps."""
    assert 2**41 * NARROW <= 2**63
    facts = one(declared, min=-top, max=top, **({"step": 1.0} if declared == "real" else {}))
    place = filled(url, stored_as, "7", "-3", "32767", "NULL")
    is_long = declared == "integer" and stored_as in ("bigint", "double precision")
    is_short = top < NARROW and not is_long
    assert kinds(place, facts, TOTAL) == [INT8 if is_short else NUMERIC]
    assert ask(place, facts, TOTAL)[0].rows == ((32771,),)


def test_sums_over_what_has_no_most_rows_do_not_wrap(url: str) -> None:
    """A table of its own has fewer than 2^41 rows; views, partitions and children may have more."""
    place = filled(url, "integer", "1", "2", "NULL")
    execute(
        url,
        "CREATE VIEW seen AS SELECT t.v FROM t, t AS u",
        "CREATE MATERIALIZED VIEW laid AS SELECT v FROM t",
        "CREATE TABLE parted (v int) PARTITION BY LIST (v)",
        "CREATE TABLE part PARTITION OF parted DEFAULT",
        "CREATE TABLE parent (v int)",
        "CREATE TABLE child () INHERITS (parent)",
        "INSERT INTO parted VALUES (3)",
        "INSERT INTO child VALUES (4)",
    )
    narrow = one("integer", min=0, max=9)
    found = {
        name: (kinds(f"{url}#{name}", narrow, TOTAL), ask(f"{url}#{name}", narrow, TOTAL)[0].rows)
        for name in ("t", "laid", "seen", "parted", "parent")
    }
    assert found == {
        "t": ([INT8], ((3,),)),
        "laid": ([INT8], ((3,),)),
        "seen": ([NUMERIC], ((9,),)),
        "parted": ([NUMERIC], ((3,),)),
        "parent": ([NUMERIC], ((4,),)),
    }
    assert place.endswith("#t")


@pytest.mark.parametrize("top", [2**11 - 1, 2**11, 46_341, 2**16])
@pytest.mark.parametrize("stored_as", ["smallint", "integer"])
def test_products_in_32_bits_are_narrow_too(url: str, top: int, stored_as: str) -> None:
    most = min(top, 2**15 - 1) if stored_as == "smallint" else top
    place = filled(url, stored_as, *[str(most), str(-most)] * 3)
    facts = one("integer", min=-top, max=top)
    short = INT8 if top < 2**11 else NUMERIC
    assert kinds(place, facts, SQUARES) == [INT8, short, short]
    assert ask(place, facts, SQUARES)[0].rows == ((6, 0, 6 * most**2),)


# Count and sum in one.


@given(
    st.integers(-(2**22), 0),
    st.lists(st.integers(0, 2**22 - 1), max_size=50),
    st.integers(1, 2**30),
)
def test_count_and_sum_are_read_out_of_one_sum(low: int, found: list[int], times: int) -> None:
    sums = mean_of(low, low + 2**22 - 1)
    joined = times * sum(2**62 + offset for offset in found)
    count, total = times * len(found), times * sum(low + offset for offset in found)
    assert sums.read([joined or None]) == [count, total]


def mean_of(low: int, high: int) -> Sums:
    column = one("real", min=low, max=high, step=1.0).columns["v"]
    return Sums(((), (0,)), (Cell("v", column, Physical("float"), "c0"),), small=False)


def test_a_count_that_could_be_wrong_is_not_read() -> None:
    """With so many rows the indices may have run over into the count."""
    sums, span = mean_of(0, 2**22 - 1), 2**22 - 1
    most = (2**62 - 1) // span
    assert most >= 2**40
    assert sums.read([most * (2**62 + span)]) == [most, most * span]
    for rows in (most + 1, 2**45):
        with pytest.raises(EngineUnavailable, match="could not finish"):
            sums.read([rows * (2**62 + span)])


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        ("double precision", RATE),
        ("real", RATE),
        ("numeric", RATE),
        ("text", RATE),
        ("text", one("integer", min=-7, max=9)),
        ("double precision", one("real", min=5, max=9, step=0.1)),
        ("double precision", one("real", min=-1e9, max=1e9, step=0.5)),
    ],
)
def test_moments_of_values_that_are_missing_in_several_ways(
    url: str, kind: str, facts: Schema
) -> None:
    values = ["1.5", "-3", "7", "99", "-99", "0"]
    place = filled(url, kind, *(f"'{value}'" for value in values), "NULL", "'NaN'")
    read: Any = str if kind == "text" else float
    rows = [{"v": value} for value in [*map(read, values), None, read("nan")]]
    asked = [
        SQUARES,
        MEAN,
        TOTAL,
        MomentsRequest(columns=("v",), monomials=((0, 0), (0,))),
        MomentsRequest(columns=("v",), monomials=((0, 0),)),
        MomentsRequest(Comparison("v", "<", 0), columns=("v",), monomials=((0,),)),
        MomentsRequest(Comparison("v", ">", 10**6), columns=("v",), monomials=((0,),)),
    ]
    for request in asked:
        wanted = reference.moments(rows, facts, request)
        assert ask(place, facts, request) == [wanted], request
    assert ask(place, facts, *asked) == [reference.moments(rows, facts, each) for each in asked]


def test_groups_of_means_and_variances(url: str) -> None:
    execute(
        url,
        "DROP TABLE IF EXISTS g",
        "CREATE TABLE g (c text, v double precision, w real)",
        """INSERT INTO g VALUES ('a', 1.5, 2), (' a', 2.5, NULL), ('a', 'NaN', 3), ('b', NULL, 1),
                                ('b', 99, 'NaN'), ('other', 1, 1), (NULL, 1, 1), ('b', -4, 4)""",
    )
    number = {"type": "real", "min": -10, "max": 30, "step": 0.5}
    facts = schema({"c": {"type": "category", "values": ["a", "b", "z"]}, "v": number, "w": number})
    axes = (ValuesAxis("c", ("a", "b", "z")),)
    nan = math.nan
    rows = [
        {"c": c, "v": v, "w": w}
        for c, v, w in [
            ("a", 1.5, 2.0), (" a", 2.5, None), ("a", nan, 3.0), ("b", None, 1.0),
            ("b", 99.0, nan), ("other", 1.0, 1.0), (None, 1.0, 1.0), ("b", -4.0, 4.0),
        ]
    ]  # fmt: skip
    both = MomentsRequest(None, axes, ("v", "w"), ((0,), (1,), (0, 0), (0, 1), (1, 1)))
    for request in (both, MomentsRequest(None, axes, ("v",), ((0,), (0, 0)))):
        assert ask(f"{url}#g", facts, request) == [reference.moments(rows, facts, request)]
    assert kinds(f"{url}#g", facts, MomentsRequest(None, axes, ("v",), ((0,),)))[1:] == [NUMERIC]


# Computed once.


@pytest.mark.parametrize("kind", ["double precision", "text"])
def test_an_index_is_computed_once_by_every_worker(url: str, kind: str) -> None:
    place = filled(url, kind, "1", "2")
    found = plan(place, RATE, SQUARES)
    assert found["Node Type"] == "Seq Scan"
    assert found["Parallel Aware"]
    assert len(found["Output"]) == 1
    # The number's own reading is behind another fence if it is text.
    assert ("float8larger" in found["Output"][0]) == (kind != "text")


def test_a_clip_alone_is_not_kept(url: str) -> None:
    place = filled(url, "integer", "1", "2")
    assert plan(place, one("integer", min=0, max=9), SQUARES)["Output"] == ["t.v"]
    assert plan(place, RATE, MEAN)["Output"] == ["t.v"]
